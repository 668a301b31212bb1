package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/devlisten"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/signature"
)

func (p *program) listenCommand() *cobra.Command {
	var l listener
	cmd := &cobra.Command{
		Use:   "listen",
		Short: "Forward test events to a program on this machine",
		Long: `Receive a tenant's test events as they happen and forward each, signed, to a
program on this machine that no public URL reaches. Each is printed with its
answer. The signing secret is printed first, and lasts as long as the command.`,
		Example: `  frontdesk listen --forward-to http://localhost:3000/hook --key svc_test_…`,
		Args:    cobra.NoArgs,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p.begun = true
		key, _ := p.lookup("FRONTDESK_KEY")
		base, _ := p.lookup("FRONTDESK_BASE_URL")
		l.key, l.server, l.program = cmp.Or(l.key, key), cmp.Or(l.server, base, "http://127.0.0.1:8080"), p
		return l.listen(cmd.Context())
	}
	cmd.Flags().StringVar(&l.forwardTo, "forward-to", "", "address of the program, such as http://localhost:3000/hook")
	cmd.Flags().StringVar(&l.key, "key", "", "test key of the tenant (FRONTDESK_KEY)")
	cmd.Flags().StringVar(&l.server, "server", "", "address of the frontdesk server (FRONTDESK_BASE_URL; else http://127.0.0.1:8080)")
	require(cmd, "forward-to")
	return cmd
}

// listener is the developer's side of the relay.
type listener struct {
	*program
	server    string
	forwardTo string
	key       string
	secret    frontdesk.Secret
}

// patience is how long one question to the relay or one forwarding may take.
const patience = 40 * time.Second

func (l *listener) listen(ctx context.Context) error {
	if l.key == "" {
		return misused("missing: --key, a test key of the tenant")
	}
	if u, err := url.Parse(l.forwardTo); err != nil || u.Host == "" {
		return misused("--forward-to is %q: expected an address such as http://localhost:3000/hook", l.forwardTo)
	}
	l.secret, _ = frontdesk.NewSigningSecret()
	first, err := l.ask(ctx, "")
	if err != nil {
		return err
	}
	fmt.Fprintf(l.stdout, "Listening for test events. Signing secret: %s\n", l.secret.Reveal())
	after, seen := first.After, []frontdesk.ID(nil)
	for ctx.Err() == nil {
		batch, err := l.ask(ctx, after, seen...)
		if err != nil {
			if fatal(err) {
				return err
			}
			l.warn(err.Error())
			pause(ctx, time.Second)
			continue
		}
		for _, e := range batch.Events {
			l.forward(ctx, e)
			seen = append(seen, e.ID)
		}
		after, seen = position(batch.After, seen)
	}
	return nil
}

// position is where to go on from, with those seen that come after it. When they
// are too many to name, it moves on over the oldest.
func position(after frontdesk.ID, seen []frontdesk.ID) (frontdesk.ID, []frontdesk.ID) {
	seen = slices.Sorted(slices.Values(seen))
	if extra := len(seen) - devlisten.MostSeen; extra > 0 {
		after = max(after, seen[extra-1])
	}
	return after, slices.DeleteFunc(seen, func(id frontdesk.ID) bool { return id <= after })
}

// ask asks the relay for the events after a position that have not been seen.
func (l *listener) ask(ctx context.Context, after frontdesk.ID, seen ...frontdesk.ID) (batch devlisten.Batch, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	address := strings.TrimSuffix(l.server, "/") + devlisten.Path + "?after=" + string(after) + "&seen=" + joined(seen)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return batch, misused("--server is %q: expected an address such as http://127.0.0.1:8080", l.server)
	}
	request.Header.Set("Authorization", "Bearer "+l.key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return batch, fmt.Errorf("the server at %s cannot be reached: %w", l.server, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 8<<20))
	if err != nil {
		return batch, fmt.Errorf("the server's answer broke off: %w", err)
	}
	if answer.StatusCode != http.StatusOK {
		return batch, &relayRefusal{answer.StatusCode, messageIn(text)}
	}
	return batch, json.Unmarshal(text, &batch)
}

// messageIn is what an answer in the error envelope says, or all of another one.
func messageIn(text []byte) string {
	var envelope struct{ Error struct{ Message string } }
	if json.Unmarshal(text, &envelope) == nil && envelope.Error.Message != "" {
		return envelope.Error.Message
	}
	return strings.TrimSpace(string(text))
}

func joined(ids []frontdesk.ID) string {
	var texts []string
	for _, id := range ids {
		texts = append(texts, string(id))
	}
	return strings.Join(texts, ",")
}

// relayRefusal is an answer of the relay that is not events.
type relayRefusal struct {
	status  int
	message string
}

func (e *relayRefusal) Error() string { return e.message }

// fatal says whether asking again is of no use.
func fatal(err error) bool {
	var r *relayRefusal
	return errors.As(err, &r) && (r.status == http.StatusUnauthorized || r.status == http.StatusForbidden || r.status == http.StatusNotFound)
}

// forward sends one event on, signed like a delivery, and prints the answer.
func (l *listener) forward(ctx context.Context, e devlisten.Event) {
	ctx, cancel := context.WithTimeout(ctx, frontdesk.DeliveryTimeout)
	defer cancel()
	began := time.Now()
	status, err := l.post(ctx, e)
	took := time.Since(began).Round(time.Millisecond)
	if err != nil {
		fmt.Fprintf(l.stdout, "%s  %s  failed after %s: %v\n", e.Type, e.ID, took, err)
		return
	}
	fmt.Fprintf(l.stdout, "%s  %s  %d in %s\n", e.Type, e.ID, status, took)
}

func (l *listener) post(ctx context.Context, e devlisten.Event) (int, error) {
	now := time.Now()
	signed, err := signature.Sign(l.secret.Reveal(), string(e.ID), now, []byte(e.Body))
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.forwardTo, bytes.NewReader([]byte(e.Body)))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(signature.HeaderID, string(e.ID))
	request.Header.Set(signature.HeaderTimestamp, strconv.FormatInt(now.Unix(), 10))
	request.Header.Set(signature.HeaderSignature, signed)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	io.CopyN(io.Discard, answer.Body, 64<<10)
	return answer.StatusCode, nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
