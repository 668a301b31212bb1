package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/carrier"
)

// The telephone of the hotel: so many numbers for each play, because so many calls
// a minute come through to one.
const (
	publicURL      = "https://desk.example.com"
	authToken      = "0123456789abcdef0123456789abcdef"
	numbersPerPlay = 5
)

// BenchmarkRelay is BenchmarkConversations by telephone: 200 calls at once through a
// carrier's relay, with callers who speak at a fixed pace. A wait ends with the first
// words of the answer.
func BenchmarkRelay(b *testing.B) {
	binary := build(b)
	eachDatabase(b, func(b *testing.B, database string) {
		h := newHotel(b, binary, database, "FRONTDESK_PUBLIC_URL="+publicURL)
		h.addNumbers(b)
		bare := startBare(b, []byte(strings.Repeat("x", 400)))
		callers := h.phoneCallers(b)
		var all []spokenAt
		for _, pace := range []int{50, 100, 200} {
			all = append(all, h.talkAtPace(b, bare, callers, pace))
		}
		for _, s := range all { // later, or the callers would be silent meanwhile
			b.Run(fmt.Sprintf("%d a second", s.pace), s.report)
		}
	})
}

// The kinds of things that are measured on the telephone alone.
const (
	// prompts are all that is said and answered at once.
	prompts = "prompt"
	// unready is a question of who is asked for a telephone number: they are given
	// time to say it.
	unready = "question in place of a number"
)

// spokenAt is how long answers took at a pace.
type spokenAt struct {
	pace int
	took waits
	cpu  time.Duration // of one
}

func (h *hotel) talkAtPace(b *testing.B, bare *server, callers []*phoneCaller, pace int) spokenAt {
	b.Helper()
	before := h.cpu(b)
	idle := askMeanwhile(b, bare)
	took := speakAtPace(b, callers, pace)
	took[bareWork] = idle()
	took[prompts] = slices.Concat(took[booking], took[catalogue], took[documents])
	return spokenAt{pace, took, (h.cpu(b) - before) / time.Duration(len(took[everything]))}
}

func (s spokenAt) report(b *testing.B) {
	for _, kind := range []string{everything, prompts, greeting, booking, catalogue, documents, unready, ending, bareWork} {
		if len(s.took[kind]) > 0 {
			b.Run(kind, func(b *testing.B) { s.took.report(b, kind, s.cpu) })
		}
	}
}

func (h *hotel) addNumbers(b *testing.B) {
	b.Helper()
	secret := filepath.Join(b.TempDir(), "secret")
	check(b, os.WriteFile(secret, []byte(authToken), 0o600))
	for i, p := range plays {
		for n := range numbersPerPlay {
			h.command(b, "number", "add", "--tenant", "demo", "--agent", p.agent, "--carrier", "twilio", "--secret-file", secret, numberOf(i, n))
		}
	}
}

func numberOf(play, n int) string { return fmt.Sprintf("+3491000%02d%02d", play, n) }

// phoneCaller is a caller who calls again when a call is over.
type phoneCaller struct {
	server   string
	number   int
	play     play
	waits    int // turns, before the first call
	next     int // line; -1: the call is to be made
	calls    int
	call     *carrier.Call
	answered chan time.Time // when the last words came
}

// phoneCallers are in the middle of their calls, each at another point.
func (h *hotel) phoneCallers(b *testing.B) []*phoneCaller {
	b.Helper()
	callers := make([]*phoneCaller, openAtOnce)
	for i := range callers {
		p := plays[i%len(plays)]
		callers[i] = &phoneCaller{
			server: "http://" + h.addr, number: i, play: p, next: -1, answered: make(chan time.Time, 1),
			waits: i / len(plays) % len(p.lines),
		}
	}
	speakAtPace(b, callers, openAtOnce)
	return callers
}

// turn does what comes next, and says when the answer came.
func (c *phoneCaller) turn() (kind string, answered time.Time, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	switch {
	case c.waits > 0:
		c.waits--
		return "", time.Now(), nil
	case c.next < 0:
		c.next = 0
		return c.dial(ctx)
	case c.next >= len(c.play.lines):
		c.next = -1
		err := c.call.HangUp(ctx)
		return ending, time.Now(), err
	}
	l := c.play.lines[c.next]
	c.next++
	if l.kind != booking && c.next < len(c.play.lines) && c.play.lines[c.next].text == "{phone}" {
		l.kind = unready
	}
	text := sentence(fill(c.play, l.text, c.number, c.calls))
	for c.call.Waiting() { // whoever is silent for six seconds is asked whether they are still there
		if _, err := c.call.Hear(ctx); err != nil {
			return l.kind, answered, err
		}
		<-c.answered
	}
	if err := c.call.Prompt(ctx, pieces(text)...); err != nil {
		return l.kind, answered, err
	}
	said, err := c.call.Hear(ctx)
	if err == nil && (said.Ended || (l.text == "yes" || l.text == "sí") && !said.Kept) { // a code is not cut off
		err = fmt.Errorf("%s in %s: %q %w: it is answered with %q", c.play.agent, c.play.language, text, errNotDone, said.Text)
	}
	if err != nil {
		return l.kind, answered, err
	}
	return l.kind, <-c.answered, nil
}

func (c *phoneCaller) dial(ctx context.Context) (kind string, answered time.Time, err error) {
	c.calls++
	c.call, err = carrier.Dial(ctx, carrier.Options{
		Habits: carrier.Twilio, Server: c.server, Public: publicURL, Secret: authToken,
		Number: numberOf(c.number%len(plays), c.number/len(plays)%numbersPerPlay), Trace: c.noteAnswer,
	})
	if err != nil {
		return greeting, answered, err
	}
	if _, err := c.call.Hear(ctx); err != nil {
		return greeting, answered, err
	}
	return greeting, <-c.answered, nil
}

// noteAnswer keeps the time at which words come.
func (c *phoneCaller) noteAnswer(direction, text string) {
	if direction == "<-" && strings.HasPrefix(text, `{"type":"text"`) {
		select {
		case c.answered <- time.Now():
		default: // that was no answer: the next shows it
		}
	}
}

// sentence is a text as a carrier writes it down: with its end.
func sentence(text string) string {
	if strings.ContainsAny(text[len(text)-1:], ".?!") {
		return text
	}
	return text + "."
}

// pieces are those in which a carrier hears a text: at first without the last word.
func pieces(text string) []string {
	at := strings.LastIndexByte(text, ' ')
	if at < 0 {
		return []string{text}
	}
	return []string{text[:at], text[at+1:]}
}
