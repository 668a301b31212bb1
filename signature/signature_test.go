package signature_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/signature"
)

// vector is one that the Standard Webhooks libraries have in their own tests.
var vector = struct {
	secret, id, body, signature string
	at                          time.Time
}{
	"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", `{"test": 2432232314}`,
	"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", time.Unix(1614265330, 0),
}

func headers(id, timestamp, signatures string) http.Header {
	h := http.Header{}
	h.Set(signature.HeaderID, id)
	h.Set(signature.HeaderTimestamp, timestamp)
	h.Set(signature.HeaderSignature, signatures)
	return h
}

func TestTheVectorOfTheStandard(t *testing.T) {
	t.Parallel()
	got, err := signature.Sign(vector.secret, vector.id, vector.at, []byte(vector.body))
	if err != nil || got != vector.signature {
		t.Errorf("got %s, %v", got, err)
	}
}

// The example that GET /connectors gives to those who write a receiver.
func TestTheVectorOfTheDescription(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../internal/description/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	found := 0
	eachObject(document, func(o map[string]any) {
		var e struct{ secret, id, timestamp, body, signature string }
		for name, at := range map[string]*string{"secret": &e.secret, "id": &e.id, "timestamp": &e.timestamp, "body": &e.body, "signature": &e.signature} {
			value, ok := o[name].(string)
			if !ok {
				return
			}
			*at = value
		}
		if len(o) != 5 {
			return
		}
		found++
		seconds, err := strconv.ParseInt(e.timestamp, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		got, err := signature.Sign(e.secret, e.id, time.Unix(seconds, 0), []byte(e.body))
		if err != nil || got != e.signature {
			t.Errorf("got %s, %v; the description says %s", got, err, e.signature)
		}
		if err := signature.Verify(e.secret, headers(e.id, e.timestamp, e.signature), []byte(e.body), time.Unix(seconds, 0)); err != nil {
			t.Error(err)
		}
	})
	if found == 0 {
		t.Error("the description has no example of a signature")
	}
}

func eachObject(value any, do func(map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		do(v)
		for _, inner := range v {
			eachObject(inner, do)
		}
	case []any:
		for _, inner := range v {
			eachObject(inner, do)
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	const other = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	stamp, good := strconv.FormatInt(vector.at.Unix(), 10), vector.signature
	wrong, err := signature.Sign(other, vector.id, vector.at, []byte(vector.body))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		secret, id, stamp, signatures, body string
		now                                 time.Time
		want                                error
	}{
		"right":                           {vector.secret, vector.id, stamp, good, vector.body, vector.at, nil},
		"the newest of two":               {vector.secret, vector.id, stamp, good + " " + wrong, vector.body, vector.at, nil},
		"the older of two":                {vector.secret, vector.id, stamp, wrong + " " + good, vector.body, vector.at, nil},
		"among others that are broken":    {vector.secret, vector.id, stamp, "v1 v1, , v2," + good[3:] + " v1,%% " + good, vector.body, vector.at, nil},
		"five minutes old":                {vector.secret, vector.id, stamp, good, vector.body, vector.at.Add(5 * time.Minute), nil},
		"five minutes early":              {vector.secret, vector.id, stamp, good, vector.body, vector.at.Add(-5 * time.Minute), nil},
		"older than five minutes":         {vector.secret, vector.id, stamp, good, vector.body, vector.at.Add(5*time.Minute + time.Second), signature.ErrTimestamp},
		"from the future":                 {vector.secret, vector.id, stamp, good, vector.body, vector.at.Add(-5*time.Minute - time.Second), signature.ErrTimestamp},
		"with another secret":             {other, vector.id, stamp, good, vector.body, vector.at, signature.ErrMismatch},
		"with another id":                 {vector.secret, vector.id + "x", stamp, good, vector.body, vector.at, signature.ErrMismatch},
		"with another timestamp":          {vector.secret, vector.id, "1614265331", good, vector.body, vector.at, signature.ErrMismatch},
		"with another body":               {vector.secret, vector.id, stamp, good, vector.body + " ", vector.at, signature.ErrMismatch},
		"of another version":              {vector.secret, vector.id, stamp, "v2," + good[3:], vector.body, vector.at, signature.ErrMismatch},
		"cut short":                       {vector.secret, vector.id, stamp, good[:len(good)-4], vector.body, vector.at, signature.ErrMismatch},
		"empty":                           {vector.secret, vector.id, stamp, "v1,", vector.body, vector.at, signature.ErrMismatch},
		"without its version":             {vector.secret, vector.id, stamp, good[3:], vector.body, vector.at, signature.ErrMismatch},
		"without an id":                   {vector.secret, "", stamp, good, vector.body, vector.at, signature.ErrHeaders},
		"without a timestamp":             {vector.secret, vector.id, "", good, vector.body, vector.at, signature.ErrHeaders},
		"without a signature":             {vector.secret, vector.id, stamp, "", vector.body, vector.at, signature.ErrHeaders},
		"with a timestamp of words":       {vector.secret, vector.id, "now", good, vector.body, vector.at, signature.ErrHeaders},
		"with a broken timestamp":         {vector.secret, vector.id, stamp + ".0", good, vector.body, vector.at, signature.ErrHeaders},
		"with a timestamp too large":      {vector.secret, vector.id, "99999999999999999999", good, vector.body, vector.at, signature.ErrHeaders},
		"with the largest timestamp":      {vector.secret, vector.id, "9223372036854775807", good, vector.body, vector.at, signature.ErrTimestamp},
		"with the smallest timestamp":     {vector.secret, vector.id, "-9223372036854775808", good, vector.body, vector.at, signature.ErrTimestamp},
		"with a secret without whsec_":    {vector.secret[6:], vector.id, stamp, good, vector.body, vector.at, signature.ErrSecret},
		"with a secret of nothing":        {"whsec_", vector.id, stamp, good, vector.body, vector.at, signature.ErrSecret},
		"with a secret that is no base64": {"whsec_!!", vector.id, stamp, good, vector.body, vector.at, signature.ErrSecret},
		"with no secret":                  {"", vector.id, stamp, good, vector.body, vector.at, signature.ErrSecret},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := signature.Verify(tt.secret, headers(tt.id, tt.stamp, tt.signatures), []byte(tt.body), tt.now)
			if !errors.Is(err, tt.want) || tt.want == nil && err != nil {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestSignRefusesABrokenSecret(t *testing.T) {
	t.Parallel()
	if got, err := signature.Sign("secret", "id", time.Now(), nil); !errors.Is(err, signature.ErrSecret) || got != "" {
		t.Errorf("got %q, %v", got, err)
	}
}

// What is signed verifies, and with nothing changed but by who knows the secret.
func FuzzVerify(f *testing.F) {
	f.Add(vector.id, vector.at.Unix(), []byte(vector.body), vector.signature, []byte("key"))
	f.Add("", int64(0), []byte(nil), "", []byte{0})
	f.Add("a b", int64(-1), []byte{0xff}, "v1,v1 v1", []byte("k"))
	f.Fuzz(func(t *testing.T, id string, seconds int64, body []byte, signatures string, key []byte) {
		secret := "whsec_" + base64.StdEncoding.EncodeToString(key)
		at := time.Unix(seconds, 0)
		signed, err := signature.Sign(secret, id, at, body)
		if (err != nil) != (len(key) == 0) {
			t.Fatal(err)
		}
		h := headers(id, fmt.Sprint(seconds), signatures)
		if err := signature.Verify(secret, h, body, at); err == nil && !strings.Contains(signatures, signed) {
			t.Fatalf("%q verified as %q", signatures, signed)
		}
		if err != nil || id == "" {
			return
		}
		h.Set(signature.HeaderSignature, signed)
		if err := signature.Verify(secret, h, body, at); err != nil {
			t.Fatal(err)
		}
		if err := signature.Verify(secret, h, append(body, 'x'), at); err == nil {
			t.Fatal("a longer body verified")
		}
	})
}

func ExampleVerify() {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	header := http.Header{
		"Webhook-Id":        {"msg_p5jXN8AQM9LWM0D4loKWxJek"},
		"Webhook-Timestamp": {"1614265330"},
		"Webhook-Signature": {"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
	}
	fmt.Println(signature.Verify(secret, header, []byte(`{"test": 2432232314}`), time.Unix(1614265330, 0)))
	fmt.Println(signature.Verify(secret, header, []byte(`{"test": 2432232315}`), time.Unix(1614265330, 0)))
	// Output:
	// <nil>
	// signature: no signature fits
}
