package phone

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what Twilio signs with
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/turns"
)

// dialect is what one carrier does otherwise than another.
type dialect struct {
	carrier frontdesk.Carrier

	// signed says why a request is not the carrier's; nil: it is. addresses are
	// those that the carrier may have used.
	signed func(r *http.Request, body []byte, addresses []string, secret frontdesk.Secret, now time.Time) error
	// signedSocket is the same for the opening of a relay; nil: carriers sign none,
	// and the token in the address is all there is.
	signedSocket func(r *http.Request, addresses []string, secret frontdesk.Secret) error

	habits turns.Habits
}

var dialects = []*dialect{
	{carrier: frontdesk.Twilio, signed: signedByTwilio, signedSocket: socketSignedByTwilio},
	{carrier: frontdesk.Telnyx, signed: signedByTelnyx, habits: turns.Habits{Splits: true, EndsAtOnce: true}},
}

var errUnsigned = errors.New("the signature is missing or not the carrier's: check the secret of the number with `frontdesk number add`, and FRONTDESK_PUBLIC_URL")

const twilioHeader = "X-Twilio-Signature"

// twilioSignature is what Twilio signs an address and the fields of a form with.
func twilioSignature(secret frontdesk.Secret, address string, form url.Values) string {
	mac := hmac.New(sha1.New, []byte(secret.Reveal()))
	_, _ = io.WriteString(mac, address)
	for _, key := range slices.Sorted(maps.Keys(form)) {
		for _, value := range slices.Compact(slices.Sorted(slices.Values(form[key]))) {
			_, _ = io.WriteString(mac, key+value)
		}
	}
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func signedByTwilio(r *http.Request, body []byte, addresses []string, secret frontdesk.Secret, _ time.Time) error {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return err
	}
	return twilioSigned(r, addresses, form, secret)
}

// socketSignedByTwilio holds the opening of a relay to its signature, which is over
// the address alone, as it stands in the markup.
func socketSignedByTwilio(r *http.Request, addresses []string, secret frontdesk.Secret) error {
	return twilioSigned(r, addresses, nil, secret)
}

func twilioSigned(r *http.Request, addresses []string, form url.Values, secret frontdesk.Secret) error {
	given := []byte(r.Header.Get(twilioHeader))
	for _, address := range addresses {
		if secret != "" && hmac.Equal(given, []byte(twilioSignature(secret, address, form))) {
			return nil
		}
	}
	return errUnsigned
}

const (
	telnyxHeader = "Telnyx-Signature-Ed25519"
	telnyxTime   = "Telnyx-Timestamp"
	// telnyxAge is how old a signed request may be.
	telnyxAge = 300 * time.Second
)

func signedByTelnyx(r *http.Request, body []byte, _ []string, secret frontdesk.Secret, now time.Time) error {
	stamp := r.Header.Get(telnyxTime)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return errUnsigned
	}
	if age := now.Sub(time.Unix(seconds, 0)).Abs(); age > telnyxAge {
		return errors.New("the request was signed more than five minutes ago: it is sent a second time, or the clock of this machine is wrong")
	}
	key, err := base64.StdEncoding.DecodeString(secret.Reveal())
	signature, err2 := base64.StdEncoding.DecodeString(r.Header.Get(telnyxHeader))
	if err != nil || err2 != nil || len(key) != ed25519.PublicKeySize {
		return errUnsigned
	}
	if !ed25519.Verify(key, append([]byte(stamp+"|"), body...), signature) {
		return errUnsigned
	}
	return nil
}

// spellings are an address with the default port of its scheme and without it: both
// are the same place, and carriers sign either.
func spellings(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return []string{address}
	}
	usual := map[string]string{"https": "443", "wss": "443", "http": "80", "ws": "80"}[u.Scheme]
	other := *u
	switch port := u.Port(); {
	case port == "":
		other.Host = u.Host + ":" + usual
	case port == usual:
		other.Host = strings.TrimSuffix(u.Host, ":"+usual)
	default:
		return []string{address}
	}
	// The text of the address stays as it was written: only the host changes.
	return []string{address, strings.Replace(address, "//"+u.Host, "//"+other.Host, 1)}
}
