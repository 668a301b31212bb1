package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/nyaruka/phonenumbers"
	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

func (p *program) numberSetup() *cobra.Command {
	return &cobra.Command{
		Use: "setup NUMBER", Short: "Say what to enter at the carrier, and how to forward your own line to the number", Args: cobra.ExactArgs(1),
		Long: `Say what to enter at the carrier, and by which codes a business forwards its own
line to the number. Nothing is changed, here or there. The addresses begin with
FRONTDESK_PUBLIC_URL.`,
		Example: `  FRONTDESK_PUBLIC_URL=https://desk.example.com frontdesk number setup +34910000000`,
		RunE:    p.onStore(func(s *session, args []string) error { return s.setUpNumber(args[0]) }),
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return p.offer(cmd, func(ctx context.Context, s *store.Store) (words []string) {
				all, _ := s.NumbersForWorker(ctx)
				for _, n := range all {
					words = append(words, n.Number.Number)
				}
				return words
			}), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func (s *session) setUpNumber(text string) error {
	number := frontdesk.E164(text)
	if number == "" {
		return misused("%q is no telephone number with its country, such as +34910000000", text)
	}
	n, _, err := s.store.NumberForWorker(s.ctx, number)
	if isMissing(err) {
		return refused("not_found", "number", "nobody answers %s; `frontdesk number add` has an agent do so", number)
	}
	if err != nil {
		return err
	}
	if n.Carrier == frontdesk.SIP {
		return s.setUpSIP(n)
	}
	base := strings.TrimSuffix(s.settings.PublicURL, "/")
	if base == "" {
		return refused("not_set", "FRONTDESK_PUBLIC_URL", "set FRONTDESK_PUBLIC_URL first, here and for the server: to the address under which the carrier reaches the server from the internet, https and without a path, such as https://desk.example.com")
	}
	if !strings.HasPrefix(base, "https://") {
		s.warn("FRONTDESK_PUBLIC_URL does not begin with https://: carriers connect to a relay by TLS alone, and calls would fail")
	}
	voice, status := base+"/phone/"+string(n.Carrier)+"/voice", base+"/phone/"+string(n.Carrier)+"/status"
	lines := forwarding(n.Number)
	value := map[string]any{"number": n.Number, "carrier": n.Carrier, "served": true, "method": "POST", "voice_url": voice, "status_url": status, "forwarding": lines}
	return s.print(value, func(w io.Writer) {
		if n.Carrier == frontdesk.Telnyx {
			fmt.Fprintf(w, telnyxSteps, n.Number, voice, status)
		} else {
			fmt.Fprintf(w, twilioSteps, n.Number, voice, status)
		}
		printForwarding(w, n.Number, lines)
	})
}

// setUpSIP says what a trunk or a private exchange needs.
func (s *session) setUpSIP(n frontdesk.Number) error {
	set := s.settings
	missing := []string{}
	if set.SIPListen == "" {
		missing = append(missing, "FRONTDESK_SIP_LISTEN (where SIP is served, such as udp:0.0.0.0:5060)")
	}
	if set.HearingURL == "" {
		missing = append(missing, "FRONTDESK_HEARING_URL (who hears callers and speaks to them, such as http://127.0.0.1:8090/v1 of frontdesk-speech)")
	}
	if n.Trunk == "" && set.SIPAllow == "" {
		missing = append(missing, "FRONTDESK_SIP_ALLOW (the networks that calls are taken from, such as 192.168.178.1)")
	}
	lines := forwarding(n.Number)
	value := map[string]any{
		"number": n.Number, "carrier": n.Carrier, "served": len(missing) == 0, "missing": missing,
		"trunk": n.Trunk, "listen": set.SIPListen, "ports": set.SIPPorts, "forwarding": lines,
	}
	return s.print(value, func(w io.Writer) {
		if len(missing) > 0 {
			fmt.Fprintf(w, "Calls over SIP are not served yet: no call to %s arrives here, so do not forward your line to it. Set first, for the server and here:\n\n  %s\n", n.Number, strings.Join(missing, "\n  "))
			return
		}
		if n.Trunk != "" {
			user, registrar := n.TrunkUser()
			fmt.Fprintf(w, sipTrunkSteps, user, registrar, n.Number)
		} else {
			fmt.Fprintf(w, sipDirectSteps, n.Number, set.SIPListen, n.Number, set.SIPAllow)
		}
		fmt.Fprintf(w, sipNetwork, set.SIPListen, set.SIPPorts)
		printForwarding(w, n.Number, lines)
	})
}

// What carriers' pages have, with the words that stand there.
const (
	twilioSteps = `At Twilio (console.twilio.com), Phone Numbers, Active numbers, %s, Voice Configuration:

  A call comes in      Webhook, HTTP POST
    %s
  Call status changes  HTTP POST
    %s

Save. The auth token, by which Twilio's requests are checked, stands in the console
under Account Info. When it changes there, remove the number here and add it again.
`
	telnyxSteps = `At Telnyx (portal.telnyx.com), Voice, Programmable Voice, TeXML applications: add one, and assign %s to it.

  Send a TeXML webhook to the URL  POST
    %s
  Status callback URL              POST
    %s

Save. The public key, by which Telnyx's requests are checked, stands in the portal under
Account Settings, Keys & Credentials, Public Key. It is the account's, not the number's.
`
	sipTrunkSteps = `The server registers itself as %s at %s, with the password that was entered, and
answers calls to %s that come from there. At a private exchange make a telephone (IP or SIP) of that
user name and password, and give it the number as its incoming number; at a trunk take the user name
and password that came with it. The server's log says "registered" when that worked.
`
	sipDirectSteps = `Have the trunk or the exchange send calls to %s here: to the address of this server, at %s. The
number that is called is looked for in P-Called-Party-ID, To and the request's address: %s, with or
without its +. Calls are taken from %s alone; everybody else gets no answer.
`
	sipNetwork = `
What the network has to let through: SIP at %s, and UDP ports %s for sound. Behind a router that
translates addresses, FRONTDESK_SIP_PUBLIC says the address outside.
`
)

// forward is a way to forward a line.
type forward struct {
	Line string `json:"line"` // whose codes they are
	When string `json:"when"`
	On   string `json:"on"`
	Off  string `json:"off"`
}

// forwarding are the codes that forward a line to a number. Only those stand here
// that could be read with carriers or with answering services: of mobiles for
// Movistar (Spain), Vodafone (UK) and T-Mobile (US), of landlines for BT and for
// several of the US.
func forwarding(number string) []forward {
	const (
		mobile   = "mobile in Spain, the UK, the US (GSM)"
		british  = "landline in the UK (BT)"
		american = "landline in the US"
	)
	uk, us := dialled(number, "GB"), dialled(number, "US")
	return []forward{
		{mobile, "always", "**21*" + number + "#", "##21#"},
		{mobile, "busy", "**67*" + number + "#", "##67#"},
		{mobile, "no answer within 20 s", "**61*" + number + "**20#", "##61#"},
		{mobile, "unreachable", "**62*" + number + "#", "##62#"},
		{british, "always", "*21*" + uk + "#", "#21#"},
		{british, "busy", "*67*" + uk + "#", "#67#"},
		{british, "no answer", "*61*" + uk + "#", "#61#"},
		{american, "always", "*72 " + us, "*73"},
		{american, "busy", "*90 " + us, "*91"},
		{american, "no answer", "*92 " + us, "*93"},
	}
}

// dialled is a number as a landline of a country dials it.
func dialled(number, country string) string {
	n, err := phonenumbers.Parse(number, country)
	if err != nil {
		return number
	}
	return phonenumbers.NormalizeDigitsOnly(phonenumbers.FormatOutOfCountryCallingNumber(n, country))
}

func printForwarding(w io.Writer, number string, lines []forward) {
	fmt.Fprintf(w, "\nTo forward your own line to %s, dial on it:\n\n", number)
	row(w, "YOUR LINE", "WHEN", "ON", "OFF")
	for _, f := range lines {
		row(w, f.Line, f.When, f.On, f.Off)
	}
	fmt.Fprint(w, `
The seconds of **61* are 5, 10, 15, 20, 25 or 30; ##002# ends all forwarding of a mobile.
Choose "busy" and "no answer" to be the first to answer yourself, and switch voicemail off:
it takes the same calls.

Carriers differ, and some forward a line only in the customer's pages or by a call to them. These
codes were read with carriers and answering services, and none was tried. AT&T has 72# and 73# where
others have *72 and *73. Landlines in Spain, and mobiles in the US outside GSM: ask the carrier. What it
costs is a call from your line to the number. Call your line from another telephone after each
change, and see who answers.
`)
}
