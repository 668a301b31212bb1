package phone

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/turns"
)

// Recordings of calls are replayed in their own time, on a clock of the test's: the
// carrier's frames as they came, and what it asked when a relay had ended. What the
// carrier reports of its playing is reported of what we say, by the same share.
//
// testdata/recordings holds some that this test's own carrier made; RECORDINGS=DIR
// names a folder of others in the same form, which are not ours to keep.
func TestRecordings(t *testing.T) {
	t.Parallel()
	folders := []string{"testdata/recordings"}
	if others := os.Getenv("RECORDINGS"); others != "" {
		folders = append(folders, others)
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("there are no recordings in %s: %v", folder, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				replay(t, file)
			})
		}
	}
}

// recorded is one line of a recording.
type recorded struct {
	Milliseconds int64           `json:"ms"`
	Dir          string          `json:"dir"`
	Path         string          `json:"path"`
	Form         map[string]any  `json:"form"`
	Event        string          `json:"event"`
	Code         int             `json:"code"`
	Frame        json.RawMessage `json:"frame"`
}

func readRecording(t *testing.T, file string) (all []recorded) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

var testDay = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

// player is the carrier of a recording, and the receptionist that it calls.
type player struct {
	testing.TB
	sessions *reception.Sessions
	store    *store.Store
	owner    frontdesk.Owner
	agent    frontdesk.Agent
	clock    *servicetest.Clock
	on       reception.OnLine
	*turns.Talk

	theirs string // by whoever was recorded, last: what is reported is a share of it
	shared int    // how much of it was reported
	heard  int    // of the caller
	cuts   int
	over   bool

	endSent bool
}

func replay(t *testing.T, file string) {
	all := readRecording(t, file)
	p := newPlayer(t)
	first := all[0].Milliseconds
	for _, r := range all {
		p.until(testDay.Add(time.Duration(r.Milliseconds-first) * time.Millisecond))
		p.take(r)
	}
	if !p.over {
		t.Fatal("the recording has no end")
	}
	call, err := p.store.Call(context.Background(), p.owner, p.on.ID)
	if err != nil {
		t.Fatalf("the call was not recorded: %v", err)
	}
	var said struct {
		Turns []struct {
			Role        string
			Interrupted bool
		}
	}
	if err := json.Unmarshal(call.Transcript, &said); err != nil {
		t.Fatal(err)
	}
	heard, cut := 0, 0
	for _, turn := range said.Turns {
		if turn.Role == frontdesk.RoleCaller {
			heard++
		}
		if turn.Interrupted {
			cut++
		}
	}
	if heard != p.heard {
		t.Errorf("the transcript has %d turns of the caller's, %d were heard", heard, p.heard)
	}
	if (cut > 0) != (p.cuts > 0) && heard > 0 {
		t.Errorf("%d things were cut off, the transcript has %d", p.cuts, cut)
	}
	if heard == 0 != call.Uncounted {
		t.Errorf("%d turns were heard; the call is not counted: %v", heard, call.Uncounted)
	}
}

func newPlayer(t *testing.T) *player {
	p := &player{TB: t, store: storetest.New(t), clock: servicetest.NewClock(testDay)}
	tenant := storetest.Tenant(t, p.store, "lola")
	p.owner = frontdesk.Owner{TenantID: tenant.ID, Live: true}
	p.agent = frontdesk.Agent{
		ID: frontdesk.NewID(testDay), TenantID: tenant.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Clínica Lola",
		Status: frontdesk.AgentActive, Languages: []string{"en", "es"}, Timezone: "Europe/London", CreatedAt: testDay, UpdatedAt: testDay,
		Config: frontdesk.AgentConfig{Services: json.RawMessage(`[{"id":"checkup","name":"Revisión","name_en":"Check-up","duration_minutes":30,"price":30}]`)},
	}
	if err := p.store.CreateAgent(context.Background(), frontdesk.Actor{}, p.agent); err != nil {
		t.Fatal(err)
	}
	p.sessions = reception.NewSessions(reception.SessionOptions{Store: p.store, Now: p.clock.Now})
	return p
}

// until lets the time pass until an instant.
func (p *player) until(at time.Time) {
	for range 1000 {
		var next time.Time
		if p.Talk != nil && !p.over {
			next = p.Deadline()
		}
		if next.IsZero() || next.After(at) {
			break
		}
		p.clock.Forward(max(time.Millisecond, next.Sub(p.clock.Now())))
		p.do(p.Tick(p.clock.Now()))
	}
	p.clock.Forward(max(0, at.Sub(p.clock.Now())))
}

// take plays one line of a recording.
func (p *player) take(r recorded) {
	p.Helper()
	switch {
	case r.Dir == "http" && r.Path == "/voice" && r.Form != nil:
		p.connect(p.sessions.Ring(context.Background(), reception.Ringing{
			Owner: p.owner, AgentID: p.agent.ID, Line: "recorded", Caller: callerOf(text(r.Form["From"])), Number: "+34910000001",
		}))
	case r.Dir == "http" && r.Path == "/action" && r.Form != nil:
		p.action(text(r.Form["SessionStatus"]), text(r.Form["CallStatus"]))
	case r.Dir == "out":
		f, err := readFrame(r.Frame)
		if err == nil && f.Type == "text" {
			p.theirs += tokenOf(r.Frame)
		}
	case r.Dir == "in" && p.Talk != nil && !p.over:
		p.frame(r.Frame)
	}
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func tokenOf(frame []byte) string {
	var f struct{ Token string }
	_ = json.Unmarshal(frame, &f)
	return f.Token
}

// connect opens a relay on the call.
func (p *player) connect(on reception.OnLine, err error) {
	p.Helper()
	if err == nil {
		on, err = p.sessions.Connect(context.Background(), on.ID, on.Token.Reveal(), "+34910000001")
	}
	if err != nil {
		p.Fatal(err)
	}
	p.on = on
	p.Talk, p.endSent = turns.NewTalk(on, dialects[0].habits), false
}

// action is what the carrier asks when a relay has ended.
func (p *player) action(session, call string) {
	p.Helper()
	on, err := p.sessions.Line(context.Background(), p.owner, "recorded")
	switch {
	case err != nil:
		p.Fatal(err)
	case on.Reply.Ended:
		p.over = true
	case session == "completed" || hasEnded(call) || call == "in-progress" && session == "ended":
		// Where whoever was recorded ended it, the caller hangs up on us.
		if _, err := p.sessions.End(context.Background(), on.ID, on.Token.Reveal()); err != nil {
			p.Fatal(err)
		}
		p.over = true
	default:
		p.connect(on, nil)
		p.do(p.Take(turns.Event{Kind: turns.Ready}, p.clock.Now()))
		if _, err := p.sessions.End(context.Background(), p.on.ID, p.on.Token.Reveal()); err != nil {
			p.Fatal(err)
		}
		p.over = true
	}
}

// frame plays a frame, with what it reports of our own words.
func (p *player) frame(raw []byte) {
	p.Helper()
	f, err := readFrame(raw)
	if err != nil {
		p.Fatal(err)
	}
	switch {
	case f.Type == "info" && f.Name == "tokensPlayed":
		f.Value = loosetext(p.share(len(f.Value)))
	case f.Type == "interrupt":
		f.Until = "" // what was played is reported before
		if saying, _ := p.Saying(); saying != "" {
			p.cuts++
		}
	}
	if e, tells := f.event(); tells {
		p.do(p.Take(e, p.clock.Now()))
	}
}

// share is the next part of what we say, as long a share of it as was reported of
// what was recorded.
func (p *player) share(n int) string {
	saying, played := p.Saying()
	left := saying[len(played):]
	whole := max(len(p.theirs), n, 1)
	p.shared += n
	end := len(left)
	if p.shared < whole*9/10 {
		end = min(end, len(saying)*n/whole)
	}
	for end < len(left) && !utf8.RuneStart(left[end]) {
		end++
	}
	return left[:end]
}

// do does what talk wants, and holds it to what a carrier takes.
func (p *player) do(acts []turns.Act) {
	p.Helper()
	for _, a := range acts {
		if a.Hear != nil {
			p.hear(*a.Hear, a.Joins)
			continue
		}
		switch f := frameOf(a).(type) {
		case textFrame:
			p.theirs, p.shared = "", 0
			if !f.Last || strings.TrimSpace(f.Token) == "" {
				p.Errorf("a text is sent as %+v", f)
			}
			if p.endSent {
				p.Errorf("a text is sent after the end: %+v", f)
			}
		case endFrame:
			p.endSent = true
		case languageFrame:
		default:
			p.Errorf("a frame is sent that no carrier takes: %+v", f)
		}
	}
}

func (p *player) hear(in conversation.Input, joins bool) {
	p.Helper()
	if in.Text != "" {
		p.heard++
	}
	reply, err := p.sessions.HearOnce(context.Background(), p.on.ID, p.on.Token.Reveal(), reception.Message{Input: in, Joins: joins, Version: p.Version()})
	if err != nil {
		p.Fatal(err)
	}
	p.do(p.Reply(reply, p.clock.Now()))
}
