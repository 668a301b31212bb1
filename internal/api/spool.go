package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

// spool is the file of an upload that carries an idempotency key: it must be
// known whole before it is known whether to carry the request out.
type spool struct {
	*os.File
	sum []byte
}

// spoolUpload reads the body into a file of its own, up to the plan's limit.
func (r *request) spoolUpload() error {
	r.stopClock()
	defer r.startClock()
	if r.left <= 0 {
		return frontdesk.DatabaseUnavailable(context.DeadlineExceeded)
	}
	file, err := os.CreateTemp("", "frontdesk-upload-*")
	if err != nil {
		return notSpooled(err)
	}
	os.Remove(file.Name()) // it lives as long as it is open
	r.spooled = &spool{File: file}
	if err := r.spooled.fill(r.http.Body, r.caller.Tenant.Plan.MaxDocumentBytes); err != nil {
		r.spooled.discard()
		return err
	}
	return nil
}

// fill takes a body in. What goes wrong with the body is its client's to mend,
// what goes wrong with the file is ours.
func (s *spool) fill(body io.Reader, most int64) error {
	source := &watched{from: io.LimitReader(body, most+1)}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(s.File, h), source)
	switch {
	case source.err != nil:
		return &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "parameter_invalid", Cause: source.err,
			Message: "The document did not arrive whole, or not in time. Send it again.",
		}
	case err != nil:
		return notSpooled(err)
	case n > most:
		return knowledge.TooLarge(most)
	}
	s.sum = h.Sum(nil)
	if _, err := s.Seek(0, io.SeekStart); err != nil {
		return notSpooled(err)
	}
	return nil
}

func notSpooled(cause error) error {
	return &frontdesk.Error{
		Kind: frontdesk.StorageFailed, Code: "storage_failed", Cause: fmt.Errorf("spooling an upload: %w", cause),
		Message: "The document could not be stored, and nothing of it remains. Send it again in a moment.",
	}
}

// watched remembers why reading failed, so that it can be told from a failure
// to write.
type watched struct {
	from io.Reader
	err  error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

func (s *spool) discard() { s.Close() }
