package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/wire"
)

const (
	answersKept = 24 * time.Hour
	// answerLease is how long a request may hold its key without an answer
	// before the node that ran it is taken for dead.
	answerLease = 30 * time.Second
)

const keyInUse = "idempotency_key_in_use"

// idempotencyKey is the key that a POST carries, if it carries one.
func idempotencyKey(r *http.Request) (string, bool) {
	values := r.Header.Values("Idempotency-Key")
	if r.Method != http.MethodPost || len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// kept is an answer as it is stored, sealed: some hold a secret. An error is
// kept in its parts, because every answer names its own request.
type kept struct {
	ContentType string
	Body        []byte
	ETag        string
	Failure     *failure
}

type failure struct{ Class, Code, Message, Param string }

// once runs a request that carries an idempotency key: the first with a key is
// carried out, every later one gets the first one's answer.
func (a *API) once(w http.ResponseWriter, r *request, key string) (answer, error) {
	if n := utf8.RuneCountInString(key); n < 1 || n > 255 || !exchange.Storable(key) {
		return answer{}, frontdesk.InvalidParam("Idempotency-Key", "Idempotency-Key must have 1 to 255 characters.")
	}
	switch {
	case r.route.bodyLimit > 0:
		if err := r.readBody(); err != nil {
			return answer{}, err
		}
	case r.route.uploads:
		if err := r.spoolUpload(); err != nil {
			return answer{}, err
		}
		defer r.spooled.discard()
	}
	now := a.now()
	lease := now.Add(answerLease).Truncate(time.Microsecond)
	print := fingerprint(r)
	before, mine, err := a.store.ClaimAnswer(r.Context(), r.owner, key, print, now, lease, now.Add(answersKept))
	switch {
	case err != nil:
		return answer{}, err
	case mine:
		r.resumes = before.Work
		return a.firstTime(r, key, lease)
	case !bytes.Equal(before.Fingerprint, print):
		return answer{}, conflict("idempotency_key_reused", "This Idempotency-Key was used with another request. Use a new key for a new request.")
	case before.Status == 0:
		return answer{}, conflict(keyInUse, "A request with this Idempotency-Key is still running. Wait for its answer, or try again in a moment.")
	}
	return a.replay(r, key, before.Status, before.Body)
}

// firstTime carries the request out and keeps its answer, in the transaction of
// what it has written. An answer that is our fault, or that asks to wait, is not
// kept, nor is its work, so that the request can be tried again.
func (a *API) firstTime(r *request, key string, lease time.Time) (ans answer, err error) {
	finished := false
	// What happens to the key must not depend on a client that has gone.
	ctx := context.WithoutCancel(r.http.Context())
	work := r.underUnit(a.store, key, lease)
	defer func() {
		if !finished {
			work.Drop()
			a.release(ctx, r, key, lease)
		}
	}()
	ans, err = a.handle(r)
	if err != nil {
		e := exchange.Domain(err)
		if e == nil || e.Kind == frontdesk.RateLimited || exchange.Statuses[e.Kind].Code >= 500 || e.Code == keyInUse {
			return ans, err
		}
		finished = true
		work.Drop()
		s := exchange.Statuses[e.Kind]
		a.keepFailure(ctx, r, key, lease, s.Code, failure{s.Class, e.Code, e.Message, e.Param})
		return ans, err
	}
	sealed, err := a.sealAnswer(r, key, kept{ContentType: ans.contentType, Body: ans.body, ETag: ans.etag})
	if err != nil {
		return answer{}, err
	}
	if err := work.Keep(ctx, ans.status, sealed); err != nil {
		return answer{}, err
	}
	finished = true
	return ans, nil
}

func (a *API) keepFailure(ctx context.Context, r *request, key string, lease time.Time, status int, f failure) {
	sealed, err := a.sealAnswer(r, key, kept{Failure: &f})
	if err == nil {
		err = a.store.KeepAnswer(ctx, r.owner, key, lease, status, sealed)
	}
	a.logFailure("keeping an answer", err)
}

func (a *API) sealAnswer(r *request, key string, k kept) ([]byte, error) {
	text, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	return a.box.Seal(answerPlace(r.owner, key), text), nil
}

// release frees the key of a request that came to nothing. It takes what is
// left of the request's time: a database that hangs must not hold the answer
// up, and the lease ends by itself.
func (a *API) release(ctx context.Context, r *request, key string, lease time.Time) {
	const least = 100 * time.Millisecond
	deadline, _ := r.Context().Deadline()
	ctx, cancel := context.WithTimeout(ctx, max(least, time.Until(deadline)))
	defer cancel()
	a.logFailure("releasing an idempotency key", a.store.ReleaseAnswer(ctx, r.owner, key, lease))
}

func (a *API) replay(r *request, key string, status int, sealed []byte) (answer, error) {
	text, err := a.box.Open(answerPlace(r.owner, key), sealed)
	if err != nil {
		return answer{}, fmt.Errorf("replaying an answer: %w", err)
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil {
		return answer{}, fmt.Errorf("replaying an answer: %w", err)
	}
	if f := k.Failure; f != nil {
		return answer{
			status: status, contentType: exchange.JSON, code: f.Code, param: f.Param, replayed: true,
			body: wire.Error(f.Class, f.Code, f.Message, f.Param, r.id),
		}, nil
	}
	return answer{status: status, contentType: k.ContentType, body: k.Body, etag: k.ETag, replayed: true}, nil
}

// fingerprint tells one request from another: method, address and body, and the
// headers that say what a file is, and which version is to be changed.
func fingerprint(r *request) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", r.http.Method, r.http.URL.RequestURI())
	if r.spooled != nil {
		fmt.Fprintf(h, "%s\n%s\n%x", r.http.Header.Get("Content-Type"), r.http.Header.Get("X-Service-Filename"), r.spooled.sum)
	}
	if wanted := r.ifMatch(); wanted != "" {
		fmt.Fprintf(h, "If-Match: %s\n", wanted)
	}
	h.Write(r.body)
	return h.Sum(nil)
}

// OpenAnswer reads answers that are kept for an Idempotency-Key, as they were sent.
func OpenAnswer(box *seal.Box) func(frontdesk.Owner, string, []byte) ([]byte, error) {
	return func(owner frontdesk.Owner, key string, sealed []byte) ([]byte, error) {
		text, err := box.Open(answerPlace(owner, key), sealed)
		if err != nil {
			return nil, fmt.Errorf("reading a kept answer: %w", err)
		}
		var k kept
		err = json.Unmarshal(text, &k)
		return k.Body, err
	}
}

func answerPlace(owner frontdesk.Owner, key string) string {
	return fmt.Sprintf("answer %s %t %s", owner.TenantID, owner.Live, key)
}

func conflict(code, message string) error {
	return &frontdesk.Error{Kind: frontdesk.Conflict, Code: code, Message: message}
}

func (a *API) logFailure(doing string, err error) {
	if err != nil {
		a.log.Error(doing+" failed", "error", err)
	}
}

// ForgetAnswers deletes the answers that have been kept long enough, a few at a
// time.
func (a *API) ForgetAnswers(ctx context.Context) error {
	const some = 500
	for {
		n, err := a.store.ForgetAnswersForWorker(ctx, a.now(), some)
		if err != nil || n < some {
			return err
		}
	}
}
