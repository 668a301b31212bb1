package frontdesk

import (
	"cmp"
	"math"
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

	// How many days it is kept what was said and who said it; 0 is for good, and for
	// questions and events as long as anybody's.
	TranscriptDays int
	CallDays       int // with their transcripts
	CaptureDays    int // after they were made, and after their time
	QuestionDays   int // that were not answered; 90 at most
	EventDays      int // with their deliveries; 30 at most
}

// QuestionRetention is how long unanswered questions are kept at most.
const QuestionRetention = 90 * 24 * time.Hour

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
		TranscriptDays:     180,
		CallDays:           730,
		CaptureDays:        730,
		QuestionDays:       days(QuestionRetention),
		EventDays:          days(DeliveryRetention),
	}
}

// mostDays is a hundred years: a longer time overflows sooner or later.
const mostDays = 36_500

// mostBytes is more than anybody has, and little enough to count with.
const mostBytes = 1 << 50

func days(d time.Duration) int { return int(d / (24 * time.Hour)) }

// EventsKept is how many days events and deliveries are kept.
func (p Plan) EventsKept() int { return cmp.Or(p.EventDays, days(DeliveryRetention)) }

// QuestionsKept is how many days unanswered questions are kept.
func (p Plan) QuestionsKept() int { return cmp.Or(p.QuestionDays, days(QuestionRetention)) }

// Check says whether the plan makes sense.
func (p Plan) Check() error {
	if p.Overage != OverageBlock && p.Overage != OverageAllow {
		return InvalidParam("overage", "overage must be %q or %q.", OverageBlock, OverageAllow)
	}
	limits := []struct {
		name string
		n    int64
		min  int64
		most int64
	}{
		{"included_seconds", int64(p.IncludedSeconds), 0, math.MaxInt64},
		{"max_concurrent_calls", int64(p.MaxConcurrentCalls), 1, math.MaxInt64},
		{"max_connections", int64(p.MaxConnections), 0, math.MaxInt64},
		{"max_documents", int64(p.MaxDocuments), 0, math.MaxInt64},
		{"max_document_bytes", p.MaxDocumentBytes, 1, mostBytes},
		{"max_total_bytes", p.MaxTotalBytes, 0, mostBytes},
		{"transcript_days", int64(p.TranscriptDays), 0, mostDays},
		{"call_days", int64(p.CallDays), 0, mostDays},
		{"capture_days", int64(p.CaptureDays), 0, mostDays},
		{"question_days", int64(p.QuestionDays), 0, int64(days(QuestionRetention))},
		{"event_days", int64(p.EventDays), 0, int64(days(DeliveryRetention))},
	}
	for _, l := range limits {
		if l.n < l.min {
			return InvalidParam(l.name, "%s must be at least %d.", l.name, l.min)
		}
		if l.n > l.most {
			return InvalidParam(l.name, "%s must be at most %d.", l.name, l.most)
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

// TenantChanges lists what differs between two versions of a tenant.
func TenantChanges(before, after Tenant) []FieldChange {
	var c changes
	c.text("slug", before.Slug, after.Slug)
	c.text("name", before.Name, after.Name)
	c.text("timezone", before.Timezone, after.Timezone)
	return append(c, PlanChanges(before.Plan, after.Plan)...)
}

// PlanChanges lists what differs between two plans.
func PlanChanges(before, after Plan) []FieldChange {
	var c changes
	c.text("plan", before.Name, after.Name)
	c.number("included_seconds", int64(before.IncludedSeconds), int64(after.IncludedSeconds))
	c.text("overage", before.Overage, after.Overage)
	c.number("max_concurrent_calls", int64(before.MaxConcurrentCalls), int64(after.MaxConcurrentCalls))
	c.number("max_connections", int64(before.MaxConnections), int64(after.MaxConnections))
	c.number("max_documents", int64(before.MaxDocuments), int64(after.MaxDocuments))
	c.number("max_document_bytes", before.MaxDocumentBytes, after.MaxDocumentBytes)
	c.number("max_total_bytes", before.MaxTotalBytes, after.MaxTotalBytes)
	c.number("transcript_days", int64(before.TranscriptDays), int64(after.TranscriptDays))
	c.number("call_days", int64(before.CallDays), int64(after.CallDays))
	c.number("capture_days", int64(before.CaptureDays), int64(after.CaptureDays))
	c.number("question_days", int64(before.QuestionDays), int64(after.QuestionDays))
	c.number("event_days", int64(before.EventDays), int64(after.EventDays))
	return c
}
