package cli

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/carrier"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func (p *program) phoneCommands() *cobra.Command {
	return group("phone", "The telephone without a carrier", p.phoneTry())
}

// Numbers that Ofcom keeps for drama: nobody has them. tryNumbers goes on with two
// digits; those are the numbers that are called.
const (
	tryCaller  = "+447700900100"
	tryNumbers = "+4477009009"
	withheld   = "anonymous"
)

// tryFlags say who calls whom, and how.
type tryFlags struct {
	bookFlags
	carrier string
	from    string
	server  string
	speed   float64
	trace   bool
}

func (p *program) phoneTry() *cobra.Command {
	var f tryFlags
	cmd := &cobra.Command{
		Use: "try", Short: "Call a receptionist from the terminal, without a carrier", Args: cobra.NoArgs,
		Long: `Call a receptionist from the terminal, without a carrier. This command is the
carrier: it calls the running server as Twilio or Telnyx would, with the same signed
requests and the same socket, prints what would be spoken, and says what you type.

For the time of the call it adds a number that nobody has (+4477009009xx), and removes it
at the end. It needs the server's database and master key (--data or --database), and
signs for FRONTDESK_PUBLIC_URL if that is set, as the server does. The call is recorded
like any other; in test mode unless --mode live is given.

` + tryHelp,
		Example: `  frontdesk phone try --tenant demo --agent casa-lola
  printf 'Mesa para dos mañana a las nueve.\n' | frontdesk phone try --tenant demo --agent casa-lola --carrier telnyx --speed 0`,
	}
	cmd.RunE = p.onStore(func(s *session, _ []string) error { return s.tryPhone(f) })
	f.add(p, cmd)
	f.mode = modeTest
	flags := cmd.Flags()
	flags.Lookup("mode").DefValue = modeTest
	flags.StringVar(&f.carrier, "carrier", string(carrier.Twilio), "whose habits the carrier has: twilio or telnyx")
	flags.StringVar(&f.from, "from", tryCaller, "number of the caller, such as +34600111222, or anonymous")
	flags.StringVar(&f.server, "server", "", "where the server is reached (default: where FRONTDESK_LISTEN says, http://127.0.0.1:8080)")
	flags.Float64Var(&f.speed, "speed", 15, "characters a second that are spoken; 0: all at once")
	flags.BoolVar(&f.trace, "trace", false, "print every request and frame on standard error")
	p.completeWords(cmd, "carrier", []string{string(carrier.Twilio), string(carrier.Telnyx)})
	return cmd
}

// options are what the flags ask of a carrier.
func (f tryFlags) options(s *session) (o carrier.Options, err error) {
	o = carrier.Options{
		Habits: carrier.Habits(f.carrier), Server: strings.TrimSuffix(cmp.Or(f.server, app.LocalURL(s.settings.Listen)), "/"), Speed: f.speed, Now: s.now,
	}
	if !slices.Contains([]carrier.Habits{carrier.Twilio, carrier.Telnyx}, o.Habits) {
		return o, misused("--carrier is %q: expected twilio or telnyx", f.carrier)
	}
	if f.speed < 0 {
		return o, misused("--speed is %v: expected characters a second, or 0 for all at once", f.speed)
	}
	if f.from != withheld {
		if o.From = frontdesk.E164(f.from); o.From == "" {
			return o, misused("--from is %q: expected a telephone number with its country, such as +34600111222, or anonymous", f.from)
		}
	}
	if u, err := url.Parse(o.Server); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return o, misused("--server is %q: expected an address such as http://127.0.0.1:8080", f.server)
	}
	if f.trace {
		var one sync.Mutex
		o.Trace = func(direction, text string) {
			one.Lock()
			defer one.Unlock()
			fmt.Fprintln(s.stderr, direction, plain(text))
		}
	}
	return o, nil
}

// tryPhone calls, and cleans up after the call however it ends.
func (s *session) tryPhone(f tryFlags) (err error) {
	o, err := f.options(s)
	if err != nil {
		return err
	}
	who, err := f.open(s)
	if err != nil {
		return err
	}
	if !who.Agent.TakesCalls(who.Live) {
		return refused("agent_inactive", "agent", "the agent %s takes no calls %s: it is %s. `frontdesk agent resume --tenant %s %s` lets it",
			who.Agent.Slug, modeWords(who.Live), who.Agent.Status, who.Tenant.Slug, who.Agent.Slug)
	}
	if err := s.checkServer(o.Server); err != nil {
		return err
	}
	remove, err := s.lendNumber(who, &o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	t := &phoneTry{session: s, who: who, o: o}
	return t.hold()
}

// checkServer says what to do where no server answers.
func (s *session) checkServer(server string) error {
	ctx, cancel := context.WithTimeout(s.ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/healthz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return refused("no_server", "server", "no server answers at %s (%v): start one with `frontdesk serve --demo`, or say with --server where it is", server, errors.Unwrap(err))
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return refused("no_server", "server", "what answers at %s is no frontdesk: %s/healthz is %s. Say with --server where the server is", server, server, answer.Status)
	}
	return nil
}

// lendNumber adds a number for the time of a call. remove takes it away again, also
// when the command was interrupted.
func (s *session) lendNumber(who calendar.Caller, o *carrier.Options) (remove func() error, err error) {
	box, err := app.OpenBox(s.ctx, s.settings, s.store, s.now())
	if err != nil {
		return nil, err
	}
	in := account.NumberInput{By: s.by(), AgentSlug: who.Agent.Slug, Carrier: frontdesk.Carrier(o.Habits)}
	if in.Secret, o.Secret, err = newCarrierSecret(o.Habits); err != nil {
		return nil, err
	}
	numbers := account.NewNumbers(s.store, box, s.now)
	for range 200 { // some are lent to others
		n, err := rand.Int(rand.Reader, big.NewInt(100))
		if err != nil {
			return nil, err
		}
		in.Number = fmt.Sprintf("%s%02d", tryNumbers, n.Int64())
		_, err = numbers.Add(s.ctx, who.Owner(), in)
		var taken *frontdesk.Error
		if errors.As(err, &taken) && taken.Code == "number_taken" {
			continue
		}
		if err != nil {
			return nil, err
		}
		o.Number = in.Number
		return func() error { return s.takeBack(who, numbers, in.Number) }, nil
	}
	return nil, refused("no_number", "", "all numbers for trying (%sxx) are taken: `frontdesk number list` shows them, `frontdesk number remove` takes away what earlier calls left", tryNumbers)
}

// takeBack removes a number that was lent.
func (s *session) takeBack(who calendar.Caller, numbers *account.Numbers, number string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 10*time.Second)
	defer cancel()
	if err := numbers.Remove(ctx, who.Owner(), s.by(), number); err != nil && !isMissing(err) {
		return fmt.Errorf("the number %s could not be removed: `frontdesk number remove --tenant %s %s` does it: %w", number, who.Tenant.Slug, number, err)
	}
	return nil
}

// newCarrierSecret is what the server checks requests by, and what they are signed
// with.
func newCarrierSecret(habits carrier.Habits) (checks frontdesk.Secret, signs string, err error) {
	if habits != carrier.Telnyx {
		token := rand.Text()
		return frontdesk.Secret(token), token, nil
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return "", "", err
	}
	return frontdesk.Secret(base64.StdEncoding.EncodeToString(public)), base64.StdEncoding.EncodeToString(private), nil
}

// publicURLs are the addresses that the server may know itself by: the one that is
// set or, for a demo without one, where it listens.
func publicURLs(set, server string) []string {
	if set != "" {
		return []string{strings.TrimSuffix(set, "/")}
	}
	u, err := url.Parse(server)
	if err != nil || u.Port() == "" || !onThisMachine(u.Hostname()) {
		return []string{server}
	}
	all := []string{app.LocalURL(u.Host)}
	for _, host := range []string{"localhost", "127.0.0.1"} { // it may listen under another name
		if local := "http://" + net.JoinHostPort(host, u.Port()); !slices.Contains(all, local) {
			all = append(all, local)
		}
	}
	return all
}

func onThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip.IsLoopback() || ip.IsUnspecified()
}

// dial calls by the address that the server knows itself by.
func (t *phoneTry) dial() (err error) {
	for _, t.o.Public = range publicURLs(t.settings.PublicURL, t.o.Server) {
		t.call, err = carrier.Dial(t.ctx, t.o)
		var no *carrier.Refusal
		if !errors.As(err, &no) || no.Code != http.StatusForbidden {
			break
		}
	}
	return t.explain(err)
}

// explain says what to do about a request that the server refused.
func (t *phoneTry) explain(err error) error {
	var no *carrier.Refusal
	switch {
	case err == nil || t.ctx.Err() != nil:
		return nil
	case !errors.As(err, &no):
		return fmt.Errorf("calling the server: %w", err)
	}
	switch no.Code {
	case http.StatusForbidden:
		return refused("not_signed", "FRONTDESK_PUBLIC_URL", "%v: it does not take the signature. Set FRONTDESK_PUBLIC_URL for this command to what it is for the server; its log says more", no)
	case http.StatusNotFound:
		return refused("not_found", "", "%v: it does not know the number that was just added. Give this command the database of the server, with --data or --database", no)
	case http.StatusServiceUnavailable:
		return refused("unavailable", "FRONTDESK_PUBLIC_URL", "%v: most likely FRONTDESK_PUBLIC_URL is not set for it. Set it there and for this command, or start the server with `frontdesk serve --demo`; its log says more", no)
	}
	return refused("refused", "", "%v; its log says why", no)
}
