package store_test

import (
	"crypto/rand"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func person(email string, role frontdesk.Role) frontdesk.Person {
	return frontdesk.Person{ID: frontdesk.NewID(day), Name: "Ana", Email: email, Role: role, CreatedAt: day}
}

func addPerson(t *testing.T, s *store.Store, owner frontdesk.Owner, email string, role frontdesk.Role) frontdesk.Person {
	t.Helper()
	p := person(email, role)
	p.TenantID = owner.TenantID
	if err := s.AddPerson(ctx, owner, frontdesk.Actor{}, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func containsPerson(all []frontdesk.Person, id frontdesk.ID) bool {
	return slices.ContainsFunc(all, func(p frontdesk.Person) bool { return p.ID == id })
}

func newHash() frontdesk.ConsoleHash {
	return frontdesk.HashConsoleToken(frontdesk.NewConsoleToken().Reveal())
}

func addLink(t *testing.T, s *store.Store, p frontdesk.Person, expires time.Time) frontdesk.ConsoleHash {
	t.Helper()
	hash := newHash()
	if err := s.AddConsoleLink(ctx, frontdesk.Actor{}, frontdesk.ConsoleLink{Hash: hash, PersonID: p.ID, Purpose: frontdesk.LinkMailed, CreatedAt: day, ExpiresAt: expires}); err != nil {
		t.Fatal(err)
	}
	return hash
}

func newSession(at time.Time) frontdesk.ConsoleSession {
	return frontdesk.ConsoleSession{
		ID: frontdesk.NewID(at), Hash: newHash(), Browser: "Firefox", Address: "192.0.2.1", CreatedAt: at, SeenAt: at, ExpiresAt: at.Add(frontdesk.SessionLasts),
	}
}

// enter lets a person in by a link.
func enter(t *testing.T, s *store.Store, p frontdesk.Person, at time.Time) frontdesk.ConsoleSession {
	t.Helper()
	c := newSession(at)
	v, used, err := s.UseConsoleLink(ctx, addLink(t, s, p, at.Add(time.Hour)), c)
	if err != nil || !used || v.Person.ID != p.ID {
		t.Fatalf("got %+v, %v, %v", v, used, err)
	}
	c.PersonID = p.ID
	return c
}

func newChallenge() store.Challenge {
	return store.Challenge{Hash: newHash(), ExpiresAt: day.Add(5 * time.Minute)}
}

func addPasskey(t *testing.T, s *store.Store, p frontdesk.Person) frontdesk.Passkey {
	t.Helper()
	k := frontdesk.Passkey{ID: []byte(rand.Text()), PersonID: p.ID, Name: "phone", Data: []byte("first"), CreatedAt: day}
	if added, err := s.AddPasskey(ctx, k, newChallenge(), 20); err != nil || !added {
		t.Fatal(added, err)
	}
	return k
}

// rowsOf counts what is kept of a person.
func rowsOf(t *testing.T, s *store.Store, person frontdesk.ID) (n int) {
	t.Helper()
	if err := s.Beside().QueryRow(`SELECT (SELECT COUNT(*) FROM people WHERE id = $1) + (SELECT COUNT(*) FROM console_sessions WHERE person_id = $1)
		+ (SELECT COUNT(*) FROM console_links WHERE person_id = $1) + (SELECT COUNT(*) FROM passkeys WHERE person_id = $1)`, string(person)).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAPersonIsKeptWhole(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	p := person("Ana@Example.com", frontdesk.RoleDeveloper)
	p.TenantID, p.Language = owner.TenantID, "es"
	if err := s.AddPerson(ctx, owner, frontdesk.Actor{}, p); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Person(ctx, owner, p.ID); err != nil || got != p {
		t.Errorf("got %+v, %v, want %+v", got, err, p)
	}
	c := enter(t, s, p, day.Add(time.Minute))
	got, v, err := s.ConsoleSessionByHash(ctx, c.Hash)
	p.LastSeenAt = day.Add(time.Minute)
	if err != nil || got != c || v.Person != p || v.Tenant.ID != owner.TenantID || v.Tenant.Plan != frontdesk.DefaultPlan() {
		t.Errorf("got %+v of %+v, %v", got, v, err)
	}
	_, _, err = s.ConsoleSessionByHash(ctx, newHash())
	isMissing(t, err)
}

func TestEmailsAreComparedWithoutCase(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	other := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "other").ID}
	first := addPerson(t, s, owner, "Ana@Example.com", frontdesk.RoleOwner)
	second := addPerson(t, s, owner, "eva@example.com", frontdesk.RoleStaff)
	isKind(t, s.AddPerson(ctx, owner, frontdesk.Actor{}, person("aNA@exaMPLE.com", frontdesk.RoleStaff)), frontdesk.Conflict, "email_taken")
	email := "ANA@example.com"
	_, err := s.ChangePerson(ctx, owner, frontdesk.Actor{}, second.ID, frontdesk.PersonChange{Email: &email}.Apply)
	isKind(t, err, frontdesk.Conflict, "email_taken")
	// In another tenant the address is free, and several may have none.
	elsewhere := addPerson(t, s, other, "ana@example.com", frontdesk.RoleOwner)
	for range 2 {
		addPerson(t, s, owner, "", frontdesk.RoleStaff)
	}
	operator, err := s.FirstOperator(ctx, person("", frontdesk.RoleOperator))
	if err != nil {
		t.Fatal(err)
	}
	if operator, err = s.ChangeOperator(ctx, operator.ID, frontdesk.PersonChange{Email: &email}.Apply); err != nil {
		t.Fatal(err)
	}
	all, err := s.PeopleByEmail(ctx, " ana@EXAMPLE.com")
	if err != nil || len(all) != 3 || !containsPerson(all, first.ID) || !containsPerson(all, elsewhere.ID) || !containsPerson(all, operator.ID) {
		t.Errorf("got %v, %v", all, err)
	}
	if all, err := s.PeopleByEmail(ctx, ""); err != nil || len(all) != 0 {
		t.Errorf("without an address: %v, %v", all, err)
	}
	// Among operators an address is one's own as well.
	if _, err := s.Beside().Exec(`INSERT INTO people (id, name, email, email_key, role, language, created_at) VALUES ($1, 'x', 'x', 'ana@example.com', 'operator', '', 1)`,
		string(frontdesk.NewID(day))); err == nil {
		t.Error("two operators have the same address")
	}
}

// Who is removed leaves nothing behind, and who is not removed nothing loses.
func TestARemovedPersonLosesEverything(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	boss, gone := addPerson(t, s, owner, "", frontdesk.RoleOwner), addPerson(t, s, owner, "", frontdesk.RoleStaff)
	for _, p := range []frontdesk.Person{boss, gone} {
		enter(t, s, p, day)
		addLink(t, s, p, day.Add(time.Hour))
		addPasskey(t, s, p)
	}
	if err := s.RemovePerson(ctx, owner, frontdesk.Actor{}, gone.ID); err != nil {
		t.Fatal(err)
	}
	if n := rowsOf(t, s, gone.ID); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	if n := rowsOf(t, s, boss.ID); n != 4 {
		t.Errorf("the other one has %d rows", n)
	}
	isMissing(t, s.RemovePerson(ctx, owner, frontdesk.Actor{}, gone.ID))
	isMissing(t, s.AddConsoleLink(ctx, frontdesk.Actor{}, frontdesk.ConsoleLink{Hash: newHash(), PersonID: gone.ID}))
	_, err := s.AddPasskey(ctx, frontdesk.Passkey{ID: []byte("k"), PersonID: gone.ID}, newChallenge(), 20)
	isMissing(t, err)
}

func TestTheLastOwnerStays(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	boss, staff := addPerson(t, s, owner, "", frontdesk.RoleOwner), addPerson(t, s, owner, "", frontdesk.RoleStaff)
	// The owner of another tenant does not count.
	addPerson(t, s, frontdesk.Owner{TenantID: storetest.Tenant(t, s, "other").ID}, "", frontdesk.RoleOwner)
	become := func(id frontdesk.ID, role frontdesk.Role) error {
		_, err := s.ChangePerson(ctx, owner, frontdesk.Actor{}, id, frontdesk.PersonChange{Role: &role}.Apply)
		return err
	}
	isKind(t, s.RemovePerson(ctx, owner, frontdesk.Actor{}, boss.ID), frontdesk.Conflict, "last_owner")
	isKind(t, become(boss.ID, frontdesk.RoleDeveloper), frontdesk.Conflict, "last_owner")
	if err := become(staff.ID, frontdesk.RoleOwner); err != nil {
		t.Fatal(err)
	}
	if err := become(boss.ID, frontdesk.RoleStaff); err != nil {
		t.Fatal(err)
	}
	isKind(t, s.RemovePerson(ctx, owner, frontdesk.Actor{}, staff.ID), frontdesk.Conflict, "last_owner")
	if err := s.RemovePerson(ctx, owner, frontdesk.Actor{}, boss.ID); err != nil {
		t.Error(err)
	}
}

// TestTheLastOwnerWhoCanEnterStays: who was invited and never entered does not
// stand in for an owner who has.
func TestTheLastOwnerWhoCanEnterStays(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	boss, invited := addPerson(t, s, owner, "", frontdesk.RoleOwner), addPerson(t, s, owner, "", frontdesk.RoleOwner)
	enter(t, s, boss, day)
	role := frontdesk.RoleStaff
	demote := func(id frontdesk.ID) error {
		_, err := s.ChangePerson(ctx, owner, frontdesk.Actor{}, id, frontdesk.PersonChange{Role: &role}.Apply)
		return err
	}
	isKind(t, s.RemovePerson(ctx, owner, frontdesk.Actor{}, boss.ID), frontdesk.Conflict, "last_owner")
	isKind(t, demote(boss.ID), frontdesk.Conflict, "last_owner")
	// The invitation can be taken back.
	if err := s.RemovePerson(ctx, owner, frontdesk.Actor{}, addPerson(t, s, owner, "", frontdesk.RoleOwner).ID); err != nil {
		t.Error(err)
	}
	enter(t, s, invited, day)
	if err := demote(boss.ID); err != nil {
		t.Error(err)
	}
}

// Owners who remove each other at once leave one.
func TestOwnersWhoRemoveEachOther(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	bosses := make([]frontdesk.Person, 8)
	for i := range bosses {
		bosses[i] = addPerson(t, s, owner, "", frontdesk.RoleOwner)
	}
	role := frontdesk.RoleStaff
	for _, err := range atOnce(len(bosses), func(i int) error {
		if i%2 == 0 {
			return s.RemovePerson(ctx, owner, frontdesk.Actor{}, bosses[i].ID)
		}
		_, err := s.ChangePerson(ctx, owner, frontdesk.Actor{}, bosses[i].ID, frontdesk.PersonChange{Role: &role}.Apply)
		return err
	}) {
		if err != nil {
			isKind(t, err, frontdesk.Conflict, "last_owner")
		}
	}
	all, err := s.People(ctx, owner)
	owners := slices.DeleteFunc(all, func(p frontdesk.Person) bool { return p.Role != frontdesk.RoleOwner })
	if err != nil || len(owners) != 1 {
		t.Errorf("%d owners are left, %v", len(owners), err)
	}
}

func TestTheFirstOfThemIsMadeOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	var owners, operators [8]frontdesk.Person
	for _, err := range atOnce(len(owners), func(i int) (err error) {
		if owners[i], err = s.FirstOwner(ctx, owner, person("", frontdesk.RoleOwner)); err != nil {
			return err
		}
		operators[i], err = s.FirstOperator(ctx, person("", frontdesk.RoleOperator))
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	for i := range owners {
		if owners[i].ID != owners[0].ID || operators[i].ID != operators[0].ID || owners[i].TenantID != owner.TenantID || operators[i].TenantID != "" {
			t.Errorf("got %+v and %+v", owners[i], operators[i])
		}
	}
	all, err := s.Operators(ctx)
	if err != nil || len(all) != 1 {
		t.Errorf("got %v, %v", all, err)
	}
	if all, err := s.People(ctx, owner); err != nil || len(all) != 1 {
		t.Errorf("got %v, %v", all, err)
	}
	// A tenant's methods do not reach an operator.
	_, err = s.Person(ctx, owner, operators[0].ID)
	isMissing(t, err)
	isMissing(t, s.RemovePerson(ctx, owner, frontdesk.Actor{}, operators[0].ID))
	_, err = s.ChangeOperator(ctx, owners[0].ID, frontdesk.PersonChange{}.Apply)
	isMissing(t, err)
}

func TestALinkIsUsedOnce(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	p := addPerson(t, s, owner, "", frontdesk.RoleOwner)
	hash := addLink(t, s, p, day.Add(time.Hour))
	var used atomic.Int64
	for _, err := range atOnce(16, func(int) error {
		_, ok, err := s.UseConsoleLink(ctx, hash, newSession(day))
		if ok {
			used.Add(1)
		}
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	sessions, err := s.ConsoleSessions(ctx, p.ID, day)
	if err != nil || used.Load() != 1 || len(sessions) != 1 {
		t.Errorf("used %d times, %d sessions, %v", used.Load(), len(sessions), err)
	}
}

// A link that is used while its person is removed leaves no session.
func TestALinkIsUsedWhileItsPersonIsRemoved(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	addPerson(t, s, owner, "", frontdesk.RoleOwner)
	for range 10 {
		p := addPerson(t, s, owner, "", frontdesk.RoleStaff)
		hashes := []frontdesk.ConsoleHash{addLink(t, s, p, day.Add(time.Hour)), addLink(t, s, p, day.Add(time.Hour))}
		for _, err := range atOnce(3, func(i int) error {
			if i == 2 {
				return s.RemovePerson(ctx, owner, frontdesk.Actor{}, p.ID)
			}
			_, _, err := s.UseConsoleLink(ctx, hashes[i], newSession(day))
			return err
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		if n := rowsOf(t, s, p.ID); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	}
}

func TestAnExpiredLink(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	p := addPerson(t, s, owner, "", frontdesk.RoleOwner)
	hash := addLink(t, s, p, day.Add(time.Minute))
	last := day.Add(time.Minute - time.Microsecond)
	if l, v, err := s.ConsoleLinkByHash(ctx, hash, last); err != nil || v.Person != p || l.Purpose != frontdesk.LinkMailed || l.PersonID != p.ID || v.Tenant.ID != owner.TenantID {
		t.Errorf("got %+v of %+v, %v", l, v, err)
	}
	_, _, err := s.ConsoleLinkByHash(ctx, hash, day.Add(time.Minute))
	isMissing(t, err)
	if _, used, err := s.UseConsoleLink(ctx, hash, newSession(day.Add(time.Minute))); err != nil || used {
		t.Errorf("used: %v, %v", used, err)
	}
	if _, used, err := s.UseConsoleLink(ctx, hash, newSession(last)); err != nil || !used {
		t.Errorf("used: %v, %v", used, err)
	}
}

// Links that were sent to an address end when the address is another one.
func TestANewAddressEndsLinks(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	p := addPerson(t, s, owner, "ana@example.com", frontdesk.RoleOwner)
	hash := addLink(t, s, p, day.Add(time.Hour))
	change := func(c frontdesk.PersonChange) {
		t.Helper()
		if _, err := s.ChangePerson(ctx, owner, frontdesk.Actor{}, p.ID, c.Apply); err != nil {
			t.Fatal(err)
		}
	}
	name, spelling, email := "Ana María", "ANA@example.com", "eva@example.com"
	change(frontdesk.PersonChange{Name: &name, Email: &spelling})
	if _, v, err := s.ConsoleLinkByHash(ctx, hash, day); err != nil || v.Person.Name != name || v.Person.Email != spelling {
		t.Errorf("got %+v, %v", v.Person, err)
	}
	change(frontdesk.PersonChange{Email: &email})
	_, _, err := s.ConsoleLinkByHash(ctx, hash, day)
	isMissing(t, err)
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	p, other := addPerson(t, s, owner, "", frontdesk.RoleOwner), addPerson(t, s, owner, "", frontdesk.RoleStaff)
	theirs := enter(t, s, other, day)
	var mine []frontdesk.ConsoleSession
	for i := range 4 {
		mine = append(mine, enter(t, s, p, day.Add(time.Duration(i)*time.Minute)))
	}
	isMissing(t, s.EndConsoleSession(ctx, p.ID, theirs.ID))
	if err := s.EndConsoleSession(ctx, p.ID, mine[0].ID); err != nil {
		t.Error(err)
	}
	if err := s.EndConsoleSessionByHash(ctx, mine[1].Hash); err != nil {
		t.Error(err)
	}
	left, err := s.ConsoleSessions(ctx, p.ID, day)
	if err != nil || len(left) != 2 || left[0] != mine[3] || left[1] != mine[2] {
		t.Errorf("got %v, %v", left, err)
	}
	if n, err := s.EndOtherConsoleSessions(ctx, p.ID, mine[2].ID); err != nil || n != 1 {
		t.Errorf("ended %d, %v", n, err)
	}
	if left, err := s.ConsoleSessions(ctx, p.ID, mine[2].ExpiresAt); err != nil || len(left) != 0 {
		t.Errorf("expired ones are listed: %v, %v", left, err)
	}
	if n, err := s.EndOtherConsoleSessions(ctx, p.ID, ""); err != nil || n != 1 {
		t.Errorf("ended %d, %v", n, err)
	}
	if _, _, err := s.ConsoleSessionByHash(ctx, theirs.Hash); err != nil {
		t.Errorf("another's: %v", err)
	}
}

func TestSessionsThatAreSeenLastLonger(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	p := addPerson(t, s, owner, "", frontdesk.RoleOwner)
	c := enter(t, s, p, day)
	later := day.Add(time.Hour)
	for _, at := range []time.Time{later, day.Add(time.Minute)} { // what is older changes nothing
		if err := s.ConsoleSessionsSeenForWorker(ctx, map[frontdesk.ID]store.Sighting{c.ID: {Person: p.ID, Address: "192.0.2.9", At: at}}); err != nil {
			t.Fatal(err)
		}
		got, v, err := s.ConsoleSessionByHash(ctx, c.Hash)
		if err != nil || !got.SeenAt.Equal(later) || !got.ExpiresAt.Equal(later.Add(frontdesk.SessionLasts)) || got.Address != "192.0.2.9" || !v.Person.LastSeenAt.Equal(later) {
			t.Errorf("got %+v of %+v, %v", got, v.Person, err)
		}
	}
}

func TestPasskeysAreUsedByTheirChallenge(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	p, other := addPerson(t, s, owner, "", frontdesk.RoleOwner), addPerson(t, s, owner, "", frontdesk.RoleStaff)
	k := addPasskey(t, s, p)
	got, v, err := s.PasskeyByID(ctx, k.ID)
	if err != nil || got.Name != "phone" || string(got.Data) != "first" || v.Person != p || v.Tenant.ID != owner.TenantID {
		t.Fatalf("got %+v of %+v, %v", got, v, err)
	}
	// Nobody else gets it by registering it too.
	stolen := k
	stolen.PersonID = other.ID
	if added, err := s.AddPasskey(ctx, stolen, newChallenge(), 20); err != nil || added {
		t.Errorf("added: %v, %v", added, err)
	}
	use := func(k frontdesk.Passkey, next string, c store.Challenge, want bool) {
		t.Helper()
		v, used, err := s.UsePasskey(ctx, k, []byte(next), c, newSession(day.Add(time.Minute)))
		if err != nil || used != want || used && v.Person.ID != p.ID {
			t.Errorf("used: %v by %+v, %v", used, v.Person, err)
		}
	}
	c := newChallenge()
	use(k, "first", c, true)
	use(k, "first", c, false) // the same challenge
	use(k, "second", newChallenge(), true)
	use(k, "third", newChallenge(), false) // it was used since it was read
	all, err := s.Passkeys(ctx, p.ID)
	if err != nil || len(all) != 1 || string(all[0].Data) != "second" || !all[0].LastUsedAt.Equal(day.Add(time.Minute)) {
		t.Errorf("got %+v, %v", all, err)
	}
	if sessions, err := s.ConsoleSessions(ctx, p.ID, day); err != nil || len(sessions) != 2 {
		t.Errorf("%d sessions, %v", len(sessions), err)
	}
	_, err = s.AddPasskey(ctx, frontdesk.Passkey{ID: []byte("two"), PersonID: p.ID, CreatedAt: day}, newChallenge(), 1)
	isKind(t, err, frontdesk.Conflict, "passkey_limit")
	isMissing(t, s.RenamePasskey(ctx, other.ID, k.ID, "mine"))
	isMissing(t, s.RemovePasskey(ctx, other.ID, k.ID))
	if err := s.RenamePasskey(ctx, p.ID, k.ID, "key"); err != nil {
		t.Error(err)
	}
	if err := s.RemovePasskey(ctx, p.ID, k.ID); err != nil {
		t.Error(err)
	}
	_, _, err = s.PasskeyByID(ctx, k.ID)
	isMissing(t, err)
}

func TestExpiredSessionsAndLinksAreForgotten(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	p := addPerson(t, s, owner, "", frontdesk.RoleOwner)
	for range 5 {
		enter(t, s, p, day)
		addLink(t, s, addPerson(t, s, owner, "", frontdesk.RoleStaff), day.Add(time.Hour)) // a new one ends the old one
	}
	addPasskey(t, s, p) // and a challenge
	young := enter(t, s, p, day.Add(time.Hour))
	link := addLink(t, s, p, day.AddDate(1, 0, 0))
	forget := func(now time.Time, most int, want int64) {
		t.Helper()
		if gone, err := s.ForgetConsoleForWorker(ctx, now, most); err != nil || gone != want {
			t.Errorf("%d are gone, want %d, %v", gone, want, err)
		}
	}
	forget(day, 10, 0)
	forget(day.Add(frontdesk.SessionLasts), 2, 5) // two of each, and the challenge
	forget(day.Add(frontdesk.SessionLasts), 10, 6)
	forget(day.Add(frontdesk.SessionLasts), 10, 0)
	if _, _, err := s.ConsoleSessionByHash(ctx, young.Hash); err != nil {
		t.Error(err)
	}
	if _, _, err := s.ConsoleLinkByHash(ctx, link, day); err != nil {
		t.Error(err)
	}
}

// The tables come to a database that has tenants, and nobody in them yet.
func TestMigrateToPeople(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "people", day); err != nil {
		t.Fatal(err)
	}
	tenant := storetest.Tenant(t, s, "lola")
	owner := frontdesk.Owner{TenantID: tenant.ID}
	if _, err := s.People(ctx, owner); err == nil {
		t.Error("there are people before the migration")
	}
	if _, err := s.Migrate(ctx, day); err != nil {
		t.Fatal(err)
	}
	if all, err := s.People(ctx, owner); err != nil || len(all) != 0 {
		t.Errorf("got %v, %v", all, err)
	}
	first, err := s.FirstOwner(ctx, owner, person("", frontdesk.RoleOwner))
	if err != nil {
		t.Fatal(err)
	}
	enter(t, s, first, day)
}

// TestChangesToPeopleAreAudited: who invited, changed, signed out and removed whom.
func TestChangesToPeopleAreAudited(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	p := person("ana@example.com", frontdesk.RoleStaff)
	a.must(a.AddPerson(ctx, a.owner, crm, p))
	a.left("person.invited", string(p.ID), "Ana", "name:  > Ana", "email:  > ana@example.com", "role:  > staff")
	role := frontdesk.RoleOwner
	_, err := a.ChangePerson(ctx, a.owner, crm, p.ID, frontdesk.PersonChange{Role: &role}.Apply)
	a.must(err)
	a.left("person.changed", string(p.ID), "Ana", "role: staff > owner")
	_, err = a.ChangePerson(ctx, a.owner, crm, p.ID, frontdesk.PersonChange{Role: &role}.Apply)
	a.must(err)
	a.leftNothing()
	isKind(t, a.RemovePerson(ctx, a.owner, crm, p.ID), frontdesk.Conflict, "last_owner")
	a.leftNothing()
	a.must(a.AddConsoleLink(ctx, crm, frontdesk.ConsoleLink{Hash: newHash(), PersonID: p.ID, Purpose: frontdesk.LinkInvites, CreatedAt: day, ExpiresAt: day.Add(time.Hour)}))
	a.left("person.link_made", string(p.ID), "Ana")
	if ended, err := a.SignOut(ctx, a.owner, crm, p.ID); err != nil || ended != 0 {
		t.Errorf("%d sessions ended, %v", ended, err)
	}
	a.leftNothing()
	enter(t, a.Store, p, day)
	if ended, err := a.SignOut(ctx, a.owner, crm, p.ID); err != nil || ended != 1 {
		t.Errorf("%d sessions ended, %v", ended, err)
	}
	a.left("person.sessions_ended", string(p.ID), "Ana")
	enter(t, a.Store, addPerson(t, a.Store, a.owner, "", frontdesk.RoleOwner), day)
	a.must(a.RemovePerson(ctx, a.owner, crm, p.ID))
	a.left("person.removed", string(p.ID), "Ana", "name: Ana > ", "email: ana@example.com > ", "role: owner > ")
}
