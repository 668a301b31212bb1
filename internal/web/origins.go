package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// open lets the scripts of an origin read the answer.
func (v *visit) open(origin string) {
	v.header.Set("Access-Control-Allow-Origin", origin)
	v.header.Set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id")
}

// admit refuses a visit from a site that is not on the agent's list. No list
// means every site; our own page is always welcome. What comes without an Origin
// comes from no site's script.
func (s *Web) admit(v *visit, a frontdesk.Agent) error {
	origin, allowed := v.http.Header.Get("Origin"), a.Settings.Origins
	if len(allowed) == 0 {
		return nil
	}
	v.header.Add("Vary", "Origin")
	if origin == "" {
		v.header.Del("Access-Control-Allow-Origin")
		return nil
	}
	if slices.Contains(allowed, origin) || ownOrigin(origin, v.http.Host) {
		v.open(origin)
		return nil
	}
	v.header.Del("Access-Control-Allow-Origin")
	s.metrics.refused.WithLabelValues("origin").Inc()
	return &frontdesk.Error{
		Kind: frontdesk.Forbidden, Code: "origin_not_allowed",
		Message: "This receptionist does not serve the site that the request comes from. Its operator can add the site to the agent's allowed origins.",
	}
}

// preflight says what scripts of other sites may send. It asks for no token and
// takes none of anybody's allowance. A receptionist that cannot be found is for
// the request itself to say.
func (s *Web) preflight(v *visit) (answer, error) {
	if v.route.crosses == listed {
		if agent, err := s.lately(v); err == nil {
			if err := s.admit(v, agent); err != nil {
				return answer{}, err
			}
		}
	}
	v.header.Set("Access-Control-Allow-Methods", v.route.method)
	v.header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, X-Request-Id")
	v.header.Set("Access-Control-Max-Age", "600")
	return answer{status: http.StatusNoContent}, nil
}

// origins are the sites that may show receptionists, as they were a moment ago.
// Preflights ask for nothing else, and anybody may send as many as they like.
type origins struct {
	mu   sync.Mutex
	kept map[string]allowance // by address of the receptionist
}

type allowance struct {
	sites  []string
	err    error
	readAt time.Time
}

const (
	keepOrigins = 2 * time.Second
	mostOrigins = 1 << 12 // kept
)

// lately is what preflights need of the receptionist that a path names.
func (s *Web) lately(v *visit) (frontdesk.Agent, error) {
	tenant, slug := v.http.PathValue("tenant"), v.http.PathValue("agent")
	if !named(tenant, slug) {
		return frontdesk.Agent{}, noReceptionist
	}
	address := tenant + "/" + slug
	a, known := s.origins.get(address, s.now())
	if !known {
		_, agent, err := s.receptionist(v, false)
		if e := exchange.Domain(err); err != nil && (e == nil || e.Kind != frontdesk.NotFound) {
			return agent, err
		}
		a = allowance{agent.Settings.Origins, err, s.now()}
		s.origins.put(address, a)
	}
	return frontdesk.Agent{Settings: frontdesk.AgentSettings{Origins: a.sites}}, a.err
}

func (o *origins) get(address string, now time.Time) (allowance, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	a, known := o.kept[address]
	return a, known && now.Sub(a.readAt) < keepOrigins
}

func (o *origins) put(address string, a allowance) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil || len(o.kept) >= mostOrigins {
		o.kept = map[string]allowance{}
	}
	o.kept[address] = a
}

// ownOrigin says whether an origin is this server's. The scheme is left out:
// what ends TLS may stand before us.
func ownOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

// framers are the sites that may show the page in a frame, as the policy of the
// page writes them.
func framers(allowed []string) string {
	if len(allowed) == 0 {
		return "*"
	}
	return "'self' " + strings.Join(allowed, " ")
}
