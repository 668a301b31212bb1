package catalogue

import "testing"

func TestWhatMayBeMeant(t *testing.T) {
	t.Parallel()
	c := &Catalogue{}
	for name, general := range map[string]bool{
		"Diagnostic check": true, "Initial consultation": true, "Consulta general": true, "Primera visita": false,
		"Brake check": false, "Consulta de familia": false, "Revisión infantil": false,
	} {
		if got := c.isGeneral(name); got != general {
			t.Errorf("%q is for whatever there is: %t, want %t", name, got, general)
		}
	}
}
