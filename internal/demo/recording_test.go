package demo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// checkRecordings holds every recording to what is true of real ones.
func checkRecordings(t *testing.T, agents []frontdesk.Agent, rs []store.Recording, now time.Time) {
	t.Helper()
	seen, answering := map[frontdesk.ID]bool{}, map[frontdesk.ID]bool{}
	for _, r := range rs {
		for _, id := range append(captureIDs(r), r.Call.ID) {
			if seen[id] {
				t.Errorf("the id %s is given twice", id)
			}
			seen[id] = true
		}
		answering[r.Call.AgentID] = true
		if problem := callProblem(t, r, now); problem != "" {
			t.Errorf("call %s: %s", r.Call.ID, problem)
		}
		for _, c := range r.Captures {
			if problem := captureProblem(agentOf(agents, r.Call.AgentID), r.Call, c); problem != "" {
				t.Errorf("capture %s: %s", c.ID, problem)
			}
		}
	}
	if len(agents) > 0 && (len(answering) != len(agents) || answering[""]) {
		t.Errorf("calls of %d agents", len(answering))
	}
}

func callProblem(t *testing.T, r store.Recording, now time.Time) string {
	t.Helper()
	c, d := r.Call, decode(t, r.Call)
	turns := d.Transcript.Turns
	switch {
	case !mintedAt(c.ID, c.StartedAt):
		return "its id was not minted when it began"
	case c.StartedAt.Add(time.Duration(c.Duration) * time.Second).After(now):
		return "it ends in the future"
	case d.Summary.Title == "" || d.Summary.Text == "" || d.Summary.Intent == "":
		return "its summary says nothing"
	case !slices.Equal(d.Summary.CaptureIDs, captureIDs(r)):
		return "its summary names other captures"
	case (c.Outcome == frontdesk.Handoff) != (string(d.Summary.Handoff) != "null"):
		return "handoff note and outcome disagree"
	case !rightOutcome(r):
		return fmt.Sprintf("outcome %s with %d captures", c.Outcome, len(r.Captures))
	case d.Transcript.Language != c.Language || len(turns) == 0:
		return "its transcript is empty or in another language"
	case turns[len(turns)-1].EndMS > c.Duration*1000:
		return "its last turn ends after it"
	}
	return turnsProblem(d)
}

// rightOutcome holds what comes of a call to what it brought in.
func rightOutcome(r store.Recording) bool {
	outcome := r.Call.Outcome
	if len(r.Captures) == 0 {
		return outcome != frontdesk.Booking
	}
	switch r.Captures[0].Kind {
	case frontdesk.Appointment, frontdesk.Order:
		return outcome == frontdesk.Booking
	}
	return outcome == frontdesk.Info
}

func turnsProblem(d decoded) string {
	end := 0
	texts := slices.Concat([]string{d.Summary.Title, d.Summary.Text}, d.Summary.KeyPoints, d.Summary.Unanswered)
	for i, u := range d.Transcript.Turns {
		if u.StartMS < end || u.EndMS <= u.StartMS {
			return fmt.Sprintf("turn %d lasts from %d to %d, after %d", i, u.StartMS, u.EndMS, end)
		}
		end = u.EndMS
		if (u.Role == frontdesk.RoleTool) != (u.Name != "" && u.Arguments != nil && u.Result != nil) {
			return fmt.Sprintf("turn %d is half a tool", i)
		}
		texts = append(texts, u.Text, fmt.Sprint(u.Arguments), fmt.Sprint(u.Result))
	}
	for _, text := range texts {
		if text == "" || strings.ContainsAny(text, "{}|") || strings.Contains(text, "%!") {
			return fmt.Sprintf("a text was not filled: %q", text)
		}
	}
	return ""
}

var codePattern = regexp.MustCompile(`^[34679ACDEFGHJKMNPQRTWXY]{6}$`)

func captureProblem(agent frontdesk.Agent, call frontdesk.Call, c frontdesk.Capture) string {
	end := call.StartedAt.Add(time.Duration(call.Duration) * time.Second)
	switch {
	case !mintedAt(c.ID, c.CreatedAt):
		return "its id was not minted when it was made"
	case c.CallID != call.ID || c.AgentID != call.AgentID || c.Channel != call.Channel:
		return "it is tied to another call"
	case c.CreatedAt.Before(call.StartedAt) || c.CreatedAt.After(end):
		return "it was not made during its call"
	case !codePattern.MatchString(c.ConfirmationCode):
		return "its code is " + c.ConfirmationCode
	case !strings.HasPrefix(c.CustomerPhone, "+3460000") || c.CustomerName == "" || c.Service == "":
		return fmt.Sprintf("it is of %q, %q, about %q", c.CustomerName, c.CustomerPhone, c.Service)
	case (c.ScheduledAt == "") != (c.Kind == frontdesk.Lead || c.Kind == frontdesk.Message):
		return c.Kind + " scheduled at " + string(c.ScheduledAt)
	}
	return scheduleProblem(agent, call, c)
}

// scheduleProblem holds that people come when the house is open, later than
// they call, and that only what is past was missed.
func scheduleProblem(agent frontdesk.Agent, call frontdesk.Call, c frontdesk.Capture) string {
	if c.ScheduledAt == "" || agent.ID == "" {
		return ""
	}
	loc, err := frontdesk.LoadZone(agent.Timezone)
	if err != nil {
		return err.Error()
	}
	at, err := time.ParseInLocation("2006-01-02T15:04:05", string(c.ScheduledAt), loc)
	switch {
	case err != nil:
		return err.Error()
	case !agent.Config.Hours.OpenAt(at):
		return "it is when the house is closed: " + string(c.ScheduledAt)
	case !at.After(call.StartedAt):
		return "it is before the call"
	}
	return ""
}

func captureIDs(r store.Recording) []frontdesk.ID {
	ids := []frontdesk.ID{}
	for _, c := range r.Captures {
		ids = append(ids, c.ID)
	}
	return ids
}

// mintedAt compares all of an id that tells the time.
func mintedAt(id frontdesk.ID, at time.Time) bool {
	want := frontdesk.IDFrom(at, [8]byte{})
	return len(id) == 36 && id[:18] == want[:18] && id[14] == '7' && strings.ContainsRune("89ab", rune(id[19]))
}
