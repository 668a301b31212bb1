package account_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// staffRoom is a tenant with people.
type staffRoom struct {
	*account.People
	*servicetest.Clock
	store  *store.Store
	tenant frontdesk.Tenant
	owner  frontdesk.Owner
}

func newStaffRoom(t *testing.T) staffRoom {
	t.Helper()
	s, c := storetest.New(t), newClock()
	tenant := storetest.Tenant(t, s, "casa-lola")
	return staffRoom{account.NewPeople(s, c.Now), c, s, tenant, frontdesk.Owner{TenantID: tenant.ID, Live: true}}
}

func (r staffRoom) invite(t *testing.T, name, email string, role frontdesk.Role) (frontdesk.Person, string) {
	t.Helper()
	p, link, err := r.Invite(ctx, r.owner, account.NewPerson{Name: name, Email: email, Role: role})
	if err != nil {
		t.Fatal(err)
	}
	return p, link.Reveal()
}

func (r staffRoom) enter(t *testing.T, link string) (account.Visitor, string) {
	t.Helper()
	v, secret, err := r.Enter(ctx, link, "Firefox", "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	return v, secret.Reveal()
}

func (r staffRoom) session(t *testing.T, token, code string) account.Visitor {
	t.Helper()
	v, err := r.Session(ctx, token, "192.0.2.2")
	is(t, err, code)
	if err != nil && v != (account.Visitor{}) {
		t.Errorf("an error and %+v", v)
	}
	return v
}

func TestAnInvitedPersonEnters(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	p, link := r.invite(t, " Ana ", "Ana@example.com", frontdesk.RoleOwner)
	for range 2 { // a look changes nothing
		who, tenant, purpose, err := r.Inspect(ctx, link)
		if err != nil || who != p || who.Name != "Ana" || tenant.Slug != "casa-lola" || purpose != frontdesk.LinkInvites {
			t.Errorf("got %+v of %+v, %s, %v", who, tenant, purpose, err)
		}
	}
	r.Forward(time.Hour)
	v, token := r.enter(t, link)
	if v.Person.ID != p.ID || v.Tenant.Slug != "casa-lola" || v.Owner(true) != r.owner || v.Session.Browser != "Firefox" || !v.Person.LastSeenAt.Equal(r.Now()) {
		t.Errorf("got %+v", v)
	}
	for range 2 { // from the store, then from memory
		if got := r.session(t, token, ""); got != v {
			t.Errorf("got %+v, want %+v", got, v)
		}
	}
	_, _, err := r.Enter(ctx, link, "", "")
	is(t, err, "link_invalid")
	_, _, _, err = r.Inspect(ctx, link)
	is(t, err, "link_invalid")
	if strings.Contains(link, "secret") || link == token {
		t.Errorf("the secrets are %q and %q", link, token)
	}
}

// Wrong, used and expired links are told alike.
func TestAllBadLinksAreToldAlike(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	p, used := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	r.enter(t, used)
	expired, err := r.Link(ctx, p, frontdesk.LinkMailed)
	if err != nil {
		t.Fatal(err)
	}
	good, err := r.Link(ctx, p, frontdesk.LinkPrinted)
	if err != nil {
		t.Fatal(err)
	}
	r.Forward(frontdesk.LinkMailed.Lasts())
	messages := map[string]bool{}
	for _, token := range []string{used, expired.Reveal(), frontdesk.NewConsoleToken().Reveal(), "", "x", good.Reveal() + "x", strings.Repeat("a", 1<<20)} {
		_, secret, err := r.Enter(ctx, token, "", "")
		is(t, err, "link_invalid")
		if err == nil || secret != "" {
			t.Fatalf("got in by %.50s", token)
		}
		messages[err.(*frontdesk.Error).Message] = true
		_, _, _, err = r.Inspect(ctx, token)
		is(t, err, "link_invalid")
	}
	if len(messages) != 1 {
		t.Errorf("they are told %v", messages)
	}
	r.enter(t, good.Reveal())
}

func TestTwoClicksMakeOneSession(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	p, link := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	var in atomic.Int64
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			if _, _, err := r.Enter(ctx, link, "", ""); err == nil {
				in.Add(1)
			} else {
				is(t, err, "link_invalid")
			}
		})
	}
	wg.Wait()
	if all, err := r.Sessions(ctx, p); err != nil || in.Load() != 1 || len(all) != 1 {
		t.Errorf("%d came in, %d sessions, %v", in.Load(), len(all), err)
	}
}

func TestABadTokenNeverAsksTheStore(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	_, link := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	_, token := r.enter(t, link)
	if err := r.store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", token[1:], token + "x"} {
		r.session(t, text, "session_invalid")
	}
	if _, err := r.Session(ctx, token, ""); err == nil || errorCode(err) == "session_invalid" {
		t.Errorf("a good one on a closed store: %v", err)
	}
}

// Tokens have 256 bits and no two are alike: nobody finds one by trying.
func TestTokensAreLong(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 100 {
		token := frontdesk.NewConsoleToken().Reveal()
		if _, ok := frontdesk.ParseConsoleToken(token); !ok || len(token) != 43 || seen[token] {
			t.Fatalf("got %s", token)
		}
		seen[token] = true
	}
}

func TestAnEndedSessionStopsOnEveryNode(t *testing.T) {
	t.Parallel()
	url, c := storetest.URL(t), newClock()
	s := storetest.Open(t, url)
	tenant := storetest.Tenant(t, s, "a")
	here := staffRoom{account.NewPeople(s, c.Now), c, s, tenant, frontdesk.Owner{TenantID: tenant.ID}}
	there := here
	there.store = storetest.Open(t, url)
	there.People = account.NewPeople(there.store, c.Now)
	boss, link := here.invite(t, "Ana", "", frontdesk.RoleOwner)
	here.enter(t, link)
	for name, end := range map[string]func(v account.Visitor, token string) error{
		"left":  func(_ account.Visitor, token string) error { return here.Leave(ctx, token) },
		"ended": func(v account.Visitor, _ string) error { return here.EndSession(ctx, v.Person, v.Session.ID) },
		"ended with others": func(v account.Visitor, _ string) error {
			_, err := here.EndOtherSessions(ctx, v.Person, "")
			return err
		},
		"removed": func(v account.Visitor, _ string) error {
			return here.Remove(ctx, here.owner, frontdesk.Actor{}, v.Person.ID)
		},
	} {
		_, link := here.invite(t, "Eva", "", frontdesk.RoleStaff)
		v, token := here.enter(t, link)
		here.session(t, token, "")
		there.session(t, token, "")
		if err := end(v, token); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		here.session(t, token, "session_invalid")
		c.Forward(time.Second) // the other node may believe in it until then
		there.session(t, token, "session_invalid")
	}
	is(t, here.EndSession(ctx, boss, frontdesk.NewID(c.Now())), "not_found")
}

// What is changed about a person shows at once here, within a second elsewhere.
func TestAChangedRoleShows(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	_, other := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	r.enter(t, other)
	p, link := r.invite(t, "Eva", "", frontdesk.RoleOwner)
	_, token := r.enter(t, link)
	r.session(t, token, "")
	role, language := frontdesk.RoleStaff, "en"
	if _, err := r.Change(ctx, r.owner, frontdesk.Actor{}, p.ID, frontdesk.PersonChange{Role: &role, Language: &language}); err != nil {
		t.Fatal(err)
	}
	if v := r.session(t, token, ""); v.Person.Role != role || v.Person.Language != language {
		t.Errorf("got %+v", v.Person)
	}
}

func TestSessionsSlide(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	p, link := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	v, token := r.enter(t, link)
	seenAt := func() time.Time {
		t.Helper()
		if err := r.WriteSeen(ctx); err != nil {
			t.Fatal(err)
		}
		all, err := r.Sessions(ctx, p)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0].SeenAt
	}
	// At most once a minute.
	r.Forward(time.Minute - time.Microsecond)
	r.session(t, token, "")
	if got := seenAt(); !got.Equal(v.Session.SeenAt) {
		t.Errorf("written after less than a minute: %s", got)
	}
	r.Forward(time.Second)
	r.session(t, token, "")
	if got := seenAt(); !got.Equal(r.Now()) {
		t.Errorf("seen at %s, want %s", got, r.Now())
	}
	// Who comes back stays in; who does not, does not.
	for range 3 {
		r.Forward(frontdesk.SessionLasts - time.Second)
		r.session(t, token, "")
		seenAt()
	}
	if v := r.session(t, token, ""); v.Session.Address != "192.0.2.1" && v.Session.Address != "192.0.2.2" {
		t.Errorf("seen at %q", v.Session.Address)
	}
	r.Forward(frontdesk.SessionLasts)
	r.session(t, token, "session_invalid")
}

// A session that is remembered ends to the moment.
func TestAnExpiredSessionStopsToTheMoment(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	_, link := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	_, token := r.enter(t, link)
	r.Forward(frontdesk.SessionLasts - time.Microsecond)
	r.session(t, token, "")
	r.Forward(time.Microsecond)
	r.session(t, token, "session_invalid")
}

func TestWhatABrowserSaysIsBounded(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	_, link := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	v, _, err := r.Enter(ctx, link, "a\x00\xffb\n"+strings.Repeat("😀", 1000), strings.Repeat("1", 1000))
	if err != nil {
		t.Fatal(err)
	}
	if b := []rune(v.Session.Browser); len(b) != 300 || string(b[:6]) != "a  b 😀" || len(v.Session.Address) != 64 {
		t.Errorf("got %q, %q", v.Session.Browser, v.Session.Address)
	}
}

func TestInviteRefuses(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	r.invite(t, "Ana", "ana@example.com", frontdesk.RoleOwner)
	for name, tt := range map[string]struct {
		n    account.NewPerson
		code string
	}{
		"no name":             {account.NewPerson{Name: " ", Role: frontdesk.RoleStaff}, "parameter_invalid"},
		"a long name":         {account.NewPerson{Name: strings.Repeat("a", 101), Role: frontdesk.RoleStaff}, "parameter_invalid"},
		"a name of two lines": {account.NewPerson{Name: "A\nB", Role: frontdesk.RoleStaff}, "parameter_invalid"},
		"no address":          {account.NewPerson{Name: "E", Email: "eva", Role: frontdesk.RoleStaff}, "parameter_invalid"},
		"no role":             {account.NewPerson{Name: "E"}, "parameter_invalid"},
		"an operator":         {account.NewPerson{Name: "E", Role: frontdesk.RoleOperator}, "parameter_invalid"},
		"somebody again":      {account.NewPerson{Name: "E", Email: "ANA@example.com", Role: frontdesk.RoleStaff}, "email_taken"},
	} {
		if _, link, err := r.Invite(ctx, r.owner, tt.n); errorCode(err) != tt.code || link != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, err := r.People.People(ctx, r.owner); err != nil || len(all) != 1 {
		t.Errorf("left behind: %v, %v", all, err)
	}
	// Nobody becomes an operator by belonging to no tenant.
	_, _, err := r.Invite(ctx, frontdesk.Owner{}, account.NewPerson{Name: "E", Role: frontdesk.RoleOperator})
	is(t, err, "not_found")
	if all, err := r.store.Operators(ctx); err != nil || len(all) != 0 {
		t.Errorf("there are operators: %v, %v", all, err)
	}
}

func TestPeopleOfATenantAlone(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	other := r
	other.tenant = storetest.Tenant(t, r.store, "rizos")
	other.owner = frontdesk.Owner{TenantID: other.tenant.ID}
	mine, _ := r.invite(t, "Ana", "ana@example.com", frontdesk.RoleOwner)
	theirs, _ := other.invite(t, "Ana", "ana@example.com", frontdesk.RoleOwner)
	name := "Eva"
	_, err := r.Change(ctx, r.owner, frontdesk.Actor{}, theirs.ID, frontdesk.PersonChange{Name: &name})
	is(t, err, "not_found")
	is(t, r.Remove(ctx, r.owner, frontdesk.Actor{}, theirs.ID), "not_found")
	_, err = r.Person(ctx, r.owner, theirs.ID)
	is(t, err, "not_found")
	if all, err := r.People.People(ctx, r.owner); err != nil || len(all) != 1 || all[0] != mine {
		t.Errorf("got %v, %v", all, err)
	}
	if all, err := r.ByEmail(ctx, "ANA@example.com "); err != nil || len(all) != 2 {
		t.Errorf("got %v, %v", all, err)
	}
	for _, nobody := range []string{"", "eva@example.com", "ana"} {
		if all, err := r.ByEmail(ctx, nobody); err != nil || len(all) != 0 {
			t.Errorf("%q: %v, %v", nobody, all, err)
		}
	}
	is(t, r.Remove(ctx, r.owner, frontdesk.Actor{}, mine.ID), "last_owner")
}

func TestTheFirstOwnerAndTheOperator(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	first, err := r.FirstOwner(ctx, r.tenant)
	if err != nil || first.Name != r.tenant.Name || first.Role != frontdesk.RoleOwner || first.TenantID != r.tenant.ID {
		t.Fatalf("got %+v, %v", first, err)
	}
	r.Forward(time.Hour)
	r.invite(t, "Ana", "", frontdesk.RoleOwner)
	if again, err := r.FirstOwner(ctx, r.tenant); err != nil || again != first {
		t.Errorf("got %+v, %v", again, err)
	}
	operator, err := r.Operator(ctx)
	if err != nil || operator.Role != frontdesk.RoleOperator || !operator.IsOperator() {
		t.Fatalf("got %+v, %v", operator, err)
	}
	if again, err := r.Operator(ctx); err != nil || again != operator {
		t.Errorf("got %+v, %v", again, err)
	}
	link, err := r.Link(ctx, operator, frontdesk.LinkPrinted)
	if err != nil {
		t.Fatal(err)
	}
	v, token := r.enter(t, link.Reveal())
	if v.Tenant != (frontdesk.Tenant{}) || v.Person.ID != operator.ID || r.session(t, token, "") != v {
		t.Errorf("got %+v", v)
	}
	role := frontdesk.RoleOwner
	_, err = r.ChangeOperator(ctx, operator.ID, frontdesk.PersonChange{Role: &role})
	is(t, err, "parameter_invalid")
	language := "en"
	if changed, err := r.ChangeOperator(ctx, operator.ID, frontdesk.PersonChange{Language: &language}); err != nil || changed.Language != "en" {
		t.Errorf("got %+v, %v", changed, err)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	r := newStaffRoom(t)
	p, link := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	r.enter(t, link)
	left := func() (n int) {
		t.Helper()
		if all, err := r.store.ConsoleSessions(ctx, p.ID, time.Unix(0, 0)); err == nil {
			n = len(all)
		}
		return n
	}
	if err := r.Prune(ctx); err != nil || left() != 1 {
		t.Errorf("%d are left, %v", left(), err)
	}
	r.Forward(frontdesk.SessionLasts)
	if err := r.Prune(ctx); err != nil || left() != 0 {
		t.Errorf("%d are left, %v", left(), err)
	}
}
