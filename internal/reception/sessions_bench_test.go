package reception_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// BenchmarkTurn is one message and its answer, read from the database and
// written back, without a question to the documents.
func BenchmarkTurn(b *testing.B) {
	f := newFront(b)
	f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 1 << 30 })
	said := []string{"Quiero reservar una revisión", "el miércoles a las doce del mediodía", "Ana García", "612 345 678", "no, mejor a las cinco"}
	c := f.start()
	for n := 0; b.Loop(); n++ {
		if c.last.Ended || n%len(said) == 0 {
			b.StopTimer()
			c = f.start()
			b.StartTimer()
		}
		c.say(said[n%len(said)])
	}
}

// BenchmarkStart is a page that is opened, beside all those that were before:
// run it with -benchtime 2000x.
func BenchmarkStart(b *testing.B) {
	f := newFront(b)
	f.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 1 << 30 })
	for b.Loop() {
		f.start()
	}
}
