package reception_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/reception"
)

const (
	awnings = `Producto;Precio desde;Unidad;Plazo de entrega
Toldo de brazo extensible;480 €;unidad;3-4 semanas
Toldo vertical;95 €;m²;2-3 semanas
Pérgola bioclimática;320 €;m²;6-8 semanas
Cambio de lona;38 €;metro;10 días
`
	pool = `# Piscina municipal

| Entrada a la piscina | Adulto | Niño |
|---|---|---|
| Baño libre | 5,50 € | 3,00 € |
| Bono de 10 baños | 45,00 € | 25,00 € |

## Horario de la piscina

| Día | Abre | Cierra |
|---|---|---|
| Lunes a viernes | 7:00 | 22:00 |
| Sábado | 9:00 | 21:00 |
| Domingo | cerrado | |
`
	boats = `boat,hour,day
Rowing boat,12,45
Pedal boat,15,60
`
)

// TestQuestionsAboutTables: what callers hear from price lists and timetables, and what
// they hear who go on after an answer.
func TestQuestionsAboutTables(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	shelves := knowledge.NewShelves(f.store, nil, f.clock.Now, slog.New(slog.DiscardHandler), 0)
	f.sessions = reception.NewSessions(reception.SessionOptions{Store: f.store, Shelves: shelves, Now: f.clock.Now})
	f.reads("toldos.csv", frontdesk.CSV, awnings)
	f.reads("piscina.md", frontdesk.Markdown, pool)
	f.reads("boats.csv", frontdesk.CSV, boats)
	for name, lines := range map[string][][2]string{
		"the same of something else": {
			{"¿Cuánto cuesta una pérgola?", "El precio de Pérgola bioclimática es desde 320 euros el metro cuadrado."},
			{"¿Y el toldo vertical?", "El precio de toldo vertical es desde 95 euros el metro cuadrado."},
			{"¿y cuánto tarda?", "Toldo vertical: plazo de entrega de 2 a 3 semanas."},
		},
		"two facts": {
			{"¿Cuánto cuesta el toldo vertical y cuánto tarda?", "El precio de toldo vertical es desde 95 euros el metro cuadrado. Plazo de entrega: de 2 a 3 semanas."},
		},
		"two facts, in the other language": {
			{"How much is a pergola and how long does it take?", "Pérgola bioclimática is from 320 euros per square metre. Pérgola bioclimática: delivery time 6 to 8 weeks."},
		},
		"for somebody else": {
			{"¿Cuánto vale el bono de 10 baños para adultos?", "El precio de bono de 10 baños es 45 euros (adulto)."},
			{"¿Y para niños?", "El precio de bono de 10 baños es 25 euros (niño)."},
		},
		"on another day": {
			{"¿A qué hora abre la piscina el sábado?", "Sábado: de 9:00 a 21:00."},
			{"¿Y los domingos?", "Domingo: cerrado."},
			{"¿y entre semana?", "Lunes a viernes: de 7:00 a 22:00."},
		},
		"on another day, in the other language": {
			{"What time does the pool open on Saturday?", "Saturday: 9:00 to 21:00."},
			{"and on Sundays?", "Sunday: closed."},
		},
		"which of two is not told": {
			{"¿Cuánto cuesta un toldo?", "El precio de toldo de brazo extensible es desde 480 euros por unidad. El precio de toldo vertical es desde 95 euros el metro cuadrado."},
		},
		"the money is that of the business": {
			{"How much is a rowing boat?", "Rowing boat is 12 euros an hour and 45 euros a day."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := f.start()
			c.t = t
			for _, line := range lines {
				if got := c.say(line[0]).Text; !strings.HasPrefix(got, line[1]) {
					t.Errorf("%s\n said %s\n want %s", line[0], got, line[1])
				}
			}
		})
	}
}

// reads gives the agent a document, read as uploads are.
func (f *front) reads(filename string, kind frontdesk.DocumentKind, text string) {
	f.t.Helper()
	d := frontdesk.Document{
		ID: frontdesk.NewID(monday), Live: true, AgentID: f.agent.ID, Title: filename, Filename: filename, Kind: kind,
		SizeBytes: 1, SHA256: []byte(filename), Status: frontdesk.DocumentPending, CreatedAt: monday, UpdatedAt: monday,
	}
	_, _, err := f.store.AddDocument(ctx, f.owner, frontdesk.Actor{}, d, frontdesk.DefaultPlan())
	must(f.t, err)
	claim, _, err := f.store.ClaimDocumentForWorker(ctx, monday.Add(time.Hour), monday.Add(2*time.Hour), 0)
	must(f.t, err)
	fragments, err := document.NewReader(nil).Read(ctx, kind, []byte(text))
	must(f.t, err)
	for i := range fragments {
		fragments[i].ID, fragments[i].DocumentID = frontdesk.NewID(monday), d.ID
	}
	_, err = f.store.SaveFragments(ctx, f.owner, claim, fragments, monday, 100)
	must(f.t, err)
}
