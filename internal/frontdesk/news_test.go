package frontdesk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func told(settings frontdesk.NoticeSettings) frontdesk.Agent {
	return frontdesk.Agent{ID: "agent", Timezone: "Europe/Madrid", Languages: []string{"es", "en"}, Settings: frontdesk.AgentSettings{Notices: settings}}
}

// newsNow is Monday noon in Madrid.
var newsNow = time.Date(2026, 11, 16, 11, 0, 0, 0, time.UTC)

func appointmentAt(at frontdesk.LocalTime) frontdesk.Capture {
	return frontdesk.Capture{
		ID: "capture", Kind: frontdesk.Appointment, Status: frontdesk.Confirmed, ScheduledAt: at, Timezone: "Europe/Madrid",
		CustomerPhone: "600 11 12 22", Visit: frontdesk.Visit{Email: "ana@example.com"},
	}
}

func but(c frontdesk.Capture, change func(*frontdesk.Capture)) frontdesk.Capture {
	change(&c)
	return c
}

// shown are notices as "kind channel address when", in their order.
func shown(all []frontdesk.Notice) []string {
	madrid, _ := time.LoadLocation("Europe/Madrid")
	lines := make([]string, len(all))
	for i, n := range all {
		lines[i] = fmt.Sprintf("%s %s %s %s", n.Kind, n.Channel, n.Address, n.DueAt.In(madrid).Format("02 15:04:05"))
	}
	return lines
}

func TestWhoIsToldWhat(t *testing.T) {
	t.Parallel()
	both := frontdesk.NoticeSettings{
		Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail, frontdesk.ByText},
		Owner:    frontdesk.OwnerNotices{Emails: []string{"o@example.com"}, Phones: []string{"+34600000009"}},
	}
	customer, owner := both, both
	customer.Owner, owner.Customer = frontdesk.OwnerNotices{}, nil
	daily := owner
	daily.Owner.Daily = true
	textFirst := customer
	textFirst.Customer = []frontdesk.NoticeChannel{frontdesk.ByText, frontdesk.ByEmail}
	friday := appointmentAt("2026-11-20T17:00:00")
	waiting := but(appointmentAt("2026-11-16T00:00:00"), func(c *frontdesk.Capture) { c.Kind, c.Status = frontdesk.Waiting, frontdesk.PendingConfirm })
	tuesday := appointmentAt("2026-11-17T18:00:00")
	tests := map[string]struct {
		settings frontdesk.NoticeSettings
		old, new frontdesk.Capture
		customer bool // they did it
		want     []string
		ends     bool
	}{
		"nobody wants to be told": {new: friday, customer: true},
		"a booking of a caller's": {settings: both, new: friday, customer: true, ends: true, want: []string{
			"confirmation email ana@example.com 16 12:00:00", "reminder email ana@example.com 19 17:00:00", "reminder email ana@example.com 20 15:00:00",
			"owner_booking email o@example.com 16 12:00:30", "owner_booking text +34600000009 16 12:00:30",
		}},
		"a booking of the business's own": {settings: both, new: friday, ends: true, want: []string{
			"confirmation email ana@example.com 16 12:00:00", "reminder email ana@example.com 19 17:00:00", "reminder email ana@example.com 20 15:00:00",
		}},
		"text messages first": {settings: textFirst, new: friday, ends: true, want: []string{
			"confirmation text +34600111222 16 12:00:00", "reminder text +34600111222 19 17:00:00", "reminder text +34600111222 20 15:00:00",
		}},
		"no e-mail": {settings: customer, new: but(friday, func(c *frontdesk.Capture) { c.Visit.Email = "" }), ends: true, want: []string{
			"confirmation text +34600111222 16 12:00:00", "reminder text +34600111222 19 17:00:00", "reminder text +34600111222 20 15:00:00",
		}},
		"no address at all": {settings: customer, new: but(friday, func(c *frontdesk.Capture) { c.Visit.Email, c.CustomerPhone = "", "" }), ends: true},
		"early in the morning, after the quiet hours": {settings: customer, new: appointmentAt("2026-11-20T10:00:00"), ends: true, want: []string{
			"confirmation email ana@example.com 16 12:00:00", "reminder email ana@example.com 19 10:00:00", "reminder email ana@example.com 20 09:00:00",
		}},
		"so early that the evening before is better": {settings: customer, new: appointmentAt("2026-11-20T08:30:00"), ends: true, want: []string{
			"confirmation email ana@example.com 16 12:00:00", "reminder email ana@example.com 19 09:00:00", "reminder email ana@example.com 19 20:45:00",
		}},
		"tomorrow: only shortly before": {settings: customer, new: appointmentAt("2026-11-17T12:30:00"), ends: true, want: []string{
			"confirmation email ana@example.com 16 12:00:00", "reminder email ana@example.com 17 10:30:00",
		}},
		"in an hour: no reminder": {settings: customer, new: appointmentAt("2026-11-16T13:00:00"), ends: true, want: []string{"confirmation email ana@example.com 16 12:00:00"}},
		"in the past: nothing":    {settings: customer, new: appointmentAt("2026-11-16T11:00:00"), ends: true},
		"moved by the customer": {settings: both, old: friday, new: appointmentAt("2026-11-21T11:00:00"), customer: true, ends: true, want: []string{
			"change email ana@example.com 16 12:00:00", "reminder email ana@example.com 20 11:00:00", "reminder email ana@example.com 21 09:00:00",
			"owner_change email o@example.com 16 12:00:30", "owner_change text +34600000009 16 12:00:30",
		}},
		"cancelled by the business": {settings: both, old: friday, new: but(friday, func(c *frontdesk.Capture) { c.Status = frontdesk.Cancelled }), ends: true, want: []string{
			"cancellation email ana@example.com 16 12:00:00",
		}},
		"cancelled by the customer": {settings: owner, old: friday, new: but(friday, func(c *frontdesk.Capture) { c.Status = frontdesk.Cancelled }), customer: true, ends: true, want: []string{
			"owner_cancellation email o@example.com 16 12:00:30", "owner_cancellation text +34600000009 16 12:00:30",
		}},
		"not come: reminders end": {settings: both, old: friday, new: but(friday, func(c *frontdesk.Capture) { c.Status = frontdesk.NoShow }), ends: true},
		"confirmed by the business": {
			settings: customer, old: but(friday, func(c *frontdesk.Capture) { c.Status = frontdesk.PendingConfirm }), new: friday,
			want: []string{"confirmation email ana@example.com 16 12:00:00"},
		},
		"an address added": {settings: customer, old: but(friday, func(c *frontdesk.Capture) { c.Visit.Email, c.CustomerPhone = "", "" }), new: friday, ends: true, want: []string{
			"confirmation email ana@example.com 16 12:00:00", "reminder email ana@example.com 19 17:00:00", "reminder email ana@example.com 20 15:00:00",
		}},
		"another address: confirmed there": {settings: customer, old: but(friday, func(c *frontdesk.Capture) { c.Visit.Email = "old@example.com" }), new: friday, ends: true, want: []string{
			"confirmation email ana@example.com 16 12:00:00", "reminder email ana@example.com 19 17:00:00", "reminder email ana@example.com 20 15:00:00",
		}},
		"an address where texts are sent: all stays as it is":  {settings: textFirst, old: but(friday, func(c *frontdesk.Capture) { c.Visit.Email = "" }), new: friday},
		"a telephone where mails are sent: all stays as it is": {settings: customer, old: friday, new: but(friday, func(c *frontdesk.Capture) { c.CustomerPhone = "611 22 33 44" })},
		"another telephone a day before: the reminder is not lost": {settings: textFirst, old: tuesday, new: but(tuesday, func(c *frontdesk.Capture) { c.CustomerPhone = "611 22 33 44" }), ends: true, want: []string{
			"reminder text +34611223344 16 18:00:00", "reminder text +34611223344 17 16:00:00",
		}},
		"on the waiting list, for today": {settings: customer, new: waiting, customer: true, want: []string{"waiting email ana@example.com 16 12:00:00"}},
		"on the waiting list, and then an address": {settings: customer, old: but(waiting, func(c *frontdesk.Capture) { c.Visit.Email = "" }), new: waiting, want: []string{
			"waiting email ana@example.com 16 12:00:00",
		}},
		"on the waiting list of yesterday": {settings: customer, new: but(waiting, func(c *frontdesk.Capture) { c.ScheduledAt = "2026-11-15T00:00:00" }), customer: true},
		"off the waiting list":             {settings: customer, old: waiting, new: but(waiting, func(c *frontdesk.Capture) { c.Status = frontdesk.Cancelled }), customer: true},
		"another telephone: reminded there": {settings: textFirst, old: friday, new: but(friday, func(c *frontdesk.Capture) { c.CustomerPhone = "611 22 33 44" }), ends: true, want: []string{
			"reminder text +34611223344 19 17:00:00", "reminder text +34611223344 20 15:00:00",
		}},
		"a note added: the business alone": {settings: both, old: friday, new: but(friday, func(c *frontdesk.Capture) { c.Notes = "una trona" }), customer: true, want: []string{
			"owner_change email o@example.com 16 12:00:30", "owner_change text +34600000009 16 12:00:30",
		}},
		"a message":                       {settings: both, new: frontdesk.Capture{ID: "m", Kind: frontdesk.Message}, customer: true, want: []string{"owner_message email o@example.com 16 12:00:30", "owner_message text +34600000009 16 12:00:30"}},
		"an urgent message, daily or not": {settings: daily, new: frontdesk.Capture{ID: "m", Kind: frontdesk.Message, Urgency: frontdesk.Urgent}, customer: true, want: []string{"owner_urgent email o@example.com 16 12:00:00", "owner_urgent text +34600000009 16 12:00:00"}},
		"a booking, told daily":           {settings: daily, new: friday, customer: true, ends: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := frontdesk.News{Agent: told(tt.settings), Live: true, Old: tt.old, New: tt.new, ByCustomer: tt.customer, Now: newsNow}.Telling()
			if lines := shown(got.Notices); !slices.Equal(lines, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(tt.want, "\n"))
			}
			if tt.settings.Told() && got.EndReminders != tt.ends {
				t.Errorf("ends reminders: %v", got.EndReminders)
			}
		})
	}
}

// A reminder never falls into the quiet hours, whatever the clocks do.
func TestNoReminderInQuietHours(t *testing.T) {
	t.Parallel()
	madrid, _ := time.LoadLocation("Europe/Madrid")
	settings := frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}}
	for _, first := range []time.Time{time.Date(2026, 3, 27, 0, 0, 0, 0, madrid), time.Date(2026, 10, 23, 0, 0, 0, 0, madrid)} {
		for minute := 0; minute < 4*24*60; minute += 15 {
			at := first.Add(time.Duration(minute) * time.Minute)
			c := appointmentAt(frontdesk.LocalTimeOf(at))
			for _, n := range (frontdesk.News{Agent: told(settings), New: c, Now: first.AddDate(0, 0, -7)}).Telling().Notices {
				if n.Kind != frontdesk.NoticeReminder {
					continue
				}
				due := n.DueAt.In(madrid)
				if h := due.Hour(); h >= 21 || h < 9 || !due.Before(c.StartsAt()) {
					t.Errorf("of %s somebody is reminded at %s", c.ScheduledAt, due)
				}
			}
		}
	}
}

func TestInternational(t *testing.T) {
	t.Parallel()
	tests := map[string][3]string{
		"Spain":                     {"600 11 12 22", "Europe/Madrid", "+34600111222"},
		"with its country":          {"+44 7700 900123", "Europe/Madrid", "+447700900123"},
		"with the country after 00": {"0034 600111222", "Europe/London", "+34600111222"},
		"Britain, with its zero":    {"07700 900123", "Europe/London", "+447700900123"},
		"Ireland":                   {"085 123 4567", "Europe/Dublin", "+353851234567"},
		"Italy keeps its zero":      {"06 1234 5678", "Europe/Rome", "+390612345678"},
		"United States":             {"(212) 555-0123", "America/New_York", "+12125550123"},
		"United States with 1":      {"1 212 555 0123", "America/New_York", "+12125550123"},
		"Mexico":                    {"55 1234 5678", "America/Mexico_City", "+525512345678"},
		"too short":                 {"12345", "Europe/Madrid", ""},
		"words":                     {"no sé", "Europe/Madrid", ""},
		"nothing":                   {"", "Europe/Madrid", ""},
	}
	for name, tt := range tests {
		if got := frontdesk.International(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%s: %q is %q, want %q", name, tt[0], got, tt[2])
		}
	}
}

func TestWhereTextMessagesGo(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		phone string
		more  []string
		want  string
	}{
		"a mobile":                   {"600 11 12 22", nil, "+34600111222"},
		"a landline":                 {"976 00 00 00", nil, ""},
		"a premium number":           {"807 123 456", nil, ""},
		"another country":            {"+44 7700 900123", nil, ""},
		"another country, listed":    {"+44 7400 123456", []string{"GB"}, "+447400123456"},
		"a premium one of a listed":  {"+44 909 879 0000", []string{"GB"}, ""},
		"far away":                   {"+252 61 5123456", []string{"GB"}, ""},
		"possible, and never issued": {"+34 100 000 000", nil, ""},
	}
	for name, tt := range tests {
		if got := frontdesk.Textable(tt.phone, "Europe/Madrid", tt.more); got != tt.want {
			t.Errorf("%s: %q is %q, want %q", name, tt.phone, got, tt.want)
		}
	}
}

func TestNoticeSettingsAreChecked(t *testing.T) {
	t.Parallel()
	tests := map[string]frontdesk.NoticeSettings{
		"another channel":         {Customer: []frontdesk.NoticeChannel{"pigeon"}},
		"a reminder too soon":     {Reminders: []time.Duration{time.Minute}},
		"too many reminders":      {Reminders: make([]time.Duration, 9)},
		"no address":              {Owner: frontdesk.OwnerNotices{Emails: []string{"ana"}}},
		"an address with names":   {Owner: frontdesk.OwnerNotices{Emails: []string{"Ana <ana@example.com>"}}},
		"two lines":               {ReplyTo: "ana@example.com\r\nBcc: b@example.com"},
		"no country":              {Owner: frontdesk.OwnerNotices{Phones: []string{"600111222"}}},
		"no country at all":       {Countries: []string{"XX"}},
		"a gap that there is not": {Words: map[string]map[string]string{"reminder": {"es": "Hola, {nombre}"}}},
		"another kind":            {Words: map[string]map[string]string{"owner_booking": {"es": "hola"}}},
		"another language":        {Words: map[string]map[string]string{"reminder": {"fr": "bonjour"}}},
	}
	for name, s := range tests {
		if s.Check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
