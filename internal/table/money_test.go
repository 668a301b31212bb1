package table_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/table"
)

// TestTheDollarSignIsTheHousesOwn: "$" means the currency of the house where that is
// written so, and the dollar of the United States elsewhere.
func TestTheDollarSignIsTheHousesOwn(t *testing.T) {
	t.Parallel()
	for own, want := range map[string]string{"ARS": "pesos", "MXN": "pesos", "CLP": "pesos", "CAD": "dólares", "USD": "dólares", "EUR": "dólares", "": "dólares"} {
		tab := table.New(rows(t, "Plato: Asado; Precio: $ 18.500", "Plato: Milanesa; Precio: $ 12.000"), own)
		got, _ := tab.Read(inquiry("cuánto sale el asado"), []int{0}).Say("es", "es", 0)
		if !strings.Contains(got, "18.500 "+want) {
			t.Errorf("%s: %q, want %s", own, got, want)
		}
	}
	tab := table.New(rows(t, "Plato: Asado; Precio: 15 USD", "Plato: Milanesa; Precio: 12 USD"), "ARS")
	if got, _ := tab.Read(inquiry("cuánto sale el asado"), []int{0}).Say("es", "es", 0); !strings.Contains(got, "15 dólares") {
		t.Errorf("who writes USD means it: %q", got)
	}
}
