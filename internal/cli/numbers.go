package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

func (p *program) numberCommands() *cobra.Command {
	return group("number", "Telephone numbers, and the agents that answer them",
		p.numberAdd(), p.numberList(), p.numberRemove(), p.numberSetup())
}

// numberFlags say which number is added, and who answers it.
type numberFlags struct {
	bookFlags
	number     string
	carrier    string
	trunk      string
	secretFile string
}

func (p *program) numberAdd() *cobra.Command {
	var f numberFlags
	cmd := &cobra.Command{
		Use: "add [NUMBER]", Short: "Have an agent answer a telephone number", Args: cobra.MaximumNArgs(1),
		Long: `Have an agent answer a telephone number that you have with a carrier.
` + "`frontdesk number setup NUMBER`" + ` then says what to enter there.

The carrier's requests are checked by a secret: with twilio the auth token of the
account, with telnyx the account's public key. It is asked for, or read from the
file of --secret-file (- for standard input), and kept sealed.

With sip, --trunk says where the server registers itself for the number, as a trunk or
a private exchange wants it; the secret is the password there. Without --trunk calls
are taken from the networks of FRONTDESK_SIP_ALLOW, and there is no secret.`,
		Example: `  frontdesk number add --tenant rizos --number +34910000000 --carrier twilio
  frontdesk number add --tenant rizos --agent bar --number +34910000000 --carrier telnyx --secret-file telnyx.key
  frontdesk number add --tenant rizos --number +34910000000 --carrier sip --trunk sip:620@192.168.178.1`,
		RunE: p.onStore(func(s *session, args []string) (err error) {
			if f.number, err = oneOf("number", "number", f.number, args); err != nil {
				return err
			}
			return s.addNumber(f)
		}),
	}
	f.add(p, cmd)
	cmd.Flags().StringVar(&f.number, "number", "", "the number with its country, such as +34910000000")
	cmd.Flags().StringVar(&f.carrier, "carrier", "", "twilio, telnyx or sip")
	cmd.Flags().StringVar(&f.trunk, "trunk", "", "with sip: where to register, such as sip:620@192.168.178.1 or sip:34910000000@sip.example.com;transport=tls")
	cmd.Flags().StringVar(&f.secretFile, "secret-file", "", "file with the carrier's secret; - for standard input (default: it is asked for)")
	require(cmd, "carrier")
	p.completeWords(cmd, "carrier", carrierNames())
	return cmd
}

func carrierNames() (names []string) {
	for _, c := range frontdesk.Carriers {
		names = append(names, string(c))
	}
	return names
}

func (s *session) addNumber(f numberFlags) error {
	who, err := f.open(s)
	if err != nil {
		return err
	}
	in := account.NumberInput{By: s.by(), Number: frontdesk.E164(f.number), AgentSlug: who.Agent.Slug, Carrier: frontdesk.Carrier(f.carrier), Trunk: f.trunk}
	if in.Number == "" {
		return misused("%q is no telephone number with its country, such as +34910000000", f.number)
	}
	if !slices.Contains(frontdesk.Carriers, in.Carrier) {
		return misused("--carrier is %q: expected twilio, telnyx or sip", f.carrier)
	}
	asked := frontdesk.Number{Number: in.Number, Carrier: in.Carrier, Trunk: in.Trunk}
	if err := asked.Check(); err != nil {
		return err
	}
	if in.Secret, err = s.readNumberSecret(asked, f.secretFile); err != nil {
		return err
	}
	box, err := app.OpenBox(s.ctx, s.settings, s.store, s.now())
	if err != nil {
		return err
	}
	n, err := account.NewNumbers(s.store, box, s.now).Add(s.ctx, who.Owner(), in)
	if err != nil {
		return err
	}
	return s.print(numberJSON(n, who.Agent.Slug), func(w io.Writer) {
		fmt.Fprintf(w, "%s is answered by %s of %s, %s.\n", n.Number, who.Agent.Slug, who.Tenant.Slug, modeWords(n.Live))
		if !who.Agent.TakesCalls(n.Live) {
			fmt.Fprintf(w, "The agent takes no calls now: it is %s. `frontdesk agent resume --tenant %s %s` lets it.\n", who.Agent.Status, who.Tenant.Slug, who.Agent.Slug)
		}
		fmt.Fprintf(w, "`frontdesk number setup %s` says what to enter at the carrier.\n", n.Number)
	})
}

// readNumberSecret reads the secret of a carrier's numbers from a file, from
// standard input, or from who types it.
func (s *session) readNumberSecret(n frontdesk.Number, file string) (frontdesk.Secret, error) {
	if !n.HasSecret() {
		if file != "" {
			return "", misused("--secret-file is for twilio, telnyx, and sip with --trunk: this number has no secret")
		}
		return "", nil
	}
	if file != "" {
		text, err := s.readInput(file)
		return frontdesk.Secret(text), err
	}
	prompt, what := "Auth token of the Twilio account", "the auth token"
	switch n.Carrier {
	case frontdesk.Telnyx:
		prompt, what = "Public key of the Telnyx account", "the public key"
	case frontdesk.SIP:
		prompt, what = "Password of the trunk", "the password"
	}
	text, err := s.readHidden(bufio.NewReader(io.LimitReader(s.stdin, maxInput)), prompt, what)
	return frontdesk.Secret(text), err
}

func modeWords(live bool) string {
	if live {
		return "in live mode"
	}
	return "in test mode"
}

func numberJSON(n frontdesk.Number, agent string) map[string]any {
	shape := map[string]any{"number": n.Number, "agent": agent, "carrier": n.Carrier, "livemode": n.Live, "created_at": stamp(n.CreatedAt)}
	if n.Trunk != "" {
		shape["trunk"] = n.Trunk
	}
	return shape
}

func (p *program) numberList() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use: "list", Short: "List a tenant's telephone numbers of both modes; never their secrets", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.listNumbers(tenant) }),
	}
	p.tenantFlag(cmd, &tenant)
	return cmd
}

func (s *session) listNumbers(tenant string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	numbers, err := numbersOf(s.ctx, s.store, t)
	if err != nil {
		return err
	}
	agents, err := s.store.Agents(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
	if err != nil {
		return err
	}
	slugs := map[frontdesk.ID]string{}
	for _, a := range agents {
		slugs[a.ID] = a.Slug
	}
	shapes := make([]map[string]any, len(numbers))
	for i, n := range numbers {
		shapes[i] = numberJSON(n, slugs[n.AgentID])
	}
	return s.print(map[string]any{"numbers": shapes}, func(w io.Writer) {
		if len(numbers) == 0 {
			fmt.Fprintf(w, "The tenant %s has no telephone numbers. `frontdesk number add --tenant %s` adds one.\n", t.Slug, t.Slug)
			return
		}
		row(w, "NUMBER", "AGENT", "MODE", "CARRIER", "ADDED")
		for _, n := range numbers {
			mode := modeTest
			if n.Live {
				mode = modeLive
			}
			row(w, n.Number, cmp.Or(slugs[n.AgentID], "gone"), mode, string(n.Carrier), when(n.CreatedAt))
		}
	})
}

// numbersOf are the numbers of a tenant, live ones first.
func numbersOf(ctx context.Context, s *store.Store, t frontdesk.Tenant) (all []frontdesk.Number, err error) {
	for _, live := range []bool{true, false} {
		some, err := s.Numbers(ctx, frontdesk.Owner{TenantID: t.ID, Live: live})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func (p *program) numberRemove() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use: "remove NUMBER", Short: "Have nobody answer a telephone number any more", Args: cobra.ExactArgs(1),
		Long: `Have nobody answer a telephone number any more. Its secret is forgotten. Callers
then hear what the carrier says: take the addresses away there too, and end the
forwarding of your own line.`,
		Example: `  frontdesk number remove --tenant rizos +34910000000`,
		RunE:    p.onStore(func(s *session, args []string) error { return s.removeNumber(tenant, args[0]) }),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return p.offer(cmd, func(ctx context.Context, s *store.Store) (words []string) {
			t, err := s.TenantBySlug(ctx, cmd.Flag("tenant").Value.String())
			if err != nil {
				return nil
			}
			all, _ := numbersOf(ctx, s, t)
			for _, n := range all {
				words = append(words, n.Number)
			}
			return words
		}), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func (s *session) removeNumber(tenant, text string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	number := frontdesk.E164(text)
	if number == "" {
		return misused("%q is no telephone number with its country, such as +34910000000", text)
	}
	for _, live := range []bool{true, false} { // a number has one mode
		if err = s.store.RemoveNumber(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: live}, s.by(), number); !isMissing(err) {
			break
		}
	}
	if isMissing(err) {
		return refused("not_found", "number", "the tenant %s has no number %s; `frontdesk number list --tenant %s` shows them", t.Slug, number, t.Slug)
	}
	if err != nil {
		return err
	}
	return s.print(map[string]any{"removed": number}, func(w io.Writer) {
		fmt.Fprintf(w, "Removed %s: nobody answers it any more. Take the addresses away at the carrier, and end the forwarding of your own line.\n", number)
	})
}
