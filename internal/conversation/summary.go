package conversation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Finish says what came of the conversation, from its log: the outcome, and the
// summary in the language that was spoken.
func (s State) Finish(now time.Time) (frontdesk.Outcome, frontdesk.Summary) {
	outcome := s.outcome()
	lang := s.Language()
	sum := frontdesk.Summary{Intent: s.intent(), Reason: s.Reason, Urgency: s.Urgency, Notes: frontdesk.TidyNotes(s.Notes)}
	for _, e := range s.Log {
		if e.Capture != "" && e.Kind != Cancelled && e.Kind != LeftList {
			sum.CaptureIDs = append(sum.CaptureIDs, e.Capture)
		}
		if e.Kind == Unanswered {
			sum.UnansweredQuestions = append(sum.UnansweredQuestions, e.Text)
		}
		if e.Kind == HandedOff && sum.Handoff == nil {
			sum.Handoff = &frontdesk.HandoffNote{Reason: e.Text, Result: s.handoffResult()}
		}
		if point := strings.TrimSpace(e.point(lang)); point != "" {
			sum.KeyPoints = append(sum.KeyPoints, point)
		}
	}
	about := string(outcome)
	if outcome == frontdesk.OverLimit && s.Crowded {
		about = "crowded"
	}
	sum.Title = wording(lang, "title_"+about)
	if best := s.best(); best != "" {
		sum.Title = best
	}
	sum.Text = wording(lang, "summary_"+about)
	if len(sum.KeyPoints) > 0 {
		sum.Text = strings.Join(sum.KeyPoints, " ")
	}
	return outcome, sum
}

// Touched are the captures that the conversation made, moved or cancelled.
func (s State) Touched() []frontdesk.ID {
	var ids []frontdesk.ID
	for _, e := range s.Log {
		switch e.Kind {
		case Booked, Moved, Cancelled, LeftList, Noted:
			ids = append(ids, e.Instead, e.Capture)
		}
	}
	return slices.DeleteFunc(ids, func(id frontdesk.ID) bool { return id == "" })
}

// outcome is the first one that applies, in the order of the specification's
// strength.
func (s State) outcome() frontdesk.Outcome {
	switch {
	case s.holdsBooking(), s.agreed(frontdesk.Order):
		return frontdesk.Booking
	case s.happened(HandedOff), s.agreed(frontdesk.Lead), s.agreed(frontdesk.Callback), s.agreed(frontdesk.Message):
		return frontdesk.Handoff
	case s.OverLimit:
		return frontdesk.OverLimit
	case s.Broken:
		return frontdesk.Failed
	case s.happened(Answered) || s.happened(Noted) || s.happened(Cancelled) || s.happened(LeftList) || s.happened(LookedUp):
		return frontdesk.Info
	}
	return frontdesk.Abandoned
}

// agreed says whether something of a kind was written down that the caller had
// heard read back and said yes to. What was only kept when they hung up is not.
func (s State) agreed(kind string) bool {
	return slices.ContainsFunc(s.Log, func(e Event) bool { return e.Kind == Noted && e.Text == kind && !e.Kept })
}

// holdsBooking says whether an appointment was made and not cancelled again.
func (s State) holdsBooking() bool {
	made := map[frontdesk.ID]bool{}
	for _, e := range s.Log {
		switch e.Kind {
		case Booked, Moved:
			delete(made, e.Instead)
			made[e.Capture] = true
		case Cancelled:
			delete(made, e.Capture)
		}
	}
	return len(made) > 0
}

// intent is what the caller wanted first, of the things that are arranged; else
// whatever they wanted.
func (s State) intent() string {
	first := ""
	for _, e := range s.Log {
		if e.Kind != Wanted {
			continue
		}
		if e.Text != string(Ask) && e.Text != string(Human) {
			return e.Text
		}
		if first == "" {
			first = e.Text
		}
	}
	return first
}

func (s State) handoffResult() string {
	if s.Through != "" {
		return s.Through
	}
	if s.happened(Noted) {
		return frontdesk.MessageTaken
	}
	return frontdesk.NotPassedOn
}

// best is the one line that tells most.
func (s State) best() string {
	lang := s.Language()
	for _, kinds := range [][]EventKind{{Booked, Moved}, {Cancelled, LeftList}, {Noted}} {
		for _, e := range slices.Backward(s.Log) {
			if slices.Contains(kinds, e.Kind) && (e.Kind != Booked && e.Kind != Moved || s.holdsBooking()) {
				return e.title(lang)
			}
		}
	}
	return ""
}

func (e Event) title(lang string) string {
	about := cmp.Or(e.Thing, e.Service)
	if e.Kind == Noted {
		return wording(lang, "title_"+e.Text, "what", about)
	}
	if about == "" {
		about = wording(lang, "an_appointment")
	}
	return wording(lang, "title_"+string(e.Kind), "what", about, "when", writtenMoment(e.At))
}

// point is an event as a sentence; "" when it is none.
func (e Event) point(lang string) string {
	what := cmp.Or(e.Thing, e.Service)
	if what == "" {
		what = wording(lang, "an_appointment")
	}
	if e.Party > 1 {
		what += ", " + wording(lang, "people", "n", strconv.Itoa(e.Party))
	}
	switch e.Kind {
	case Booked, Moved, Cancelled, LookedUp:
		return wording(lang, "point_"+string(e.Kind), "what", what, "when", writtenMoment(e.At), "name", e.Name, "code", e.Code)
	case LeftList:
		return wording(lang, "point_left_list", "what", what, "when", strings.TrimSuffix(writtenMoment(e.At), " 00:00"))
	case Noted:
		return wording(lang, "point_"+e.Text, "about", e.Service, "name", cmp.Or(e.Name, wording(lang, "somebody")), "when", strings.TrimSuffix(writtenMoment(e.At), " 00:00"))
	case Answered, Unanswered:
		return wording(lang, "point_"+string(e.Kind), "question", e.Text)
	case HandedOff:
		return wording(lang, "point_handed_off")
	}
	return ""
}

// writtenMoment is a time as it is written: 2026-11-17 17:00.
func writtenMoment(at frontdesk.LocalTime) string {
	d, c, ok := splitLocal(at)
	if !ok {
		return string(at)
	}
	return d.String() + " " + c.String()
}
