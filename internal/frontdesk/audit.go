package frontdesk

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// AuditEntry is one change that a person, a key or an operator made, with what
// was there before and after. What callers do themselves is in their calls.
type AuditEntry struct {
	ID       ID // minted at At
	At       time.Time
	By       Actor
	Action   string // one of AuditActions
	ObjectID string // of what was changed
	Object   string // what people call it: a name, a title, a code
	Changes  []FieldChange
}

// FieldChange is one field before and after. Secrets never stand in it.
type FieldChange struct {
	Field string
	From  string
	To    string
}

// AuditFilter narrows a list of audit entries. Zero fields do not.
type AuditFilter struct {
	By     string // kind of the actor
	Action string // an action, or the object before its dot
	Object string // its id
}

// AuditKept is how long audit entries are kept.
const AuditKept = 730 * 24 * time.Hour

// What is entered in the audit log. What stands before the dot is the kind of
// object that ObjectID is of.
const (
	AuditAgentCreated           = "agent.created"
	AuditAgentChanged           = "agent.changed"
	AuditAgentRestored          = "agent.restored"
	AuditAgentPaused            = "agent.paused"
	AuditAgentResumed           = "agent.resumed"
	AuditAgentDeleted           = "agent.deleted"
	AuditCaptureCreated         = "capture.created"
	AuditCaptureChanged         = "capture.changed"
	AuditCaptureStatus          = "capture.status_changed"
	AuditCallerErased           = "caller.erased"
	AuditCallDone               = "call.done" // what it left to do was seen to
	AuditCallReopened           = "call.reopened"
	AuditConnectionCreated      = "connection.created"
	AuditConnectionChanged      = "connection.changed"
	AuditConnectionEnabled      = "connection.enabled"
	AuditConnectionDisabled     = "connection.disabled"
	AuditConnectionRotated      = "connection.secret_rotated"
	AuditConnectionDeleted      = "connection.deleted"
	AuditDeliveryRetried        = "delivery.retried"
	AuditDocumentAdded          = "document.added"
	AuditDocumentArchived       = "document.archived"
	AuditDocumentDeleted        = "document.deleted"
	AuditDocumentRestored       = "document.restored"
	AuditKeyCreated             = "key.created"
	AuditKeyRotated             = "key.rotated"
	AuditKeyRevoked             = "key.revoked"
	AuditNumberAdded            = "number.added"
	AuditNumberRemoved          = "number.removed"
	AuditTenantCreated          = "tenant.created"
	AuditPlanSet                = "plan.set"
	AuditFeedCreated            = "feed.created"
	AuditFeedDeleted            = "feed.deleted"
	AuditOutsideCalendarAdded   = "outside_calendar.added"
	AuditOutsideCalendarRemoved = "outside_calendar.removed"
	AuditNoticeRetried          = "notice.retried"
	AuditPersonInvited          = "person.invited"
	AuditPersonChanged          = "person.changed"
	AuditPersonRemoved          = "person.removed"
	AuditPersonLinked           = "person.link_made"      // that lets them in
	AuditPersonSignedOut        = "person.sessions_ended" // by somebody else
)

// AuditActions are all there are.
var AuditActions = []string{
	AuditAgentCreated, AuditAgentChanged, AuditAgentRestored, AuditAgentPaused, AuditAgentResumed, AuditAgentDeleted,
	AuditCaptureCreated, AuditCaptureChanged, AuditCaptureStatus, AuditCallerErased, AuditCallDone, AuditCallReopened,
	AuditConnectionCreated, AuditConnectionChanged, AuditConnectionEnabled, AuditConnectionDisabled, AuditConnectionRotated, AuditConnectionDeleted,
	AuditDeliveryRetried, AuditDocumentAdded, AuditDocumentArchived, AuditDocumentDeleted, AuditDocumentRestored,
	AuditKeyCreated, AuditKeyRotated, AuditKeyRevoked, AuditNumberAdded, AuditNumberRemoved,
	AuditTenantCreated, AuditPlanSet, AuditFeedCreated, AuditFeedDeleted,
	AuditOutsideCalendarAdded, AuditOutsideCalendarRemoved, AuditNoticeRetried,
	AuditPersonInvited, AuditPersonChanged, AuditPersonRemoved, AuditPersonLinked, AuditPersonSignedOut,
}

// AuditKind is the kind of object that an action is about: what stands before
// its dot.
func AuditKind(action string) string {
	kind, _, _ := strings.Cut(action, ".")
	return kind
}

// maxAuditText is how many bytes of a value stand in an entry: enough to read
// what was changed, and not the whole of a menu.
const maxAuditText = 2000

// AuditText is a value as it stands in an entry, cut where it is long.
func AuditText(s string) string {
	if len(s) <= maxAuditText {
		return s
	}
	end := maxAuditText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// changes are the fields that two versions of something differ in.
type changes []FieldChange

// text compares a text; "" is none.
func (c *changes) text(field, from, to string) {
	if from != to {
		*c = append(*c, FieldChange{Field: field, From: AuditText(from), To: AuditText(to)})
	}
}

// number compares a number, of which 0 is none.
func (c *changes) number(field string, from, to int64) { c.text(field, numeral(from), numeral(to)) }

func numeral(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// list compares words in their order.
func (c *changes) list(field string, from, to []string) {
	if !slices.Equal(from, to) {
		c.text(field, strings.Join(from, ", "), strings.Join(to, ", "))
	}
}

// instant compares a time, of which the zero one is none.
func (c *changes) instant(field string, from, to time.Time) { c.text(field, moment(from), moment(to)) }

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
