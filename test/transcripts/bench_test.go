package transcripts

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/reception"
)

// lines are what callers of the demo's businesses say, by what it takes to answer
// them.
var lines = map[string]struct {
	agent, language string
	said            []string
}{
	"a booking": {"dental-la-plaza", "es", []string{
		"Quiero pedir cita para una limpieza", "el miércoles a las 12:00", "Marta Ruiz", "612 345 678", "mejor a las 13:00", "no, a las 17:00",
	}},
	"a question to the catalogue": {"casa-lola", "es", []string{
		"¿Qué platos veganos tenéis?", "¿Qué alérgenos llevan las croquetas?", "¿Cuánto cuesta la paella?", "¿A qué hora abrís el viernes?",
	}},
	"a question to the documents": {"harbour-store", "en", []string{
		"Can somebody else collect my order?", "How long do you keep a parcel at the pick-up point?", "Do you gift wrap?", "Can I pay in cash?",
	}},
}

// BenchmarkMessage is one message and its answer, from what is written down of the
// conversation to what is written down of it then.
func BenchmarkMessage(b *testing.B) {
	for name, tt := range lines {
		b.Run(name, func(b *testing.B) {
			h := newHouse(b)
			shop := h.move(b, opening{slug: "bench", agent: tt.agent, now: "2026-11-16T10:00"})
			h.readDocuments(b)
			sessions := reception.NewSessions(reception.SessionOptions{Store: h.store, Shelves: h.shelves, Now: shop.clock.Now})
			begin := func() reception.Welcome {
				w, err := sessions.Start(ctx, reception.Beginning{Tenant: "bench", Agent: tt.agent, Live: true, Language: tt.language})
				must(b, err)
				return w
			}
			w := begin()
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if n%len(tt.said) == 0 {
					b.StopTimer()
					_, err := sessions.End(ctx, w.ID, w.Token.Reveal())
					must(b, err)
					w = begin()
					b.StartTimer()
				}
				_, err := sessions.Hear(ctx, w.ID, w.Token.Reveal(), conversation.Input{Kind: conversation.Text, Text: tt.said[n%len(tt.said)]})
				must(b, err)
			}
		})
	}
}
