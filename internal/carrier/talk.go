package carrier

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

// Hear waits for what the server says next, plays it and reports that: to its end,
// unless cut says after how many characters the caller speaks over it. It returns
// ErrOver when the call is.
func (c *Call) Hear(ctx context.Context, cut ...int) (said Said, err error) {
	if c.dialed != "" {
		return Said{Dialed: c.dialed, Locale: c.Locale}, nil
	}
	if c.over || c.conn == nil {
		return said, ErrOver
	}
	for {
		f, err := c.next(ctx)
		if err != nil {
			return said, err
		}
		c.Sent = append(c.Sent, f.Type)
		switch f.Type {
		case "language":
			c.Locale = f.TTS
		case "text":
			said.Text += f.Token
			said.Kept, said.Locale = f.Interruptible != nil && !*f.Interruptible, c.Locale
			if !f.Last {
				continue
			}
			if said.Cut, err = c.play(ctx, said, cut...); err != nil {
				return said, err
			}
			return c.ending(ctx, said)
		case "end":
			return c.ended(ctx, said, f)
		default:
			return said, fmt.Errorf("the server sent a frame of type %q", f.Type)
		}
	}
}

// Await waits until there is something to Hear, and leaves it to that.
func (c *Call) Await(ctx context.Context) error {
	if c.came != nil || c.conn == nil || c.dialed != "" {
		return nil
	}
	select {
	case f, open := <-c.frames:
		if open {
			c.came = &f
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Waiting says whether the server has said something that was not heard yet, such as
// when the caller was silent for long.
func (c *Call) Waiting() bool { return c.came != nil || len(c.frames) > 0 }

func (c *Call) next(ctx context.Context) (frame, error) {
	if f := c.came; f != nil {
		c.came = nil
		return *f, nil
	}
	select {
	case f, open := <-c.frames:
		if open {
			return f, nil
		}
		err := <-c.fault
		c.conn = nil
		return frame{}, fmt.Errorf("%w: %w", ErrBroken, err)
	case <-ctx.Done():
		return frame{}, ctx.Err()
	}
}

// ending looks whether the server hangs up behind what it says: at once, since
// whoever is asked something is not hung up on.
func (c *Call) ending(ctx context.Context, said Said) (Said, error) {
	wait := time.NewTimer(c.endsWithin())
	defer wait.Stop()
	select {
	case f, open := <-c.frames:
		if !open {
			return said, nil // told with the next
		}
		c.Sent = append(c.Sent, f.Type)
		if f.Type == "end" {
			return c.ended(ctx, said, f)
		}
		return said, fmt.Errorf("the server sent a second frame %q in one turn: a carrier may drop it", f.Type)
	case <-wait.C:
	case <-ctx.Done():
	}
	return said, nil
}

func (c *Call) endsWithin() time.Duration {
	if c.o.Speed > 0 {
		return 50 * time.Millisecond
	}
	return 5 * time.Millisecond
}

// play reports what is said as it is heard, and says whether it was cut off.
func (c *Call) play(ctx context.Context, said Said, cut ...int) (bool, error) {
	if err := c.info(ctx, "agentSpeaking", "on"); err != nil {
		return false, err
	}
	left := said.Text
	limit := -1
	if len(cut) > 0 && !said.Kept {
		limit = cut[0]
	}
	for left != "" {
		clause := clauseOf(left)
		if limit >= 0 && utf8.RuneCountInString(clause) > limit {
			return true, c.interrupt(ctx, firstRunes(clause, limit))
		}
		if limit >= 0 {
			limit -= utf8.RuneCountInString(clause)
		}
		if err := c.speak(ctx, clause); err != nil {
			return false, err
		}
		left = left[len(clause):]
		if err := c.info(ctx, "tokensPlayed", clause); err != nil {
			return false, err
		}
	}
	return false, c.info(ctx, "agentSpeaking", "off")
}

// interrupt is the caller speaking over what is said.
func (c *Call) interrupt(ctx context.Context, heard string) error {
	if err := c.speak(ctx, heard); err != nil {
		return err
	}
	if err := c.info(ctx, "clientSpeaking", "on"); err != nil {
		return err
	}
	if err := c.info(ctx, "tokensPlayed", heard); err != nil {
		return err
	}
	f := map[string]any{"type": "interrupt", "utteranceUntilInterrupt": heard, "durationUntilInterruptMs": 100 + 60*len(heard)}
	if c.o.Habits == Telnyx {
		f["durationUntilInterruptMs"] = fmt.Sprint(100 + 60*len(heard))
	}
	if err := c.Send(ctx, f); err != nil {
		return err
	}
	return c.info(ctx, "agentSpeaking", "off")
}

func (c *Call) info(ctx context.Context, name, value string) error {
	return c.Send(ctx, map[string]any{"type": "info", "name": name, "value": value})
}

// speak plays a text: it lets the time pass that it takes.
func (c *Call) speak(ctx context.Context, text string) error {
	if c.o.Play != nil {
		c.o.Play(text)
	}
	if c.o.Speed <= 0 {
		return ctx.Err()
	}
	wait := time.NewTimer(time.Duration(float64(utf8.RuneCountInString(text)) / c.o.Speed * float64(time.Second)))
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// clauseOf is the first part of a text that carriers report by itself.
func clauseOf(text string) string {
	for i, r := range text {
		if end := i + utf8.RuneLen(r); strings.ContainsRune(".,;:?!", r) && end < len(text) && text[end] == ' ' {
			return text[:end]
		}
	}
	return text
}

func firstRunes(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(n, len(runes))])
}

// Prompt is the caller saying something, in as many pieces as are given: each is
// told as the last, where the carrier does that, or joined with those before it.
func (c *Call) Prompt(ctx context.Context, pieces ...string) error {
	if err := c.info(ctx, "clientSpeaking", "on"); err != nil {
		return err
	}
	if c.o.Habits == Twilio {
		for i := range pieces {
			partial := map[string]any{"type": "prompt", "voicePrompt": strings.Join(pieces[:i+1], " "), "lang": "en", "last": false}
			if err := c.Send(ctx, partial); err != nil {
				return err
			}
		}
		pieces = []string{strings.Join(pieces, " ")}
	}
	if err := c.info(ctx, "clientSpeaking", "off"); err != nil {
		return err
	}
	for _, piece := range pieces {
		f := map[string]any{"type": "prompt", "voicePrompt": piece, "lang": "en-US", "last": true}
		if err := c.Send(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// Keys is the caller pressing keys.
func (c *Call) Keys(ctx context.Context, keys string) error {
	for _, digit := range keys {
		if err := c.Send(ctx, map[string]any{"type": "dtmf", "digit": string(digit)}); err != nil {
			return err
		}
	}
	return nil
}

// ended is what follows when the server ends the relay.
func (c *Call) ended(ctx context.Context, said Said, f frame) (Said, error) {
	c.close(websocket.StatusNormalClosure)
	form := c.form("SessionStatus", "ended", "CallStatus", "in-progress")
	if f.HandoffData != "" {
		form.Set("HandoffData", f.HandoffData)
	}
	m, err := c.Post(ctx, c.after, form)
	if err != nil {
		return said, err
	}
	err = c.follow(ctx, m)
	said.Ended, said.Dialed = c.over, c.dialed
	return said, err
}

func (c *Call) close(status websocket.StatusCode) {
	if c.conn != nil {
		_ = c.conn.Close(status, "Closing websocket session")
		c.conn = nil
	}
}

// HangUp is the caller hanging up.
func (c *Call) HangUp(ctx context.Context) error {
	if c.over {
		return nil
	}
	c.over = true
	c.close(websocket.StatusNormalClosure)
	_, err := c.Post(ctx, c.after, c.form("SessionStatus", "completed", "CallStatus", "completed"))
	if err != nil {
		return err
	}
	_, err = c.Post(ctx, c.o.Public+"/phone/"+string(c.o.Habits)+"/status", c.form("CallStatus", "completed"))
	return err
}

// Lost is what a carrier does when the relay has broken: it asks what to do, and
// does it. The relay that stands is cut if it has not been.
func (c *Call) Lost(ctx context.Context) error {
	if c.conn != nil {
		c.conn.CloseNow()
		c.conn = nil
	}
	m, err := c.Post(ctx, c.after, c.form("SessionStatus", "failed", "CallStatus", "in-progress", "ErrorCode", "64105", "ErrorMessage", "WebSocket Ended"))
	if err != nil {
		return err
	}
	return c.follow(ctx, m)
}

// Answer is what the person does who is called: what they hear, and whether they
// press the key that takes the call. A status other than "" says that it never came
// to that: busy, no-answer, failed.
func (c *Call) Answer(ctx context.Context, status, key string) (whispered string, err error) {
	if c.dialed == "" {
		return "", errors.New("nobody is being called")
	}
	dial := c.dial
	c.dialed = ""
	if status == "" {
		status = "completed"
		leg := url.Values{"CallSid": {"CA" + c.id[2:] + "leg"}, "From": {c.o.Number}, "To": {dial.Number.Text}, "ParentCallSid": {c.id}}
		m, err := c.Post(ctx, dial.Number.URL, leg)
		if err != nil {
			return "", err
		}
		if m.Gather == nil {
			return "", errors.New("the person is asked for no key")
		}
		whispered = strings.Join(m.Gather.Say, " ")
		if key != "" {
			leg.Set("Digits", key)
			if _, err := c.Post(ctx, m.Gather.Action, leg); err != nil {
				return whispered, err
			}
		}
	}
	m, err := c.Post(ctx, dial.Action, c.form("DialCallStatus", status, "CallStatus", "in-progress"))
	if err != nil {
		return whispered, err
	}
	return whispered, c.follow(ctx, m)
}

// Over says whether the call is.
func (c *Call) Over() bool { return c.over }

// MoveTo sends the next requests to another server behind the same public address.
func (c *Call) MoveTo(server string) { c.o.Server = server }
