package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) talkCommand() *cobra.Command {
	var t talk
	var mode, tenant, agent, language string
	cmd := &cobra.Command{
		Use:   "talk",
		Short: "Talk with a receptionist in the terminal",
		Long: `Talk with a receptionist in the terminal, as a visitor of the business's website
would. It is recorded like any other call, once something was said. Ctrl-D or /end
ends it. Lines may come from a pipe; with --json every answer is one JSON object on
a line.`,
		Example: `  frontdesk talk --tenant demo --agent casa-lola --mode test
  printf 'mesa para dos\n' | frontdesk talk --tenant demo --agent casa-lola --mode test --json`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = p.onStore(func(s *session, _ []string) error {
		if mode != modeLive && mode != modeTest {
			return misused("--mode is %q: expected live or test", mode)
		}
		if language != "" && !slices.Contains(frontdesk.Languages, language) {
			return misused("--language is %q: expected es or en", language)
		}
		found, err := s.findTenant(tenant)
		if err != nil {
			return err
		}
		t.session = s
		return t.hold(reception.Beginning{Tenant: found.Slug, Agent: agent, Live: mode == modeLive, Language: language, Channel: frontdesk.Web})
	})
	p.tenantFlag(cmd, &tenant)
	f := cmd.Flags()
	f.StringVar(&agent, "agent", "", "slug of the agent")
	f.StringVar(&mode, "mode", modeLive, "live, or test for the sandbox")
	f.StringVar(&language, "language", "", "es or en; the agent's first language if not given")
	require(cmd, "agent")
	p.completeWords(cmd, "mode", []string{modeLive, modeTest})
	p.completeWords(cmd, "language", frontdesk.Languages)
	p.complete(cmd, "agent", func(cmd *cobra.Command) []string {
		words, _ := p.completeAgents(cmd, nil, "")
		return words
	})
	return cmd
}

// talk is one conversation in the terminal.
type talk struct {
	*session
	sessions *reception.Sessions
	id       frontdesk.ID
	token    string
}

// hold holds the conversation from its greeting to its end.
func (t *talk) hold(b reception.Beginning) (err error) {
	if t.sessions, err = app.OpenSessions(t.settings, t.store, t.now, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	w, err := t.sessions.Start(t.ctx, b)
	if isMissing(err) {
		return refused("not_found", "agent", "there is no agent %q of the tenant %s that takes calls in this mode; `frontdesk agent list --tenant %s` shows them", b.Agent, b.Tenant, b.Tenant)
	}
	if err != nil {
		return err
	}
	t.id, t.token = w.ID, w.Token.Reveal()
	t.introduce(w)
	if err := t.show(w.Reply); err != nil {
		return err
	}
	return t.listen()
}

// listen answers line after line until one side has had enough.
func (t *talk) listen() error {
	lines, failed := t.lines()
	for {
		t.prompt()
		select {
		case line, more := <-lines:
			if !more {
				return errors.Join(<-failed, t.end())
			}
			ended, err := t.hear(line)
			if err != nil {
				return err
			}
			if ended {
				return t.end()
			}
		case <-t.ctx.Done(): // Ctrl-C: the call is recorded all the same
			return t.end()
		}
	}
}

// hear takes one line, and says whether it was the last.
func (t *talk) hear(line string) (ended bool, err error) {
	switch line = strings.TrimSpace(line); line {
	case "":
		return false, nil
	case "/end":
		return true, nil
	}
	r, err := t.sessions.Hear(t.ctx, t.id, t.token, conversation.Input{Kind: conversation.Text, Text: line})
	if err != nil {
		return false, err
	}
	return r.Ended, t.show(r)
}

// end ends the conversation, if it has not ended, and says what it came to.
func (t *talk) end() error {
	e, err := t.sessions.End(context.WithoutCancel(t.ctx), t.id, t.token)
	if err != nil {
		return err
	}
	if t.json {
		last := map[string]any{"call_id": nil, "outcome": e.Outcome}
		if e.CallID != "" {
			last["call_id"] = e.CallID
		}
		return encode(t.stdout, last)
	}
	if e.CallID == "" {
		_, err = fmt.Fprintln(t.stdout, "\nNothing was said, so there is no call.")
		return err
	}
	_, err = fmt.Fprintf(t.stdout, "\nThe call %s has ended: %s.\n", e.CallID, e.Outcome)
	return err
}

// introduce says whom one talks with.
func (t *talk) introduce(w reception.Welcome) {
	if t.json {
		return
	}
	name := w.Agent.DisplayName
	if assistant := w.Agent.Config.Assistant.Name; assistant != "" {
		name = assistant + ", " + name
	}
	mode := ""
	if !w.Live {
		mode = " (test mode)"
	}
	fmt.Fprintf(t.stdout, "%s%s. Ctrl-D or /end ends the conversation.\n\n", plain(name), mode)
}

// show prints an answer.
func (t *talk) show(r reception.Reply) error {
	if t.json {
		return encode(t.stdout, talkShape{t.id, r.Shape()})
	}
	fmt.Fprintln(t.stdout, plain(r.Text))
	if r.Capture != nil {
		card(t.stdout, *r.Capture)
	}
	if len(r.QuickReplies) > 0 {
		fmt.Fprintf(t.stdout, "  [%s]\n", plain(strings.Join(r.QuickReplies, "] [")))
	}
	return nil
}

// card prints what was written down.
func card(w io.Writer, c frontdesk.Capture) {
	at := strings.Replace(strings.TrimSuffix(string(c.ScheduledAt), ":00"), "T", " ", 1)
	if c.Kind == frontdesk.Waiting {
		at = strings.TrimSuffix(at, " 00:00") // any time of that day
	}
	fmt.Fprintf(w, "  ┌ %s %s\n", plain(c.Kind), plain(c.ConfirmationCode))
	lines := append([]string{c.Service, at, c.CustomerName, c.CustomerPhone, c.Visit.Email}, strings.Split(c.Notes, "\n")...)
	for i, line := range lines {
		if line != "" && !slices.Contains(lines[:i], line) { // a message is both what it is about and its note
			fmt.Fprintf(w, "  │ %s\n", plain(line))
		}
	}
	fmt.Fprintln(w, "  └")
}

// plain is a text that cannot do anything to the terminal.
func plain(s string) string { return strings.Map(printable, s) }

// talkShape is an answer as the web channel spells it, with what it belongs to.
type talkShape struct {
	Conversation frontdesk.ID `json:"conversation"`
	wire.ReplyShape
}
