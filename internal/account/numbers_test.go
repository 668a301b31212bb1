package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const (
	oldKey = frontdesk.Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	newKey = frontdesk.Secret("Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=")
	token  = frontdesk.Secret("0123456789abcdef0123456789abcdef")
)

func box(t *testing.T, key frontdesk.Secret, older ...frontdesk.Secret) *seal.Box {
	t.Helper()
	b, err := seal.New(key, older...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// exchange is a house in which two tenants have an agent each.
type exchange struct {
	*account.Numbers
	store  *store.Store
	owners map[string]frontdesk.Owner
}

func newExchange(t *testing.T) exchange {
	t.Helper()
	s, c := storetest.New(t), newClock()
	e := exchange{account.NewNumbers(s, box(t, oldKey), c.Now), s, map[string]frontdesk.Owner{}}
	for _, slug := range []string{"lola", "rizos"} {
		tenant := storetest.Tenant(t, s, slug)
		e.owners[slug] = frontdesk.Owner{TenantID: tenant.ID, Live: true}
		err := s.CreateAgent(ctx, frontdesk.Actor{}, frontdesk.Agent{
			ID: frontdesk.NewID(c.Now()), TenantID: tenant.ID, Slug: "desk", Vertical: "general", DisplayName: "Desk",
			Status: frontdesk.AgentActive, Languages: frontdesk.Languages, Timezone: "UTC", CreatedAt: c.Now(), UpdatedAt: c.Now(),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	e := newExchange(t)
	lola, rizos := e.owners["lola"], e.owners["rizos"]
	in := account.NumberInput{Number: "+34 910 00 00 00", AgentSlug: "desk", Carrier: frontdesk.Twilio, Secret: token + "\n"}
	added, err := e.Add(ctx, lola, in)
	if err != nil || added.Number != "+34910000000" || added.Owner() != lola || added.AgentID == "" || added.CreatedAt.IsZero() {
		t.Fatalf("got %+v, %v", added, err)
	}
	found, secret, err := e.Find(ctx, "+34910000000")
	if err != nil || found != added || secret != token {
		t.Errorf("got %+v, %v", found, err)
	}
	if list, err := e.List(ctx, lola); err != nil || len(list) != 1 || list[0] != added {
		t.Errorf("got %v, %v", list, err)
	}
	if text := fmt.Sprintf("%v %+v %#v", in, in, secret); strings.Contains(text, token.Reveal()) {
		t.Errorf("the secret shows: %s", text)
	}
	_, err = e.Add(ctx, rizos, account.NumberInput{Number: "+34910000000", AgentSlug: "desk", Carrier: frontdesk.SIP})
	is(t, err, "number_taken")
	is(t, e.Remove(ctx, rizos, frontdesk.Actor{}, "+34910000000"), "not_found")
	is(t, e.Remove(ctx, lola, frontdesk.Actor{}, "+34 910 000 000"), "")
	_, _, err = e.Find(ctx, "+34910000000")
	is(t, err, "not_found")
	_, _, err = e.Find(ctx, "anonymous")
	is(t, err, "not_found")
	_, err = e.Add(ctx, rizos, account.NumberInput{Number: "+34910000000", AgentSlug: "desk", Carrier: frontdesk.SIP})
	is(t, err, "")
	if _, secret, err := e.Find(ctx, "+34910000000"); err != nil || secret != "" {
		t.Errorf("a number without a secret: %v", err)
	}
}

func TestNumbersThatAreRefused(t *testing.T) {
	t.Parallel()
	e := newExchange(t)
	for name, tt := range map[string]struct {
		in   account.NumberInput
		code string
	}{
		"no country":      {account.NumberInput{Number: "910000000", AgentSlug: "desk", Carrier: frontdesk.SIP}, "parameter_invalid"},
		"no carrier":      {account.NumberInput{Number: "+34910000000", AgentSlug: "desk"}, "parameter_invalid"},
		"no secret":       {account.NumberInput{Number: "+34910000000", AgentSlug: "desk", Carrier: frontdesk.Twilio, Secret: " \n"}, "parameter_invalid"},
		"no key":          {account.NumberInput{Number: "+34910000000", AgentSlug: "desk", Carrier: frontdesk.Telnyx, Secret: token}, "parameter_invalid"},
		"no such agent":   {account.NumberInput{Number: "+34910000000", AgentSlug: "bar", Carrier: frontdesk.SIP}, "not_found"},
		"nothing at all":  {account.NumberInput{}, "parameter_invalid"},
		"a secret of SIP": {account.NumberInput{Number: "+34910000000", AgentSlug: "desk", Carrier: frontdesk.SIP, Secret: token}, "parameter_invalid"},
	} {
		_, err := e.Add(ctx, e.owners["lola"], tt.in)
		t.Run(name, func(t *testing.T) { is(t, err, tt.code) })
	}
}

// TestRekeyNumbers changes the master key: after it the new one alone opens the
// secrets, and only where they belong.
func TestRekeyNumbers(t *testing.T) {
	t.Parallel()
	e := newExchange(t)
	for _, number := range []string{"+34910000000", "+34910000001"} {
		if _, err := e.Add(ctx, e.owners["lola"], account.NumberInput{Number: number, AgentSlug: "desk", Carrier: frontdesk.Twilio, Secret: token}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Add(ctx, e.owners["lola"], account.NumberInput{Number: "+34910000002", AgentSlug: "desk", Carrier: frontdesk.SIP}); err != nil {
		t.Fatal(err)
	}
	if _, err := account.RekeyNumbers(ctx, e.store, box(t, newKey), nil); err == nil {
		t.Error("without the old key nothing can be sealed anew")
	}
	for range 2 { // it can be run again
		if n, err := account.RekeyNumbers(ctx, e.store, box(t, newKey, oldKey), nil); err != nil || n != 2 {
			t.Fatalf("%d numbers, %v", n, err)
		}
	}
	if _, secret, err := account.NewNumbers(e.store, box(t, newKey), time.Now).Find(ctx, "+34910000000"); err != nil || secret != token {
		t.Errorf("with the new key: %v", err)
	}
	if _, _, err := e.Find(ctx, "+34910000000"); err == nil {
		t.Error("the old key still opens it")
	}
	first, sealed, err := e.store.NumberForWorker(ctx, "+34910000000")
	if err != nil {
		t.Fatal(err)
	}
	first.Number = "+34910000001"
	if _, err := account.OpenNumberSecret(box(t, newKey), first, sealed); err == nil {
		t.Error("a secret can be moved to another number")
	}
}
