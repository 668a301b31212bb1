package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// noticeForm is who is told what, as it stands or as it was typed.
type noticeForm struct {
	Customer  []choice // channels
	Reminders []choice // by minutes before the appointment
	QuietFrom string   // 21:00; "": there are no quiet hours
	QuietTo   string
	Emails    string
	Phones    string
	Daily     bool
	At        string
	ReplyTo   string
	Faults    map[string]string // by field
}

// offeredReminders are those that can be chosen beside what is set.
var offeredReminders = []time.Duration{48 * time.Hour, 24 * time.Hour, 4 * time.Hour, 2 * time.Hour}

func newNoticeForm(v *visit, n frontdesk.NoticeSettings) noticeForm {
	f := noticeForm{
		Emails: strings.Join(n.Owner.Emails, ", "), Phones: strings.Join(n.Owner.Phones, ", "), Daily: n.Owner.Daily, At: minuteText(n.Owner.SummaryAt()), ReplyTo: n.ReplyTo,
	}
	if quiet := n.QuietHours(); quiet.From != quiet.To {
		f.QuietFrom, f.QuietTo = minuteText(quiet.From), minuteText(quiet.To)
	}
	for _, channel := range frontdesk.NoticeChannels {
		f.Customer = append(f.Customer, choice{v.say("ch_by_" + string(channel)), string(channel), slices.Contains(n.Customer, channel)})
	}
	chosen := n.RemindersBefore()
	for _, before := range reminderChoices(chosen) {
		f.Reminders = append(f.Reminders, choice{beforeSaid(v, before), strconv.Itoa(int(before / time.Minute)), slices.Contains(chosen, before)})
	}
	return f
}

// reminderChoices are those offered and those that are set, longest first.
func reminderChoices(set []time.Duration) []time.Duration {
	all := slices.Concat(offeredReminders, set)
	slices.SortFunc(all, func(a, b time.Duration) int { return cmp.Compare(b, a) })
	return slices.Compact(all)
}

// beforeSaid is how long before an appointment, in words.
func beforeSaid(v *visit, before time.Duration) string {
	switch {
	case before%(24*time.Hour) == 0:
		return countSaid(v, "ch_days_before", int(before/(24*time.Hour)))
	case before%time.Hour == 0:
		return countSaid(v, "ch_hours_before", int(before/time.Hour))
	}
	return v.say("ch_minutes_before", "n", strconv.Itoa(int(before/time.Minute)))
}

func minuteText(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60%24, minute%60) }

// minuteOf is the minute of the day that a browser's field of a time has.
func minuteOf(param, text string) (int, error) {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return 0, frontdesk.InvalidParam(param, "%q is no time of the day.", text)
	}
	return 60*at.Hour() + at.Minute(), nil
}

// setNotices says who is told what of the agent's book.
func (c channelScreen) setNotices(v *visit) (answer, error) {
	agent, elsewhere, err := c.toSet(v)
	if err != nil || elsewhere != nil {
		return orElse(elsewhere), err
	}
	wanted, err := readNotices(v, agent)
	if err == nil {
		err = c.set(v, agent, func(s *frontdesk.AgentSettings) { s.Notices = wanted })
	}
	if e := exchange.Domain(err); e != nil && strings.HasPrefix(e.Param, "notices.") {
		return c.again(v, agent, e, func(d *channels) { d.Notices = typedNotices(v, wanted, e) })
	}
	if err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"channels", said{v.say("ch_notices_set"), "channels/notices", noticeFields(v, agent.Settings.Notices)}), nil
}

// readNotices reads the form over what is set. What it does not show stays as it
// is. After an error the rest of it is there all the same.
func readNotices(v *visit, agent frontdesk.Agent) (n frontdesk.NoticeSettings, err error) {
	n = agent.Settings.Notices
	n.Customer, n.Reminders = nil, []time.Duration{}
	for _, channel := range v.http.PostForm["customer"] {
		n.Customer = append(n.Customer, frontdesk.NoticeChannel(channel))
	}
	for _, text := range v.http.PostForm["remind"] {
		minutes, faulty := strconv.Atoi(text)
		if faulty != nil {
			err = frontdesk.InvalidParam("notices.reminders", "%q is no number of minutes.", text)
			continue
		}
		n.Reminders = append(n.Reminders, time.Duration(minutes)*time.Minute)
	}
	if slices.Equal(n.Reminders, frontdesk.DefaultReminders) {
		n.Reminders = nil
	}
	n.Owner.Emails = listed(v.field("emails"))
	n.Owner.Phones = nil
	for _, phone := range listed(v.field("phones")) {
		n.Owner.Phones = append(n.Owner.Phones, cmp.Or(frontdesk.International(phone, agent.Timezone), phone))
	}
	n.Owner.Daily, n.ReplyTo = v.field("when") == "daily", v.field("reply_to")
	return n, cmp.Or(err, readTimes(v, &n))
}

// readTimes reads the times of the form.
func readTimes(v *visit, n *frontdesk.NoticeSettings) (err error) {
	if text := v.field("at"); text != "" {
		if n.Owner.At, err = minuteOf("notices.owner.at", text); err != nil {
			return err
		}
		if n.Owner.At == frontdesk.DefaultSummaryAt {
			n.Owner.At = 0
		}
	}
	var quiet frontdesk.Period // none
	if from, to := v.field("quiet_from"), v.field("quiet_to"); from != "" || to != "" {
		if quiet.From, err = minuteOf("notices.quiet", from); err != nil {
			return err
		}
		if quiet.To, err = minuteOf("notices.quiet", to); err != nil {
			return err
		}
	}
	if n.Quiet = &quiet; quiet == frontdesk.DefaultQuiet {
		n.Quiet = nil
	}
	return nil
}

// listed are the entries of a list with commas or lines between them.
func listed(text string) (all []string) {
	for entry := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if entry = strings.TrimSpace(entry); entry != "" {
			all = append(all, entry)
		}
	}
	return all
}

// typedNotices is the form as it was typed, with its fault.
func typedNotices(v *visit, n frontdesk.NoticeSettings, e *frontdesk.Error) noticeForm {
	f := newNoticeForm(v, n)
	f.Emails, f.Phones, f.ReplyTo = v.field("emails"), v.field("phones"), v.field("reply_to")
	f.QuietFrom, f.QuietTo, f.At = v.field("quiet_from"), v.field("quiet_to"), v.field("at")
	name := strings.TrimPrefix(strings.TrimPrefix(e.Param, "notices."), "owner.")
	text := v.say("ch_fault_" + name)
	f.Faults = map[string]string{name: cmp.Or(text, e.Message)}
	if text == "" {
		f.Faults = map[string]string{"form": e.Message}
	}
	return f
}

// noticeFields are settings as a form sends them, to take a change back.
func noticeFields(v *visit, n frontdesk.NoticeSettings) (all [][2]string) {
	f := newNoticeForm(v, n)
	for _, c := range f.Customer {
		if c.Chosen {
			all = append(all, [2]string{"customer", c.Value})
		}
	}
	for _, c := range f.Reminders {
		if c.Chosen {
			all = append(all, [2]string{"remind", c.Value})
		}
	}
	when := "at_once"
	if f.Daily {
		when = "daily"
	}
	return append(all, [2]string{"emails", f.Emails}, [2]string{"phones", f.Phones}, [2]string{"when", when}, [2]string{"at", f.At},
		[2]string{"quiet_from", f.QuietFrom}, [2]string{"quiet_to", f.QuietTo}, [2]string{"reply_to", f.ReplyTo})
}
