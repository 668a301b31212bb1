package table_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/table"
)

// FuzzTable: no rows and no question bring it down, and what it says is bounded by what
// there is to say.
func FuzzTable(f *testing.F) {
	f.Add("Service: Cut; Price: 25 €", "Service: Shave; Price: from £1.250,00/month inc VAT", "how much is a cut and how long")
	f.Add("Price; A: 1; B: 2; C: 3", "Minutes; A: 10; B: 20-30", "¿cuánto dura B?")
	f.Add("Day: Monday; Opens: 9; Closes: 5pm", "Day: Sunday; Opens: closed", "and on Sundays?")
	f.Add("x; 5 €", "y; -", "✓/%+'")
	f.Add("a; ٦", "b; ٧", "٦") // figures that are no ASCII
	f.Fuzz(func(t *testing.T, first, second, question string) {
		if len(first)+len(second)+len(question) > 4096 {
			return
		}
		a, ok := table.Parse(first)
		if !ok {
			return
		}
		all := []table.Row{a}
		if b, ok := table.Parse(second); ok && table.Alike(a, b) {
			all = append(all, b)
		}
		tab := table.New(all, "EUR")
		in := inquiry(question)
		picked, more := tab.Pick(in, 0, []int{0})
		if tab.Turned() {
			picked, more = tab.PickNamed(in)
		}
		for _, code := range language.Codes() {
			if said, _ := tab.Read(in, picked).Say(code, code, more); len(said) > 64*(len(first)+len(second)+64) {
				t.Errorf("it says %d bytes", len(said))
			}
		}
		table.Describe(first)
		table.Lead(question, first, language.Codes()[0])
		table.Short(question, first, language.Codes()[0], language.Codes()[1])
		table.WithoutVariants(question)
	})
}
