package callers

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/carrier"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/phone"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

// TestCallersByTelephone has everybody call through a carrier's relay. As many are
// served as on the web.
//
// It is not run beside the others: on the telephone time counts.
func TestCallersByTelephone(t *testing.T) {
	c := telephoneAll(t, ".")
	if floor := readFloor(t); c.served < floor && os.Getenv("PAUSES") == "" {
		t.Errorf("%d of %d callers are served by telephone; on the web, %d are", c.served, c.total, floor)
	}
	t.Log(c)
}

// TestOthersByTelephone calls with the scripts of another folder.
func TestOthersByTelephone(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("EVAL")
	if folder == "" {
		t.Skip("EVAL names no folder")
	}
	t.Log(telephoneAll(t, folder))
}

// linesAtOnce is how many are on the telephone at the same time. They spend most of
// it waiting: the server gives everybody time to go on talking.
const linesAtOnce = 40

// telephoneAll has everybody call whose script lies under a folder, and judges each
// in a subtest when all have.
func telephoneAll(t *testing.T, root string) *count {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(root, "*", "business.json"))
	must(t, err)
	var all []*phoneCall
	for _, file := range folders {
		scripts := readScripts(t, filepath.Dir(file))
		x := openExchange(t, openBusiness(t, filepath.Dir(file), scripts), scripts)
		for i, s := range scripts {
			all = append(all, x.newCall(i, s))
		}
	}
	holdAll(all)
	c := &count{by: map[string][2]int{}, kinds: map[string]int{}}
	for _, p := range all {
		t.Run(p.h.ID, func(t *testing.T) { p.judge(t, c) })
	}
	return c
}

func holdAll(all []*phoneCall) {
	var group sync.WaitGroup
	line := make(chan struct{}, linesAtOnce)
	for _, p := range all {
		line <- struct{}{}
		group.Go(func() {
			defer func() { <-line }()
			p.fault = p.hold()
		})
	}
	group.Wait()
}

// exchange connects a business with both carriers: each caller calls a number of
// their own, which their own agent answers.
type exchange struct {
	*business
	server *httptest.Server
	began  time.Time // the clock goes on from b.now
	key    ed25519.PrivateKey
	faults *faultLog
}

const (
	publicURL = "https://desk.example.com"
	authToken = "0123456789abcdef0123456789abcdef"
	// anotherNumber is shown by callers who want to be called elsewhere.
	anotherNumber = "+34600999888"
)

func openExchange(t testing.TB, b *business, scripts []script) *exchange {
	t.Helper()
	x := &exchange{business: b, began: time.Now(), faults: &faultLog{}}
	public, key, err := ed25519.GenerateKey(nil)
	must(t, err)
	x.key = key
	box, err := seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(make([]byte, 32))))
	must(t, err)
	numbers := account.NewNumbers(b.store, box, x.clock)
	for i, s := range scripts {
		in := account.NumberInput{Number: numberOf(i), AgentSlug: b.agents[s.ID].Slug, Carrier: frontdesk.Twilio, Secret: authToken}
		if habitsOf(i) == carrier.Telnyx {
			in.Carrier, in.Secret = frontdesk.Telnyx, frontdesk.Secret(base64.StdEncoding.EncodeToString(public))
		}
		_, err := numbers.Add(ctx, b.owner, in)
		must(t, err)
	}
	log := slog.New(slog.NewTextHandler(x.faults, &slog.HandlerOptions{Level: slog.LevelWarn}))
	sessions := reception.NewSessions(reception.SessionOptions{Store: b.store, Shelves: b.shelves, Box: box, Now: x.clock, Log: log})
	p := phone.New(phone.Options{Sessions: sessions, Store: b.store, Numbers: numbers, PublicURL: publicURL, Box: box, Now: x.clock, Log: log})
	x.server = httptest.NewServer(p.Handler())
	t.Cleanup(x.server.Close)
	t.Cleanup(func() {
		if said := x.faults.String(); said != "" {
			t.Errorf("%s: the telephone complains: %s", b.name, said)
		}
	})
	return x
}

// clock is the server's. Few are on the telephone at once, so that what it waits for
// comes in time on a machine that is busy with other tests.
func (x *exchange) clock() time.Time { return x.now.Add(time.Since(x.began)) }

// numberOf is the number that the nth caller of a business calls.
func numberOf(n int) string { return fmt.Sprintf("+3491000%04d", n) }

// habitsOf is through whom the nth caller calls: half of them through each carrier.
func habitsOf(n int) carrier.Habits {
	if n%2 == 0 {
		return carrier.Twilio
	}
	return carrier.Telnyx
}

// shows is the number that the nth caller shows. Of each carrier's callers half show
// none, and a quarter one that is not the one that they give.
func shows(n int, s script) string {
	switch n / 2 % 4 {
	case 0:
		var want wantedCapture
		if json.Unmarshal(s.Wants.Capture, &want) == nil && want.CustomerPhone != "" {
			return want.CustomerPhone
		}
		return anotherNumber
	case 2:
		return anotherNumber
	}
	return ""
}

// faultLog is what the telephone complains about.
type faultLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *faultLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *faultLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// phoneCall is a caller on the telephone.
type phoneCall struct {
	*exchange
	options carrier.Options
	chance  *rand.Rand
	h       held
	id      frontdesk.ID
	fault   error // what ended the call that should not have
}

func (x *exchange) newCall(n int, s script) *phoneCall {
	seed := fnv.New64()
	_, _ = seed.Write([]byte(s.ID + os.Getenv("SEED")))
	p := &phoneCall{exchange: x, h: held{caller: newCaller(s)}, chance: rand.New(rand.NewPCG(seed.Sum64(), 0))}
	p.options = carrier.Options{
		Habits: habitsOf(n), Server: x.server.URL, Public: publicURL, Number: numberOf(n), From: shows(n, s), Secret: authToken, Now: x.clock,
	}
	if p.options.Habits == carrier.Telnyx {
		p.options.Secret = base64.StdEncoding.EncodeToString(x.key)
	}
	return p
}

// hold has the caller talk until they are done.
func (p *phoneCall) hold() error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	call, err := carrier.Dial(ctx, p.options)
	if err != nil {
		return err
	}
	greeting, err := call.Hear(ctx)
	if err != nil {
		return err
	}
	p.h.log = []spoken{{who: "R", text: greeting.Text, aloud: greeting.Text}}
	opens, err := p.hesitate(ctx, call, p.h.Opens)
	if err != nil {
		return err
	}
	for say := opens; say != "" && p.h.turns < mostTurns; {
		p.h.turns++
		if say, err = p.turn(ctx, call, say); err != nil {
			return err
		}
	}
	p.h.hear(p.h.log[len(p.h.log)-1].text)
	if err := call.HangUp(ctx); err != nil {
		return err
	}
	stands, err := p.look(ctx, call)
	p.h.outcome, p.id = string(stands.row.Outcome), stands.row.ID
	return err
}

// hesitate says the beginning of a line, pauses for so long that it is answered, and
// speaks over the answer; rest is what is left to be said. With PAUSES unset, nobody
// hesitates.
func (p *phoneCall) hesitate(ctx context.Context, call *carrier.Call, line string) (rest string, err error) {
	const fewest = 2
	words := strings.Fields(cut(line))
	if os.Getenv("PAUSES") == "" || len(words) <= 2*fewest {
		return line, nil
	}
	at := fewest + p.chance.IntN(len(words)-2*fewest)
	begun, rest := strings.Join(words[:at], " "), strings.Join(words[at:], " ")
	if _, over, err := p.say(ctx, call, []string{begun}, 0); over || err != nil {
		return "", err
	}
	return rest, nil
}

// turn says something and hears the answer; next is what the caller says to it.
func (p *phoneCall) turn(ctx context.Context, call *carrier.Call, say string) (next string, err error) {
	stands, over, err := p.say(ctx, call, p.pieces(say), p.patience()...)
	if over || err != nil {
		return "", err
	}
	if stands.Talk.Offer == conversation.OfferNumber && p.options.From != anotherNumber && len(p.h.Asides) == 0 {
		return stands.Talk.LastReplies[0], nil // they agree
	}
	return p.h.next(stands.Talk.LastSay, string(stands.Talk.Expect), len(stands.Told)), nil
}

// say says something and hears the answer, or as much of it as the caller lets be said;
// over: the receptionist has hung up.
func (p *phoneCall) say(ctx context.Context, call *carrier.Call, pieces []string, cut ...int) (stands standing, over bool, err error) {
	if err := call.Prompt(ctx, pieces...); err != nil {
		return stands, false, err
	}
	line := strings.Join(pieces, " ")
	said, err := call.Hear(ctx, cut...)
	if err != nil {
		return stands, false, fmt.Errorf("after %q: %w", line, err)
	}
	stands, err = p.look(ctx, call)
	if over = !stands.row.EndedAt.IsZero(); over {
		stands.Talk.LastSay = said.Text // it is kept no longer as it was written
	}
	p.h.log = append(p.h.log, spoken{who: "C", text: line}, spoken{"R", stands.Talk.LastSay, string(stands.Talk.Expect), said.Text})
	if over && !said.Ended && err == nil {
		_, err = call.Hear(ctx)
	}
	return stands, over, err
}

// pieces are a line as a carrier hears it: in up to four pieces, cut anywhere
// between two words.
func (p *phoneCall) pieces(line string) (pieces []string) {
	words := strings.Fields(cut(line))
	for n := p.chance.IntN(4); n > 0 && len(words) > 1; n-- {
		at := 1 + p.chance.IntN(len(words)-1)
		pieces, words = append(pieces, strings.Join(words[:at], " ")), words[at:]
	}
	return append(pieces, strings.Join(words, " "))
}

// patience is after how many characters of a reply the caller speaks over it: every
// fourth time, after some.
func (p *phoneCall) patience() []int {
	if p.chance.IntN(4) > 0 {
		return nil
	}
	return []int{20 + p.chance.IntN(40)} // who answers has heard something to answer
}

// standing is a call as the server has it: what was said last as it is written, and
// what is asked for.
type standing struct {
	row  store.Conversation
	Talk conversation.State
	Told []frontdesk.ID
}

func (p *phoneCall) look(ctx context.Context, call *carrier.Call) (s standing, err error) {
	s.row, err = p.store.LineConversation(ctx, p.owner, string(p.options.Habits)+" "+call.ID())
	if err != nil || !s.row.EndedAt.IsZero() {
		return s, err
	}
	return s, json.Unmarshal(s.row.State, &s)
}

// judge judges the call as others are.
func (p *phoneCall) judge(t *testing.T, c *count) {
	var bad []string
	if p.fault == nil {
		p.lookUp(t, &p.h, p.id)
		bad = p.h.judge()
	} else {
		bad = []string{"fault: " + p.fault.Error()}
	}
	c.add(p.name, bad)
	report(t, p.h, bad)
}
