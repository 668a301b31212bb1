package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/carrier"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/wire"
)

const tryHelp = `What can be typed during the call:

  any text     the caller says it
  #123         the caller presses the keys 1, 2, 3 and then #
  /keys 123    the caller presses these keys (0 to 9, * and #)
  /cut [N]     the caller speaks over the next reply, after N characters (20)
  /drop        the socket breaks, and the carrier comes back with the call
  /take        the person who is being called takes the call, with key 1
  /refuse      that person hangs up without the key
  /busy        that person's line is busy
  /no-answer   nobody answers there
  /hang        the caller hangs up; so does Ctrl-D
  /help        this
`

// phoneTry is one call from the terminal.
type phoneTry struct {
	*session
	who  calendar.Caller
	o    carrier.Options
	call *carrier.Call

	cut      []int  // where the next reply is cut off; none: it is not
	dialing  string // the person who is being called; "": nobody
	hung     bool   // the caller has hung up
	locale   string // that was spoken last
	prompted bool   // the terminal's line has an invitation to type on it
	speaking bool   // or what is being said
}

const (
	// answersWithin is how long we wait for an answer before the caller may say more.
	answersWithin = 30 * time.Second
	// dialsWithin is how long after its announcement a transfer may begin.
	dialsWithin = 5 * time.Second
	// comesBackAfter is how long a carrier takes to see that a relay has broken.
	comesBackAfter = 1200 * time.Millisecond
	// cutsAfter is where a reply is cut off, if it is not said where.
	cutsAfter = 20
)

// hold calls, and talks until one side hangs up.
func (t *phoneTry) hold() error {
	t.o.Play = t.play
	if err := t.dial(); err != nil {
		return err
	}
	t.introduce()
	err := t.hear(answersWithin)
	if err == nil {
		err = t.listen()
	}
	return errors.Join(err, t.end())
}

// listen takes what is typed and what is said, as it comes.
func (t *phoneTry) listen() error {
	lines, failed := t.lines()
	for t.ctx.Err() == nil && !t.hung && !t.call.Over() {
		t.prompted = t.prompt()
		line, more, speaks := t.await(lines)
		t.prompted = t.prompted && speaks
		var err error
		switch {
		case speaks:
			err = t.hear(answersWithin)
		case t.ctx.Err() != nil: // Ctrl-C: the caller hangs up
			return nil
		case !more:
			return <-failed
		default:
			err = t.take(strings.TrimSpace(line))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// await waits for a line that is typed or for the receptionist, who may speak by
// themselves.
func (t *phoneTry) await(lines <-chan string) (line string, more, speaks bool) {
	ctx, stop := context.WithCancel(t.ctx)
	defer stop()
	var awaited <-chan error
	if t.dialing == "" {
		awaited = service.Go(logger(t.stderr, t.settings), "waiting for the receptionist", func() error { return t.call.Await(ctx) })
	}
	select {
	case <-awaited:
		return "", false, true
	case line, more = <-lines:
	case <-t.ctx.Done():
	}
	if stop(); awaited != nil {
		<-awaited // the call is ours alone again
	}
	return line, more, false
}

// hear plays what the receptionist says next.
func (t *phoneTry) hear(within time.Duration) error {
	if t.call.Over() {
		return nil
	}
	ctx, stop := context.WithTimeout(t.ctx, within)
	defer stop()
	if t.call.Await(ctx) != nil { // nothing is said, or Ctrl-C
		return nil
	}
	wanted := len(t.cut) > 0
	said, err := t.call.Hear(t.ctx, t.cut...)
	t.cut = nil
	t.silence(said)
	switch {
	case errors.Is(err, carrier.ErrOver) || t.ctx.Err() != nil:
		return nil
	case errors.Is(err, carrier.ErrBroken):
		return t.comeBack(err)
	case err != nil:
		return t.explain(err)
	}
	if t.dialing = said.Dialed; t.dialing != "" {
		t.note("%s is being called: /take, /refuse, /busy or /no-answer.", said.Dialed)
	}
	if wanted && !said.Cut {
		t.note("That was not cut off: it was shorter, or it is one of the things that are said to their end.")
	}
	return nil
}

// take does what one line asks for.
func (t *phoneTry) take(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "":
		return nil
	case strings.HasPrefix(line, "#"):
		return t.keys(line[1:] + "#")
	case !strings.HasPrefix(line, "/"):
		return t.say(func() error { return t.call.Prompt(t.ctx, line) })
	case word == "/keys":
		return t.keys(strings.ReplaceAll(rest, " ", ""))
	case word == "/cut":
		return t.cutNext(strings.TrimSpace(rest))
	case word == "/drop":
		return t.drop()
	case word == "/take" || word == "/refuse" || word == "/busy" || word == "/no-answer":
		return t.answer(word)
	case word == "/hang":
		t.hung = true
	case word == "/help":
		t.note("%s", strings.TrimSpace(tryHelp))
	default:
		t.note("There is no %s. /help says what there is.", word)
	}
	return nil
}

// say has the caller say or press something, and hears the answer.
func (t *phoneTry) say(send func() error) error {
	if t.dialing != "" {
		t.note("The caller hears it ring: /take, /refuse, /busy or /no-answer, or /hang.")
		return nil
	}
	if err := send(); errors.Is(err, carrier.ErrBroken) {
		return t.comeBack(err)
	} else if err != nil {
		return t.explain(err)
	}
	return t.hear(answersWithin)
}

func (t *phoneTry) keys(keys string) error {
	if keys == "" || strings.Trim(keys, "0123456789*#") != "" {
		t.note("A telephone has the keys 0 to 9, * and #.")
		return nil
	}
	return t.say(func() error { return t.call.Keys(t.ctx, keys) })
}

func (t *phoneTry) cutNext(text string) error {
	n := cutsAfter
	if text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 {
			t.note("/cut takes a number of characters, such as /cut 40.")
			return nil
		}
	}
	t.cut = []int{n}
	t.note("The next reply is cut off after %d characters.", n)
	return nil
}

// drop breaks the socket.
func (t *phoneTry) drop() error {
	if t.dialing != "" {
		t.note("There is no socket while a person is being called.")
		return nil
	}
	return t.comeBack(nil)
}

// comeBack does what a carrier does when the relay has broken: it asks what to do,
// once.
func (t *phoneTry) comeBack(broken error) error {
	if broken == nil {
		t.note("The socket is cut. The carrier asks what to do.")
	} else {
		t.note("%v. The carrier asks what to do.", broken)
	}
	if t.o.Speed > 0 {
		wait := time.NewTimer(comesBackAfter)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-t.ctx.Done():
			return nil
		}
	}
	if err := t.call.Lost(t.ctx); err != nil {
		if err = t.explain(err); err != nil {
			t.note("Nobody tells the carrier what to do: on a line the call ends here.")
		}
		return err
	}
	return t.hear(answersWithin)
}

// answer is what the person does who is being called.
func (t *phoneTry) answer(word string) error {
	if t.dialing == "" { // it may be about to be
		if err := t.hear(dialsWithin); err != nil {
			return err
		}
	}
	if t.dialing == "" {
		t.note("Nobody is being called. Ask for a person first.")
		return nil
	}
	t.dialing = ""
	status, key := map[string]string{"/busy": "busy", "/no-answer": "no-answer"}[word], ""
	if word == "/take" {
		key = "1"
	}
	whispered, err := t.call.Answer(t.ctx, status, key)
	if whispered != "" {
		t.tell(trySaid{Whispered: &whispered}, "The person hears: "+plain(whispered))
	}
	if err != nil {
		return t.explain(err)
	}
	if key != "" && t.call.Over() {
		t.note("The two are talking. For the receptionist the call is over.")
	}
	return t.hear(answersWithin)
}

// end hangs up, if nobody has, and says what the call came to.
func (t *phoneTry) end() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), 15*time.Second)
	defer cancel()
	switch c := t.call; {
	case c.Busy:
		t.note("The line is busy: too many calls came within a minute.")
	case c.Parted != "":
		t.tell(trySaid{Said: &c.Parted, Ended: true}, plain(c.Parted))
	}
	if err := t.call.HangUp(ctx); err != nil {
		t.warn(fmt.Sprintf("the server was not told that the caller hung up: %v; it ends the call by itself", err))
	}
	held, err := t.store.LineConversation(ctx, t.who.Owner(), string(t.o.Habits)+" "+t.call.ID())
	if err != nil && !isMissing(err) {
		return err
	}
	call, err := t.store.Call(ctx, t.who.Owner(), held.ID)
	if isMissing(err) {
		return t.tellOutcome(ctx, nil)
	}
	if err != nil {
		return err
	}
	return t.tellOutcome(ctx, &call)
}

// tellOutcome prints what is in the books; nil: there is no call.
func (t *phoneTry) tellOutcome(ctx context.Context, call *frontdesk.Call) error {
	if call == nil {
		if t.json {
			return encode(t.stdout, map[string]any{"call_id": nil, "outcome": nil, "captures": []any{}})
		}
		_, err := fmt.Fprintln(t.stdout, "\nThere is no call in the books: nothing was said, or it is still open.")
		return err
	}
	shapes := []json.RawMessage{}
	var captures []frontdesk.Capture
	for _, id := range call.CaptureIDs {
		c, err := t.store.Capture(ctx, t.who.Owner(), id)
		if err != nil {
			return err
		}
		captures, shapes = append(captures, c), append(shapes, wire.Capture(c))
	}
	if t.json {
		return encode(t.stdout, map[string]any{"call_id": call.ID, "outcome": call.Outcome, "duration_seconds": call.Duration, "captures": shapes})
	}
	fmt.Fprintf(t.stdout, "\nThe call %s has ended: %s, %d s.\n", call.ID, call.Outcome, call.Duration)
	for _, c := range captures {
		card(t.stdout, c)
	}
	return nil
}
