package store_test

import (
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// letter is a notice that is due at a time.
func letter(agent, capture frontdesk.ID, kind frontdesk.NoticeKind, at time.Time) frontdesk.Notice {
	return frontdesk.Notice{
		ID: frontdesk.NewID(day), AgentID: agent, CaptureID: capture, Kind: kind, Channel: frontdesk.ByEmail, Address: "ana@example.com",
		Language: "es", ScheduledAt: eight, Status: frontdesk.NoticePending, CreatedAt: day, DueAt: at, PlannedAt: at,
	}
}

func noticesOf(t testing.TB, s *store.Store, owner frontdesk.Owner, f frontdesk.NoticeFilter) []frontdesk.Notice {
	t.Helper()
	l, err := s.Notices(ctx, owner, f, frontdesk.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return l.Items
}

// standing are the notices of a capture as "kind status", sorted.
func standing(t testing.TB, s *store.Store, owner frontdesk.Owner, capture frontdesk.ID) (lines []string) {
	t.Helper()
	for _, n := range noticesOf(t, s, owner, frontdesk.NoticeFilter{CaptureID: capture}) {
		lines = append(lines, string(n.Kind)+" "+string(n.Status))
	}
	slices.Sort(lines)
	return lines
}

func claimNotices(t testing.TB, s *store.Store, now time.Time, most int) []store.NoticeClaim {
	t.Helper()
	claims, err := s.ClaimNoticesForWorker(ctx, frontdesk.ByEmail, now, now.Add(time.Minute), most)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestANoticeKeepsAllItsFields(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	want := letter(frontdesk.NewID(day), frontdesk.NewID(day), frontdesk.NoticeChange, day)
	want.CallID, want.Former, want.Live, want.Reference = frontdesk.NewID(day), "2026-11-19T20:00:00", true, "SM1"
	if err := s.AddNotices(ctx, owner, want); err != nil {
		t.Fatal(err)
	}
	if got := noticesOf(t, s, owner, frontdesk.NoticeFilter{}); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for name, f := range map[string]frontdesk.NoticeFilter{
		"another status": {Status: frontdesk.NoticeSent}, "another kind": {Kind: frontdesk.NoticeReminder}, "another capture": {CaptureID: frontdesk.NewID(day)},
	} {
		if got := noticesOf(t, s, owner, f); len(got) != 0 {
			t.Errorf("%s shows %+v", name, got)
		}
	}
}

func TestANoticeIsClaimedByOneWorker(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	const many = 40
	for range many {
		if err := s.AddNotices(ctx, owner, letter(frontdesk.NewID(day), "", frontdesk.OwnerMessage, day)); err != nil {
			t.Fatal(err)
		}
	}
	later := letter(frontdesk.NewID(day), "", frontdesk.OwnerMessage, day.Add(time.Hour))
	if err := s.AddNotices(ctx, owner, later); err != nil {
		t.Fatal(err)
	}
	claimed := make([][]store.NoticeClaim, 8)
	for _, err := range atOnce(len(claimed), func(i int) (err error) {
		claimed[i], err = s.ClaimNoticesForWorker(ctx, frontdesk.ByEmail, day, day.Add(time.Minute), 7)
		return err
	}) {
		t.Error(err)
	}
	seen := map[frontdesk.ID]bool{}
	for _, c := range slices.Concat(claimed...) {
		if seen[c.Notice.ID] || c.Notice.ID == later.ID {
			t.Errorf("%s was claimed twice, or too soon", c.Notice.ID)
		}
		seen[c.Notice.ID] = true
	}
	if rest := claimNotices(t, s, day, 100); len(seen)+len(rest) != many {
		t.Errorf("%d and %d of %d were claimed", len(seen), len(rest), many)
	}
	// Who says nothing until the lease ends is not believed in any more.
	if again := claimNotices(t, s, day.Add(2*time.Minute), 100); len(again) != many || again[0].Notice.Attempts != 2 {
		t.Errorf("after the lease %d were claimed", len(again))
	}
}

func TestHowANoticeEndsIsSavedOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	n := letter(frontdesk.NewID(day), "", frontdesk.OwnerMessage, day)
	if err := s.AddNotices(ctx, owner, n); err != nil {
		t.Fatal(err)
	}
	first := claimNotices(t, s, day, 1)[0]
	second := claimNotices(t, s, day.Add(2*time.Minute), 1)[0]
	if err := s.SaveNotice(ctx, owner, first.Notice, first.Notice.Ended("late")); err != nil {
		t.Fatal(err)
	}
	if got := noticesOf(t, s, owner, frontdesk.NoticeFilter{})[0]; got.Status != frontdesk.NoticeSending {
		t.Errorf("who came late has changed it to %+v", got)
	}
	after := second.Notice.After(frontdesk.SendResult{ErrorCode: frontdesk.NoticeRefused, Message: "no such address", ForGood: true}, day, 0)
	if err := s.SaveNotice(ctx, owner, second.Notice, after); err != nil {
		t.Fatal(err)
	}
	got := noticesOf(t, s, owner, frontdesk.NoticeFilter{})[0]
	if got.Status != frontdesk.NoticeDead || got.ErrorCode != frontdesk.NoticeRefused || got.Attempts != 2 || !got.DueAt.IsZero() {
		t.Errorf("it stands as %+v", got)
	}
	if claims := claimNotices(t, s, day.AddDate(0, 0, 7), 1); len(claims) != 0 {
		t.Errorf("a dead one was claimed: %+v", claims)
	}
	if err := s.RetryNotice(ctx, owner, frontdesk.Actor{}, n.ID, day); err != nil {
		t.Fatal(err)
	}
	if claims := claimNotices(t, s, day, 1); len(claims) != 1 || claims[0].Notice.Attempts != 1 {
		t.Errorf("retried: %+v", claims)
	}
	isMissing(t, s.RetryNotice(ctx, owner, frontdesk.Actor{}, n.ID, day)) // it is being sent
}

func TestWhenANoticeWasPlannedStays(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	n := letter(frontdesk.NewID(day), "", frontdesk.NoticeReminder, day)
	n.PlannedAt = time.Time{} // as those from before are
	if err := s.AddNotices(ctx, owner, n); err != nil {
		t.Fatal(err)
	}
	if got := noticesOf(t, s, owner, frontdesk.NoticeFilter{})[0]; !got.PlannedAt.Equal(day) {
		t.Errorf("before it is claimed: %v", got.PlannedAt)
	}
	for i, at := range []time.Time{day.Add(time.Hour), day.Add(3 * time.Hour)} {
		claim := claimNotices(t, s, at, 1)[0]
		after := claim.Notice.After(frontdesk.SendResult{ErrorCode: frontdesk.TimedOut}, at, 0)
		if i == 1 {
			after = claim.Notice.Postponed(at.Add(time.Hour))
		}
		if err := s.SaveNotice(ctx, owner, claim.Notice, after); err != nil {
			t.Fatal(err)
		}
	}
	got := noticesOf(t, s, owner, frontdesk.NoticeFilter{})[0]
	if !got.PlannedAt.Equal(day) || got.Status != frontdesk.NoticeFailed || got.Attempts != 1 || !got.DueAt.Equal(day.Add(4*time.Hour)) {
		t.Errorf("tried once and postponed once, it is %+v", got)
	}
}

func TestNoticesThatWereGivenUpAreRetriedAtOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	rizos, lola := frontdesk.NewID(day), frontdesk.NewID(day)
	add := func(agent frontdesk.ID, status frontdesk.NoticeStatus, code string, made time.Time) {
		t.Helper()
		n := letter(agent, "", frontdesk.NoticeConfirmation, time.Time{})
		n.Status, n.ErrorCode, n.CreatedAt, n.Attempts = status, code, made, frontdesk.MaxAttempts
		if err := s.AddNotices(ctx, owner, n); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		add(rizos, frontdesk.NoticeDead, frontdesk.NoticeRefused, day)
	}
	add(lola, frontdesk.NoticeDead, frontdesk.NoticeRefused, day)
	add(rizos, frontdesk.NoticeDead, frontdesk.ConnectFailed, day.Add(-48*time.Hour))
	add(rizos, frontdesk.NoticeDead, frontdesk.NoticeBounced, day)
	add(rizos, frontdesk.NoticeDead, frontdesk.NoticeBadAddress, day)
	add(rizos, frontdesk.NoticeEnded, "", day)
	add(rizos, frontdesk.NoticeSent, "", day)
	retry := func(name string, which store.Unsent, most int, want int64) {
		t.Helper()
		if n, err := s.RetryDeadNotices(ctx, owner, frontdesk.Actor{}, which, day, most); err != nil || n != want {
			t.Errorf("%s: %d, %v, want %d", name, n, err, want)
		}
	}
	lastDay := day.Add(-24 * time.Hour)
	retry("some of an agent's of a day", store.Unsent{AgentID: rizos, Since: lastDay}, 2, 2)
	retry("the rest", store.Unsent{AgentID: rizos, Since: lastDay}, 2, 1)
	retry("older ones", store.Unsent{AgentID: rizos}, 10, 1)
	retry("everybody's", store.Unsent{}, 10, 1)
	retry("none is left", store.Unsent{}, 10, 0)
	claims := claimNotices(t, s, day, 10)
	if len(claims) != 5 || claims[0].Notice.Attempts != 1 {
		t.Errorf("claimed were %+v", claims)
	}
}

func TestHowNoticesStandIsCounted(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	test := frontdesk.Owner{TenantID: owner.TenantID}
	for _, of := range []struct {
		owner   frontdesk.Owner
		status  frontdesk.NoticeStatus
		channel frontdesk.NoticeChannel
		due     time.Time
	}{
		{owner, frontdesk.NoticePending, frontdesk.ByEmail, day.Add(-time.Minute)},
		{test, frontdesk.NoticeFailed, frontdesk.ByEmail, day.Add(-time.Hour)},
		{owner, frontdesk.NoticePending, frontdesk.ByEmail, day.AddDate(0, 0, 3)},
		{owner, frontdesk.NoticeDead, frontdesk.ByEmail, time.Time{}},
		{test, frontdesk.NoticeDead, frontdesk.ByEmail, time.Time{}},
		{owner, frontdesk.NoticeSent, frontdesk.ByEmail, time.Time{}},
		{owner, frontdesk.NoticePending, frontdesk.ByText, day.AddDate(0, 0, 3)},
	} {
		n := letter(frontdesk.NewID(day), "", frontdesk.NoticeReminder, of.due)
		n.Status, n.Channel = of.status, of.channel
		if err := s.AddNotices(ctx, of.owner, n); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.NoticeQueuesForWorker(ctx, day)
	if err != nil {
		t.Fatal(err)
	}
	for channel, want := range map[frontdesk.NoticeChannel]store.NoticeQueue{
		frontdesk.ByEmail: {Open: 3, Due: 2, Oldest: time.Hour, Failed: 1, Dead: 2},
		frontdesk.ByText:  {Open: 1},
	} {
		if got[channel] != want {
			t.Errorf("%s: %+v, want %+v", channel, got[channel], want)
		}
	}
}

func TestNewsOfACaptureAreWrittenWithIt(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := newAgent(t, s, owner.TenantID)
	agent.Settings.Notices = frontdesk.NoticeSettings{
		Customer: []frontdesk.NoticeChannel{frontdesk.ByEmail}, Owner: frontdesk.OwnerNotices{Emails: []string{"o@example.com"}},
	}
	tell := func(old, changed frontdesk.Capture) frontdesk.Telling {
		return frontdesk.News{Agent: agent, Live: true, Old: old, New: changed, ByCustomer: true, Now: day}.Telling()
	}
	n := newCapture(agent.ID, "call/1", oneOnly)
	n.Tell = tell
	c := addOne(t, s, owner, n)
	addOne(t, s, owner, n) // the same again
	wants := func(name string, want ...string) {
		t.Helper()
		if got := standing(t, s, owner, c.ID); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	wants("booked", "confirmation pending", "owner_booking pending", "reminder pending", "reminder pending")
	change := func(what func(*frontdesk.Capture)) {
		t.Helper()
		if _, err := s.ChangeCapture(ctx, owner, store.CaptureChange{
			ID: c.ID, Now: day, Tell: tell, Event: n.Event,
			Change: func(c frontdesk.Capture) (frontdesk.Capture, error) {
				what(&c)
				return c, nil
			},
		}); err != nil {
			t.Fatal(err)
		}
	}
	change(func(c *frontdesk.Capture) { c.ScheduledAt = "2026-11-20T21:00:00" })
	wants("moved before anybody was told", "confirmation pending", "owner_booking pending", "reminder ended", "reminder ended", "reminder pending", "reminder pending")
	for _, claim := range claimNotices(t, s, day.Add(time.Minute), 10) {
		if err := s.SaveNotice(ctx, owner, claim.Notice, claim.Notice.After(frontdesk.SendResult{}, day, 0)); err != nil {
			t.Fatal(err)
		}
	}
	change(func(c *frontdesk.Capture) { c.Visit.Party = 5 })
	wants("changed after", "change pending", "confirmation sent", "owner_booking sent", "owner_change pending",
		"reminder ended", "reminder ended", "reminder pending", "reminder pending")
	change(func(c *frontdesk.Capture) { c.Status = frontdesk.Cancelled })
	wants("cancelled", "cancellation pending", "change ended", "confirmation sent", "owner_booking sent", "owner_cancellation pending", "owner_change ended",
		"reminder ended", "reminder ended", "reminder ended", "reminder ended")
}

func TestRemindersAreStoppedAtAnAddress(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	for _, kind := range []frontdesk.NoticeKind{frontdesk.NoticeReminder, frontdesk.NoticeConfirmation} {
		if err := s.AddNotices(ctx, owner, letter(frontdesk.NewID(day), "", kind, day)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := s.StopReminders(ctx, owner, "ana@example.com", day); err != nil {
			t.Fatal(err)
		}
	}
	if got := noticesOf(t, s, owner, frontdesk.NoticeFilter{Kind: frontdesk.NoticeReminder}); got[0].Status != frontdesk.NoticeEnded {
		t.Errorf("the reminder is %s", got[0].Status)
	}
	if got := noticesOf(t, s, owner, frontdesk.NoticeFilter{Kind: frontdesk.NoticeConfirmation}); got[0].Status != frontdesk.NoticePending {
		t.Errorf("the confirmation is %s", got[0].Status)
	}
	for address, want := range map[string]bool{"ana@example.com": true, "bea@example.com": false} {
		if stopped, err := s.RemindersStopped(ctx, owner, address); err != nil || stopped != want {
			t.Errorf("%s: %v, %v", address, stopped, err)
		}
	}
}

func TestWhatIsOnceIsWrittenOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	for range 3 {
		n := letter(frontdesk.NewID(day), "", frontdesk.OwnerSummary, day)
		n.Once = "summary 2026-11-16"
		if err := s.AddNotices(ctx, owner, n); err != nil {
			t.Fatal(err)
		}
	}
	if got := noticesOf(t, s, owner, frontdesk.NoticeFilter{}); len(got) != 1 {
		t.Errorf("there are %d", len(got))
	}
}

func TestOldNoticesArePruned(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	done, open := letter(frontdesk.NewID(day), "", frontdesk.OwnerMessage, day), letter(frontdesk.NewID(day), "", frontdesk.NoticeReminder, day.AddDate(0, 2, 0))
	done.Status, done.DueAt = frontdesk.NoticeSent, time.Time{}
	if err := s.AddNotices(ctx, owner, done, open); err != nil {
		t.Fatal(err)
	}
	if n, err := s.PruneNoticesForWorker(ctx, day.AddDate(0, 1, 0), 10); err != nil || n != 1 {
		t.Errorf("pruned %d, %v", n, err)
	}
	if got := noticesOf(t, s, owner, frontdesk.NoticeFilter{}); len(got) != 1 || got[0].ID != open.ID {
		t.Errorf("left %+v", got)
	}
}

func TestAgentsToldDaily(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for _, slug := range []string{"daily", "never"} {
		a := newAgent(t, s, storetest.Tenant(t, s, slug).ID)
		if _, err := s.ChangeAgent(ctx, frontdesk.Owner{TenantID: a.TenantID, Live: true}, a.Slug, changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) {
			a.Settings.Notices.Owner = frontdesk.OwnerNotices{Emails: []string{"o@example.com"}, Daily: slug == "daily"}
			return a, nil
		})); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.AgentsToldDailyForWorker(ctx); err != nil || len(got) != 1 || !got[0].Settings.Notices.Owner.Daily {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestATagIsNoOtherMailbox(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "lola")
	owner := frontdesk.Owner{TenantID: tenant.ID, Live: true}
	for _, address := range []string{"a_b@example.com", "a_b+1@example.com", "a_b+2@example.com", "axb+1@example.com", "a_b+1@example.org"} {
		n := letter(frontdesk.NewID(day), "", frontdesk.NoticeWaiting, day)
		n.Status, n.DueAt, n.SentAt, n.Address = frontdesk.NoticeSent, time.Time{}, day, address
		if err := s.AddNotices(ctx, owner, n); err != nil {
			t.Fatal(err)
		}
	}
	for address, want := range map[string]int{"a_b+9@example.com": 3, "a_b@example.com": 3, "a_b@example.org": 1, "+34600000001": 0} {
		if n, err := s.NoticesTo(ctx, owner, address, day); err != nil || n != want {
			t.Errorf("%s got %d, want %d, %v", address, n, want, err)
		}
	}
}
