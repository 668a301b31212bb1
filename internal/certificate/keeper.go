// Package certificate orders certificates for this server's own names from a
// certificate authority that speaks ACME (RFC 8555), keeps them in the store for all
// nodes, and serves them.
//
//	Keeper.Run -> store.ClaimCertificate -> order -> store.SaveCertificate -> (each node) load
//	TLS handshake -> Keeper.TLS: the certificate, or the answer to a challenge
//	plain HTTP    -> Keeper.Plain: the answer to a challenge, or a redirect
//
// Of all nodes one orders at a time, and any of them answers the authority: what it
// asks for is in the store. Private keys are sealed there. A handshake never waits
// for the authority, and never makes anybody ask it: the names are the operator's.
package certificate

import (
	"bytes"
	"context"
	"crypto"
	"crypto/tls"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

const (
	lookEvery = 5 * time.Second // how far apart it is looked for what is due, and for what other nodes have renewed
	orderTime = 5 * time.Minute // for one order
	claimTime = orderTime + time.Minute
	stopTime  = 2 * time.Second // to give a claim back
)

// Options are what a Keeper is made of.
type Options struct {
	Store     *store.Store
	Box       *seal.Box
	Domains   []string     // in lower case
	Directory string       // the authority's, https://…
	Email     string       // which the authority may write to; "": none
	Client    *http.Client // the way to the authority
	PublicURL string       // whose port plain requests are redirected to
	Now       func() time.Time
	Log       *slog.Logger
	Metrics   prometheus.Registerer
}

// Keeper keeps the certificates of this server's names.
type Keeper struct {
	Options

	mu       sync.RWMutex
	serving  map[string]*served
	account  crypto.Signer // nil: not read yet
	lookedAt time.Time     // when a handshake last looked into the store
	failing  bool          // the store did not answer the last time
}

// served is a certificate that this node serves, and what is known of it.
type served struct {
	row      store.Certificate
	cert     *tls.Certificate // nil: there is none
	unopened []byte           // what is in the store and was sealed with a key that we do not have
}

// New returns a Keeper. Run makes it work.
func New(o Options) *Keeper {
	k := &Keeper{Options: o, serving: map[string]*served{}}
	if o.Metrics != nil {
		o.Metrics.MustRegister(collector{k})
	}
	return k
}

// Run orders what is missing or due and takes over what other nodes have ordered,
// until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		k.RunOnce(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RunOnce looks once. An outage of the store is logged when it begins and when it is
// over; what is served stays what it is meanwhile.
func (k *Keeper) RunOnce(ctx context.Context) {
	err := k.load(ctx)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil && !k.failing:
		k.Log.Error("certificates cannot be read from the database, trying again; those that were read are served", "error", err)
	case err == nil && k.failing:
		k.Log.Info("certificates are read from the database again")
	}
	if k.failing = err != nil; k.failing {
		return
	}
	for _, domain := range k.Domains {
		if due(k.row(domain), k.Directory, k.Now()) && ctx.Err() == nil {
			k.renew(ctx, domain)
		}
	}
}

// due says whether a certificate is to be ordered: there is none, it is another
// authority's, or a third of its time is left, and no more than 30 days.
func due(c store.Certificate, directory string, now time.Time) bool {
	if c.Sealed == nil || c.Directory != directory {
		return !now.Before(c.RetryAt)
	}
	before := min(c.ExpiresAt.Sub(c.IssuedAt)/3, 30*24*time.Hour)
	return !now.Before(c.ExpiresAt.Add(-before)) && !now.Before(c.RetryAt)
}

// renew orders a certificate if no other node does.
func (k *Keeper) renew(ctx context.Context, domain string) {
	until := k.Now().Add(claimTime)
	row, mine, err := k.Store.ClaimCertificateForWorker(ctx, domain, k.Now(), until)
	if err != nil {
		k.Log.Error("the order of a certificate cannot be claimed, trying again", "domain", domain, "error", err)
	}
	if !mine {
		return
	}
	if _, err := open(k.Box, row); err != nil {
		row.Sealed = nil
	}
	if !due(row, k.Directory, k.Now()) { // another node was faster
		k.release(ctx, domain, until)
		return
	}
	issued, err := k.order(ctx, domain)
	if err == nil {
		err = k.save(ctx, issued, until)
	}
	switch {
	case err == nil:
		k.Log.Info("a certificate was issued", "domain", domain, "expires_at", issued.ExpiresAt, "directory", k.Directory)
	case ctx.Err() != nil: // we are stopping: another node, or the next start, orders it
		k.release(ctx, domain, until)
		return
	default:
		k.fail(ctx, row, until, err)
	}
	if err := k.load(ctx); err != nil {
		k.Log.Error("certificates cannot be read from the database, trying again; those that were read are served", "error", err)
	}
}

// save writes what was issued. While the database is away it is tried again, as long as
// the order is ours: the authority counts what it issues.
func (k *Keeper) save(ctx context.Context, issued store.Certificate, until time.Time) error {
	for {
		err := k.Store.SaveCertificateForWorker(ctx, issued, until)
		if !frontdesk.IsUnavailable(err) || !k.Now().Before(until) {
			return err
		}
		k.Log.Error("a certificate was issued and cannot be written into the database, trying again", "domain", issued.Domain, "error", err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(lookEvery):
		}
	}
}

func (k *Keeper) release(ctx context.Context, domain string, until time.Time) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := k.Store.ReleaseCertificateForWorker(ctx, domain, until); err != nil {
		k.Log.Warn("the order of a certificate cannot be given back; nobody orders it for some minutes", "domain", domain, "error", err)
	}
}

// fail writes down why an order failed, and tells the operator what to do.
func (k *Keeper) fail(ctx context.Context, row store.Certificate, until time.Time, cause error) {
	now := k.Now()
	row.Attempts++
	row.FailedAt, row.Failure = now, strings.ToValidUTF8(strings.ReplaceAll(cause.Error(), "\x00", ""), "?")
	row.RetryAt = now.Add(pause(cause, row.Attempts))
	serves := "none: visitors cannot connect"
	if row.Sealed != nil {
		serves = "the one that expires at " + row.ExpiresAt.Format(time.RFC3339)
	}
	k.Log.Error("a certificate could not be ordered", "domain", row.Domain, "directory", k.Directory, "error", cause,
		"do", Advice(row.Failure), "serves", serves, "attempt", row.Attempts, "again_at", row.RetryAt)
	if err := k.Store.FailCertificateForWorker(ctx, row, until); err != nil {
		k.Log.Error("the failure of an order cannot be written", "domain", row.Domain, "error", err)
	}
}

// load takes over what the store has.
func (k *Keeper) load(ctx context.Context) error {
	rows, err := k.Store.CertificatesForWorker(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if k.knows(row.Domain) {
			k.take(row)
		}
	}
	return nil
}

// take takes over what the store has for one name. What cannot be opened counts as
// missing, so that it is ordered anew; what was served before is served on.
func (k *Keeper) take(row store.Certificate) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now, before := &served{row: row}, k.serving[row.Domain]
	if before != nil {
		now.cert = before.cert
	}
	switch {
	case row.Sealed == nil || before != nil && bytes.Equal(before.row.Sealed, row.Sealed):
	case before != nil && bytes.Equal(before.unopened, row.Sealed):
		now.row.Sealed, now.unopened = nil, row.Sealed
	default:
		opened, err := open(k.Box, row)
		if err != nil {
			k.Log.Error("a certificate in the database cannot be opened and is ordered anew; with the master key that sealed it, it could be (FRONTDESK_MASTER_KEY_OLD)", "domain", row.Domain, "error", err)
			now.row.Sealed, now.unopened = nil, row.Sealed
			break
		}
		now.cert = opened
	}
	k.serving[row.Domain] = now
}

// row is what is known of a name's certificate.
func (k *Keeper) row(domain string) store.Certificate {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if s := k.serving[domain]; s != nil {
		return s.row
	}
	return store.Certificate{Domain: domain}
}

// certificateOf is what is served under a name; nil: nothing yet.
func (k *Keeper) certificateOf(domain string) *tls.Certificate {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if s := k.serving[domain]; s != nil {
		return s.cert
	}
	return nil
}
