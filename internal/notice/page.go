package notice

import (
	"cmp"
	"html/template"
	"strconv"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// page is what a message says, whatever it is sent as: a sentence, facts, lists,
// and what can be done.
type page struct {
	Subject string
	Lead    string // paragraphs, one a line
	Facts   []fact
	Lists   []list
	Action  string // what the link is for
	Link    string
	Foot    []string
}

type fact struct{ Name, Value string }

type list struct {
	Title string
	Lines []string
}

// page is what a notice about a capture or a call says.
func (l letter) page() page {
	if l.claim.Notice.Kind.ForOwner() {
		return l.ownerPage()
	}
	kind := string(l.claim.Notice.Kind)
	p := page{Subject: l.say("notice_" + kind + "_subject"), Lead: l.words(kind), Facts: l.customerFacts(), Foot: []string{l.say("notice_foot")}}
	if l.capture.Status == frontdesk.PendingConfirm && l.capture.TakesPlace() && l.claim.Notice.Kind != frontdesk.NoticeCancellation {
		switch {
		case l.unsure:
			p.Lead += "\n" + l.say("notice_unsure")
		case l.link != "":
			p.Lead += "\n" + l.say("notice_pending")
		}
	}
	if former := l.when(l.claim.Notice.Former); former != "" && l.claim.Notice.Kind == frontdesk.NoticeChange && l.claim.Notice.Former != l.capture.ScheduledAt {
		p.Facts = append(p.Facts, l.facts("notice_before", former)...)
	}
	if l.link != "" {
		switch l.claim.Notice.Kind {
		case frontdesk.NoticeCancellation: // there is nothing to act on
		case frontdesk.NoticePlaceFree:
			p.Link, p.Action = l.link, l.say("notice_action_take")
		case frontdesk.NoticeWaiting:
			p.Link, p.Action = l.link, l.say("notice_action_waiting")
		default:
			p.Link, p.Action = l.link, l.say("notice_action")
		}
	}
	if l.claim.Notice.Kind == frontdesk.NoticeReminder && l.link != "" {
		p.Foot = append(p.Foot, l.say("notice_stop")+" "+l.link+"/reminders")
	}
	return p
}

// words is the first sentence: the owner's own, or ours.
func (l letter) words(kind string) string {
	own := l.agent.Settings.Notices.Words[kind][l.language.Code]
	if own == "" || l.customer() == "" && strings.Contains(own, "{name}") {
		hello := l.say("notice_hello_nobody")
		if l.customer() != "" {
			hello = l.say("notice_hello")
		}
		if kind == string(frontdesk.NoticeConfirmation) && l.capture.Status == frontdesk.Confirmed {
			kind += "_done"
		}
		return hello + "\n" + l.say("notice_"+kind)
	}
	gaps := l.gaps()
	for i := 0; i+1 < len(gaps); i += 2 {
		gaps[i] = "{" + gaps[i] + "}"
	}
	return strings.NewReplacer(gaps...).Replace(own)
}

// say is a wording with the gaps that all of them may have.
func (l letter) say(key string) string { return l.language.Say(key, "", l.gaps()...) }

func (l letter) gaps() []string {
	name, nothing, service := l.customer(), "notice_appointment", l.service()
	if l.claim.Notice.Kind.ForOwner() {
		service = plain(l.capture.Service)
		name = cmp.Or(name, plain(l.capture.CustomerPhone), plain(l.call.Caller), l.language.Say("notice_somebody", ""))
		nothing = "notice_booking"
	}
	return []string{
		"business", l.business(), "name", name, "service", cmp.Or(service, l.language.Say(nothing, "")),
		"when", l.when(l.capture.ScheduledAt), "former", l.when(l.claim.Notice.Former), "code", l.capture.ConfirmationCode,
		"with", plain(l.capture.Visit.Resource), "link", l.link, "until", l.until(), "phone", plain(l.agent.Config.Business.Phone),
	}
}

func (l letter) customerFacts() []fact {
	b := l.agent.Config.Business
	return l.facts(
		"notice_what", l.service(), "notice_time", l.when(l.capture.ScheduledAt), "notice_with", plain(l.capture.Visit.Resource),
		"notice_party", people(l.capture.Visit.Party), "notice_code", l.capture.ConfirmationCode,
		"notice_where", plain(b.Address), "notice_phone", plain(b.Phone),
	)
}

// facts are those of the pairs of a key and a value that have one.
func (l letter) facts(pairs ...string) (all []fact) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, fact{l.language.Say(pairs[i], ""), pairs[i+1]})
		}
	}
	return all
}

func people(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// ownerPage is what a business is told: all that its book has.
func (l letter) ownerPage() page {
	kind := string(l.claim.Notice.Kind)
	c := l.capture
	if kind == string(frontdesk.OwnerMessage) && c.Kind == frontdesk.Callback {
		kind = "owner_callback"
	}
	if kind == string(frontdesk.OwnerMessage) && c.Kind == frontdesk.Waiting {
		kind = "owner_waiting"
	}
	if kind == string(frontdesk.OwnerCancellation) && c.Kind == frontdesk.Waiting {
		kind = "owner_left_list"
	}
	p := page{Subject: l.say("notice_" + kind + "_subject"), Lead: l.say("notice_" + kind)}
	p.Facts = l.facts(
		"notice_what", plain(c.Service), "notice_time", l.when(c.ScheduledAt), "notice_with", plain(c.Visit.Resource), "notice_party", people(c.Visit.Party),
		"notice_customer", plain(c.CustomerName), "notice_their_phone", plain(c.CustomerPhone), "notice_their_mail", plain(c.Visit.Email),
		"notice_code", c.ConfirmationCode, "notice_state", l.state(),
	)
	if f := l.claim.Notice.Former; f != "" && f != c.ScheduledAt {
		p.Facts = append(p.Facts, l.facts("notice_before", l.when(f))...)
	}
	if c.Notes != "" {
		p.Lists = append(p.Lists, list{l.say("notice_notes"), strings.Split(c.Notes, "\n")})
	}
	if c.ID == "" {
		p.Lists = append(p.Lists, list{l.say("notice_call"), []string{summaryText(l.call)}})
	}
	return p
}

// state is how an appointment stands, for the business.
func (l letter) state() string {
	switch {
	case l.capture.Kind != frontdesk.Appointment:
		return ""
	case l.unsure && l.capture.Status == frontdesk.PendingConfirm:
		return l.say("notice_state_unsure")
	}
	return l.say("notice_state_" + string(l.capture.Status))
}

// until is when a place that is kept is let go.
func (l letter) until() string {
	zone, err := frontdesk.LoadZone(l.agent.Timezone)
	if err != nil {
		return ""
	}
	t := l.claim.Notice.CreatedAt.Add(time.Hour).In(zone)
	return dates.WriteTimeIn(l.language, dates.Clock{Hour: t.Hour(), Minute: t.Minute()})
}

// short is a page as a text message.
func (l letter) short(p page) string {
	kind := string(l.claim.Notice.Kind)
	text := l.say("notice_" + kind + "_text")
	if l.agent.Settings.Notices.Words[kind][l.language.Code] != "" {
		text = l.words(kind)
	}
	if l.claim.Notice.Kind.ForOwner() {
		text = p.inShort()
	}
	const most = 480 // three messages
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most])
	}
	if p.Link != "" && !strings.Contains(text, p.Link) {
		text += " " + p.Link
	}
	return plain(text)
}

// inShort is all that a page says, on one line.
func (p page) inShort() string {
	parts := []string{p.Subject}
	for _, f := range p.Facts {
		parts = append(parts, f.Value)
	}
	for _, one := range p.Lists {
		parts = append(parts, strings.Join(one.Lines, "; "))
	}
	return strings.Join(parts, ". ")
}

// text is a page without any markup.
func (p page) text() string {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(p.Lead, "\n", "\n\n") + "\n\n")
	for _, f := range p.Facts {
		b.WriteString(f.Name + ": " + f.Value + "\n")
	}
	for _, one := range p.Lists {
		b.WriteString("\n" + one.Title + "\n")
		for _, line := range one.Lines {
			b.WriteString("- " + line + "\n")
		}
	}
	if p.Link != "" {
		b.WriteString("\n" + p.Action + "\n" + p.Link + "\n")
	}
	if len(p.Foot) > 0 {
		b.WriteString("\n-- \n" + strings.Join(p.Foot, "\n") + "\n")
	}
	return b.String()
}

// html is a page for mail programs, which know little CSS and no style sheets.
func (p page) html(language string) string {
	var b strings.Builder
	paragraphs := strings.Split(p.Lead, "\n")
	if err := mailPage().Execute(&b, map[string]any{"Page": p, "Language": language, "Lead": paragraphs}); err != nil {
		return "" // the plain text says the same
	}
	return b.String()
}

var mailPage = sync.OnceValue(func() *template.Template { return template.Must(template.New("mail").Parse(mailText)) })

const mailText = `<!doctype html>
<html lang="{{.Language}}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>{{.Page.Subject}}</title></head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:34em;margin:0 auto">
{{range .Lead}}<p style="margin:0 0 16px">{{.}}</p>
{{end}}{{if .Page.Facts}}<table role="presentation" style="border-collapse:collapse;margin:0 0 20px">
{{range .Page.Facts}}<tr><td style="padding:4px 20px 4px 0;vertical-align:top;opacity:.7">{{.Name}}</td><td style="padding:4px 0;font-weight:600">{{.Value}}</td></tr>
{{end}}</table>
{{end}}{{range .Page.Lists}}<p style="margin:0 0 4px;font-weight:600">{{.Title}}</p>
<ul style="margin:0 0 20px;padding-left:20px">{{range .Lines}}<li>{{.}}</li>{{end}}</ul>
{{end}}{{if .Page.Link}}<p style="margin:0 0 24px"><a href="{{.Page.Link}}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#fff;text-decoration:none;font-weight:600">{{.Page.Action}}</a></p>
{{end}}{{range .Page.Foot}}<p style="margin:0 0 8px;font-size:13px;opacity:.7">{{.}}</p>
{{end}}</div>
</body>
</html>
`
