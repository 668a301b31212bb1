package store

import (
	"context"
	"database/sql"
	"time"
)

// Certificate is what is known of the certificate of one of this server's names.
type Certificate struct {
	Domain    string
	Directory string // of the authority that issued it
	Sealed    []byte // the private key and the chain; nil: there is none yet
	IssuedAt  time.Time
	ExpiresAt time.Time

	Attempts int       // orders in a row that failed
	RetryAt  time.Time // before it nobody orders again
	FailedAt time.Time // of the last failure; zero: none since the last success
	Failure  string
}

const selectCertificates = `SELECT domain, directory, sealed, issued_at, expires_at, attempts, retry_at, failed_at, failure FROM certificates`

func scanCertificate(r row) (c Certificate, err error) {
	var issued, expires, failed sql.NullInt64
	var retry int64
	err = r.Scan(&c.Domain, &c.Directory, &c.Sealed, &issued, &expires, &c.Attempts, &retry, &failed, &c.Failure)
	c.IssuedAt, c.ExpiresAt, c.RetryAt, c.FailedAt = fromMaybeMicros(issued), fromMaybeMicros(expires), fromMicros(retry), fromMaybeMicros(failed)
	return c, err
}

// CertificatesForWorker lists all certificates, by their names.
func (s *Store) CertificatesForWorker(ctx context.Context) (all []Certificate, err error) {
	err = s.each(ctx, "reading certificates", selectCertificates+` ORDER BY domain`, nil, func(r row) error {
		c, err := scanCertificate(r)
		all = append(all, c)
		return err
	})
	return all, err
}

// ClaimCertificateForWorker lets one of all nodes order the certificate of a name
// until an instant, and says whether this is the one. Nobody is before RetryAt.
// The certificate is as it stands then: another node may have renewed it meanwhile.
func (s *Store) ClaimCertificateForWorker(ctx context.Context, domain string, now, until time.Time) (c Certificate, mine bool, err error) {
	err = s.transact(ctx, "claiming the order of a certificate", func(t *tx) error {
		if _, err := t.exec(`INSERT INTO certificates (domain, directory, ordering_until, attempts, retry_at, failure)
			VALUES ($1, '', 0, 0, 0, '') ON CONFLICT DO NOTHING`, domain); err != nil {
			return err
		}
		changed, err := t.exec(`UPDATE certificates SET ordering_until = $3 WHERE domain = $1 AND ordering_until <= $2 AND retry_at <= $2`,
			domain, micros(now), micros(until))
		if mine = changed > 0; err != nil || !mine {
			return err
		}
		return t.each(selectCertificates+` WHERE domain = $1`, []any{domain}, func(r row) (err error) {
			c, err = scanCertificate(r)
			return err
		})
	})
	return c, mine && err == nil, err
}

// ReleaseCertificateForWorker gives a claim back that nothing was done with.
func (s *Store) ReleaseCertificateForWorker(ctx context.Context, domain string, until time.Time) error {
	_, err := s.exec(ctx, "giving back the order of a certificate",
		`UPDATE certificates SET ordering_until = 0 WHERE domain = $1 AND ordering_until = $2`, domain, micros(until))
	return err
}

// SaveCertificateForWorker writes a certificate that was issued, for all nodes, and
// ends the claim under which it was ordered. Where that has run out, another node may
// have ordered one as well: of two, the one that is valid longer stays.
func (s *Store) SaveCertificateForWorker(ctx context.Context, c Certificate, until time.Time) error {
	return s.transact(ctx, "writing a certificate", func(t *tx) error {
		if err := t.later(`UPDATE certificates SET directory = $2, sealed = $3, issued_at = $4, expires_at = $5, attempts = 0, retry_at = 0, failed_at = NULL, failure = ''
			WHERE domain = $1 AND (ordering_until = $6 OR expires_at IS NULL OR directory <> $2 OR expires_at <= $5)`,
			c.Domain, c.Directory, c.Sealed, micros(c.IssuedAt), micros(c.ExpiresAt), micros(until)); err != nil {
			return err
		}
		return t.later(`UPDATE certificates SET ordering_until = 0 WHERE domain = $1 AND ordering_until = $2`, c.Domain, micros(until))
	})
}

// FailCertificateForWorker writes why an order failed and ends the claim. A node
// whose claim has run out says nothing: another one is at it.
func (s *Store) FailCertificateForWorker(ctx context.Context, c Certificate, until time.Time) error {
	_, err := s.exec(ctx, "writing why a certificate was not issued",
		`UPDATE certificates SET ordering_until = 0, attempts = $3, retry_at = $4, failed_at = $5, failure = $6 WHERE domain = $1 AND ordering_until = $2`,
		c.Domain, micros(until), c.Attempts, micros(c.RetryAt), micros(c.FailedAt), c.Failure)
	return err
}

// AddChallengeForWorker keeps what an authority will ask for under a name, until an
// instant. Old ones are forgotten.
func (s *Store) AddChallengeForWorker(ctx context.Context, domain, token string, now, until time.Time) error {
	return s.transact(ctx, "keeping a challenge", func(t *tx) error {
		if err := t.later(`DELETE FROM certificate_challenges WHERE expires_at <= $1`, micros(now)); err != nil {
			return err
		}
		return t.later(`INSERT INTO certificate_challenges (domain, token, expires_at) VALUES ($1, $2, $3)
			ON CONFLICT (domain, token) DO UPDATE SET expires_at = excluded.expires_at`, domain, token, micros(until))
	})
}

// ChallengesForWorker are the tokens that an authority may ask for under a name,
// the newest first.
func (s *Store) ChallengesForWorker(ctx context.Context, domain string, now time.Time) (tokens []string, err error) {
	err = s.each(ctx, "reading challenges", `SELECT token FROM certificate_challenges WHERE domain = $1 AND expires_at > $2 ORDER BY expires_at DESC, token`,
		[]any{domain, micros(now)}, func(r row) error {
			var token string
			err := r.Scan(&token)
			tokens = append(tokens, token)
			return err
		})
	return tokens, err
}

// ForgetChallengeForWorker deletes a challenge that was answered.
func (s *Store) ForgetChallengeForWorker(ctx context.Context, domain, token string) error {
	_, err := s.exec(ctx, "forgetting a challenge", `DELETE FROM certificate_challenges WHERE domain = $1 AND token = $2`, domain, token)
	return err
}

// CertificateAccountForWorker returns the sealed key of our account with an
// authority; nil when there is none.
func (s *Store) CertificateAccountForWorker(ctx context.Context, directory string) (sealed []byte, err error) {
	err = s.row(ctx, "reading a certificate authority's account", `SELECT sealed FROM certificate_accounts WHERE directory = $1`, []any{directory}, &sealed)
	return sealed, ignoreNoRows(err)
}

// AddCertificateAccountForWorker keeps the key of an account, unless there is one
// already: of several nodes the first one's is everybody's. It returns the one that
// is kept.
func (s *Store) AddCertificateAccountForWorker(ctx context.Context, directory string, sealed []byte, now time.Time) (kept []byte, err error) {
	if _, err := s.exec(ctx, "keeping a certificate authority's account",
		`INSERT INTO certificate_accounts (directory, sealed, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, directory, sealed, micros(now)); err != nil {
		return nil, err
	}
	return s.CertificateAccountForWorker(ctx, directory)
}

// ResealCertificatesForWorker seals the private keys of all certificates and
// accounts anew, and says how many. Of one that has no new seal nothing is kept. One
// that was replaced meanwhile stays as it is: it was sealed with the present key.
func (s *Store) ResealCertificatesForWorker(ctx context.Context, certificate, account func(name string, sealed []byte) ([]byte, error)) (n int, err error) {
	for _, kind := range []struct {
		read, write, forget string
		reseal              func(name string, sealed []byte) ([]byte, error)
	}{
		{`SELECT domain, sealed FROM certificates WHERE sealed IS NOT NULL`, `UPDATE certificates SET sealed = $3 WHERE domain = $1 AND sealed = $2`, `DELETE FROM certificates WHERE domain = $1 AND sealed = $2`, certificate},
		{`SELECT directory, sealed FROM certificate_accounts`, `UPDATE certificate_accounts SET sealed = $3 WHERE directory = $1 AND sealed = $2`, `DELETE FROM certificate_accounts WHERE directory = $1 AND sealed = $2`, account},
	} {
		old := map[string][]byte{}
		if err := s.each(ctx, "reading sealed keys of certificates", kind.read, nil, func(r row) error {
			var name string
			var sealed []byte
			err := r.Scan(&name, &sealed)
			old[name] = sealed
			return err
		}); err != nil {
			return n, err
		}
		for name, sealed := range old {
			renewed, err := kind.reseal(name, sealed)
			switch {
			case err != nil:
				return n, err
			case renewed == nil:
				_, err = s.exec(ctx, "forgetting a certificate", kind.forget, name, sealed)
			default:
				_, err = s.exec(ctx, "sealing a certificate's key anew", kind.write, name, sealed, renewed)
				n++
			}
			if err != nil {
				return n, err
			}
		}
	}
	return n, nil
}
