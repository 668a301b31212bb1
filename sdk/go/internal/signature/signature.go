// Package signature signs and verifies webhooks by the Standard Webhooks
// scheme, version 1. Receivers written in Go import it:
//
//	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
//	…
//	if err := signature.Verify(secret, r.Header, body, time.Now()); err != nil {
//		http.Error(w, "bad signature", http.StatusUnauthorized)
//		return
//	}
//
// A signature is HMAC-SHA256 over "id.timestamp.body". During the grace after a
// rotation a delivery carries two signatures, newest secret first; one that
// fits is enough.
package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a delivery.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// Tolerance is how far a delivery's timestamp may be from the receiver's clock.
// It bounds how long a delivery that somebody recorded can be played again.
const Tolerance = 5 * time.Minute

const (
	secretPrefix = "whsec_"
	scheme       = "v1"
)

// What can be wrong with a delivery.
var (
	ErrSecret    = errors.New("signature: the secret must be whsec_ and base64")
	ErrHeaders   = errors.New("signature: the webhook-id, webhook-timestamp or webhook-signature header is missing or malformed")
	ErrTimestamp = errors.New("signature: the timestamp is too far from now")
	ErrMismatch  = errors.New("signature: no signature fits")
)

// Sign returns the signature of a delivery: "v1," and base64.
func Sign(secret, id string, timestamp time.Time, body []byte) (string, error) {
	key, err := keyOf(secret)
	if err != nil {
		return "", err
	}
	return scheme + "," + base64.StdEncoding.EncodeToString(sum(key, id, timestamp.Unix(), body)), nil
}

// Verify says whether a delivery was signed with the secret, close to now. body
// must be the bytes as they were received.
func Verify(secret string, header http.Header, body []byte, now time.Time) error {
	key, err := keyOf(secret)
	if err != nil {
		return err
	}
	id, signatures := header.Get(HeaderID), header.Get(HeaderSignature)
	seconds, err := strconv.ParseInt(header.Get(HeaderTimestamp), 10, 64)
	if id == "" || signatures == "" || err != nil {
		return ErrHeaders
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > Tolerance {
		return ErrTimestamp
	}
	want := sum(key, id, seconds, body)
	for _, signature := range strings.Fields(signatures) {
		version, text, _ := strings.Cut(signature, ",")
		got, err := base64.StdEncoding.DecodeString(text)
		if version == scheme && err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return ErrMismatch
}

func keyOf(secret string) ([]byte, error) {
	text, ok := strings.CutPrefix(secret, secretPrefix)
	if !ok {
		return nil, ErrSecret
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) == 0 {
		return nil, ErrSecret
	}
	return key, nil
}

func sum(key []byte, id string, seconds int64, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%s.%d.", id, seconds)
	h.Write(body)
	return h.Sum(nil)
}
