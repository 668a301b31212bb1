package frontdesk

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/sdk/go/internal/signature"
)

const (
	oldSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	newSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	eventBody = `{"id":"evt","object":"event","type":"capture.created","api_version":"1.0.0","timestamp":"2026-11-12T10:16:31.208Z","livemode":true,` +
		`"tenant":{"id":"t","slug":"grupo"},"agent":{"id":"a","slug":"clinica"},"data":{"object":{"id":"c","object":"capture","kind":"appointment","status":"confirmed","future":[1]}}}`
)

// signed are the headers of a webhook.
func signed(t *testing.T, at time.Time, body string, secrets ...string) http.Header {
	t.Helper()
	var all []string
	for _, secret := range secrets {
		one, err := signature.Sign(secret, "evt", at, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return http.Header{
		"Webhook-Id":        {"evt"},
		"Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)},
		"Webhook-Signature": {strings.Join(all, " ")},
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	now := time.Now()
	good := signed(t, now, eventBody, oldSecret)
	lower, split, twice := http.Header{}, good.Clone(), good.Clone()
	for name, values := range good {
		lower[strings.ToLower(name)] = values
	}
	split["Webhook-Signature"] = []string{"v1,AAAA", good.Get("Webhook-Signature")}
	twice["webhook-signature"] = []string{"v1,AAAA"}
	without := func(name string) http.Header { h := good.Clone(); h.Del(name); return h }
	with := func(name, value string) http.Header { h := good.Clone(); h.Set(name, value); return h }
	tests := map[string]struct {
		verifier WebhookVerifier
		header   http.Header
		body     string
		want     error
	}{
		"right":                              {WebhookVerifier{Secrets: []string{oldSecret}}, good, eventBody, nil},
		"names in lower case":                {WebhookVerifier{Secrets: []string{oldSecret}}, lower, eventBody, nil},
		"two lines of signatures":            {WebhookVerifier{Secrets: []string{oldSecret}}, split, eventBody, nil},
		"two spellings of one name":          {WebhookVerifier{Secrets: []string{oldSecret}}, twice, eventBody, nil},
		"rotated, both sign, old known":      {WebhookVerifier{Secrets: []string{oldSecret}}, signed(t, now, eventBody, newSecret, oldSecret), eventBody, nil},
		"rotated, both sign, new known":      {WebhookVerifier{Secrets: []string{newSecret}}, signed(t, now, eventBody, newSecret, oldSecret), eventBody, nil},
		"rotated, new signs, both known":     {WebhookVerifier{Secrets: []string{oldSecret, newSecret}}, signed(t, now, eventBody, newSecret), eventBody, nil},
		"rotated, old signs, both known":     {WebhookVerifier{Secrets: []string{newSecret, oldSecret}}, good, eventBody, nil},
		"the second secret is not set":       {WebhookVerifier{Secrets: []string{oldSecret, ""}}, good, eventBody, nil},
		"the first secret is not set":        {WebhookVerifier{Secrets: []string{"", oldSecret}}, good, eventBody, nil},
		"another secret":                     {WebhookVerifier{Secrets: []string{newSecret}}, good, eventBody, ErrSignatureMismatch},
		"another body":                       {WebhookVerifier{Secrets: []string{oldSecret}}, good, eventBody + " ", ErrSignatureMismatch},
		"another id":                         {WebhookVerifier{Secrets: []string{oldSecret}}, with("Webhook-Id", "x"), eventBody, ErrSignatureMismatch},
		"another version of signatures":      {WebhookVerifier{Secrets: []string{oldSecret}}, with("Webhook-Signature", strings.Replace(good.Get("Webhook-Signature"), "v1", "v2", 1)), eventBody, ErrSignatureMismatch},
		"no id":                              {WebhookVerifier{Secrets: []string{oldSecret}}, without("Webhook-Id"), eventBody, ErrSignatureHeaders},
		"no timestamp":                       {WebhookVerifier{Secrets: []string{oldSecret}}, without("Webhook-Timestamp"), eventBody, ErrSignatureHeaders},
		"no signature":                       {WebhookVerifier{Secrets: []string{oldSecret}}, without("Webhook-Signature"), eventBody, ErrSignatureHeaders},
		"a timestamp of words":               {WebhookVerifier{Secrets: []string{oldSecret}}, with("Webhook-Timestamp", "now"), eventBody, ErrSignatureHeaders},
		"no headers":                         {WebhookVerifier{Secrets: []string{oldSecret}}, nil, eventBody, ErrSignatureHeaders},
		"six minutes old":                    {WebhookVerifier{Secrets: []string{oldSecret}}, signed(t, now.Add(-6*time.Minute), eventBody, oldSecret), eventBody, ErrSignatureTimestamp},
		"six minutes early":                  {WebhookVerifier{Secrets: []string{oldSecret}}, signed(t, now.Add(6*time.Minute), eventBody, oldSecret), eventBody, ErrSignatureTimestamp},
		"the largest timestamp":              {WebhookVerifier{Secrets: []string{oldSecret}}, with("Webhook-Timestamp", "9223372036854775807"), eventBody, ErrSignatureTimestamp},
		"the smallest timestamp":             {WebhookVerifier{Secrets: []string{oldSecret}}, with("Webhook-Timestamp", "-9223372036854775808"), eventBody, ErrSignatureTimestamp},
		"six minutes old, of ten":            {WebhookVerifier{Secrets: []string{oldSecret}, Tolerance: 10 * time.Minute}, signed(t, now.Add(-6*time.Minute), eventBody, oldSecret), eventBody, nil},
		"three minutes old, of one":          {WebhookVerifier{Secrets: []string{oldSecret}, Tolerance: time.Minute}, signed(t, now.Add(-3*time.Minute), eventBody, oldSecret), eventBody, ErrSignatureTimestamp},
		"no secret":                          {WebhookVerifier{}, good, eventBody, ErrSignatureSecret},
		"an empty secret":                    {WebhookVerifier{Secrets: []string{""}}, good, eventBody, ErrSignatureSecret},
		"a secret without whsec_":            {WebhookVerifier{Secrets: []string{oldSecret[6:]}}, good, eventBody, ErrSignatureSecret},
		"a broken secret before a right one": {WebhookVerifier{Secrets: []string{"whsec_!", oldSecret}}, good, eventBody, ErrSignatureSecret},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			event, err := tt.verifier.Verify([]byte(tt.body), tt.header)
			if tt.want == nil {
				if err != nil || event.ID != "evt" || event.Capture().ID != "c" {
					t.Errorf("got %v, %v", event, err)
				}
				return
			}
			var e *SignatureError
			if !errors.Is(err, tt.want) || !errors.Is(err, ErrSignature) || !errors.As(err, &e) || event != nil {
				t.Errorf("got %v, %v; want %v", event, err, tt.want)
			}
		})
	}
}

func TestVerifyWebhook(t *testing.T) {
	t.Parallel()
	header := signed(t, time.Now(), eventBody, newSecret)
	event, err := VerifyWebhook([]byte(eventBody), header, oldSecret, newSecret)
	if err != nil {
		t.Fatal(err)
	}
	created, ok := event.Value.(*EventCaptureCreated)
	if !ok || event.Type != EventTypeCaptureCreated || created.Data.Object.Kind != "appointment" || event.Call() != nil ||
		event.Agent.Slug != "clinica" || string(created.Data.Object.Extra["future"]) != "[1]" {
		t.Errorf("got %+v", event)
	}
}

func TestVerifyRequest(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := WebhookVerifier{Secrets: []string{oldSecret}}.VerifyRequest(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		w.Write([]byte(event.ID))
	}))
	t.Cleanup(s.Close)
	for body, want := range map[string]int{eventBody: 200, eventBody + " ": 401} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = signed(t, time.Now(), eventBody, oldSecret)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("got %d, want %d", res.StatusCode, want)
		}
	}
}

func TestSignedButNoEvent(t *testing.T) {
	t.Parallel()
	event, err := VerifyWebhook([]byte("hello"), signed(t, time.Now(), "hello", oldSecret), oldSecret)
	if err == nil || event != nil || errors.Is(err, ErrSignature) {
		t.Errorf("got %v, %v", event, err)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body          string
		capture, call bool
	}{
		"made":     {`{"type":"capture.created","data":{"object":{"id":"1"}}}`, true, false},
		"changed":  {`{"type":"capture.updated","data":{"object":{"id":"1"},"changed_by":"customer"}}`, true, false},
		"ended":    {`{"type":"call.completed","data":{"object":{"id":"1"}}}`, false, true},
		"a test":   {`{"type":"connection.test","data":{"object":{"connection_id":"1"}}}`, false, false},
		"to come":  {`{"type":"moon.risen","data":{"object":{"phase":0.5}},"tide":"high"}`, false, false},
		"to come²": {`{"type":"call.completed","data":{"object":{"id":"1","outcome":"telepathy"}},"tide":"high"}`, false, true},
	}
	for name, tt := range tests {
		var event Event
		if err := json.Unmarshal([]byte(tt.body), &event); err != nil {
			t.Fatal(err)
		}
		if (event.Capture() != nil) != tt.capture || (event.Call() != nil) != tt.call {
			t.Errorf("%s: got %v, %v", name, event.Capture(), event.Call())
		}
		text, err := json.Marshal(event)
		if err != nil || strings.Contains(tt.body, "tide") && !bytes.Contains(text, []byte(`"tide":"high"`)) {
			t.Errorf("%s: came back as %s, %v", name, text, err)
		}
	}
}
