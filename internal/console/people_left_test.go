package console

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestWhatSomebodyLeavesIsNamed: a key outlives who made it, and the owner who
// removes them sees it, can revoke it at once, and finds it in the audit log.
func TestWhatSomebodyLeavesIsNamed(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := context.Background()
	boss := o.enter(frontdesk.RoleOwner)
	dev, _, err := o.people.Invite(ctx, o.owner(), account.NewPerson{Name: "Rita Dev", Role: frontdesk.RoleDeveloper})
	if err != nil {
		t.Fatal(err)
	}
	keys := account.NewKeys(o.store, o.Now)
	make := func(name string, live bool) frontdesk.Key {
		t.Helper()
		k, _, err := keys.Create(ctx, account.NewKey{By: dev.Actor(), Tenant: o.tenant, Live: live, Name: name, Scopes: []string{"calls:read"}})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	live, test := make("CRM", true), make("Tryout", false)
	replaced, _, err := keys.Rotate(ctx, dev.Actor(), make("Old", true).ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	has(t, boss.open("developers"), "CRM", "made by Rita Dev", "Never used")
	page := boss.send("people/"+string(dev.ID)+"/remove", nil)
	has(t, page, "Rita Dev is removed", "What Rita Dev left working", "CRM", live.Prefix, "Tryout", replaced.Prefix)
	has(t, boss.open("people/audit"), "Keys that work on", "CRM ("+live.Prefix+")")

	left := "people/" + string(dev.ID) + "/left"
	for _, k := range []frontdesk.Key{live, test} {
		hasNot(t, boss.send(left, url.Values{"left": {string(k.ID)}}), `value="`+string(k.ID)+`"`)
		if now, err := o.store.Key(ctx, k.ID); err != nil || now.Usable(o.Now()) == nil {
			t.Errorf("%s works on: %v", k.Name, err)
		}
	}
	has(t, boss.send(left, url.Values{"left": {string(replaced.ID)}}), "Nothing that they made works any more")

	stranger := o.enterAt(o.rival(), frontdesk.RoleOwner)
	if got := stranger.get("/console/live/-/" + left); got.status != http.StatusNotFound {
		t.Errorf("another tenant: %d", got.status)
	}
}

// TestAKeyMayNoMoreThanWhoMakesIt: every scope says which role gives it, and a
// developer gets no secret of a key that may do more.
func TestAKeyMayNoMoreThanWhoMakesIt(t *testing.T) {
	t.Parallel()
	for _, s := range frontdesk.Scopes {
		if !scopeRoles[s.Name].let(frontdesk.RoleOwner) {
			t.Errorf("nobody gives %s", s.Name)
		}
	}
	o := newOffice(t)
	boss, dev := o.enter(frontdesk.RoleOwner), o.enter(frontdesk.RoleDeveloper)
	form := func(b *browser, scopes ...string) url.Values {
		_, rest, _ := strings.Cut(b.open("developers/keys/new"), `name="form" value="`)
		id, _, _ := strings.Cut(rest, `"`)
		return url.Values{"form": {id}, "name": {"CRM"}, "scopes": scopes, "expires": {"never"}}
	}
	hasNot(t, dev.open("developers/keys/new"), `value="captures:write"`, `value="agents:write"`)
	for _, scope := range []string{"captures:write", "agents:write", "knowledge:write", "usage:read", "all"} {
		got := dev.post(dev.at("developers/keys"), form(dev, scope))
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, "A key may do no more than you") {
			t.Errorf("%s: %d", scope, got.status)
		}
	}
	if got := dev.post(dev.at("developers/keys"), form(dev, "calls:read", "connections:write")); got.status != http.StatusOK {
		t.Errorf("what a developer may: %d %s", got.status, got.body)
	}
	if got := boss.post(boss.at("developers/keys"), form(boss, "captures:write")); got.status != http.StatusOK {
		t.Fatalf("an owner: %d", got.status)
	}
	list, err := o.store.OwnKeys(context.Background(), o.owner(), frontdesk.Page{})
	at := slices.IndexFunc(list.Items, func(k frontdesk.Key) bool { return k.Has("captures:write") })
	if err != nil || at < 0 {
		t.Fatal(list, err)
	}
	address := "developers/keys/" + string(list.Items[at].ID)
	hasNot(t, dev.open(address), address+"/rotate")
	wish := form(dev)
	wish.Set("grace", "day")
	has(t, dev.send(address+"/rotate", wish), "A key may do no more than you")
}
