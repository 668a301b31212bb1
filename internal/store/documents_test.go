package store_test

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// paper is a document with these bytes that waits to be read.
func paper(text string) frontdesk.Document {
	sum := sha256.Sum256([]byte(text))
	return frontdesk.Document{
		ID: frontdesk.NewID(day), Live: true, Title: "Carta «Ñ» 🐦", Filename: "carta.md", Kind: frontdesk.Markdown, SizeBytes: int64(len(text)),
		SHA256: sum[:], Status: frontdesk.DocumentPending, CreatedAt: day, UpdatedAt: day,
	}
}

// add writes a document that is not there yet.
func add(t testing.TB, s *store.Store, owner frontdesk.Owner, d frontdesk.Document) frontdesk.Document {
	t.Helper()
	got, added, err := s.AddDocument(ctx, owner, frontdesk.Actor{}, d, frontdesk.DefaultPlan())
	if err != nil || !added {
		t.Fatalf("adding: %v, %v", added, err)
	}
	return got
}

func documentOf(t testing.TB, s *store.Store, owner frontdesk.Owner, id frontdesk.ID) frontdesk.Document {
	t.Helper()
	d, err := s.Document(ctx, owner, id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDocumentsAreKeptWhole(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	for _, agent := range []frontdesk.ID{"", frontdesk.NewID(day)} {
		want := paper("for " + string(agent))
		want.AgentID = agent
		if got := add(t, s, owner, want); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		want.Languages = []string{} // it reads as none
		if got := documentOf(t, s, owner, want.ID); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	_, err := s.Document(ctx, owner, frontdesk.NewID(day))
	isMissing(t, err)
}

func TestTheSameBytesAreOneDocument(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	const uploads = 20
	var got [uploads]frontdesk.Document
	var added [uploads]bool
	for _, err := range atOnce(uploads, func(i int) (err error) {
		got[i], added[i], err = nodes[i%2].AddDocument(ctx, owner, frontdesk.Actor{}, paper("the same"), frontdesk.DefaultPlan())
		return err
	}) {
		t.Error(err)
	}
	won := 0
	for i := range got {
		if added[i] {
			won++
		}
		if got[i].ID != got[0].ID {
			t.Errorf("upload %d is %s, upload 0 is %s", i, got[i].ID, got[0].ID)
		}
	}
	u, err := nodes[0].DocumentUse(ctx, owner)
	if err != nil || won != 1 || u.Documents != 1 || u.Bytes != int64(len("the same")) {
		t.Errorf("%d were added, there are %+v, %v", won, u, err)
	}
}

func TestTheSameBytesForOthersAreAnotherDocument(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	first := add(t, s, owner, paper("the same"))
	forAgent := paper("the same")
	forAgent.AgentID = frontdesk.NewID(day)
	add(t, s, owner, forAgent)
	add(t, s, frontdesk.Owner{TenantID: owner.TenantID}, paper("the same"))

	// What is archived is there all the same, and one that is deleted is not.
	if _, err := s.ArchiveDocument(ctx, owner, frontdesk.Actor{}, first.ID, day); err != nil {
		t.Fatal(err)
	}
	got, added, err := s.AddDocument(ctx, owner, frontdesk.Actor{}, paper("the same"), frontdesk.DefaultPlan())
	if err != nil || added || got.ID != first.ID || got.Status != frontdesk.DocumentArchived {
		t.Errorf("got %+v, %v, %v", got, added, err)
	}
	if err := s.DeleteDocument(ctx, owner, frontdesk.Actor{}, first.ID); err != nil {
		t.Fatal(err)
	}
	add(t, s, owner, paper("the same"))
}

func TestDocumentsAreLimited(t *testing.T) {
	t.Parallel()
	tests := map[string]frontdesk.Plan{
		"in number": {MaxDocuments: 5, MaxTotalBytes: 1 << 20},
		"in bytes":  {MaxDocuments: 100, MaxTotalBytes: 5*8 + 7},
	}
	for name, plan := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, owner := owned(t)
			errs := atOnce(20, func(i int) error {
				_, _, err := s.AddDocument(ctx, owner, frontdesk.Actor{}, paper(fmt.Sprintf("paper %02d", i)), plan)
				return err
			})
			for _, err := range errs {
				isKind(t, err, frontdesk.Invalid, "limit_reached")
			}
			u, err := s.DocumentUse(ctx, owner)
			if err != nil || u != (frontdesk.DocumentUse{Documents: 5, Bytes: 40}) || len(errs) != 15 {
				t.Errorf("there are %+v, %d were refused, %v", u, len(errs), err)
			}
			if _, added, err := s.AddDocument(ctx, frontdesk.Owner{TenantID: owner.TenantID}, frontdesk.Actor{}, paper("paper 00"), plan); err != nil || !added {
				t.Errorf("in the other mode: %v, %v", added, err)
			}
			// The same bytes once more need no room.
			l, err := s.Documents(ctx, owner, frontdesk.DocumentFilter{}, frontdesk.Page{})
			if err != nil {
				t.Fatal(err)
			}
			again := paper("")
			again.SHA256 = l.Items[0].SHA256
			if got, added, err := s.AddDocument(ctx, owner, frontdesk.Actor{}, again, plan); err != nil || added || got.ID != l.Items[0].ID {
				t.Errorf("once more: %v, %v, %v", got, added, err)
			}
		})
	}
}

func TestDocumentsByPageAndFilter(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := frontdesk.NewID(day)
	var want []frontdesk.Document
	for i := range 12 {
		d := paper(fmt.Sprint("paper ", i))
		d.ID = frontdesk.NewID(day.Add(time.Duration(i) * time.Second))
		if i%3 == 0 {
			d.AgentID = agent
		}
		add(t, s, owner, d)
		if d.Status = frontdesk.DocumentPending; i%2 == 0 {
			d.Status = frontdesk.DocumentArchived
			if _, err := s.ArchiveDocument(ctx, owner, frontdesk.Actor{}, d.ID, day); err != nil {
				t.Fatal(err)
			}
		}
		want = append([]frontdesk.Document{d}, want...)
	}
	for _, f := range []frontdesk.DocumentFilter{
		{}, {AgentID: agent}, {Status: frontdesk.DocumentArchived}, {AgentID: agent, Status: frontdesk.DocumentPending}, {Status: frontdesk.DocumentReady},
	} {
		var ids []frontdesk.ID
		for _, d := range want {
			if (f.AgentID == "" || d.AgentID == f.AgentID) && (f.Status == "" || d.Status == f.Status) {
				ids = append(ids, d.ID)
			}
		}
		walkPages(t, ids, func(p frontdesk.Page) (got []frontdesk.ID, more bool) {
			l, err := s.Documents(ctx, owner, f, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range l.Items {
				got = append(got, d.ID)
			}
			return got, l.More
		})
	}
}

func TestADeletedDocumentTakesItsFragmentsAlong(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	goes, stays := add(t, s, owner, paper("goes")), add(t, s, owner, paper("stays"))
	makeReady(t, s, day, []frontdesk.Fragment{passage(0, "one"), passage(1, "two")})
	makeReady(t, s, day, []frontdesk.Fragment{passage(0, "three"), passage(1, "four")})
	raised := raises(t, s, owner, func() {
		if err := s.DeleteDocument(ctx, owner, frontdesk.Actor{}, goes.ID); err != nil {
			t.Fatal(err)
		}
	})
	if !raised {
		t.Error("the version is the old one")
	}
	_, err := s.Document(ctx, owner, goes.ID)
	isMissing(t, err)
	var rows int
	if err := s.Beside().QueryRow(`SELECT COUNT(*) FROM fragments WHERE document_id = $1`, string(goes.ID)).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d of its fragments are left, %v", rows, err)
	}
	for _, f := range fragmentsOf(t, s, owner, "") {
		if f.DocumentID != stays.ID {
			t.Errorf("got %+v", f)
		}
	}
	if raises(t, s, owner, func() { isMissing(t, s.DeleteDocument(ctx, owner, frontdesk.Actor{}, goes.ID)) }) {
		t.Error("deleting what is not there raised the version")
	}
}

func TestAnArchivedDocumentIsKeptOutOfAnswers(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	d := add(t, s, owner, paper("old rules"))
	makeReady(t, s, day, []frontdesk.Fragment{passage(0, "one")})
	later := day.Add(time.Hour)
	archive := func(at time.Time) (got frontdesk.Document) {
		t.Helper()
		got, err := s.ArchiveDocument(ctx, owner, frontdesk.Actor{}, d.ID, at)
		if err != nil || got.Status != frontdesk.DocumentArchived || !got.ArchivedAt.Equal(later) || got.Fragments != 1 {
			t.Errorf("got %+v, %v", got, err)
		}
		return got
	}
	if !raises(t, s, owner, func() { archive(later) }) {
		t.Error("the version is the old one")
	}
	if raises(t, s, owner, func() { archive(later.Add(time.Hour)) }) { // said twice, it is archived since the first time
		t.Error("archiving twice raised the version")
	}
	if got := fragmentsOf(t, s, owner, ""); len(got) != 0 {
		t.Errorf("its fragments are %v", got)
	}
	if titles, err := s.Titles(ctx, owner); err != nil || len(titles) != 0 {
		t.Errorf("titles are %v, %v", titles, err)
	}
	_, err := s.ArchiveDocument(ctx, owner, frontdesk.Actor{}, frontdesk.NewID(day), day)
	isMissing(t, err)
}

func TestADocumentIsRestored(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	read := add(t, s, owner, paper("old rules"))
	makeReady(t, s, day, []frontdesk.Fragment{passage(0, "one"), passage(1, "two")})
	unread := add(t, s, owner, paper("new rules"))
	for _, d := range []frontdesk.Document{read, unread} {
		if _, err := s.ArchiveDocument(ctx, owner, frontdesk.Actor{}, d.ID, day); err != nil {
			t.Fatal(err)
		}
	}
	later := day.Add(time.Hour)
	restore := func(id frontdesk.ID, status frontdesk.DocumentStatus) {
		t.Helper()
		got, err := s.RestoreDocument(ctx, owner, frontdesk.Actor{}, id, later)
		if err != nil || got.Status != status || !got.ArchivedAt.IsZero() {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	if !raises(t, s, owner, func() { restore(read.ID, frontdesk.DocumentReady) }) {
		t.Error("the version is the old one")
	}
	if raises(t, s, owner, func() { restore(read.ID, frontdesk.DocumentReady) }) {
		t.Error("restoring twice raised the version")
	}
	if got := fragmentsOf(t, s, owner, ""); len(got) != 2 {
		t.Errorf("its fragments are %v", got)
	}
	if got, err := s.DocumentFragments(ctx, owner, read.ID, 1); err != nil || len(got) != 1 || got[0].Text != "one" {
		t.Errorf("its first fragment is %v, %v", got, err)
	}
	// One that was never read is read now.
	restore(unread.ID, frontdesk.DocumentPending)
	if c, found, err := s.ClaimDocumentForWorker(ctx, later, later.Add(time.Minute), 0); err != nil || !found || c.Document.ID != unread.ID {
		t.Errorf("claimed %+v, %v, %v", c, found, err)
	}
	_, err := s.RestoreDocument(ctx, owner, frontdesk.Actor{}, frontdesk.NewID(day), day)
	isMissing(t, err)
}

// A tenant is written with its documents, and they wait to be read.
func TestATenantCanComeWithDocuments(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	told := 0
	s.OnDocuments(func() { told++ })
	tenant := frontdesk.Tenant{ID: frontdesk.NewID(day), Slug: "new", Plan: frontdesk.DefaultPlan(), CreatedAt: day}
	live, sandbox := paper("live"), paper("sandbox")
	sandbox.Live = false
	if err := s.CreateTenant(ctx, store.NewTenant{Tenant: tenant, Documents: []frontdesk.Document{live, sandbox}}); err != nil {
		t.Fatal(err)
	}
	if told != 1 {
		t.Errorf("the worker was told %d times", told)
	}
	for _, d := range []frontdesk.Document{live, sandbox} {
		documentOf(t, s, frontdesk.Owner{TenantID: tenant.ID, Live: d.Live}, d.ID)
		claimDocument(t, s, day)
	}
}
