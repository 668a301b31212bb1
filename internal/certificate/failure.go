package certificate

import (
	"errors"
	"strings"
	"time"

	"golang.org/x/crypto/acme"
)

// pause is how long nobody orders again after an order has failed so many times in
// a row. Let's Encrypt takes five failed proofs of a name an hour, and an order
// makes up to two. An authority that was not reached was not asked: it is tried
// again sooner.
func pause(cause error, attempts int) time.Duration {
	first, most := 10*time.Minute, 6*time.Hour
	if !answered(cause) {
		first, most = 10*time.Second, 10*time.Minute
	}
	wait := min(first<<min(attempts-1, 10), most)
	if told, limited := rateLimit(cause); limited {
		wait = max(wait, told)
	}
	return wait
}

func rateLimit(err error) (time.Duration, bool) {
	if told, ok := errors.AsType[*acme.Error](err); ok {
		return acme.RateLimit(told)
	}
	return 0, false
}

// answered says whether the authority has answered, with a refusal.
func answered(err error) bool {
	_, unproven := errors.AsType[*acme.AuthorizationError](err)
	_, invalid := errors.AsType[*acme.OrderError](err)
	_, refused := errors.AsType[*acme.Error](err)
	return unproven || invalid || refused
}

// advices say what to do about what an authority, or the way to it, said. The first
// that fits is given.
var advices = []struct{ sign, advice string }{
	{"acme:error:rateLimited", "The authority's limit of orders or failures is reached. Wait: it is tried again by itself. For trials set FRONTDESK_ACME_DIRECTORY to the authority's staging directory."},
	{"acme:error:caa", "A CAA record of the domain forbids this authority. Add one for it, or take the record away."},
	{"acme:error:rejectedIdentifier", "The authority does not issue for this name. Correct FRONTDESK_DOMAIN."},
	{"acme:error:dns", "The name does not resolve. Add an A or AAAA record that points to this server."},
	{"acme:error:connection", "The authority cannot connect. Open the ports 443 and 80 to the world and let them lead to FRONTDESK_TLS_LISTEN and FRONTDESK_HTTP_LISTEN; look whether an AAAA record points elsewhere."},
	{"acme:error:tls", "Something else answers on port 443. Let it pass TLS through to this server, or open port 80 to it."},
	{"acme:error:unauthorized", "Another server answers under the name. Point the A and AAAA records to this server."},
	{"acme:error:invalidContact", "The authority does not take FRONTDESK_ACME_EMAIL. Correct it."},
	{"acme:error:unsupportedContact", "The authority does not take FRONTDESK_ACME_EMAIL. Correct it."},
	{"acme:error:externalAccountRequired", "The authority wants an account that was made beforehand, which is not supported. Choose another with FRONTDESK_ACME_DIRECTORY."},
	{"acme:error:", "The authority refuses. Its message says why; it is tried again by itself."},
	{"not public", "The authority sends requests to an address that is not public. Correct FRONTDESK_ACME_DIRECTORY."},
	{"x509:", "The authority's own certificate is not trusted. Give the one that signed it in FRONTDESK_ACME_ROOTS."},
	{"sealed value", "The account's key was sealed with another master key. Give that one in FRONTDESK_MASTER_KEY_OLD."},
}

// Advice says what an operator can do about a failure.
func Advice(failure string) string {
	for _, a := range advices {
		if strings.Contains(failure, a.sign) {
			return a.advice
		}
	}
	return "The authority cannot be reached. Look whether this machine reaches FRONTDESK_ACME_DIRECTORY; it is tried again by itself."
}
