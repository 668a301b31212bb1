package app

import (
	"context"
	"net/http"
	"time"
)

// blobTime is how long the place of documents' bytes may take to answer.
const blobTime = 2 * time.Second

// unready is why a process cannot do its work.
type unready struct {
	cause error
	body  string // of the answer to who asks /readyz
}

func (u *unready) Error() string { return u.cause.Error() }

// ready says whether this process can do its work.
func (p *parts) ready(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	began := time.Now()
	if why := p.unready(r.Context()); why != nil {
		p.log.Warn("not ready", "error", why.cause, "took", time.Since(began))
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		w.Write([]byte(why.body))
		return
	}
	w.Write([]byte(`{"status":"ready","database":"answers","documents":"can be stored"}`))
}

// unready looks whether the database answers, and so does the place of documents'
// bytes; nil: they do.
func (p *parts) unready(ctx context.Context) *unready {
	if err := p.store.Ping(ctx); err != nil {
		return &unready{err, `{"status":"unavailable","database":"does not answer"}`}
	}
	ctx, cancel := context.WithTimeout(ctx, blobTime)
	defer cancel()
	if err := p.blobs.Check(ctx); err != nil {
		return &unready{err, `{"status":"unavailable","database":"answers","documents":"cannot be stored"}`}
	}
	return nil
}
