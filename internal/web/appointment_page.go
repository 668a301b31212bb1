package web

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/notice"
)

// appointmentPage is what one of the pages about an appointment is made of.
type appointmentPage struct {
	name   string // of its template
	header http.Header
	lang   *language.Language
	thing  string // what the business calls an appointment
	at     func(path string, pairs ...string) string

	Business, Heading string
	Lead              []string
	Done              string // what has just been done
	Test              bool
	Phone, Call, Talk string
	Contact           string
	Others            []otherLanguage

	When    moment
	Facts   []fact
	Coming  bool // it can still be changed
	Off     bool // it was cancelled
	Pending bool
	Movable bool
	Asks    bool // before something is done
	Waits   bool // for a place
	Kept    bool // one is kept for them

	Days        []freeDay
	More, First string // addresses of further days
	Asked       bool   // for the language
	FirstDay    dates.Date
	Today       dates.Date
	LastDay     dates.Date
	New         moment
	From, To    frontdesk.LocalTime
	Near        []freeTime
}

type otherLanguage struct{ Code, Name, Address string }

// fact is a line about an appointment.
type fact struct{ Label, Text, Class string }

// moment is a time as it is read.
type moment struct{ Day, Clock, Zone, Instant string }

// Say is the wording of a key.
func (p *appointmentPage) Say(key string, pairs ...string) string {
	return p.lang.Say(key, "", append(pairs, "thing", p.thing, "business", p.Business)...)
}

// At is an address below the page's own.
func (p *appointmentPage) At(path string) string { return p.at(path) }

// Style is the style that the content security policy lets in.
func (p *appointmentPage) Style() template.CSS { return template.CSS(appointmentStyle) }

// Language is the language that the page is in.
func (p *appointmentPage) Language() string { return p.lang.Code }

// answer makes the page.
func (p *appointmentPage) answer(status int) (answer, error) {
	private(p.header)
	p.header.Set("Content-Security-Policy", appointmentPolicy)
	p.header.Set("Content-Language", p.lang.Code)
	p.header.Set("Vary", "Accept-Language")
	var b bytes.Buffer
	if err := appointmentPages.ExecuteTemplate(&b, p.name, p); err != nil {
		return answer{}, fmt.Errorf("making the page of an appointment: %w", err)
	}
	return answer{status: status, contentType: "text/html; charset=utf-8", body: b.Bytes()}, nil
}

// private keeps an answer out of caches, searches and other sites' logs.
func private(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex, nofollow")
}

func (c *customer) private() { private(c.header) }

// address is one of the pages of the appointment, in the language that was asked
// for.
func (c *customer) address(path string, pairs ...string) string {
	query := url.Values{}
	if c.asked() {
		query.Set("lang", c.lang.Code)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		query.Set(pairs[i], pairs[i+1])
	}
	address := notice.LinkPath + c.http.PathValue("token") + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// asked says whether the language was asked for in the address.
func (c *customer) asked() bool { return c.http.URL.Query().Get("lang") == c.lang.Code }

// page begins a page about the appointment.
func (c *customer) page(name string) *appointmentPage {
	agent := c.who.Agent
	profile := profileOf(agent)
	p := &appointmentPage{
		name: name, header: c.header, lang: c.lang, at: c.address,
		Business: cmp.Or(profile.Business, c.who.Tenant.Name), Test: !c.who.Live,
		Coming: calendar.Coming(c.capture, c.now), Movable: agent.ID != "",
		Pending: c.capture.Status == frontdesk.PendingConfirm, Off: c.capture.Status == frontdesk.Cancelled,
	}
	p.thing = p.Say("thing_" + agent.Trade().Appointment())
	if profile.Phone != nil {
		p.Phone, p.Call = strings.ReplaceAll(*profile.Phone, " ", ""), p.Say("page_call", "phone", *profile.Phone)
	}
	p.Contact = p.Say("page_contact")
	if !p.Coming {
		p.Contact = p.Say("page_contact_again")
	}
	p.Talk = c.talkAddress()
	p.When = p.moment(c.capture.StartsAt(), c.now)
	p.Facts = c.facts(p)
	p.Others = c.otherLanguages()
	return p
}

// state is what the page says first: how the appointment stands.
func (p *appointmentPage) state(status frontdesk.CaptureStatus) (heading string, lead []string) {
	key := "page_past"
	switch {
	case status == frontdesk.Cancelled:
		key = "page_cancelled"
	case p.Coming && status == frontdesk.Confirmed:
		return p.Say("page_confirmed"), nil
	case p.Coming:
		key = "page_pending"
	}
	return p.Say(key), []string{p.Say(key + "_help")}
}

// talkAddress is where the receptionist is talked to, if there is one.
func (c *customer) talkAddress() string {
	agent := c.who.Agent
	if agent.ID == "" || !agent.TakesCalls(c.who.Live) {
		return ""
	}
	query := url.Values{}
	if !c.who.Live {
		query.Set("mode", test)
	}
	if spoken(agent.Languages, c.lang.Code, "") != "" {
		query.Set("lang", c.lang.Code)
	}
	address := url.URL{Path: "/talk/" + c.who.Tenant.Slug + "/" + agent.Slug, RawQuery: query.Encode()}
	return address.String()
}

// otherLanguages link to the same page in each other language. What a form shows
// is not there to be opened again, so its page links to where the form stands.
func (c *customer) otherLanguages() (all []otherLanguage) {
	for _, code := range language.Codes() {
		if code == c.lang.Code {
			continue
		}
		query := c.http.URL.Query()
		for name := range query {
			if name != "at" && name != "from" {
				query.Del(name)
			}
		}
		query.Set("lang", code)
		all = append(all, otherLanguage{code, language.Of(code).Say("page_language", ""), c.http.URL.EscapedPath() + "?" + query.Encode()})
	}
	return all
}

// facts are what there is to know about the appointment, beside its time.
func (c *customer) facts(p *appointmentPage) (all []fact) {
	add := func(key, text, class string) {
		if text != "" {
			all = append(all, fact{p.Say(key), text, class})
		}
	}
	visit, trade := c.capture.Visit, c.who.Agent.Trade()
	add("page_what", c.who.Named(c.capture, c.lang.Code), "")
	with := "page_with"
	if r, known := c.who.Agent.Settings.Calendar.Resource(visit.ResourceID); known && r.Kind != frontdesk.PersonKind {
		with = "page_place"
	}
	add(with, visit.Resource, "")
	if visit.Party > 1 || visit.Party == 1 && trade.SeatsParties {
		add("page_party", strconv.Itoa(visit.Party), "")
	}
	if visit.Duration > 0 && !trade.SeatsParties { // nobody is sent away from a table
		add("page_lasts", p.Say("page_minutes", "n", strconv.Itoa(visit.Duration)), "")
	}
	add("page_where", c.who.Agent.Config.Business.Address, "")
	if c.capture.Source != frontdesk.FromCall { // what callers say may be meant for whoever they sent the link to
		add("page_notes", c.capture.Notes, "")
	}
	add("page_code", c.capture.ConfirmationCode, "code")
	return all
}

// moment is an instant by the clock of the business.
func (p *appointmentPage) moment(at, now time.Time) moment {
	at = at.In(now.Location())
	return moment{
		Day:   p.Say("page_day_alone", "day", p.day(dates.DateOf(at), now)),
		Clock: p.clock(dates.Clock{Hour: at.Hour(), Minute: at.Minute()}),
		Zone:  p.zone(at), Instant: at.Format(time.RFC3339),
	}
}

// day is a date in words, today and tomorrow by name too.
func (p *appointmentPage) day(d dates.Date, now time.Time) string {
	switch today := dates.DateOf(now); d {
	case today:
		return p.Say("page_today", "day", p.date(d, now))
	case today.AddDays(1):
		return p.Say("page_tomorrow", "day", p.date(d, now))
	}
	return p.date(d, now)
}

// date is a date in words, with the year where that is not this one.
func (p *appointmentPage) date(d dates.Date, now time.Time) string {
	weekdays, months := strings.Fields(p.lang.Say("weekdays", "")), strings.Fields(p.lang.Say("months", ""))
	key := "page_day"
	if d.Year != now.Year() {
		key = "page_day_year"
	}
	return p.Say(key, "weekday", weekdays[d.Weekday()], "n", strconv.Itoa(d.Day), "month", months[d.Month-1], "year", strconv.Itoa(d.Year))
}

// clock is a time as the language writes it.
func (p *appointmentPage) clock(c dates.Clock) string { return dates.WriteTimeIn(p.lang, c) }

// zone names the clock that an instant is told by: "Madrid time (UTC+1)".
func (p *appointmentPage) zone(at time.Time) string {
	_, seconds := at.Zone()
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	offset := "UTC" + sign + strconv.Itoa(seconds/3600)
	if minutes := seconds / 60 % 60; minutes > 0 {
		offset += fmt.Sprintf(":%02d", minutes)
	}
	return p.Say("page_zone", "city", cityOf(at.Location()), "offset", offset)
}

// cityOf is the city that a time zone is named after.
func cityOf(zone *time.Location) string {
	name := zone.String()
	return strings.ReplaceAll(name[strings.LastIndex(name, "/")+1:], "_", " ")
}
