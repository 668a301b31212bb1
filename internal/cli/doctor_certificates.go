package cli

import (
	"cmp"
	"context"
	"net"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/certificate"
	"frontdesk.dev/frontdesk/internal/store"
)

const certificateCheck = "certificate"

// checkCertificates looks at the names that this server is to be reached under by
// TLS: whether they lead anywhere, and how long their certificates last.
func (d *doctor) checkCertificates(s *store.Store, now time.Time) {
	domains := d.settings.Domains()
	if len(domains) == 0 {
		return
	}
	kept, err := s.CertificatesForWorker(d.ctx)
	if err != nil {
		d.fail(certificateCheck, d.awayFix(), "they cannot be read: %v", cause(err))
		return
	}
	for _, domain := range domains {
		d.checkName(domain)
		i := slices.IndexFunc(kept, func(c store.Certificate) bool { return c.Domain == domain })
		if i < 0 {
			d.ok(certificateCheck, "%s has none yet; serve orders it", domain)
			continue
		}
		d.checkCertificate(kept[i], now)
	}
}

// checkName looks whether a name resolves.
func (d *doctor) checkName(domain string) {
	ctx, cancel := context.WithTimeout(d.ctx, 5*time.Second)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, domain)
	if err != nil {
		d.warn(certificateCheck, "Add an A or AAAA record for it that points to this server.", "%s does not resolve here: %v", domain, err)
		return
	}
	d.ok(certificateCheck, "%s is %s; that has to lead to this server's ports 443 and 80", domain, strings.Join(addresses, ", "))
}

func (d *doctor) checkCertificate(c store.Certificate, now time.Time) {
	const day = 24 * time.Hour
	left := int(c.ExpiresAt.Sub(now) / day)
	if c.Failure != "" {
		d.warn(certificateCheck, certificate.Advice(c.Failure), "%s: the last order failed at %s, %d in a row: %s. It is tried again at %s",
			c.Domain, when(c.FailedAt), c.Attempts, strings.ReplaceAll(c.Failure, "\n", "; "), when(c.RetryAt))
	}
	switch {
	case c.Sealed == nil && c.Failure == "":
		d.ok(certificateCheck, "%s is being ordered", c.Domain)
	case c.Sealed == nil:
	case !now.Before(c.ExpiresAt):
		d.fail(certificateCheck, cmp.Or(adviceOf(c), "Start serve: it orders another."), "%s: it expired at %s", c.Domain, when(c.ExpiresAt))
	default:
		d.ok(certificateCheck, "%s: valid until %s, %d days from now", c.Domain, when(c.ExpiresAt), left)
	}
}

func adviceOf(c store.Certificate) string {
	if c.Failure == "" {
		return ""
	}
	return certificate.Advice(c.Failure)
}
