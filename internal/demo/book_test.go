package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// TestTheBookIsThatOfANormalBusiness looks at the two weeks to come and the days
// before.
func TestTheBookIsThatOfANormalBusiness(t *testing.T) {
	t.Parallel()
	bounds := map[string][2]int{"casa-lola": {5, 15}, "dental-la-plaza": {5, 16}, "harbour-store": {1, 5}, "costa-clara": {1, 6}}
	for name, now := range oddDays {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := build(t, now)
			for _, a := range n.Agents {
				standing := standing(n, a)
				for day := -5; day <= 14; day++ {
					date := today(now).AddDate(0, 0, day)
					wanted := bounds[a.Slug]
					if a.Config.Hours[(int(date.Weekday())+6)%7] == (frontdesk.Shift{}) {
						wanted = [2]int{}
					}
					if got := standing[date.Format(time.DateOnly)]; got < wanted[0] || got > wanted[1] {
						t.Errorf("%s has %d appointments on %s, want %v", a.Slug, got, date.Format("Mon 2006-01-02"), wanted)
					}
				}
			}
			checkBook(t, n, now)
		})
	}
}

// standing counts an agent's appointments that stand or stood, by date.
func standing(n store.NewTenant, a frontdesk.Agent) map[string]int {
	count := map[string]int{}
	for _, c := range allCaptures(n) {
		if c.AgentID == a.ID && c.TakesPlace() {
			count[string(c.ScheduledAt[:10])]++
		}
	}
	return count
}

func allCaptures(n store.NewTenant) []frontdesk.Capture {
	all := slices.Clone(n.LiveBook)
	for _, r := range n.Live {
		all = append(all, r.Captures...)
	}
	return all
}

// checkBook holds what no call made to what is true of what a business enters.
func checkBook(t *testing.T, n store.NewTenant, now time.Time) {
	t.Helper()
	statuses, waiting := map[frontdesk.CaptureStatus]int{}, map[frontdesk.ID]int{}
	for _, c := range slices.Concat(n.LiveBook, n.TestBook) {
		agent := agentOf(n.Agents, c.AgentID)
		at := c.StartsAt()
		statuses[c.Status]++
		if c.Status == frontdesk.PendingConfirm {
			waiting[c.AgentID]++
		}
		switch {
		case c.CallID != "" || c.Source == frontdesk.FromCall || c.Source == "":
			t.Errorf("%s: a call made it", c.ID)
		case !mintedAt(c.ID, c.CreatedAt) || c.CreatedAt.After(now) || c.UpdatedAt.After(now) || c.CreatedAt.After(at):
			t.Errorf("%s for %s was made at %s, changed at %s", c.ID, at, c.CreatedAt, c.UpdatedAt)
		case !agent.Config.Hours.OpenAt(at):
			t.Errorf("%s: %s is closed at %s", c.ID, agent.Slug, at)
		case c.Status == frontdesk.NoShow && !at.Before(now):
			t.Errorf("%s was missed before it was", c.ID)
		case !codePattern.MatchString(c.ConfirmationCode) || c.CustomerName == "" || c.Service == "" || c.CustomerPhone[:8] != "+3460000":
			t.Errorf("%+v", c)
		}
		checkResource(t, agent, c)
	}
	for _, s := range frontdesk.CaptureStatuses {
		if statuses[s] == 0 {
			t.Errorf("nothing in the book is %s", s)
		}
	}
	for _, a := range n.Agents {
		if waiting[a.ID] < 2 {
			t.Errorf("%d appointments of %s wait for a word", waiting[a.ID], a.Slug)
		}
	}
}

// checkResource holds that an appointment is with somebody who does it, where
// there is anybody.
func checkResource(t *testing.T, agent frontdesk.Agent, c frontdesk.Capture) {
	t.Helper()
	staff := agent.Settings.Calendar
	r, known := staff.Resource(c.Visit.ResourceID)
	if known != (len(staff.Resources) > 0) || known && (!r.Does(c.Visit.ServiceID) || r.Name != c.Visit.Resource) {
		t.Errorf("%s for %s is with %q", c.ID, c.Visit.ServiceID, c.Visit.Resource)
	}
}

// TestNobodyIsInTwoPlaces holds that the appointments of one person do not
// overlap, and that the restaurant keeps room for callers.
func TestNobodyIsInTwoPlaces(t *testing.T) {
	t.Parallel()
	n := build(t, noon)
	byPerson := map[string][]frontdesk.Capture{}
	for _, c := range allCaptures(n) {
		if c.TakesPlace() && c.Visit.ResourceID != "" {
			byPerson[c.Visit.ResourceID] = append(byPerson[c.Visit.ResourceID], c)
		}
	}
	if len(byPerson) != 5 {
		t.Errorf("appointments with %d people", len(byPerson))
	}
	for who, all := range byPerson {
		slices.SortFunc(all, func(a, b frontdesk.Capture) int { return a.StartsAt().Compare(b.StartsAt()) })
		for i := 1; i < len(all); i++ {
			end := all[i-1].StartsAt().Add(time.Duration(all[i-1].Visit.Minutes) * time.Minute)
			if all[i].StartsAt().Before(end) {
				t.Errorf("%s is with two at %s", who, all[i].ScheduledAt)
			}
		}
	}
	if busiest := seatsTaken(n); busiest < 8 || busiest > 32 {
		t.Errorf("%d seats are taken at once", busiest)
	}
}

// seatsTaken is how many seats of the restaurant are taken at once, of what is
// to come.
func seatsTaken(n store.NewTenant) (most int) {
	var tables []frontdesk.Capture
	for _, c := range allCaptures(n) {
		if agentOf(n.Agents, c.AgentID).Slug == "casa-lola" && c.TakesPlace() && c.StartsAt().After(noon) {
			tables = append(tables, c)
		}
	}
	for _, c := range tables {
		seats := 0
		for _, other := range tables {
			if since := c.StartsAt().Sub(other.StartsAt()); since >= 0 && since < 2*time.Hour {
				seats += other.Visit.Party
			}
		}
		most = max(most, seats)
	}
	return most
}

// TestSomethingWaitsAtAnyHour holds that an owner finds what needs them, and that
// it is fresh.
func TestSomethingWaitsAtAnyHour(t *testing.T) {
	t.Parallel()
	for hour := 0; hour < 24; hour += 3 {
		now := time.Date(2026, time.November, 22, hour, 5, 0, 0, time.UTC) // a Sunday
		t.Run(fmt.Sprintf("%d:05", hour), func(t *testing.T) {
			t.Parallel()
			met := map[string]int{}
			for _, r := range build(t, now).Live {
				if now.Sub(r.Call.StartedAt) > 18*time.Hour {
					continue
				}
				if string(decode(t, r.Call).Summary.Handoff) != "null" {
					met[decodeHandoff(t, r.Call)]++
				}
				for _, c := range r.Captures {
					if c.Status == frontdesk.PendingConfirm {
						met[c.Kind]++
						met[c.Urgency]++
					}
				}
			}
			for what, least := range map[string]int{
				frontdesk.Message: 4, frontdesk.Urgent: 2, frontdesk.Callback: 2, frontdesk.Lead: 2, frontdesk.Order: 1, frontdesk.NoAnswer: 3,
			} {
				if met[what] < least {
					t.Errorf("%d of %s, want %d", met[what], what, least)
				}
			}
		})
	}
}

func decodeHandoff(t *testing.T, c frontdesk.Call) string {
	t.Helper()
	var note struct{ Result string }
	if err := json.Unmarshal(decode(t, c).Summary.Handoff, &note); err != nil {
		t.Fatal(err)
	}
	return note.Result
}

func TestQuestionsAreAskedAgain(t *testing.T) {
	t.Parallel()
	asked := map[string]int{}
	for _, r := range build(t, noon).Live {
		if noon.Sub(r.Call.StartedAt) < 30*24*time.Hour {
			for _, q := range r.Unanswered {
				asked[q]++
			}
		}
	}
	often := 0
	for _, times := range asked {
		if times >= 3 {
			often++
		}
	}
	if len(asked) < 10 || often < 3 {
		t.Errorf("of %d questions %d were asked three times: %v", len(asked), often, asked)
	}
}

func TestTheBookIsKept(t *testing.T) {
	t.Parallel()
	s, n := storetest.New(t), build(t, noon)
	if err := s.CreateTenant(context.Background(), n); err != nil {
		t.Fatal(err)
	}
	for live, book := range map[bool][]frontdesk.Capture{true: n.LiveBook, false: n.TestBook} {
		for _, want := range book[:5] {
			got, err := s.Capture(context.Background(), frontdesk.Owner{TenantID: n.Tenant.ID, Live: live}, want.ID)
			if err != nil || got.CustomerName != want.CustomerName || got.Visit != want.Visit || got.Source != want.Source {
				t.Errorf("kept %+v, want %+v, %v", got, want, err)
			}
			if _, err := s.Capture(context.Background(), frontdesk.Owner{TenantID: n.Tenant.ID, Live: !live}, want.ID); err == nil {
				t.Error("it is in the other mode too")
			}
		}
	}
}
