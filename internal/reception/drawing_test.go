package reception_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

// TestTheDrawing walks every arrow of the drawing in docs/conversations.md, and
// knows no other.
func TestTheDrawing(t *testing.T) {
	t.Parallel()
	arrows := map[string]func(*caller){
		"[*] --> greeted: started":                                func(*caller) {},
		"greeted --> open: the first message and its answer":      func(c *caller) { c.say("hola") },
		"greeted --> ended: the first message is a goodbye":       func(c *caller) { c.say("Nada más, gracias. Adiós.") },
		"greeted --> ended: ended by the visitor, without a call": func(c *caller) { c.endUnspoken() },
		"greeted --> [*]: silent for 30 minutes": func(c *caller) {
			c.clock.Forward(silent)
			must(c.t, c.sessions.Sweep(ctx))
		},
		"greeted --> ended: refused, the plan has no room": func(c *caller) {
			c.plan(func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 1 })
			c.start().say("hola")
			c.say("hola")
		},
		"open --> open: a message and its answer": func(c *caller) { c.say("hola") },
		"open --> ended: goodbye":                 func(c *caller) { c.say("Nada más, gracias. Adiós.") },
		"open --> ended: ended by the visitor":    func(c *caller) { c.end() },
		"open --> ended: silent for 30 minutes": func(c *caller) {
			c.clock.Forward(silent)
			must(c.t, c.sessions.Sweep(ctx))
		},
		"open --> ended: the plan's seconds are used up": func(c *caller) {
			c.plan(func(p *frontdesk.Plan) { p.IncludedSeconds, p.Overage = 10, frontdesk.OverageBlock })
			c.clock.Forward(time.Minute)
			c.say("hola")
		},
		"open --> ended: it has become too long": func(c *caller) {
			for range 200 {
				c.say("¿Y eso?")
			}
		},
		"open --> ended: something failed on our side": func(c *caller) {
			c.sessions = reception.NewSessions(reception.SessionOptions{Store: c.store, Model: panicking{}, Box: c.box, Now: c.clock.Now})
			c.say("Verá usted, resulta que ayer mi primo me contó una cosa rarísima sobre el asunto aquel")
		},
		"ended --> ended: a message, answered that it has ended": func(c *caller) { c.say("hola") },
		"ended --> [*]: forgotten after 24 hours": func(c *caller) {
			c.clock.Forward(reception.Memory + time.Second)
			must(c.t, c.sessions.Sweep(ctx))
		},
	}
	if drawn, known := drawing(t), slices.Sorted(maps.Keys(arrows)); !slices.Equal(drawn, known) {
		t.Errorf("drawn are %q, known are %q", drawn, known)
	}
	for arrow, follow := range arrows {
		t.Run(arrow, func(t *testing.T) {
			t.Parallel()
			from, rest, _ := strings.Cut(arrow, " --> ")
			to, _, _ := strings.Cut(rest, ":")
			c := newFront(t).start()
			if from == "open" || from == "ended" {
				c.say("hola")
			}
			if from == "ended" {
				c.end()
			}
			follow(c)
			if got := c.stands(); got != to {
				t.Errorf("it is %s", got)
			}
		})
	}
}

// stands is where the drawing has the conversation.
func (c *caller) stands() string {
	c.t.Helper()
	row, err := c.store.ConversationByID(ctx, c.id)
	switch {
	case err != nil && c.clock.Now().Sub(monday) <= reception.Silence:
		return "greeted"
	case err != nil:
		return "[*]"
	case row.EndedAt.IsZero():
		return "open"
	}
	return "ended"
}

// drawing are the arrows of the drawing, in order.
func drawing(t *testing.T) (arrows []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/conversations.md")
	must(t, err)
	for _, m := range regexp.MustCompile(`(?m)^ +(\S+ --> .+)$`).FindAllStringSubmatch(string(text), -1) {
		arrows = append(arrows, m[1])
	}
	slices.Sort(arrows)
	return arrows
}
