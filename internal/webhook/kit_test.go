package webhook_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/webhook"
)

var (
	ctx = context.Background()
	day = time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC)
)

// patience is how long a test waits for what must come, on a loaded machine.
const patience = time.Minute

// newClock is a time that tests move.
func newClock() *servicetest.Clock { return servicetest.NewClock(day) }

func newBox(t testing.TB) *seal.Box {
	t.Helper()
	var key [32]byte
	rand.Read(key[:])
	box, err := seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(key[:])))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// authority is a file with the certificate that all of httptest's servers have.
func authority(t testing.TB) string {
	t.Helper()
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// opened is a guard that lets some origins through.
func opened(t testing.TB, origins ...string) *egress.Guard {
	t.Helper()
	g, err := egress.New(egress.Options{Allow: origins, CAFile: authority(t)})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// line is a sender with one connection to a URL.
type line struct {
	sender     *webhook.Sender
	connection frontdesk.Connection
	secret     frontdesk.Secret
	box        *seal.Box
	clock      *servicetest.Clock
}

func newLine(t testing.TB, guard *egress.Guard, url string) *line {
	t.Helper()
	l := &line{box: newBox(t), clock: newClock()}
	l.sender = webhook.NewSender(guard, l.box, l.clock.Now, quiet(), nil)
	l.connection = frontdesk.Connection{ID: frontdesk.NewID(day), URL: url, Status: frontdesk.ConnectionActive}
	l.secret = l.newSecret(&l.connection.Secret)
	return l
}

func (l *line) newSecret(at *frontdesk.SealedSecret) frontdesk.Secret {
	secret, prefix := frontdesk.NewSigningSecret()
	*at = frontdesk.SealedSecret{
		Prefix: prefix, SetAt: l.clock.Now(),
		Sealed: l.box.Seal("connection secret "+string(l.connection.ID), []byte(secret.Reveal())),
	}
	return secret
}

func (l *line) send(t testing.TB) frontdesk.Attempt {
	t.Helper()
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return l.sender.Send(bounded, l.connection, eventID, eventBody)
}

const eventID frontdesk.ID = "0192a000-0000-7000-8000-000000000001"

var eventBody = []byte(`{"id":"0192a000-0000-7000-8000-000000000001","object":"event","data":{"object":{"name":"«Ñandú» 🐦"}}}`)
