package frontdesk_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestRemindersThatAreLate(t *testing.T) {
	t.Parallel()
	early := frontdesk.Notice{
		ID: "a", CaptureID: "c", Kind: frontdesk.NoticeReminder, Address: "ana@example.com", ScheduledAt: "2026-11-20T17:00:00",
		Status: frontdesk.NoticeSending, PlannedAt: newsNow,
	}
	late := early
	late.ID, late.Status, late.PlannedAt = "b", frontdesk.NoticePending, newsNow.Add(22*time.Hour)
	with := func(n frontdesk.Notice, change func(*frontdesk.Notice)) frontdesk.Notice {
		change(&n)
		return n
	}
	tests := map[string]struct {
		n, o frontdesk.Notice
		now  time.Duration // after newsNow
		want bool
	}{
		"on time":                             {early, late, 0, false},
		"some hours late":                     {early, late, 10 * time.Hour, false},
		"so late that the other is near":      {early, late, 21*time.Hour + time.Minute, true},
		"so late that the other is due":       {early, late, 23 * time.Hour, true},
		"the other one is sent":               {late, early, 23 * time.Hour, false},
		"the other was sent already":          {early, with(late, func(n *frontdesk.Notice) { n.Status = frontdesk.NoticeSent }), 23 * time.Hour, true},
		"the other was given up":              {early, with(late, func(n *frontdesk.Notice) { n.Status = frontdesk.NoticeDead }), 23 * time.Hour, false},
		"the other was ended":                 {early, with(late, func(n *frontdesk.Notice) { n.Status = frontdesk.NoticeEnded }), 23 * time.Hour, false},
		"the other is for another time":       {early, with(late, func(n *frontdesk.Notice) { n.ScheduledAt = "2026-11-21T17:00:00" }), 23 * time.Hour, false},
		"the other goes to another address":   {early, with(late, func(n *frontdesk.Notice) { n.Address = "bea@example.com" }), 23 * time.Hour, false},
		"the other is no reminder":            {early, with(late, func(n *frontdesk.Notice) { n.Kind = frontdesk.NoticeChange }), 23 * time.Hour, false},
		"itself":                              {early, early, 23 * time.Hour, false},
		"half an hour apart, and on time":     {early, with(late, func(n *frontdesk.Notice) { n.PlannedAt = newsNow.Add(30 * time.Minute) }), time.Second, false},
		"at the same instant, the first":      {early, with(late, func(n *frontdesk.Notice) { n.PlannedAt = newsNow }), 0, true},
		"at the same instant, the second":     {with(late, func(n *frontdesk.Notice) { n.PlannedAt = newsNow }), early, 0, false},
		"of one from before nothing is known": {late, with(early, func(n *frontdesk.Notice) { n.PlannedAt = time.Time{} }), 23 * time.Hour, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.n.SupersededBy(tt.o, newsNow.Add(tt.now)); got != tt.want {
				t.Errorf("superseded: %v", got)
			}
		})
	}
}

func TestTheLanguageOfATelephone(t *testing.T) {
	t.Parallel()
	both := []string{"es", "en"}
	for name, tt := range map[string]struct {
		phone     string
		languages []string
		want      string
	}{
		"a Spanish number":          {"600 11 12 22", []string{"en", "es"}, "es"},
		"one with its country":      {"+44 7911 123456", both, "en"},
		"a Mexican one":             {"+52 55 1234 5678", []string{"en", "es"}, "es"},
		"one of the United States":  {"+1 212 555 0123", both, "en"},
		"one of Puerto Rico":        {"+1 787 555 0123", []string{"en", "es"}, "es"},
		"a French one says nothing": {"+33 6 12 34 56 78", both, ""},
		"one language, no choice":   {"+44 7911 123456", []string{"es"}, ""},
		"no number":                 {"", both, ""},
		"words":                     {"ask for Ana", both, ""},
	} {
		if got := frontdesk.LanguageOfPhone(tt.phone, "Europe/Madrid", tt.languages); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestTheLanguageOfWhoIsBookedAtTheCounter(t *testing.T) {
	t.Parallel()
	settings := frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}}
	friday := appointmentAt("2026-11-20T17:00:00")
	for name, tt := range map[string]struct {
		capture frontdesk.Capture
		said    string // by who books
		want    string
	}{
		"by the telephone":              {but(friday, func(c *frontdesk.Capture) { c.CustomerPhone = "+44 7911 123456" }), "", "en"},
		"it was said":                   {but(friday, func(c *frontdesk.Capture) { c.Language = "en" }), "", "en"},
		"that of the conversation":      {but(friday, func(c *frontdesk.Capture) { c.Language = "en" }), "es", "es"},
		"of a call, the call's":         {but(friday, func(c *frontdesk.Capture) { c.CallID, c.CustomerPhone = "call", "+44 7911 123456" }), "", ""},
		"no telephone, the agent's own": {but(friday, func(c *frontdesk.Capture) { c.CustomerPhone = "" }), "", ""},
	} {
		for _, n := range (frontdesk.News{Agent: told(settings), New: tt.capture, Language: tt.said, Now: newsNow}).Telling().Notices {
			if n.Language != tt.want {
				t.Errorf("%s: %s in %q, want %q", name, n.Kind, n.Language, tt.want)
			}
		}
	}
}

func TestWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	mail := frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}}
	both := frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail, frontdesk.ByText}}
	wrong := but(appointmentAt("2026-11-20T17:00:00"), func(c *frontdesk.Capture) { c.Visit.Email = "ana example.com" })
	right := appointmentAt("2026-11-20T17:00:00")
	told := func(s frontdesk.NoticeSettings, old, changed frontdesk.Capture) []frontdesk.Notice {
		return frontdesk.News{Agent: told(s), Old: old, New: changed, Now: newsNow}.Telling().Notices
	}
	got := told(mail, frontdesk.Capture{}, wrong)
	if len(got) != 1 || got[0].Status != frontdesk.NoticeDead || got[0].ErrorCode != frontdesk.NoticeBadAddress || got[0].Message == "" || !got[0].DueAt.IsZero() {
		t.Errorf("booked: %+v", got)
	}
	if got := told(both, frontdesk.Capture{}, wrong); len(got) != 3 || got[0].Channel != frontdesk.ByText || got[0].Status != frontdesk.NoticePending {
		t.Errorf("with a telephone: %+v", got)
	}
	if got := told(mail, wrong, right); len(got) != 3 || got[0].Kind != frontdesk.NoticeConfirmation || got[0].Address != "ana@example.com" {
		t.Errorf("corrected: %+v", got)
	}
	if got := told(frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{frontdesk.ByText}}, frontdesk.Capture{}, wrong); len(got) != 3 || got[0].Channel != frontdesk.ByText {
		t.Errorf("who is told by text message alone: %+v", got)
	}
	if got := told(frontdesk.NoticeSettings{Owner: frontdesk.OwnerNotices{Emails: []string{"o@example.com"}}}, frontdesk.Capture{}, wrong); len(got) != 0 {
		t.Errorf("who is not told: %+v", got)
	}
}

func TestAnotherAddressIsConfirmed(t *testing.T) {
	t.Parallel()
	friday := appointmentAt("2026-11-20T17:00:00")
	moved := but(friday, func(c *frontdesk.Capture) { c.Visit.Email = "bea@example.com" })
	for name, tt := range map[string]struct {
		first, second frontdesk.NoticeChannel
		want          frontdesk.NoticeKind
	}{
		"told by e-mail":       {frontdesk.ByEmail, frontdesk.ByText, frontdesk.NoticeConfirmation},
		"told by text message": {frontdesk.ByText, frontdesk.ByEmail, ""},
	} {
		settings := frontdesk.NoticeSettings{Customer: []frontdesk.NoticeChannel{tt.first, tt.second}}
		got := frontdesk.News{Agent: told(settings), Old: friday, New: moved, Now: newsNow}.Telling().Notices
		if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) == 0 || got[0].Kind != tt.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
