package wire

import (
	"encoding/json"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/opening"
)

// BookDay is a day of an agent's book: when it is open, and what can be had or
// who comes.
type BookDay struct {
	opening.Day
	Slots    []BookSlot
	Captures []frontdesk.Capture
	Busy     []frontdesk.Busy      // of outside calendars
	Kept     []frontdesk.KeptPlace // for who waits
}

// BookSlot is a time that can be had, and with whom.
type BookSlot struct {
	At        frontdesk.LocalTime
	Starts    time.Time
	Resources []string
}

type bookDay struct {
	Date     string             `json:"date"`
	Open     [][]string         `json:"open"`
	Reason   string             `json:"reason,omitzero"`
	Slots    *[]bookSlot        `json:"slots,omitzero"`
	Captures *[]json.RawMessage `json:"captures,omitzero"`
	Busy     *[]outsideBusy     `json:"busy,omitzero"`
	Kept     *[]keptPlace       `json:"kept,omitzero"`
}

type outsideBusy struct {
	StartsAt   string  `json:"starts_at"`
	EndsAt     string  `json:"ends_at"`
	ResourceID *string `json:"resource_id"`
}

type keptPlace struct {
	CaptureID   frontdesk.ID        `json:"capture_id"`
	ScheduledAt frontdesk.LocalTime `json:"scheduled_at"`
	StartsAt    string              `json:"starts_at"`
	EndsAt      string              `json:"ends_at"`
	ResourceID  *string             `json:"resource_id"`
	KeptUntil   string              `json:"kept_until"`
}

type bookSlot struct {
	ScheduledAt frontdesk.LocalTime `json:"scheduled_at"`
	StartsAt    string              `json:"starts_at"`
	ResourceIDs []string            `json:"resource_ids"`
}

type book struct {
	Timezone string    `json:"timezone"`
	Days     []bookDay `json:"days"`
}

// Availability spells what can be had on some days.
func Availability(a frontdesk.Agent, days []BookDay) any {
	out := book{Timezone: a.Timezone, Days: make([]bookDay, len(days))}
	for i, d := range days {
		out.Days[i] = bookDayOf(a, d)
		slots := make([]bookSlot, len(d.Slots))
		for k, s := range d.Slots {
			slots[k] = bookSlot{s.At, Time(s.Starts), s.Resources}
		}
		out.Days[i].Slots = &slots
	}
	return out
}

// Agenda spells who comes on some days, when outside calendars are busy, and which
// places are kept for who waits.
func Agenda(a frontdesk.Agent, days []BookDay) any {
	out := book{Timezone: a.Timezone, Days: make([]bookDay, len(days))}
	zone, err := frontdesk.LoadZone(a.Timezone)
	if err != nil {
		zone = time.UTC
	}
	for i, d := range days {
		out.Days[i] = bookDayOf(a, d)
		captures := make([]json.RawMessage, len(d.Captures))
		for k, c := range d.Captures {
			captures[k] = Capture(c)
		}
		busy := make([]outsideBusy, len(d.Busy))
		for k, b := range d.Busy {
			busy[k] = outsideBusy{StartsAt: Time(b.Outside.From), EndsAt: Time(b.Outside.To)}
			if id := b.Visit.ResourceID; id != "" {
				busy[k].ResourceID = &id
			}
		}
		kept := make([]keptPlace, len(d.Kept))
		for k, p := range d.Kept {
			kept[k] = keptPlaceOf(p, zone)
		}
		out.Days[i].Captures, out.Days[i].Busy, out.Days[i].Kept = &captures, &busy, &kept
	}
	return out
}

func keptPlaceOf(p frontdesk.KeptPlace, zone *time.Location) keptPlace {
	starts, _ := p.ScheduledAt.In(zone)
	out := keptPlace{
		CaptureID: p.CallID, ScheduledAt: p.ScheduledAt, StartsAt: Time(starts), EndsAt: Time(starts.Add(time.Duration(p.Visit.Minutes) * time.Minute)),
		KeptUntil: Time(p.Until),
	}
	if id := p.Visit.ResourceID; id != "" {
		out.ResourceID = &id
	}
	return out
}

// bookDayOf spells a day, with why it is not as usual in the agent's first
// language.
func bookDayOf(a frontdesk.Agent, d BookDay) bookDay {
	out := bookDay{Date: d.Date.String(), Open: [][]string{}, Reason: d.Reason}
	zone, err := frontdesk.LoadZone(a.Timezone)
	if err != nil {
		zone = time.UTC
	}
	for _, s := range d.Open {
		ends := s.To.In(zone).Format("15:04")
		if ends == "00:00" {
			ends = "24:00"
		}
		out.Open = append(out.Open, []string{s.From.In(zone).Format("15:04"), ends})
	}
	if d.Holiday != "" && len(a.Languages) > 0 {
		if l := language.Of(a.Languages[0]); l != nil {
			out.Reason = l.HolidayName(d.Holiday)
		}
	}
	return out
}
