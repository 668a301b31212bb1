package wire

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// calendar is an agent's book of hours as requests, files and answers have it.
type calendar struct {
	Openings        *week          `json:"openings"`
	Exceptions      []exception    `json:"exceptions"`
	Resources       []resource     `json:"resources"`
	Closures        []closure      `json:"closures"`
	Holidays        *string        `json:"holidays"`
	SlotMinutes     *int           `json:"slot_minutes"`
	NoticeMinutes   *int           `json:"notice_minutes"`
	HorizonDays     *int           `json:"horizon_days"`
	Capacity        *int           `json:"capacity"`
	ServiceCapacity map[string]int `json:"service_capacity"`
	MaxParty        *int           `json:"max_party"`
	PerCustomerOpen *int           `json:"per_customer_open"`
}

// week are the openings of each day, by its number.
type week map[string][]period

// period is an opening: its beginning and its end, as HH:MM.
type period []string

type exception struct {
	From     string   `json:"from"`
	To       string   `json:"to"`
	Openings []period `json:"openings"`
	Reason   string   `json:"reason,omitzero"`
}

type resource struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	Kind       string      `json:"kind"`
	Services   *[]string   `json:"services"` // null is all, [] is none
	Openings   *week       `json:"openings"` // null is always, {} is never
	Exceptions []exception `json:"exceptions"`
	Seats      int         `json:"seats,omitzero"`
}

type closure struct {
	From       string `json:"from"`
	To         string `json:"to"`
	ResourceID string `json:"resource_id,omitzero"`
	Reason     string `json:"reason,omitzero"`
}

// Calendar spells an agent's book of hours as it is in force: what was never set
// has its default.
func Calendar(a frontdesk.Agent) any { return calendarOf(a) }

func calendarOf(a frontdesk.Agent) calendar {
	c, s := a.Settings.Calendar, a.Settings
	open := c.Openings
	if open == nil && a.Config.Hours != nil {
		usual := frontdesk.WeekOf(*a.Config.Hours)
		open = &usual
	}
	notice, horizon := int(s.MinimumNotice()/time.Minute), int(s.BookingHorizon()/(24*time.Hour))
	perCustomer := c.OpenPerCustomer()
	out := calendar{
		Openings: weekOf(open), Exceptions: exceptionsOf(c.Exceptions), Resources: []resource{}, Closures: []closure{},
		Holidays: given(c.Holidays), SlotMinutes: set(c.SlotMinutes), NoticeMinutes: &notice, HorizonDays: &horizon,
		// These two have no one number by default: it depends on the trade, and on
		// the resources that stand beside them.
		Capacity: set(s.Capacity), MaxParty: set(s.MaxParty),
		ServiceCapacity: s.ServiceCapacity, PerCustomerOpen: &perCustomer,
	}
	if out.ServiceCapacity == nil {
		out.ServiceCapacity = map[string]int{}
	}
	for _, r := range c.Resources {
		shown := resource{ID: r.ID, Name: r.Name, Kind: r.Kind, Openings: weekOf(r.Openings), Exceptions: exceptionsOf(r.Exceptions), Seats: r.Seats}
		if r.Services != nil {
			shown.Services = &r.Services
		}
		out.Resources = append(out.Resources, shown)
	}
	for _, cl := range c.Closures {
		out.Closures = append(out.Closures, closure{string(cl.From), string(cl.To), cl.ResourceID, cl.Reason})
	}
	return out
}

// set leaves out a number that was not set.
func set(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func weekOf(w *frontdesk.Week) *week {
	if w == nil {
		return nil
	}
	days := week{}
	for i, periods := range w {
		if len(periods) > 0 {
			days[strconv.Itoa(i)] = periodsOf(periods)
		}
	}
	return &days
}

func periodsOf(all []frontdesk.Period) []period {
	out := make([]period, len(all))
	for i, p := range all {
		out[i] = period{clockText(p.From), clockText(p.To)}
	}
	return out
}

func clockText(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

func exceptionsOf(all []frontdesk.Exception) []exception {
	out := make([]exception, len(all))
	for i, e := range all {
		out[i] = exception{e.From.String(), e.To.String(), periodsOf(e.Openings), e.Reason}
	}
	return out
}

// DecodeCalendar reads a book of hours and lays it over an agent's: what it
// leaves out has its default from now on.
func DecodeCalendar(text []byte, a frontdesk.Agent) (frontdesk.Agent, error) {
	var in calendar
	if err := jsonv2.Unmarshal(text, &in, jsonv2.RejectUnknownMembers(true)); err != nil {
		return a, calendarFault(err)
	}
	zone, err := frontdesk.LoadZone(a.Timezone)
	if err != nil {
		return a, err
	}
	c, err := in.decode()
	if err != nil {
		return a, err
	}
	s := &a.Settings
	s.Calendar, s.ServiceCapacity = c, in.ServiceCapacity
	s.Notice = time.Duration(number(in.NoticeMinutes)) * time.Minute
	if in.NoticeMinutes != nil && s.Notice == 0 {
		s.Notice = frontdesk.NoNotice // not the default
	}
	s.Horizon = time.Duration(number(in.HorizonDays)) * 24 * time.Hour
	s.Capacity, s.MaxParty = number(in.Capacity), number(in.MaxParty)
	if c.Openings != nil {
		hull := c.Openings.Hull()
		a.Config.Hours = &hull
	}
	if err := c.Check(zone); err != nil {
		return a, err
	}
	if c.Holidays != "" {
		if err := opening.CheckRegion(c.Holidays); err != nil {
			return a, err
		}
	}
	return a, checkSettings(*s)
}

// checkSettings names what is wrong as a calendar calls it.
func checkSettings(s frontdesk.AgentSettings) error {
	err := s.Check()
	var wrong *frontdesk.Error
	if !errors.As(err, &wrong) {
		return err
	}
	named := *wrong
	switch wrong.Param {
	case "notice":
		named.Param = "notice_minutes"
	case "horizon":
		named.Param = "horizon_days"
	}
	return &named
}

func number(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func (in calendar) decode() (c frontdesk.Calendar, err error) {
	c.SlotMinutes, c.PerCustomerOpen = number(in.SlotMinutes), number(in.PerCustomerOpen)
	if in.Holidays != nil {
		c.Holidays = strings.ToUpper(strings.TrimSpace(*in.Holidays))
	}
	if c.Openings, err = decodeWeek("openings", in.Openings); err != nil {
		return c, err
	}
	if c.Exceptions, err = decodeExceptions("exceptions", in.Exceptions); err != nil {
		return c, err
	}
	for i, r := range in.Resources {
		decoded, err := r.decode(fmt.Sprintf("resources[%d]", i))
		if err != nil {
			return c, err
		}
		c.Resources = append(c.Resources, decoded)
	}
	for _, cl := range in.Closures {
		c.Closures = append(c.Closures, frontdesk.Closure{
			From: localTime(cl.From), To: localTime(cl.To), ResourceID: cl.ResourceID, Reason: cl.Reason,
		})
	}
	return c, nil
}

// localTime completes a time that was written without its seconds.
func localTime(s string) frontdesk.LocalTime {
	if len(s) == len("2006-01-02T15:04") {
		s += ":00"
	}
	return frontdesk.LocalTime(s)
}

func (r resource) decode(at string) (out frontdesk.Resource, err error) {
	out = frontdesk.Resource{ID: r.ID, Name: r.Name, Kind: cmp.Or(r.Kind, "person"), Seats: r.Seats}
	if r.Services != nil {
		out.Services = *r.Services
	}
	if out.Openings, err = decodeWeek(at+".openings", r.Openings); err != nil {
		return out, err
	}
	out.Exceptions, err = decodeExceptions(at+".exceptions", r.Exceptions)
	return out, err
}

func decodeWeek(at string, days *week) (*frontdesk.Week, error) {
	if days == nil {
		return nil, nil
	}
	var w frontdesk.Week
	for key, periods := range *days {
		day, err := strconv.Atoi(key)
		if err != nil || day < 0 || day > 6 || len(key) != 1 {
			return nil, frontdesk.InvalidParam(at+"."+key, "There is no day %q; days are 0 (Monday) to 6 (Sunday).", key)
		}
		if w[day], err = decodePeriods(at+"."+key, periods); err != nil {
			return nil, err
		}
	}
	return &w, nil
}

func decodeExceptions(at string, all []exception) (out []frontdesk.Exception, err error) {
	for i, e := range all {
		here := fmt.Sprintf("%s[%d]", at, i)
		decoded := frontdesk.Exception{Reason: e.Reason}
		var ok bool
		if decoded.From, ok = frontdesk.ParseDate(e.From); !ok {
			return nil, frontdesk.InvalidParam(here+".from", "%q is no date; expected one such as 2026-12-25.", e.From)
		}
		if decoded.To, ok = frontdesk.ParseDate(e.To); !ok {
			return nil, frontdesk.InvalidParam(here+".to", "%q is no date; expected one such as 2026-12-26, the first day that is not meant any more.", e.To)
		}
		if decoded.Openings, err = decodePeriods(here+".openings", e.Openings); err != nil {
			return nil, err
		}
		out = append(out, decoded)
	}
	return out, nil
}

func decodePeriods(at string, all []period) (out []frontdesk.Period, err error) {
	for i, p := range all {
		here := fmt.Sprintf("%s[%d]", at, i)
		if len(p) != 2 {
			return nil, frontdesk.InvalidParam(here, `A period is a beginning and an end, such as ["10:00", "14:00"].`)
		}
		decoded, ok := ParsePeriod(p[0], p[1])
		if !ok {
			return nil, frontdesk.InvalidParam(here, `["%s", "%s"] is no period; expected times such as ["10:00", "14:00"]; 24:00 ends a day.`, p[0], p[1])
		}
		out = append(out, decoded)
	}
	return out, nil
}

// ParsePeriod reads the beginning and the end of a period, as HH:MM.
func ParsePeriod(from, to string) (frontdesk.Period, bool) {
	begins, ok := clockMinute(from)
	ends, ok2 := clockMinute(to)
	return frontdesk.Period{From: begins, To: ends}, ok && ok2 && begins < 24*60
}

// clockMinute reads HH:MM; 24:00 is the end of a day.
func clockMinute(s string) (int, bool) {
	if s == "24:00" {
		return 24 * 60, true
	}
	t, err := time.Parse("15:04", s)
	if err != nil || len(s) != len("15:04") {
		return 0, false
	}
	return 60*t.Hour() + t.Minute(), true
}

// calendarFault says where in a calendar a value has the wrong type or a field
// is not known.
func calendarFault(err error) error {
	var wrong *jsonv2.SemanticError
	if !errors.As(err, &wrong) {
		return fmt.Errorf("reading a calendar: %w", err)
	}
	place := fieldPath(wrong.JSONPointer)
	if errors.Is(err, jsonv2.ErrUnknownName) {
		return &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_unknown", Param: place,
			Message: fmt.Sprintf("There is no field %s in a calendar.", place),
		}
	}
	return frontdesk.InvalidParam(place, "%s has the wrong type: it cannot be a JSON %s.", place, wrong.JSONKind)
}
