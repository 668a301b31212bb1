package wire

import (
	"fmt"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// notice is a notice as customers read it.
type notice struct {
	ID            frontdesk.ID  `json:"id"`
	AgentID       frontdesk.ID  `json:"agent_id"`
	CaptureID     *frontdesk.ID `json:"capture_id"`
	CallID        *frontdesk.ID `json:"call_id"`
	Kind          string        `json:"kind"`
	Channel       string        `json:"channel"`
	To            string        `json:"to"`
	Status        string        `json:"status"`
	Attempts      int           `json:"attempts"`
	MaxAttempts   int           `json:"max_attempts"`
	ErrorCode     string        `json:"error_code,omitzero"`
	Message       string        `json:"message,omitzero"`
	Reference     string        `json:"reference,omitzero"`
	Livemode      bool          `json:"livemode"`
	CreatedAt     string        `json:"created_at"`
	NextAttemptAt *string       `json:"next_attempt_at"`
	SentAt        *string       `json:"sent_at"`
}

// Notice spells a notice.
func Notice(n frontdesk.Notice) any {
	return notice{
		ID: n.ID, AgentID: n.AgentID, CaptureID: maybe(n.CaptureID), CallID: maybe(n.CallID), Kind: string(n.Kind), Channel: string(n.Channel),
		To: n.Address, Status: string(n.Status), Attempts: n.Attempts, MaxAttempts: frontdesk.MaxAttempts, ErrorCode: n.ErrorCode, Message: n.Message,
		Reference: n.Reference, Livemode: n.Live, CreatedAt: Time(n.CreatedAt), NextAttemptAt: maybeTime(n.DueAt), SentAt: maybeTime(n.SentAt),
	}
}

// NoticeList spells a page of notices.
func NoticeList(l frontdesk.List[frontdesk.Notice]) any {
	data := make([]any, len(l.Items))
	for i, n := range l.Items {
		data[i] = Notice(n)
	}
	return struct {
		Object            string        `json:"object"`
		Data              []any         `json:"data"`
		HasMore           bool          `json:"has_more"`
		NextStartingAfter *frontdesk.ID `json:"next_starting_after"`
	}{"list", data, l.More, nextAfter(l, func(n frontdesk.Notice) frontdesk.ID { return n.ID })}
}

// noticeSettings say who is told what, as an agent's file has it.
type noticeSettings struct {
	Customer  []string                     `json:"customer"`
	Reminders []string                     `json:"reminders,omitzero"`
	Quiet     *period                      `json:"quiet,omitzero"`
	Owner     ownerNotices                 `json:"owner"`
	Countries []string                     `json:"countries,omitzero"`
	ReplyTo   string                       `json:"reply_to,omitzero"`
	Words     map[string]map[string]string `json:"words,omitzero"`
}

type ownerNotices struct {
	Emails []string `json:"emails"`
	Phones []string `json:"phones"`
	When   string   `json:"when,omitzero"` // at_once, daily
	At     string   `json:"at,omitzero"`
}

const (
	toldAtOnce = "at_once"
	toldDaily  = "daily"
)

// NoticeSettings spells who is told what, as a file that says the same again.
func NoticeSettings(s frontdesk.NoticeSettings) any { return noticeSettingsOf(s) }

func noticeSettingsOf(s frontdesk.NoticeSettings) noticeSettings {
	out := noticeSettings{
		Customer: []string{}, Owner: ownerNotices{Emails: []string{}, Phones: []string{}, When: toldAtOnce}, Countries: s.Countries, ReplyTo: s.ReplyTo, Words: s.Words,
	}
	for _, c := range s.Customer {
		out.Customer = append(out.Customer, string(c))
	}
	if s.Reminders != nil {
		out.Reminders = []string{}
		for _, before := range s.Reminders {
			out.Reminders = append(out.Reminders, shortDuration(before))
		}
	}
	if s.Quiet != nil {
		out.Quiet = &period{clockText(s.Quiet.From), clockText(s.Quiet.To)}
	}
	out.Owner.Emails = append(out.Owner.Emails, s.Owner.Emails...)
	out.Owner.Phones = append(out.Owner.Phones, s.Owner.Phones...)
	if s.Owner.Daily {
		out.Owner.When, out.Owner.At = toldDaily, clockText(s.Owner.SummaryAt())
	}
	return out
}

// shortDuration is a duration without the parts that are zero: 24h, 1h30m.
func shortDuration(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "0s")
	if h, ok := strings.CutSuffix(text, "h0m"); ok {
		text = h + "h"
	}
	return text
}

// DecodeNotices reads who is told what, in JSON. What it leaves out has its
// default.
func DecodeNotices(text []byte) (s frontdesk.NoticeSettings, err error) {
	var in noticeSettings
	if err := jsonv2.Unmarshal(text, &in, jsonv2.RejectUnknownMembers(true)); err != nil {
		return s, frontdesk.InvalidParam("notices", "notices must be an object with the fields customer, reminders, quiet, owner (emails, phones, when, at), countries, reply_to, words; docs/notices.md shows one.")
	}
	for _, c := range in.Customer {
		s.Customer = append(s.Customer, frontdesk.NoticeChannel(c))
	}
	if s.Reminders, err = decodeReminders(in.Reminders); err != nil {
		return s, err
	}
	if in.Quiet != nil {
		if s.Quiet, err = decodeQuiet(*in.Quiet); err != nil {
			return s, err
		}
	}
	s.Owner, s.Countries, s.ReplyTo, s.Words = frontdesk.OwnerNotices{Emails: in.Owner.Emails, Phones: in.Owner.Phones}, in.Countries, in.ReplyTo, in.Words
	switch in.Owner.When {
	case toldDaily:
		s.Owner.Daily = true
	case toldAtOnce, "":
	default:
		return s, frontdesk.InvalidParam("notices.owner.when", "when is %q: expected at_once or daily.", in.Owner.When)
	}
	if in.Owner.At != "" {
		minute, ok := clockMinute(in.Owner.At)
		if !ok || minute == 24*60 {
			return s, frontdesk.InvalidParam("notices.owner.at", "at is %q: expected a time such as 07:30.", in.Owner.At)
		}
		s.Owner.At = minute
	}
	return s, s.Check()
}

func decodeReminders(in []string) ([]time.Duration, error) {
	if in == nil {
		return nil, nil
	}
	out := []time.Duration{}
	for _, text := range in {
		d, err := time.ParseDuration(text)
		if err != nil {
			return nil, frontdesk.InvalidParam("notices.reminders", "%q is no time before an appointment: expected one such as 24h or 90m.", text)
		}
		out = append(out, d)
	}
	return out, nil
}

func decodeQuiet(in period) (*frontdesk.Period, error) {
	wrong := frontdesk.InvalidParam("notices.quiet", "%s are no quiet hours: expected two times such as [\"21:00\", \"09:00\"].", fmt.Sprint(in))
	if len(in) != 2 {
		return nil, wrong
	}
	from, okFrom := clockMinute(in[0])
	to, okTo := clockMinute(in[1])
	if !okFrom || !okTo {
		return nil, wrong
	}
	return &frontdesk.Period{From: from % (24 * 60), To: to}, nil
}
