package frontdesk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/sdk/go/internal/signature"
)

// What can be wrong with a webhook, for errors.Is. All are ErrSignature too.
var (
	// ErrSignatureSecret: the secret itself is not whsec_ and base64.
	ErrSignatureSecret = signature.ErrSecret
	// ErrSignatureHeaders: a webhook-… header is missing or malformed.
	ErrSignatureHeaders = signature.ErrHeaders
	// ErrSignatureTimestamp: it was signed too long ago, or one of the two clocks
	// is wrong.
	ErrSignatureTimestamp = signature.ErrTimestamp
	// ErrSignatureMismatch: it was signed with another secret, or the body is not
	// the one that was signed.
	ErrSignatureMismatch = signature.ErrMismatch
)

const largestWebhook = 1 << 20 // events have 20 KiB at most

// SignatureError says which check a webhook failed.
type SignatureError struct{ Err error }

func (e *SignatureError) Error() string { return "frontdesk: webhook refused: " + e.Err.Error() }

// Unwrap is the check, such as ErrSignatureMismatch.
func (e *SignatureError) Unwrap() error { return e.Err }

// Is says that the error is an ErrSignature.
func (e *SignatureError) Is(kind error) bool { return kind == ErrSignature }

// VerifyWebhook returns the event of a webhook that was signed with one of the
// secrets within the last five minutes, and else a *SignatureError. body must be
// the bytes as they were received. While a secret is being rotated, give both.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*Event, error) {
	return WebhookVerifier{Secrets: secrets}.Verify(body, header)
}

// WebhookVerifier verifies webhooks. It needs no Client.
type WebhookVerifier struct {
	// Secrets of the connection: one, or two while it is being rotated. Empty
	// ones are passed over.
	Secrets []string `json:"-"`
	// Tolerance is how far the webhook's time may be from now, either way.
	// Default: five minutes.
	Tolerance time.Duration
}

// String leaves the secrets out.
func (v WebhookVerifier) String() string {
	return fmt.Sprintf("frontdesk.WebhookVerifier(%d secrets)", len(v.Secrets))
}

// GoString leaves the secrets out.
func (v WebhookVerifier) GoString() string { return v.String() }

// VerifyRequest reads the request's body and verifies it.
func (v WebhookVerifier) VerifyRequest(r *http.Request) (*Event, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, largestWebhook))
	if err != nil {
		return nil, fmt.Errorf("frontdesk: reading the webhook: %w", err)
	}
	return v.Verify(body, r.Header)
}

// Verify is VerifyWebhook with the verifier's settings.
func (v WebhookVerifier) Verify(body []byte, header http.Header) (*Event, error) {
	if err := v.check(body, header, time.Now()); err != nil {
		return nil, &SignatureError{err}
	}
	event := new(Event)
	if err := json.Unmarshal(body, event); err != nil {
		return nil, fmt.Errorf("frontdesk: the webhook is signed, but it is no event: %w", err)
	}
	return event, nil
}

func (v WebhookVerifier) check(body []byte, header http.Header, now time.Time) error {
	header = canonical(header)
	at, err := v.signedAt(header, now)
	if err != nil {
		return err
	}
	err = fmt.Errorf("there is no secret: %w", ErrSignatureSecret)
	for i, secret := range v.Secrets {
		if secret == "" {
			continue
		}
		err = signature.Verify(secret, header, body, at)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, ErrSignatureSecret):
			return fmt.Errorf("secret %d of %d: %w", i+1, len(v.Secrets), err)
		}
	}
	return err
}

// signedAt is when the webhook says it was signed, if that is near enough. The
// signature is then verified as of that instant.
func (v WebhookVerifier) signedAt(header http.Header, now time.Time) (time.Time, error) {
	seconds, err := strconv.ParseInt(header.Get(signature.HeaderTimestamp), 10, 64)
	if err != nil {
		return time.Time{}, ErrSignatureHeaders
	}
	tolerance := v.Tolerance
	if tolerance <= 0 {
		tolerance = signature.Tolerance
	}
	at := time.Unix(seconds, 0)
	if off := now.Sub(at); off.Abs() > tolerance {
		return at, fmt.Errorf("it is %s from now: %w", off.Abs().Round(time.Second), ErrSignatureTimestamp)
	}
	return at, nil
}

// canonical takes headers whatever the case of their names, and makes one line
// of several.
func canonical(header http.Header) http.Header {
	all := http.Header{}
	for name, values := range header {
		if text := strings.Join(values, " "); text != "" {
			all.Set(name, strings.TrimSpace(all.Get(name)+" "+text))
		}
	}
	return all
}
