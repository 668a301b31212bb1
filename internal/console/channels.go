package console

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// channelScreen is how callers reach a receptionist, and how people are told what
// came of it.
type channelScreen struct{ *Console }

// channels is the page.
type channels struct {
	Agent    string
	Takes    bool   // callers reach the agent
	Talk     string // the address of its page
	Try      string // the same, in test mode
	Widget   string // the line that a site needs
	Code     template.HTML
	Calls    []saying // what a poster says, in the languages of the agent
	Copies   []int    // of a sticker
	Tenant   string
	Slug     string
	Numbers  []numberRow
	Circle   bool // calls are put through to a number that an agent answers
	CanSet   bool // test mode can only be looked at
	Live     string
	Origins  setting
	Privacy  setting
	Transfer setting
	Notices  noticeForm
}

// setting is one of a form, as it stands or as it was typed.
type setting struct {
	Value string
	Fault string
}

// numberRow is a telephone number in the list.
type numberRow struct {
	Number  string
	Agent   string
	Carrier frontdesk.Carrier
	Takes   bool // its agent takes calls
}

func (c channelScreen) show(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	data, err := c.read(v, agent)
	if err != nil {
		return answer{}, err
	}
	return v.page("channels", data)
}

func (c channelScreen) read(v *visit, agent frontdesk.Agent) (d channels, err error) {
	talk := c.talkAddress(v, agent)
	d = channels{
		Agent: agent.DisplayName, Takes: agent.TakesCalls(v.mode.live), Talk: inMode(v, talk), Try: talk + "?mode=test", Widget: c.widgetLine(v, agent),
		Tenant: v.tenant.Slug, Slug: agent.Slug, CanSet: v.mode.live,
		Origins: setting{Value: strings.Join(agent.Settings.Origins, "\n")}, Transfer: setting{Value: agent.Settings.TransferNumber},
		Privacy: setting{Value: agent.Settings.PrivacyURL},
		Notices: newNoticeForm(v, agent.Settings.Notices),
	}
	if !v.mode.live {
		d.Live = v.otherMode() + "channels"
	}
	if d.Code, err = drawCode(d.Talk, v.say("ch_code_label", "agent", agent.DisplayName)); err != nil {
		return d, err
	}
	numbers, err := c.store.Numbers(v.Context(), v.owner())
	if err != nil {
		return d, err
	}
	for _, n := range numbers {
		who, _ := v.agentNamed(n.AgentID)
		d.Numbers = append(d.Numbers, numberRow{n.Number, who.DisplayName, n.Carrier, who.TakesCalls(n.Live)})
		d.Circle = d.Circle || n.Number == agent.Settings.TransferNumber
	}
	return d, nil
}

// publicAddress is where the world reaches this server.
func (c channelScreen) publicAddress(v *visit) string {
	if c.publicly != "" {
		return c.publicly
	}
	scheme := "https"
	if v.plain() {
		scheme = "http"
	}
	return scheme + "://" + v.http.Host
}

// talkAddress is the page on which visitors talk to an agent.
func (c channelScreen) talkAddress(v *visit, agent frontdesk.Agent) string {
	return c.publicAddress(v) + "/talk/" + url.PathEscape(v.tenant.Slug) + "/" + url.PathEscape(agent.Slug)
}

// inMode is an address of the talk page in the place's mode.
func inMode(v *visit, talk string) string {
	if v.mode.live {
		return talk
	}
	return talk + "?mode=test"
}

// widgetLine is what a site needs to show the agent.
func (c channelScreen) widgetLine(v *visit, agent frontdesk.Agent) string {
	mode := ""
	if !v.mode.live {
		mode = ` data-mode="test"`
	}
	return `<script src="` + template.HTMLEscapeString(c.publicAddress(v)) + `/widget.js" data-tenant="` + v.tenant.Slug + `" data-agent="` + agent.Slug + `"` + mode + ` async></script>`
}

// stickersOfSheet is how many stickers are on a sheet, in rows of three.
const stickersOfSheet = 12

// paper is a page to be printed, with the address as a code: a poster to be hung up,
// or a sheet of stickers to be cut.
func (c channelScreen) paper(page string) func(v *visit) (answer, error) {
	return func(v *visit) (answer, error) {
		agent, elsewhere := v.oneAgent()
		if elsewhere != nil {
			return *elsewhere, nil
		}
		data, err := c.read(v, agent)
		if err != nil {
			return answer{}, err
		}
		data.toPrint(agent)
		data.Copies = make([]int, stickersOfSheet)
		return v.page(page, data)
	}
}

// toPrint puts the business's own name in, and what its callers are told in the
// languages that it speaks.
func (d *channels) toPrint(agent frontdesk.Agent) {
	d.Agent = cmp.Or(agent.Config.Business.Name, agent.DisplayName)
	for _, code := range frontdesk.Languages {
		if slices.Contains(agent.Languages, code) {
			d.Calls = append(d.Calls, saying{code, language.Of(code).SayIn("console", "ch_poster_call")})
		}
	}
}

// downloadCode is the code as a file, for who prints cards.
func (c channelScreen) downloadCode(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	code, err := drawCode(inMode(v, c.talkAddress(v, agent)), agent.DisplayName)
	if err != nil {
		return answer{}, err
	}
	return v.download(agent.Slug+".svg", "image/svg+xml", []byte(code)), nil
}

// preview is a page like a customer's site, with the widget on it in test mode.
// It is shown within the console's own page.
func (c channelScreen) preview(v *visit) (answer, error) {
	agent, elsewhere := v.oneAgent()
	if elsewhere != nil {
		return *elsewhere, nil
	}
	v.header.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; base-uri 'self'; form-action 'self'; frame-ancestors 'self'; object-src 'none'")
	return v.page("channels_preview", channels{Agent: cmp.Or(agent.Config.Business.Name, agent.DisplayName), Tenant: v.tenant.Slug, Slug: agent.Slug})
}

// toSet is the agent that a form changes. Settings are the same in both modes and
// are changed in live, as by the API.
func (c channelScreen) toSet(v *visit) (frontdesk.Agent, *answer, error) {
	if err := v.readForm(); err != nil {
		return frontdesk.Agent{}, nil, err
	}
	agent, elsewhere := v.oneAgent()
	if elsewhere == nil && !v.mode.live {
		return agent, nil, &frontdesk.Error{
			Kind: frontdesk.Forbidden, Code: "channels_in_live", Message: "Settings are the same in test and live. Change them in live.",
		}
	}
	return agent, elsewhere, nil
}

// set changes the settings of an agent, and holds them to their bounds.
func (c channelScreen) set(v *visit, agent frontdesk.Agent, change func(*frontdesk.AgentSettings)) error {
	_, err := c.changeAgent(v, agent.Slug, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		change(&a.Settings)
		return a, a.Settings.Check()
	})
	return err
}

// again shows the page with what was typed and why it cannot be.
func (c channelScreen) again(v *visit, agent frontdesk.Agent, e *frontdesk.Error, put func(d *channels)) (answer, error) {
	data, err := c.read(v, agent)
	if err != nil {
		return answer{}, err
	}
	put(&data)
	a, err := v.render(http.StatusUnprocessableEntity, "channels", data)
	a.code = e.Code
	return a, err
}

// setOrigins says which web pages may show the agent.
func (c channelScreen) setOrigins(v *visit) (answer, error) {
	agent, elsewhere, err := c.toSet(v)
	if err != nil || elsewhere != nil {
		return orElse(elsewhere), err
	}
	var origins []string
	for _, line := range strings.Fields(strings.ReplaceAll(v.field("origins"), ",", " ")) {
		origins = append(origins, originOf(line))
	}
	err = c.set(v, agent, func(s *frontdesk.AgentSettings) { s.Origins = slices.Compact(origins) })
	if e := exchange.Domain(err); e != nil && e.Param == "origins" {
		return c.again(v, agent, e, func(d *channels) { d.Origins = setting{v.raw("origins"), v.say("ch_fault_origins")} })
	}
	if err != nil {
		return answer{}, err
	}
	undo := [][2]string{{"origins", strings.Join(agent.Settings.Origins, "\n")}}
	return v.done(v.base()+"channels", said{v.say("ch_origins_set"), "channels/origins", undo}), nil
}

// originOf is the origin of an address that somebody copied from a browser; what
// is none stays as it is.
func originOf(text string) string {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// setPrivacy names the business's own page on privacy.
func (c channelScreen) setPrivacy(v *visit) (answer, error) {
	agent, elsewhere, err := c.toSet(v)
	if err != nil || elsewhere != nil {
		return orElse(elsewhere), err
	}
	address := v.field("privacy")
	if address != "" && !strings.Contains(address, "://") {
		address = "https://" + address
	}
	err = c.set(v, agent, func(s *frontdesk.AgentSettings) { s.PrivacyURL = address })
	if e := exchange.Domain(err); e != nil && e.Param == "privacy_url" {
		return c.again(v, agent, e, func(d *channels) { d.Privacy = setting{v.raw("privacy"), v.say("ch_fault_privacy")} })
	}
	if err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"channels", said{v.say("ch_privacy_set"), "channels/privacy", [][2]string{{"privacy", agent.Settings.PrivacyURL}}}), nil
}

// setTransfer says to whom calls are put through.
func (c channelScreen) setTransfer(v *visit) (answer, error) {
	agent, elsewhere, err := c.toSet(v)
	if err != nil || elsewhere != nil {
		return orElse(elsewhere), err
	}
	typed := v.field("number")
	number := typed
	if typed != "" {
		number = cmp.Or(frontdesk.International(typed, agent.Timezone), typed)
	}
	err = c.set(v, agent, func(s *frontdesk.AgentSettings) { s.TransferNumber = number })
	if e := exchange.Domain(err); e != nil && e.Param == "transfer_number" {
		return c.again(v, agent, e, func(d *channels) { d.Transfer = setting{typed, v.say("ch_fault_phone")} })
	}
	if err != nil {
		return answer{}, err
	}
	text := v.say("ch_transfer_none")
	if number != "" {
		text = v.say("ch_transfer_set", "number", number)
	}
	return v.done(v.base()+"channels", said{text, "channels/transfer", [][2]string{{"number", agent.Settings.TransferNumber}}}), nil
}

// orElse is an answer that may be none.
func orElse(a *answer) answer {
	if a == nil {
		return answer{}
	}
	return *a
}
