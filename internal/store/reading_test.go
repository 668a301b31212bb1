package store_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const readingLease = time.Minute

// claimDocument takes the document that is due.
func claimDocument(t testing.TB, s *store.Store, now time.Time) store.DocumentClaim {
	t.Helper()
	c, found, err := s.ClaimDocumentForWorker(ctx, now, now.Add(readingLease), 0)
	if err != nil || !found {
		t.Fatalf("claiming: %v, %v", found, err)
	}
	return c
}

func noneIsDue(t testing.TB, s *store.Store, now time.Time) {
	t.Helper()
	if c, found, err := s.ClaimDocumentForWorker(ctx, now, now.Add(readingLease), 0); err != nil || found {
		t.Errorf("claimed %+v, %v", c, err)
	}
}

// makeReady reads the document that is due, as these fragments.
func makeReady(t testing.TB, s *store.Store, now time.Time, fragments []frontdesk.Fragment) store.DocumentClaim {
	t.Helper()
	c := claimDocument(t, s, now)
	save(t, s, c, fragments, now, true)
	return c
}

// save saves a reading, which counts or comes too late.
func save(t testing.TB, s *store.Store, c store.DocumentClaim, fragments []frontdesk.Fragment, now time.Time, want bool) {
	t.Helper()
	if saved, err := s.SaveFragments(ctx, c.Owner, c, fragments, now, 100_000); err != nil || saved != want {
		t.Errorf("saving: %v, %v", saved, err)
	}
}

func passage(position int, text string) frontdesk.Fragment {
	return frontdesk.Fragment{
		ID: frontdesk.NewID(day), Position: position, Page: position + 1, Line: 2 * position, Language: "es", Heading: "Carta > «Ñ»",
		Question: "¿Qué hay? 🐦", Text: text,
	}
}

func fragmentsOf(t testing.TB, s *store.Store, owner frontdesk.Owner, agent frontdesk.ID) (all []frontdesk.Fragment) {
	t.Helper()
	if err := s.Fragments(ctx, owner, agent, func(f frontdesk.Fragment) error {
		all = append(all, f)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// raises says whether something raises the version of the owner's knowledge.
func raises(t testing.TB, s *store.Store, owner frontdesk.Owner, do func()) bool {
	t.Helper()
	before, err := s.KnowledgeVersion(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	do()
	after, err := s.KnowledgeVersion(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	return after > before
}

func TestOfManyReadersEachGetsItsOwn(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	const documents = 60
	for i := range documents {
		add(t, nodes[0], owner, paper(fmt.Sprint("paper ", i)))
	}
	var mu sync.Mutex
	seen := map[frontdesk.ID]int{}
	for _, err := range atOnce(8, func(i int) error {
		for {
			c, found, err := nodes[i%2].ClaimDocumentForWorker(ctx, day, day.Add(readingLease), 0)
			if err != nil || !found {
				return err
			}
			mu.Lock()
			seen[c.Document.ID]++
			if c.Owner != owner || c.Document.Status != frontdesk.DocumentProcessing || c.Attempts != 1 {
				t.Errorf("got %+v", c)
			}
			mu.Unlock()
		}
	}) {
		t.Error(err)
	}
	for { // on PostgreSQL one that finds only locked rows goes home
		c, found, err := nodes[0].ClaimDocumentForWorker(ctx, day, day.Add(readingLease), 0)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			break
		}
		seen[c.Document.ID]++
	}
	if len(seen) != documents {
		t.Errorf("%d were claimed", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s was claimed %d times", id, n)
		}
	}
}

func TestTheDocumentThatWaitedLongestComesFirst(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	for i, minutes := range []int{2, 0, 1} {
		d := paper(fmt.Sprint(i))
		d.Title, d.CreatedAt = fmt.Sprint(minutes), day.Add(time.Duration(minutes)*time.Minute)
		add(t, s, owner, d)
	}
	noneIsDue(t, s, day.Add(-time.Microsecond))
	for _, want := range []string{"0", "1", "2"} {
		c, found, err := s.ClaimDocumentForWorker(ctx, day.Add(2*time.Minute), day.Add(time.Hour), 0)
		if err != nil || !found || c.Document.Title != want || !c.LeaseUntil.Equal(day.Add(time.Hour)) {
			t.Errorf("got %+v, %v, want %s", c, err, want)
		}
	}
	noneIsDue(t, s, day.Add(2*time.Minute))
}

// A worker for light work passes over what is large, and over PDFs of any size.
func TestLightDocumentsPassHeavyOnes(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	scan, large, small := paper("scan"), paper("large text"), paper("text")
	scan.Kind, scan.Filename = frontdesk.PDF, "scan.pdf"
	for i, d := range []*frontdesk.Document{&scan, &large, &small} {
		d.CreatedAt = day.Add(time.Duration(i) * time.Second)
		add(t, s, owner, *d)
	}
	later := day.Add(time.Minute)
	claim := func(most int64) (id frontdesk.ID) {
		t.Helper()
		c, _, err := s.ClaimDocumentForWorker(ctx, later, later.Add(readingLease), most)
		if err != nil {
			t.Fatal(err)
		}
		return c.Document.ID
	}
	for i, want := range []struct {
		most int64
		id   frontdesk.ID
	}{{small.SizeBytes, small.ID}, {small.SizeBytes, ""}, {0, scan.ID}, {large.SizeBytes - 1, ""}, {large.SizeBytes, large.ID}, {0, ""}} {
		if got := claim(want.most); got != want.id {
			t.Errorf("claim %d is %q, want %q", i, got, want.id)
		}
	}
}

func TestALeaseThatRunsOut(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	d := add(t, s, owner, paper("one"))
	lost := claimDocument(t, s, day)
	noneIsDue(t, s, day.Add(readingLease-time.Microsecond))
	second := claimDocument(t, s, day.Add(readingLease))
	if lost.Attempts != 1 || second.Attempts != 2 || second.Document.ID != d.ID {
		t.Errorf("got %+v, then %+v", lost, second)
	}

	// The one whose lease ran out comes back: nothing of it counts any more.
	unchanged := func() {
		t.Helper()
		if got := documentOf(t, s, owner, d.ID); got.Status != frontdesk.DocumentProcessing || got.Help != "" {
			t.Errorf("it is now %+v", got)
		}
		noneIsDue(t, s, day.Add(readingLease))
	}
	if raises(t, s, owner, func() { save(t, s, lost, []frontdesk.Fragment{passage(0, "late")}, day, false) }) {
		t.Error("the version was raised")
	}
	unchanged()
	if err := s.FailDocument(ctx, owner, lost, "late", day); err != nil {
		t.Fatal(err)
	}
	unchanged()
	if err := s.ReleaseDocument(ctx, owner, lost, day, true); err != nil {
		t.Fatal(err)
	}
	unchanged()

	save(t, s, second, []frontdesk.Fragment{passage(0, "in time")}, day, true)
	save(t, s, second, []frontdesk.Fragment{passage(0, "twice")}, day, false)
	save(t, s, lost, []frontdesk.Fragment{passage(0, "later still")}, day, false)
	if got := fragmentsOf(t, s, owner, ""); len(got) != 1 || got[0].Text != "in time" {
		t.Errorf("got %v", got)
	}
	noneIsDue(t, s, day.AddDate(1, 0, 0))
}

func TestADocumentThatIsGivenBack(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	d := add(t, s, owner, paper("one"))
	told := 0
	s.OnDocuments(func() { told++ })
	attempts := func(want int, at time.Time, counts bool) {
		t.Helper()
		noneIsDue(t, s, at.Add(-time.Microsecond))
		c := claimDocument(t, s, at)
		if c.Attempts != want {
			t.Errorf("attempt %d, want %d", c.Attempts, want)
		}
		if err := s.ReleaseDocument(ctx, owner, c, at.Add(time.Second), counts); err != nil {
			t.Fatal(err)
		}
		if got := documentOf(t, s, owner, d.ID); got.Status != frontdesk.DocumentPending {
			t.Errorf("it is now %+v", got)
		}
	}
	attempts(1, day, false)
	attempts(1, day.Add(time.Second), true)
	attempts(2, day.Add(2*time.Second), false)
	attempts(2, day.Add(3*time.Second), true)
	if told != 4 {
		t.Errorf("the worker was told %d times", told)
	}
}

func TestADocumentThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	d := add(t, s, owner, paper("one"))
	if err := s.FailDocument(ctx, owner, claimDocument(t, s, day), "Save it «anew».", day.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	got := documentOf(t, s, owner, d.ID)
	if got.Status != frontdesk.DocumentError || got.Help != "Save it «anew»." || !got.UpdatedAt.Equal(day.Add(time.Second)) || !got.ReadyAt.IsZero() {
		t.Errorf("got %+v", got)
	}
	noneIsDue(t, s, day.AddDate(1, 0, 0))
}

func TestFragmentsAreKeptWhole(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	d := add(t, s, owner, paper("one"))
	want := []frontdesk.Fragment{passage(0, "Menú del día: 12,50 €"), passage(1, "We close on Mondays."), {ID: frontdesk.NewID(day), Position: 2}}
	want[0].Vector, want[1].Language = []float32{0, -1.5, 3.4028235e38, 1e-45}, "en"
	makeReady(t, s, day.Add(time.Second), want)
	for i := range want {
		want[i].DocumentID = d.ID
	}
	if got := fragmentsOf(t, s, owner, ""); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	got := documentOf(t, s, owner, d.ID)
	if got.Status != frontdesk.DocumentReady || got.Fragments != 3 || strings.Join(got.Languages, " ") != "en es" || !got.ReadyAt.Equal(day.Add(time.Second)) {
		t.Errorf("got %+v", got)
	}
	titles, err := s.Titles(ctx, owner)
	if err != nil || len(titles) != 1 || titles[d.ID].Title != d.Title || titles[d.ID].Kind != d.Kind {
		t.Errorf("titles are %v, %v", titles, err)
	}
}

func TestALongDocument(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	add(t, s, owner, paper("long"))
	var fragments []frontdesk.Fragment
	for i := range 5000 {
		fragments = append(fragments, passage(i, fmt.Sprintf("%d. %s", i, strings.Repeat("Una frase de la carta. ", 10))))
	}
	var c store.DocumentClaim
	if !raises(t, s, owner, func() { c = makeReady(t, s, day, fragments) }) {
		t.Error("the version is the old one")
	}
	got := fragmentsOf(t, s, owner, "")
	if len(got) != len(fragments) {
		t.Fatalf("%d fragments", len(got))
	}
	for i, f := range got {
		if f.Position != i || f.Text != fragments[i].Text {
			t.Fatalf("fragment %d is %+v", i, f)
		}
	}

	// Read anew, it has the new fragments and none of the old ones.
	if _, err := s.Beside().Exec(`UPDATE documents SET status = 'pending', due_at = $1`, micros(day)); err != nil {
		t.Fatal(err)
	}
	if len(fragmentsOf(t, s, owner, "")) != 0 {
		t.Error("a document that waits is answered from")
	}
	again := claimDocument(t, s, day)
	if saved, err := s.SaveFragments(ctx, owner, again, fragments[:70], day, 5000); err != nil || !saved {
		t.Errorf("its own old fragments took the room: %v, %v", saved, err)
	}
	if got := documentOf(t, s, owner, c.Document.ID); got.Fragments != 70 || len(fragmentsOf(t, s, owner, "")) != 70 {
		t.Errorf("got %+v", got)
	}
}

func TestADocumentThatGoesWhileItIsRead(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	d := add(t, s, owner, paper("one"))
	c := claimDocument(t, s, day)
	if err := s.DeleteDocument(ctx, owner, frontdesk.Actor{}, d.ID); err != nil {
		t.Fatal(err)
	}
	save(t, s, c, []frontdesk.Fragment{passage(0, "late")}, day, false)
	if err := s.FailDocument(ctx, owner, c, "late", day); err != nil {
		t.Error(err)
	}
	if err := s.ReleaseDocument(ctx, owner, c, day, true); err != nil {
		t.Error(err)
	}
	_, err := s.Document(ctx, owner, d.ID)
	isMissing(t, err)
	var rows int
	if err := s.Beside().QueryRow(`SELECT COUNT(*) FROM fragments`).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d fragments are left, %v", rows, err)
	}
}

func TestADocumentThatIsArchivedWhileItIsRead(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	d := add(t, s, owner, paper("one"))
	c := claimDocument(t, s, day)
	if _, err := s.ArchiveDocument(ctx, owner, frontdesk.Actor{}, d.ID, day); err != nil {
		t.Fatal(err)
	}
	save(t, s, c, []frontdesk.Fragment{passage(0, "late")}, day, false)
	if err := s.FailDocument(ctx, owner, c, "late", day); err != nil {
		t.Error(err)
	}
	if err := s.ReleaseDocument(ctx, owner, c, day, true); err != nil {
		t.Error(err)
	}
	if got := documentOf(t, s, owner, d.ID); got.Status != frontdesk.DocumentArchived || got.Help != "" || got.Fragments != 0 {
		t.Errorf("it is now %+v", got)
	}
	noneIsDue(t, s, day.AddDate(1, 0, 0))
}

// Of deleting and saving at the same instant either comes first, and no
// fragment outlives its document.
func TestDeletingAndSavingAtOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	for i := range 10 {
		d := add(t, s, owner, paper(fmt.Sprint("paper ", i)))
		c := claimDocument(t, s, day)
		for _, err := range atOnce(2, func(i int) error {
			if i == 0 {
				return s.DeleteDocument(ctx, owner, frontdesk.Actor{}, d.ID)
			}
			_, err := s.SaveFragments(ctx, owner, c, []frontdesk.Fragment{passage(0, "one"), passage(1, "two")}, day, 100)
			return err
		}) {
			t.Error(err)
		}
	}
	var documents, fragments int
	if err := s.Beside().QueryRow(`SELECT (SELECT COUNT(*) FROM documents), (SELECT COUNT(*) FROM fragments)`).Scan(&documents, &fragments); err != nil || documents+fragments != 0 {
		t.Errorf("%d documents and %d fragments are left, %v", documents, fragments, err)
	}
}

func TestFragmentsAreLimited(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	var claims []store.DocumentClaim
	for i := range 6 {
		add(t, s, owner, paper(fmt.Sprint("paper ", i)))
		claims = append(claims, claimDocument(t, s, day))
	}
	two := []frontdesk.Fragment{passage(0, "one"), passage(1, "two")}
	// Two documents of the six fit, however many are saved at once.
	errs := atOnce(len(claims), func(i int) error {
		_, err := s.SaveFragments(ctx, owner, claims[i], two, day, 5)
		return err
	})
	for _, err := range errs {
		isKind(t, err, frontdesk.Invalid, "limit_reached")
	}
	if n := len(fragmentsOf(t, s, owner, "")); n != 4 || len(errs) != 4 {
		t.Errorf("there are %d fragments, %d documents were refused", n, len(errs))
	}
	// A refusal leaves the document its worker's, to be failed.
	refused := 0
	for _, c := range claims {
		if d := documentOf(t, s, owner, c.Document.ID); d.Status == frontdesk.DocumentProcessing {
			refused++
			if err := s.FailDocument(ctx, owner, c, "Too many.", day); err != nil {
				t.Fatal(err)
			}
			if d := documentOf(t, s, owner, c.Document.ID); d.Status != frontdesk.DocumentError || d.Help != "Too many." {
				t.Errorf("it is now %+v", d)
			}
		}
	}
	if refused != 4 {
		t.Errorf("%d are left to be failed", refused)
	}
}
