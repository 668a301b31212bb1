package cli

import (
	"fmt"
	"io/fs"
	"strings"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

const numberCheck = "numbers"

// checkNumbers looks for telephone numbers that would not be answered.
func (d *doctor) checkNumbers(s *store.Store) {
	numbers, err := s.NumbersForWorker(d.ctx)
	if err != nil {
		d.fail(numberCheck, d.awayFix(), "they cannot be read: %v", cause(err))
		return
	}
	served := 0
	for _, n := range numbers {
		if n.Carrier != frontdesk.SIP {
			served++
		}
	}
	d.ok(numberCheck, "telephone numbers that agents answer: %d", len(numbers))
	if served > 0 {
		d.checkPublicURL(served)
	}
	box, err := d.openBox()
	if err != nil && served > 0 { // checkMasterKey says what is wrong with it
		d.warn(numberCheck, "Put the master key back that sealed them.", "their secrets cannot be opened without the master key: calls are refused")
	}
	tenants, err := s.Tenants(d.ctx)
	if err != nil {
		d.fail(numberCheck, d.awayFix(), "tenants cannot be read: %v", cause(err))
		return
	}
	slugs := map[frontdesk.ID]string{}
	for _, t := range tenants {
		slugs[t.ID] = t.Slug
	}
	known := map[string]bool{}
	for _, n := range numbers {
		known[n.Number.Number] = true
	}
	for _, n := range numbers {
		if err := d.checkNumber(s, n, box, slugs[n.TenantID], known); err != nil {
			d.fail(numberCheck, d.awayFix(), "the agent of %s cannot be read: %v", n.Number.Number, cause(err))
			return
		}
	}
}

// checkPublicURL looks whether carriers find the server.
func (d *doctor) checkPublicURL(served int) {
	const fix = "Set FRONTDESK_PUBLIC_URL to the https address under which carriers reach the server, such as https://desk.example.com; `frontdesk number setup NUMBER` then says what to enter there."
	switch address := d.settings.PublicURL; {
	case address == "":
		d.warn(numberCheck, fix, "FRONTDESK_PUBLIC_URL is not set: the calls of %d numbers cannot be answered", served)
	case !strings.HasPrefix(address, "https://"):
		d.warn(numberCheck, fix, "FRONTDESK_PUBLIC_URL is %s: carriers connect by https alone, and the calls of %d numbers fail", address, served)
	}
}

func (d *doctor) checkNumber(s *store.Store, n store.SealedNumber, box *seal.Box, tenant string, known map[string]bool) error {
	number := n.Number.Number
	again := fmt.Sprintf("`frontdesk number remove --tenant %s %s`, and add it again", tenant, number)
	if n.Carrier == frontdesk.SIP && (d.settings.SIPListen == "" || d.settings.HearingURL == "") {
		d.warn(numberCheck, "Set FRONTDESK_SIP_LISTEN and FRONTDESK_HEARING_URL; `frontdesk number setup "+number+"` says more.", "%s is a number of the carrier sip, and SIP is not served: no call arrives", number)
	}
	if !opens(box, n) {
		d.warn(numberCheck, "Put the master key back that sealed it, or "+again+" with its secret.", "the secret of %s cannot be opened: its calls are refused", number)
	}
	agent, err := s.Agent(d.ctx, n.Owner(), n.AgentID)
	switch {
	case isMissing(err):
		d.warn(numberCheck, again+" with an agent that exists.", "the agent that answers %s is gone", number)
		return nil
	case err != nil:
		return err
	case !agent.TakesCalls(n.Live):
		d.warn(numberCheck, fmt.Sprintf("`frontdesk agent resume --tenant %s %s` lets it take calls.", tenant, agent.Slug), "%s is answered by %s/%s, which takes no calls: it is %s", number, tenant, agent.Slug, agent.Status)
	}
	if to := agent.Settings.TransferNumber; known[to] {
		d.warn(numberCheck, fmt.Sprintf("`frontdesk agent set --tenant %s --transfer-number … %s` names the telephone of a person.", tenant, agent.Slug),
			"%s/%s puts callers of %s through to %s, which an agent answers too: they reach no person", tenant, agent.Slug, number, to)
	}
	return nil
}

// opens says whether a number's secret, if it needs one, can be opened. Without a
// box nothing is said of it.
func opens(box *seal.Box, n store.SealedNumber) bool {
	if box == nil {
		return true
	}
	secret, err := account.OpenNumberSecret(box, n.Number, n.Sealed)
	return err == nil && (secret != "" || !n.HasSecret())
}

// openBox opens the box of the master key, and makes no key where there is none.
func (d *doctor) openBox() (*seal.Box, error) {
	if app.KeyFileMissing(d.settings) {
		return nil, fs.ErrNotExist
	}
	return app.NewBox(d.settings)
}
