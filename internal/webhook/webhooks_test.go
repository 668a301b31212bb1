package webhook_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/webhook"
	"frontdesk.dev/frontdesk/signature"
)

func isKind(t *testing.T, err error, kind frontdesk.Kind, code string) {
	t.Helper()
	var e *frontdesk.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func TestATestDelivery(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	for status, want := range map[int]frontdesk.DeliveryStatus{200: frontdesk.DeliveryDelivered, 500: frontdesk.DeliveryDead, 302: frontdesk.DeliveryDead} {
		p.answer(status)
		a, err := f.webhooks.Test(ctx, f.tenant, f.owner, c.ID)
		if err != nil || a.HTTPStatus != status || a.OK() != (status == 200) {
			t.Errorf("got %+v, %v", a, err)
		}
		d := f.deliveries(c)[0]
		if d.Status != want || d.MaxAttempts != 1 || d.Attempts != 1 || d.Event != "connection.test" || !d.NextAttemptAt.IsZero() {
			t.Errorf("got %+v", d)
		}
		if body := p.bodies[string(d.EventID)]; !strings.Contains(body, `"type":"connection.test"`) || !strings.Contains(body, `"data":{"object":{"connection_id":"`+string(c.ID)+`"}}`) {
			t.Errorf("it was sent %s", body)
		}
		f.clock.Forward(time.Second)
	}
	if f.isDue() {
		t.Error("a test is tried again")
	}
	_, err := f.webhooks.Test(ctx, f.tenant, f.owner, frontdesk.NewID(day))
	isKind(t, err, frontdesk.NotFound, "not_found")
}

// A customer who does not wait for the answer does not lose it.
func TestATestIsFinishedWithoutItsCustomer(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	asks, leaves := context.WithCancel(ctx)
	p.handle = func(w http.ResponseWriter, _ *http.Request) {
		leaves()
		w.WriteHeader(http.StatusOK)
	}
	if a, err := f.webhooks.Test(asks, f.tenant, f.owner, c.ID); err != nil || !a.OK() {
		t.Errorf("got %+v, %v", a, err)
	}
	if n := f.statuses(c); n[frontdesk.DeliveryDelivered] != 1 {
		t.Errorf("got %v", n)
	}
}

func TestRetryByHand(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.answer(http.StatusTeapot)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	stop := f.run()
	e := f.emit(1)[0]
	eventually(t, "it failed", func() bool { return f.statuses(c)[frontdesk.DeliveryFailed] == 1 })
	stop()
	id := f.deliveries(c)[0].ID
	for attempt := 2; attempt <= 10; attempt++ { // there is no limit
		d, err := f.webhooks.Retry(ctx, f.owner, frontdesk.Actor{}, id)
		want := frontdesk.DeliveryFailed
		if attempt >= 8 {
			want = frontdesk.DeliveryDead
		}
		if err != nil || d.Status != want || d.Attempts != attempt || d.ErrorCode != frontdesk.HTTP4xx || p.times(e.ID) != attempt {
			t.Fatalf("attempt %d: %+v, %v", attempt, d, err)
		}
	}
	disable := func() {
		t.Helper()
		if _, err := f.webhooks.Disable(ctx, f.owner, frontdesk.Actor{}, c.ID, frontdesk.ByCustomer, ""); err != nil {
			t.Fatal(err)
		}
	}
	disable()
	_, err := f.webhooks.Retry(ctx, f.owner, frontdesk.Actor{}, id)
	isKind(t, err, frontdesk.Invalid, "connection_disabled")
	if _, err := f.webhooks.Enable(ctx, f.owner, frontdesk.Actor{}, c.ID); err != nil {
		t.Fatal(err)
	}
	p.answer(http.StatusAccepted)
	if d, err := f.webhooks.Retry(ctx, f.owner, frontdesk.Actor{}, id); err != nil || d.Status != frontdesk.DeliveryDelivered || d.HTTPStatus != 202 || d.ErrorCode != "" {
		t.Errorf("got %+v, %v", d, err)
	}
	_, err = f.webhooks.Retry(ctx, f.owner, frontdesk.Actor{}, id)
	isKind(t, err, frontdesk.Invalid, "delivery_not_retryable")
	_, err = f.webhooks.Retry(ctx, f.owner, frontdesk.Actor{}, frontdesk.NewID(day))
	isKind(t, err, frontdesk.NotFound, "not_found")
	if p.times(e.ID) != 11 {
		t.Errorf("it came %d times", p.times(e.ID))
	}
}

// An opening that was closed, and a URL that was changed behind our back: test
// and retry are checked again.
func TestEveryWayOutIsGuarded(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	f.guard = opened(t)
	f.furnish(webhook.DispatcherOptions{}, quiet())
	if a, err := f.webhooks.Test(ctx, f.tenant, f.owner, c.ID); err != nil || a.ErrorCode != frontdesk.AddressBlocked {
		t.Errorf("got %+v, %v", a, err)
	}
	f.run()
	f.emit(1)
	eventually(t, "it failed", func() bool { return f.statuses(c)[frontdesk.DeliveryFailed] == 1 })
	d, err := f.webhooks.Retry(ctx, f.owner, frontdesk.Actor{}, f.deliveries(c)[0].ID)
	if err != nil || d.ErrorCode != frontdesk.AddressBlocked {
		t.Errorf("got %+v, %v", d, err)
	}
	if _, n := p.count(); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestConnectAndChangeCheckWhatTheyAreGiven(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	str := func(s string) *string { return &s }
	for in, code := range map[struct{ Name, URL string }]string{
		{Name: "", URL: p.URL}:                               "parameter_invalid",
		{Name: strings.Repeat("x", 61), URL: p.URL}:          "parameter_invalid",
		{Name: "x", URL: "https://169.254.169.254/"}:         "url_not_public",
		{Name: "x", URL: "https://127.0.0.1/"}:               "url_not_public",
		{Name: "x", URL: "http://hooks.example.com/"}:        "url_invalid",
		{Name: "x", URL: strings.Replace(p.URL, "s", "", 1)}: "url_invalid",
	} {
		_, secret, err := f.webhooks.Connect(ctx, f.owner, frontdesk.Actor{}, frontdesk.ConnectionInput{Name: in.Name, URL: in.URL, Events: frontdesk.EventTypes}, 20)
		isKind(t, err, frontdesk.Invalid, code)
		if secret != "" {
			t.Error("there is a secret of no connection")
		}
		_, err = f.webhooks.Change(ctx, f.owner, frontdesk.Actor{}, c.ID, frontdesk.ConnectionPatch{Name: str(in.Name), URL: str(in.URL)})
		isKind(t, err, frontdesk.Invalid, code)
	}
	if n, err := f.store.CountConnections(ctx, f.owner); err != nil || n != 1 {
		t.Errorf("%d connections, %v", n, err)
	}
	f.clock.Forward(time.Minute)
	got, err := f.webhooks.Change(ctx, f.owner, frontdesk.Actor{}, c.ID, frontdesk.ConnectionPatch{Name: str("ERP"), URL: str(p.URL + "/other")})
	if err != nil || got.Name != "ERP" || got.URL != p.URL+"/other" || !got.UpdatedAt.Equal(f.clock.Now()) || !got.CreatedAt.Equal(day) {
		t.Errorf("got %+v, %v", got, err)
	}
	_, _, err = f.webhooks.Connect(ctx, f.owner, frontdesk.Actor{}, frontdesk.ConnectionInput{Name: "x", URL: p.URL, Events: frontdesk.EventTypes}, 1)
	isKind(t, err, frontdesk.Invalid, "limit_reached")
}

// Before, during and after a rotation, through the database and over the wire.
func TestRotation(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c, first, err := f.webhooks.Connect(ctx, f.owner, frontdesk.Actor{}, frontdesk.ConnectionInput{Name: "x", URL: p.URL, Events: frontdesk.EventTypes}, 20)
	if err != nil {
		t.Fatal(err)
	}
	f.run()
	secrets := []frontdesk.Secret{first}
	rotate := func(grace time.Duration) {
		t.Helper()
		got, secret, err := f.webhooks.Rotate(ctx, f.owner, frontdesk.Actor{}, c.ID, grace)
		if err != nil || got.Secret.Prefix != secret.Reveal()[:10] {
			t.Fatalf("got %+v, %v", got, err)
		}
		secrets = append(secrets, secret)
	}
	verifies := func(want ...bool) {
		t.Helper()
		e := f.emit(1)[0]
		eventually(t, "it came", func() bool { return p.times(e.ID) == 1 })
		p.mu.Lock()
		defer p.mu.Unlock()
		for i, secret := range secrets {
			if err := signature.Verify(secret.Reveal(), p.last, e.Body, f.clock.Now()); (err == nil) != want[i] {
				t.Errorf("secret %d: %v", i+1, err)
			}
		}
	}
	verifies(true)
	rotate(time.Hour)
	verifies(true, true)
	f.clock.Forward(time.Hour)
	verifies(false, true)
	rotate(time.Hour)
	rotate(time.Hour)
	verifies(false, false, true, true)
	rotate(0)
	verifies(false, false, false, false, true)
	_, _, err = f.webhooks.Rotate(ctx, f.owner, frontdesk.Actor{}, frontdesk.NewID(day), time.Hour)
	isKind(t, err, frontdesk.NotFound, "not_found")
}

// Who reads the database reads no secret, and cannot move one elsewhere.
func TestSecretsCannotBeReadInTheDatabase(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c, first, err := f.webhooks.Connect(ctx, f.owner, frontdesk.Actor{}, frontdesk.ConnectionInput{Name: "x", URL: p.URL, Events: frontdesk.EventTypes}, 20)
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := f.webhooks.Rotate(ctx, f.owner, frontdesk.Actor{}, c.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	driver := "sqlite"
	if storetest.IsPostgres() {
		driver = "pgx"
	}
	db, err := sql.Open(driver, f.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var secret, old []byte
	var prefix string
	if err := db.QueryRow(`SELECT secret, old_secret, secret_prefix FROM connections`).Scan(&secret, &old, &prefix); err != nil {
		t.Fatal(err)
	}
	if prefix != second.Reveal()[:10] || len(secret) < 32 || len(old) < 32 || bytes.Equal(secret, old) {
		t.Errorf("got %q, %x, %x", prefix, secret, old)
	}
	kept := [][]byte{secret, old}
	if driver == "sqlite" {
		for _, suffix := range []string{"", "-wal"} {
			content, err := os.ReadFile(filepath.Clean(f.database + suffix))
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, content)
		}
	}
	for _, s := range []frontdesk.Secret{first, second} {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s.Reveal(), "whsec_"))
		if err != nil {
			t.Fatal(err)
		}
		for _, bytesKept := range kept {
			if bytes.Contains(bytesKept, raw) || bytes.Contains(bytesKept, []byte(s.Reveal()[10:])) {
				t.Error("a secret can be read")
			}
		}
	}
	// The secret of one connection is of no use in another's row.
	other := f.connect(p.URL)
	if _, err := f.store.ChangeConnection(ctx, f.owner, frontdesk.Actor{}, other.ID, day, func(o frontdesk.Connection) (frontdesk.Connection, error) {
		o.Secret.Sealed = secret
		return o, nil
	}); err != nil {
		t.Fatal(err)
	}
	if a, err := f.webhooks.Test(ctx, f.tenant, f.owner, other.ID); err != nil || a.OK() {
		t.Errorf("got %+v, %v", a, err)
	}
	if _, n := p.count(); n != 0 {
		t.Errorf("%d requests", n)
	}
}
