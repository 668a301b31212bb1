package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// asked is a call in which these questions found no answer.
func asked(at time.Time, questions ...string) store.Recording {
	r := recording(at, 60, 0)
	r.Unanswered = questions
	return r
}

func summary(t testing.TB, s *store.Store, owner frontdesk.Owner, since time.Time, top int) frontdesk.KnowledgeSummary {
	t.Helper()
	k, err := s.KnowledgeSummary(ctx, owner, since, top)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestUnansweredQuestionsAreCounted(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	other := frontdesk.Owner{TenantID: owner.TenantID}
	yesterday := day.AddDate(0, 0, -1)
	record(t, s, owner, asked(day, "¿Hay terraza?", "Do you have Wi-Fi?", "¿¡…!?"))
	record(t, s, owner, asked(yesterday, "¿hay TERRAZA", "Parking"))
	record(t, s, owner, asked(day.Add(time.Hour), "Parking", "Gluten"), asked(day.Add(-time.Hour), "hay terraza"))
	record(t, s, other, asked(day, "¿Hay terraza?"))

	// By how often, then by how lately.
	var got []string
	k := summary(t, s, owner, yesterday, 10)
	for _, q := range k.TopUnanswered {
		got = append(got, fmt.Sprintf("%d %s %s", q.Count, frontdesk.Spelling(q.Question), q.LastAskedAt.Sub(day)))
	}
	if want := []string{"3 hay terraza 0s", "2 parking 1h0m0s", "1 gluten 1h0m0s", "1 do you have wi fi 0s"}; !slices.Equal(got, want) || k.Unanswered != 7 {
		t.Errorf("%d: got\n%s", k.Unanswered, strings.Join(got, "\n"))
	}
	if k := summary(t, s, owner, yesterday, 2); len(k.TopUnanswered) != 2 || k.Unanswered != 7 {
		t.Errorf("of the first two: %+v", k)
	}
	if k := summary(t, s, owner, day, 10); k.Unanswered != 5 || k.TopUnanswered[0].Count != 2 {
		t.Errorf("since today: %+v", k)
	}
	if k := summary(t, s, other, yesterday, 10); k.Unanswered != 1 || len(k.TopUnanswered) != 1 {
		t.Errorf("of the other mode: %+v", k)
	}
	if err := s.PruneUnansweredForWorker(ctx, day); err != nil {
		t.Fatal(err)
	}
	if k := summary(t, s, owner, yesterday, 10); k.Unanswered != 5 {
		t.Errorf("once yesterday is forgotten: %+v", k)
	}
}

// put is a call to an agent in which these questions found no answer.
func put(at time.Time, agent frontdesk.ID, questions ...string) store.Recording {
	r := asked(at, questions...)
	r.Call.AgentID = agent
	return r
}

// unanswered are an agent's questions since a time, each with how often it was
// asked and of whom.
func unanswered(t testing.TB, s *store.Store, owner frontdesk.Owner, agent frontdesk.ID, names map[frontdesk.ID]string) string {
	t.Helper()
	u, err := s.Unanswered(ctx, owner, agent, day, 10)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{strconv.Itoa(u.Times)}
	for _, q := range u.Top {
		got = append(got, fmt.Sprintf("%s %d %s", frontdesk.Spelling(q.Question), q.Count, names[q.AgentID]))
	}
	return strings.Join(got, ", ")
}

// A question belongs to the agent that it was put to, and is counted there; one of
// which no agent is known belongs to all.
func TestQuestionsOfAgents(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	lola, dentist := frontdesk.NewID(day), frontdesk.NewID(day)
	record(t, s, owner, put(day, lola, "¿Hay terraza?", "Parking"), put(day, lola, "¿Hay terraza?"))
	record(t, s, owner, put(day, dentist, "Parking", "¿Ponéis coronas?"), put(day, dentist, "parking"), put(day, dentist, "parking"))
	record(t, s, owner, asked(day, "Gluten", "¿Ponéis coronas?"))
	names := map[frontdesk.ID]string{lola: "lola", dentist: "dentist", "": "-"}
	for agent, want := range map[frontdesk.ID]string{
		lola:    "5, hay terraza 2 lola, gluten 1 -, parking 1 lola, ponéis coronas 1 -",
		dentist: "6, parking 3 dentist, ponéis coronas 2 dentist, gluten 1 -",
		"":      "9, parking 4 -, hay terraza 2 lola, ponéis coronas 2 -, gluten 1 -",
	} {
		if got := unanswered(t, s, owner, agent, names); got != want {
			t.Errorf("of %s: got %s, want %s", names[agent], got, want)
		}
	}
	if err := s.PruneUnansweredForWorker(ctx, day.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	if got := unanswered(t, s, owner, "", names); got != "0" {
		t.Errorf("when all is forgotten: %s", got)
	}
}

// Questions from before agents were kept have none, and are counted with those that
// have.
func TestMigrateToQuestionsOfAgents(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "questions_of_agents", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	if _, err := s.Beside().Exec(`INSERT INTO unanswered (tenant_id, live, day, spelling, question, times, last_asked_at)
		VALUES ($1, TRUE, $2, 'parking', 'Parking', 2, $3), ($1, TRUE, $2, 'gluten', 'Gluten', 1, $3)`,
		string(owner.TenantID), day.Unix()/86_400, micros(day)); err != nil {
		t.Fatal(err)
	}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	lola := frontdesk.NewID(day)
	record(t, s, owner, put(day, lola, "parking"))
	names := map[frontdesk.ID]string{lola: "lola", "": "-"}
	if got := unanswered(t, s, owner, lola, names); got != "4, parking 3 lola, gluten 1 -" {
		t.Errorf("of the agent: %s", got)
	}
	if got := unanswered(t, s, owner, frontdesk.NewID(day), names); got != "3, parking 2 -, gluten 1 -" {
		t.Errorf("of another: %s", got)
	}
}

// Calls that end at once asked the same things in any order, and wait for each
// other without standing in each other's way.
func TestUnansweredQuestionsOfCallsThatEndAtOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	questions := strings.Fields("a b c d e f g h i j k l")
	const calls = 40
	for _, err := range atOnce(calls, func(i int) error {
		mine := slices.Clone(questions)
		if i%2 == 1 {
			slices.Reverse(mine)
		}
		return s.RecordCalls(ctx, owner, asked(day, mine...))
	}) {
		t.Error(err)
	}
	k := summary(t, s, owner, day, 100)
	if k.Unanswered != calls*len(questions) || len(k.TopUnanswered) != len(questions) {
		t.Errorf("got %+v", k)
	}
}

func TestTheSummaryOfAKnowledgeBase(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	if k := summary(t, s, owner, day, 10); k.Documents != 0 || k.Fragments != 0 || !k.LastReadyAt.IsZero() || k.Unanswered != 0 || len(k.TopUnanswered) != 0 {
		t.Errorf("of nothing: %+v", k)
	}
	english := passage(1, "Open daily.")
	english.Language = "en"
	for i := range 3 {
		add(t, s, owner, paper(fmt.Sprint("paper ", i)))
		makeReady(t, s, day.Add(time.Duration(i)*time.Second), []frontdesk.Fragment{passage(0, "Abierto."), english}[:1+i%2])
	}
	broken, old := add(t, s, owner, paper("broken")), paper("archived")
	if err := s.FailDocument(ctx, owner, claimDocument(t, s, day), "Save it anew.", day); err != nil {
		t.Fatal(err)
	}
	add(t, s, owner, old)
	makeReady(t, s, day.Add(time.Minute), []frontdesk.Fragment{passage(0, "Antes.")})
	if _, err := s.ArchiveDocument(ctx, owner, frontdesk.Actor{}, old.ID, day); err != nil {
		t.Fatal(err)
	}
	k := summary(t, s, owner, day, 10)
	if k.Documents != 5 || k.ByStatus[frontdesk.DocumentReady] != 3 || k.ByStatus[frontdesk.DocumentError] != 1 || k.ByStatus[frontdesk.DocumentArchived] != 1 {
		t.Errorf("got %+v", k)
	}
	if k.Fragments != 4 || strings.Join(k.Languages, " ") != "en es" || k.SizeBytes != int64(3*len("paper 0"))+broken.SizeBytes+old.SizeBytes {
		t.Errorf("got %+v", k)
	}
	if !k.LastReadyAt.Equal(day.Add(time.Minute)) {
		t.Errorf("the last was ready at %v", k.LastReadyAt)
	}
}

func TestWhoseFragmentsAnAgentAnswersFrom(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	bar, hotel := frontdesk.NewID(day), frontdesk.NewID(day)
	for text, agent := range map[string]frontdesk.ID{"bar": bar, "hotel": hotel, "all": ""} {
		d := paper(text)
		d.AgentID = agent
		add(t, s, owner, d)
		makeReady(t, s, day, []frontdesk.Fragment{passage(0, text)})
	}
	add(t, s, frontdesk.Owner{TenantID: owner.TenantID}, paper("sandbox"))
	makeReady(t, s, day, []frontdesk.Fragment{passage(0, "sandbox")})
	for agent, want := range map[frontdesk.ID]string{bar: "all bar", hotel: "all hotel", "": "all", frontdesk.NewID(day): "all"} {
		var texts []string
		for _, f := range fragmentsOf(t, s, owner, agent) {
			texts = append(texts, f.Text)
		}
		slices.Sort(texts)
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	stop := errors.New("stop")
	if err := s.Fragments(ctx, owner, bar, func(frontdesk.Fragment) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}
