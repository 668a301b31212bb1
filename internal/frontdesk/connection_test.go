package frontdesk_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func active() frontdesk.Connection {
	return frontdesk.Connection{
		ID: "c", Name: "CRM", URL: "https://hooks.example.com/", Events: []string{frontdesk.CallCompleted},
		Status: frontdesk.ConnectionActive, Secret: frontdesk.SealedSecret{Prefix: "whsec_aaaa", Sealed: []byte("one"), SetAt: sent},
	}
}

func TestFiveDaysOfFailuresDisableAConnection(t *testing.T) {
	t.Parallel()
	const days = 24 * time.Hour
	type step struct {
		after   time.Duration // since the first
		attempt frontdesk.Attempt
	}
	tests := map[string]struct {
		steps    []step
		disabled bool
		failures int
	}{
		"one failure":                           {[]step{{0, bad500}}, false, 1},
		"failures for less than five days":      {[]step{{0, bad500}, {days, bad500}, {5*days - 1, bad500}}, false, 3},
		"failures for five days":                {[]step{{0, bad500}, {days, bad500}, {5 * days, bad500}}, true, 3},
		"two failures five days apart":          {[]step{{0, bad500}, {6 * days, bad500}}, true, 2},
		"a success in between begins it anew":   {[]step{{0, bad500}, {4 * days, ok200}, {5 * days, bad500}, {9 * days, bad500}}, false, 2},
		"a success in between, then five days":  {[]step{{0, bad500}, {4 * days, ok200}, {5 * days, bad500}, {10 * days, bad500}}, true, 2},
		"gone disables at once":                 {[]step{{0, gone410}}, true, 1},
		"gone after successes disables at once": {[]step{{0, ok200}, {1, ok200}, {2, gone410}}, true, 1},
		"successes never disable":               {[]step{{0, ok200}, {9 * days, ok200}}, false, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := active()
			for _, s := range tt.steps {
				c = c.After(s.attempt, sent.Add(s.after))
			}
			last := tt.steps[len(tt.steps)-1].attempt
			if disabled := c.Status == frontdesk.ConnectionDisabled; disabled != tt.disabled {
				t.Fatalf("it is %s", c.Status)
			}
			if tt.disabled != (c.DisabledBy == frontdesk.BySystem) || tt.disabled == (c.DisabledReason == "") {
				t.Errorf("disabled by %q because %q", c.DisabledBy, c.DisabledReason)
			}
			if c.Health.ConsecutiveFailures != tt.failures || c.Health.LastHTTPStatus != last.HTTPStatus {
				t.Errorf("health %+v", c.Health)
			}
			if c.Subscribes(frontdesk.CallCompleted) == tt.disabled {
				t.Error("a disabled connection subscribes, or an active one does not")
			}
		})
	}
}

func TestHealthTellsOfTheLastAttempts(t *testing.T) {
	t.Parallel()
	c := active().After(bad500, sent).After(ok200, sent.Add(time.Second))
	h := c.Health
	if !h.LastFailureAt.Equal(sent) || !h.LastDeliveredAt.Equal(sent.Add(time.Second)) || h.LastHTTPStatus != 200 || h.ConsecutiveFailures != 0 || !c.FailingSince.IsZero() {
		t.Errorf("got %+v since %v", h, c.FailingSince)
	}
	c = c.After(frontdesk.Attempt{ErrorCode: frontdesk.TimedOut}, sent.Add(2*time.Second))
	if c.Health.LastHTTPStatus != 0 || c.Health.ConsecutiveFailures != 1 || !c.FailingSince.Equal(sent.Add(2*time.Second)) {
		t.Errorf("got %+v since %v", c.Health, c.FailingSince)
	}
}

func TestEnableAndDisable(t *testing.T) {
	t.Parallel()
	c := active().After(bad500, sent)
	c = c.Disable(frontdesk.ByCustomer, "We move")
	if c.Status != frontdesk.ConnectionDisabled || c.DisabledBy != "customer" || c.DisabledReason != "We move" || c.Subscribes(frontdesk.CallCompleted) {
		t.Errorf("got %+v", c)
	}
	again := c.Disable(frontdesk.BySystem, "other")
	if again.DisabledBy != "customer" || again.DisabledReason != "We move" {
		t.Errorf("disabling again made it %+v", again)
	}
	if late := c.After(gone410, sent); late.DisabledBy != "customer" {
		t.Errorf("an attempt that was under way made it %+v", late)
	}
	if late := c.After(ok200, sent); late.Status != frontdesk.ConnectionDisabled {
		t.Error("a success enabled it")
	}
	c = c.Enable()
	if c.Status != frontdesk.ConnectionActive || c.DisabledBy+c.DisabledReason != "" || c.Health.ConsecutiveFailures != 0 || !c.FailingSince.IsZero() {
		t.Errorf("got %+v", c)
	}
	// The five days begin anew.
	if c = c.After(bad500, sent.Add(10*24*time.Hour)); c.Status != frontdesk.ConnectionActive {
		t.Error("the first failure after it was enabled disabled it again")
	}
	if twice := c.Enable().Enable(); twice.Status != frontdesk.ConnectionActive {
		t.Error("enabling twice")
	}
}

func TestAtMostTwoSecretsSign(t *testing.T) {
	t.Parallel()
	secret := func(name string) frontdesk.SealedSecret { return frontdesk.SealedSecret{Sealed: []byte(name)} }
	signing := func(c frontdesk.Connection, at time.Time) string {
		var names []string
		for _, s := range c.Signing(at) {
			names = append(names, string(s.Sealed))
		}
		return strings.Join(names, " ")
	}
	expect := func(c frontdesk.Connection, after time.Duration, want string) {
		t.Helper()
		if got := signing(c, sent.Add(after)); got != want {
			t.Errorf("%v later %q sign, not %q", after, got, want)
		}
	}
	first := active()
	expect(first, 0, "one")
	rotated := first.Rotate(secret("two"), time.Hour, sent)
	expect(rotated, 0, "two one")
	expect(rotated, time.Hour-1, "two one")
	expect(rotated, time.Hour, "two")
	expect(first, 0, "one")

	twice := rotated.Rotate(secret("three"), time.Hour, sent.Add(time.Minute))
	expect(twice, time.Minute, "three two")
	expect(twice, time.Minute+time.Hour, "three")

	atOnce := rotated.Rotate(secret("three"), 0, sent.Add(time.Minute))
	expect(atOnce, time.Minute, "three")
	if atOnce.OldSecret != nil || !atOnce.OldUntil.IsZero() {
		t.Error("the old secret is kept without a grace")
	}
	late := rotated.Rotate(secret("three"), time.Hour, sent.Add(2*time.Hour))
	expect(late, 2*time.Hour, "three two")
	expect(late, 3*time.Hour, "three")
}

func TestAPatchChangesWhatItNames(t *testing.T) {
	t.Parallel()
	name, url := "ERP", "https://other.example.com/"
	c := active()
	if got := (frontdesk.ConnectionPatch{}).Apply(c); !reflect.DeepEqual(got, c) {
		t.Errorf("an empty patch made it %+v", got)
	}
	got := frontdesk.ConnectionPatch{Name: &name}.Apply(c)
	if got.Name != "ERP" || got.URL != c.URL || len(got.Events) != 1 {
		t.Errorf("got %+v", got)
	}
	got = frontdesk.ConnectionPatch{URL: &url, Events: []string{frontdesk.CaptureCreated}}.Apply(c)
	if got.Name != "CRM" || got.URL != url || got.Subscribes(frontdesk.CallCompleted) || !got.Subscribes(frontdesk.CaptureCreated) {
		t.Errorf("got %+v", got)
	}
	if !c.Subscribes(frontdesk.CallCompleted) || c.Subscribes(frontdesk.ConnectionTest) {
		t.Error("the patch changed what it was laid over")
	}
}

func TestConnectionNames(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"CRM": true, strings.Repeat("ñ", 60): true, " a ": true,
		"": false, "   ": false, "\t\n": false, strings.Repeat("ñ", 61): false,
	}
	for name, good := range tests {
		err := frontdesk.CheckConnectionName(name)
		var e *frontdesk.Error
		if good != (err == nil) || !good && (!errors.As(err, &e) || e.Param != "name") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSigningSecretsAreNewAndSayNothing(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 100 {
		secret, prefix := frontdesk.NewSigningSecret()
		text := secret.Reveal()
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
		if err != nil || len(raw) != 32 || !strings.HasPrefix(text, "whsec_") || prefix != text[:10] || seen[text] {
			t.Fatalf("%q, %q: %v", text, prefix, err)
		}
		seen[text] = true
		if strings.Contains(fmt.Sprintf("%v %+v %#v %s", secret, secret, secret, secret), text[10:]) {
			t.Fatal("it can be printed")
		}
	}
}

func TestErrorsOfConnections(t *testing.T) {
	t.Parallel()
	if e := frontdesk.LimitReached("connections", 20); e.Kind != frontdesk.Invalid || e.Code != "limit_reached" || !strings.Contains(e.Message, "20 connections") {
		t.Errorf("got %+v", e)
	}
	if e := frontdesk.NotEnabled(); e.Kind != frontdesk.Invalid || e.Code != "connection_disabled" {
		t.Errorf("got %+v", e)
	}
}
