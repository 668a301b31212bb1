package conversation

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// mostQueued is how many further wishes are kept.
const mostQueued = 5

// queue keeps the further wishes of a turn: each becomes a task of its own, with
// what was said for it.
func (t arrangement) queue(further [][]hearing.Command) {
	if len(further) > 0 && t.isBooked(t.heard) { // it is named again together with what is still missing
		text, spoken := t.heard.Text, t.heard.Language
		t.heard = hearing.GistOf(further[0])
		t.heard.Text, t.heard.Language = text, spoken
		further = further[1:]
	}
	current, heard := t.s.Task, t.heard
	choices, expect := t.s.Choices, t.s.Expect
	known := slices.Clone(t.s.Queue)
	for _, commands := range further {
		if len(t.s.Queue) >= mostQueued {
			break
		}
		t.heard = hearing.GistOf(commands)
		t.heard.Text = heard.Text
		if task, ok := t.taskOf(); ok && !queued(task, current, known) && !t.isBooked(t.heard) {
			t.s.Queue = append(t.s.Queue, task)
			t.behind = append(t.behind, task.Service)
		}
	}
	t.s.Task, t.heard, t.s.Choices, t.s.Expect = current, heard, choices, expect
}

// taskOf is the task that a wish comes to.
func (t arrangement) taskOf() (Task, bool) {
	kind := Book
	for _, i := range t.heard.Intents {
		if i == Book || i == Reschedule || i == Cancel || i == LookUp || i == Order {
			kind = i
			break
		}
	}
	t.s.Task, t.s.Choices, t.s.Expect = Task{Kind: kind, Further: true}, nil, Nothing
	person, said, changed := t.s.Person, t.said, t.changed
	t.values().take()
	t.s.Person, t.said, t.changed = person, said, changed
	t.s.Task.After = slices.Contains(t.heard.Same, SlotTime)
	t.s.Task.Notes = append(t.s.Task.Notes, t.heard.Notes...)
	t.s.Task.Asides = append(t.s.Task.Asides, t.heard.Asides...)
	return t.s.Task, true
}

// queued says whether a wish is one that is already known: who repeats two
// wishes does not make three of them. known are those that waited before this turn.
func queued(task, current Task, known []Task) bool {
	same := func(other Task) bool {
		return other.Kind == task.Kind && (task.Service == "" || other.Service == task.Service)
	}
	if current.Further && same(current) {
		return true
	}
	return slices.ContainsFunc(known, same)
}

// isBooked says whether a wish is for what was booked in this conversation: the
// same service, at that time or at none.
func (t arrangement) isBooked(wish hearing.Gist) bool {
	if len(wish.Services) != 1 {
		return false
	}
	w := wish.When.Resolve(t.now, t.isOpen)
	return slices.ContainsFunc(t.s.Log, func(e Event) bool {
		date, clock, timed := splitLocal(e.At)
		return e.Kind == Booked && e.Of == wish.Services[0].ID &&
			(w.Date.IsZero() || w.Date == date) && (!w.Timed || timed && w.Clock == clock)
	})
}

// takeBefore takes what a wish has from the appointment that was booked before
// it: its day where none was named, the same service, the time when it ends.
func (t arrangement) takeBefore(same []Slot) {
	before, task := t.s.justBooked(Reschedule), &t.s.Task
	date, clock, timed := splitLocal(before.At)
	if before.ID == "" || task.Kind != Book || !timed {
		return
	}
	if slices.Contains(same, SlotService) && task.Service == "" {
		task.Service = before.Of
	}
	if slices.Contains(same, SlotDate) && task.Date.IsZero() && !task.Soonest {
		task.Date = date
	}
	if !slices.Contains(same, SlotTime) || task.Timed || task.Date != date {
		return
	}
	if i := slices.IndexFunc(t.bookable, func(s catalogue.Service) bool { return s.ID == before.Of }); i >= 0 && t.bookable[i].Duration > 0 {
		ends := 60*clock.Hour + clock.Minute + int(t.bookable[i].Duration.Minutes())
		if ends < 24*60 {
			task.Clock, task.Timed, task.After = dates.Clock{Hour: ends / 60, Minute: ends % 60}, true, true
		}
	}
}

// nextPlace takes the first place behind the appointment before where the very end of
// that is not to be had: appointments may begin at certain minutes only.
func (t booking) nextPlace(o Openings) bool {
	task := &t.s.Task
	after := task.After && task.Timed
	task.After = false
	for _, near := range o.Near {
		if after && near.Date == task.Date && task.Clock.Before(near.Clock) {
			task.Clock = near.Clock
			return true
		}
	}
	return false
}

// nextWish goes on with the next wish, if there is one.
func (t arrangement) nextWish() bool {
	if len(t.s.Queue) == 0 {
		return false
	}
	task := t.s.Queue[0]
	t.s.Queue = t.s.Queue[1:]
	t.s.want(task.Kind)
	t.s.Task = task
	if task.Kind == Reschedule || task.Kind == Cancel || task.Kind == LookUp {
		t.s.Task.Own = t.s.justBooked(task.Kind)
	}
	if task.Waits && task.Kind != Book {
		t.s.Task.Own = t.waitlist().joined()
	}
	same := []Slot{SlotDate}
	if task.After {
		same = append(same, SlotTime)
	}
	t.takeBefore(same)
	t.contacts().takeAddressBefore()
	t.letChoices()
	t.s.Expect, t.changed, t.noted = Nothing, true, nil
	if name := t.booking().service().Say(t.s.Lang); name != "" {
		t.say("next_wish", "what", name)
	} else {
		t.say("next_wish_plain")
	}
	t.next()
	return true
}

// wanted are the services of what is being arranged and of the wishes behind it, where
// there are several and all of them are known.
func (t arrangement) wanted() []catalogue.Service {
	var all []catalogue.Service
	for _, task := range append([]Task{t.s.Task}, t.s.Queue...) {
		i := slices.IndexFunc(t.bookable, func(s catalogue.Service) bool { return s.ID == task.Service })
		if task.Kind != Book || i < 0 {
			return nil
		}
		all = append(all, t.bookable[i])
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// letGo lets go of those of several wishes that are not wanted any more, or takes
// another service in their place where one was named.
func (t arrangement) letGo() {
	h, wanted := &t.heard, t.wanted()
	gone := slices.DeleteFunc(h.Dropped, func(i int) bool { return i >= len(wanted) })
	if len(gone) == 0 || len(wanted) == 0 {
		return
	}
	if h.Swapped && len(h.Services) == 1 {
		if i := gone[0]; i > 0 {
			t.s.Queue[i-1].Service = h.Services[0].ID
			h.Services, h.Swapped, h.No = nil, false, false
		}
		return
	}
	if len(gone) == len(wanted) {
		h.Intents = append(h.Intents, Restart)
		return
	}
	var left []Task
	for i, task := range append([]Task{t.s.Task}, t.s.Queue...) {
		if !slices.Contains(gone, i) {
			left = append(left, task)
		}
	}
	if slices.Contains(gone, 0) {
		t.takePlace(&left[0])
	}
	t.s.Task, t.s.Queue = left[0], left[1:]
	t.changed = true
	t.say("left_out", "what", wanted[gone[0]].Say(t.s.Lang))
}

// takePlace gives a wish the day and the time of the one before it that was let go of,
// where it was to come right after that.
func (t arrangement) takePlace(task *Task) {
	before := t.s.Task
	if task.Date.IsZero() {
		task.Date, task.Last = before.Date, before.Last
	}
	if !task.Timed && (task.After || task.Date == before.Date) {
		task.Clock, task.Timed, task.Clocks, task.From, task.To = before.Clock, before.Timed, before.Clocks, before.From, before.To
	}
	task.Further, task.After = false, false
	t.letChoices()
}
