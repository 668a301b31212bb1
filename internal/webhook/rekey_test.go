package webhook_test

import (
	"context"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/webhook"
)

// TestRekey changes the master key: with both keys everything opens, and after
// the resealing the new one alone opens it, the secret of the grace included.
func TestRekey(t *testing.T) {
	t.Parallel()
	const (
		oldKey = frontdesk.Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
		newKey = frontdesk.Secret("Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=")
	)
	box := func(key frontdesk.Secret, older ...frontdesk.Secret) *seal.Box {
		b, err := seal.New(key, older...)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	ctx := context.Background()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	guard, err := egress.New(egress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hooks := webhook.New(s, box(oldKey), guard, nil, time.Now)
	in := frontdesk.ConnectionInput{Name: "crm", URL: "https://93.184.215.14/hook", Events: []string{frontdesk.CallCompleted}}
	c, first, err := hooks.Connect(ctx, owner, frontdesk.Actor{}, in, 20)
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := hooks.Rotate(ctx, owner, frontdesk.Actor{}, c.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := webhook.Rekey(ctx, s, box(newKey), nil); err == nil {
		t.Error("without the old key the secrets cannot be sealed anew")
	}
	if n, err := webhook.Rekey(ctx, s, box(newKey, oldKey), nil); err != nil || n != 1 {
		t.Fatalf("%d connections, %v", n, err)
	}
	kept, err := s.Connection(ctx, owner, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []frontdesk.Secret{second, first} {
		got, err := box(newKey).Open("connection secret "+string(c.ID), kept.Signing(time.Now())[i].Sealed)
		if err != nil || string(got) != want.Reveal() {
			t.Errorf("secret %d is not what it was: %v", i, err)
		}
	}
}
