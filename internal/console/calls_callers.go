package console

import (
	"cmp"
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// caller is what is known of who made a call, by what the call brought in.
type caller struct {
	name   string
	missed bool // they were to be put through, and nobody spoke with them
	wishes bool // they left something that somebody has to see to: its status tells whether
	done   bool // somebody has seen to it
}

// How a missed transfer is told, beside the outcomes of calls.
const (
	outcomeMissed frontdesk.Outcome = "missed"
	outcomeSeenTo frontdesk.Outcome = "seen_to"
)

// outcome is what came of a call, as it is told: who was not put through was not
// passed on.
func (k caller) outcome(call frontdesk.Call) frontdesk.Outcome {
	switch {
	case !k.missed:
		return call.Outcome
	case k.done:
		return outcomeSeenTo
	}
	return outcomeMissed
}

// mostCaptures is how many captures of the calls of one page are looked at.
const mostCaptures = 200

// callersOf finds out who made some calls, with one question for all of them.
func (c *Console) callersOf(v *visit, calls []frontdesk.Call) (map[frontdesk.ID]caller, error) {
	brought := map[frontdesk.ID][]frontdesk.ID{} // by call
	all := map[frontdesk.ID]caller{}
	var ids []frontdesk.ID
	for _, call := range calls {
		summary, err := wire.ReadSummary(call)
		if err != nil { // the call is shown all the same
			continue
		}
		all[call.ID] = caller{missed: call.Outcome == frontdesk.Handoff && summary.Handoff.Missed(), done: !call.DoneAt.IsZero()}
		brought[call.ID] = slices.Concat(summary.CaptureIDs, call.CaptureIDs)
		ids = append(ids, brought[call.ID]...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	captures, err := c.store.CapturesNamed(v.Context(), v.owner(), ids[:min(len(ids), mostCaptures)])
	if err != nil {
		return nil, err
	}
	for call, of := range brought {
		k := all[call]
		for _, capture := range captures {
			if slices.Contains(of, capture.ID) {
				k.learn(capture)
			}
		}
		all[call] = k
	}
	return all, nil
}

// learn adds what a capture tells.
func (k *caller) learn(capture frontdesk.Capture) {
	k.name = cmp.Or(k.name, capture.CustomerName)
	if slices.Contains(wishKinds, capture.Kind) {
		k.done = (k.done || !k.wishes) && capture.Status != frontdesk.PendingConfirm
		k.wishes = true
	}
}

// markDone notes that somebody has seen to a call, or takes it back.
func (c callScreen) markDone(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	call, _, err := c.readCall(v)
	if err != nil {
		return answer{}, err
	}
	who, err := c.callersOf(v, []frontdesk.Call{call})
	if err != nil {
		return answer{}, err
	}
	summary, err := wire.ReadSummary(call)
	if err != nil {
		return answer{}, err
	}
	mark := store.CallMark{By: v.person.Actor(), ID: call.ID, Title: cmp.Or(who[call.ID].name, summary.Title)}
	key, undo := "done_wish_pending_confirm", "yes"
	if v.field("done") == "yes" {
		mark.Done, key, undo = c.now(), "done_wish_confirmed", "no"
	}
	if err := c.store.MarkCall(v.Context(), v.owner(), mark); err != nil {
		return answer{}, err
	}
	text := v.say(key, "who", cmp.Or(who[call.ID].name, call.Caller, v.say("nameless")))
	return v.done(v.back("today"), said{text, "calls/" + string(call.ID) + "/done", [][2]string{{"done", undo}, {"back", v.field("back")}}}), nil
}
