package frontdesk

import (
	"regexp"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the product must know every zone on a machine that has only Go
)

// Tenant is one business account: all data belongs to one.
type Tenant struct {
	ID        ID
	Slug      string
	Name      string
	Timezone  string // IANA; usage periods are counted in it
	Plan      Plan
	CreatedAt time.Time
}

// Plan is what a tenant has paid for. Zero limits mean no limit where the
// field says so.
type Plan struct {
	Name               string
	IncludedSeconds    int    // per period; 0: unlimited
	Overage            string // OverageBlock or OverageAllow: what happens beyond IncludedSeconds
	MaxConcurrentCalls int
	MaxConnections     int
	MaxDocuments       int
	MaxDocumentBytes   int64
	MaxTotalBytes      int64
}

// What happens when the included seconds are used up.
const (
	OverageBlock = "block"
	OverageAllow = "allow"
)

// DefaultPlan is what a tenant gets when nobody says otherwise.
func DefaultPlan() Plan {
	return Plan{
		Name:               "standard",
		IncludedSeconds:    60_000,
		Overage:            OverageAllow,
		MaxConcurrentCalls: 250,
		MaxConnections:     20,
		MaxDocuments:       100,
		MaxDocumentBytes:   10 << 20,
		MaxTotalBytes:      100 << 20,
	}
}

// Check says whether the plan makes sense.
func (p Plan) Check() error {
	if p.Overage != OverageBlock && p.Overage != OverageAllow {
		return InvalidParam("overage", "overage must be %q or %q.", OverageBlock, OverageAllow)
	}
	limits := []struct {
		name string
		n    int64
		min  int64
	}{
		{"included_seconds", int64(p.IncludedSeconds), 0},
		{"max_concurrent_calls", int64(p.MaxConcurrentCalls), 1},
		{"max_connections", int64(p.MaxConnections), 0},
		{"max_documents", int64(p.MaxDocuments), 0},
		{"max_document_bytes", p.MaxDocumentBytes, 1},
		{"max_total_bytes", p.MaxTotalBytes, 0},
	}
	for _, l := range limits {
		if l.n < l.min {
			return InvalidParam(l.name, "%s must be at least %d.", l.name, l.min)
		}
	}
	return nil
}

var slugPattern = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`)

// CheckSlug says whether s can stand in an address: 1 to 63 of a-z, 0-9 and
// inner hyphens.
func CheckSlug(s string) error {
	if !slugPattern.MatchString(s) {
		return InvalidParam("slug", "A slug is 1 to 63 lower-case letters, digits and inner hyphens; %q is not.", s)
	}
	return nil
}

// LoadZone returns the location of an IANA time zone name. It refuses "" and
// "Local", which mean another zone on every machine, and the variants with leap
// seconds that some machines have.
func LoadZone(name string) (*time.Location, error) {
	if name == "" || name == "Local" || strings.HasPrefix(name, "right/") || strings.HasPrefix(name, "posix/") {
		return nil, InvalidParam("timezone", "timezone must be an IANA name such as Europe/Madrid.")
	}
	if loc, ok := zones.Load(name); ok {
		return loc.(*time.Location), nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, InvalidParam("timezone", "There is no time zone %q; use an IANA name such as Europe/Madrid.", name)
	}
	zones.Store(name, loc)
	return loc, nil
}

// zones keeps the zones that were loaded: there are a few hundred, and reading
// one takes longer than all that is done with it.
var zones sync.Map
