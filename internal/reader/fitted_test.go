package reader

import (
	"encoding/json"
	"testing"
)

// The weights are part of the program: they can be read, tell what they were made from,
// and know an answer from what is only near, in both languages.
func TestTheTrainedReader(t *testing.T) {
	r, err := Fitted()
	if err != nil {
		t.Fatal(err)
	}
	var origin struct {
		Lessons string
		From    string
	}
	if err := json.Unmarshal(r.Origin(), &origin); err != nil || len(origin.Lessons) != 64 || origin.From == "" {
		t.Errorf("they are made from %s (%v)", r.Origin(), err)
	}
	if r.Path() == "portable" {
		t.Skip("NOT COVERED: reading takes too long without instructions for it")
	}
	for _, tt := range []struct{ question, answers, near string }{
		{"How long does a haircut take?", "A haircut takes forty minutes.", "A haircut is 22 pounds."},
		{"¿Cuánto dura un corte de pelo?", "El corte de pelo dura cuarenta minutos.", "El corte de pelo cuesta 22 euros."},
		{"¿Cuánto cuesta un corte de pelo?", "A haircut is 22 pounds.", "A haircut takes forty minutes."},
		{"Are you open on Sundays?", "Los domingos cerramos.", "Los lunes abrimos a las nueve."},
	} {
		if s := r.Score(tt.question, tt.answers, tt.near); s[0] <= s[1] {
			t.Errorf("%s: %q has %.1f, and %q has %.1f", tt.question, tt.answers, s[0], tt.near, s[1])
		}
	}
}
