package frontdesk

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Role is what a person may do in the console.
type Role string

// The roles. An operator belongs to no tenant and sees to all of them.
const (
	RoleOwner     Role = "owner"
	RoleStaff     Role = "staff"     // works with the book, the calls and the answers
	RoleDeveloper Role = "developer" // sees to keys and connections as well
	RoleOperator  Role = "operator"
)

// TenantRoles are the roles that a person of a tenant can have.
var TenantRoles = []Role{RoleOwner, RoleStaff, RoleDeveloper}

// IsTenantRole says whether a person of a tenant can have the role.
func IsTenantRole(r Role) bool { return slices.Contains(TenantRoles, r) }

// Person is somebody who enters the console.
type Person struct {
	ID         ID
	TenantID   ID // "": of an operator
	Name       string
	Email      string // "": none was given
	Role       Role
	Language   string    // of the console; "": as the browser wishes
	CreatedAt  time.Time // when they were invited, or first entered
	LastSeenAt time.Time // zero: never entered
}

const maxPersonName = 100 // characters

// IsOperator says whether the person belongs to no tenant.
func (p Person) IsOperator() bool { return p.TenantID == "" }

// Check says whether the person can be kept.
func (p Person) Check() error {
	switch n := utf8.RuneCountInString(p.Name); {
	case strings.TrimSpace(p.Name) == "" || n > maxPersonName || !utf8.ValidString(p.Name) || strings.ContainsFunc(p.Name, unicode.IsControl):
		return InvalidParam("name", "The name must have 1 to %d characters, on one line.", maxPersonName)
	case p.Email != "" && !IsEmail(p.Email):
		return InvalidParam("email", "%q is no e-mail address. Write it as in ana@example.com.", p.Email)
	case p.Language != "" && !slices.Contains(Languages, p.Language):
		return InvalidParam("language", "The console speaks %s. Choose one of them, or none to follow the browser.", strings.Join(Languages, " and "))
	case p.IsOperator() != (p.Role == RoleOperator), !p.IsOperator() && !IsTenantRole(p.Role):
		return InvalidParam("role", "The role must be owner, staff or developer.")
	}
	return nil
}

// EmailKey is an e-mail address as it is compared: two that differ in letter
// case alone are the same.
func EmailKey(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// PersonChange is what to change about a person; nil leaves it as it is.
type PersonChange struct {
	Name     *string
	Email    *string
	Role     *Role
	Language *string
}

// Apply is the person with the change.
func (c PersonChange) Apply(p Person) (Person, error) {
	if c.Name != nil {
		p.Name = strings.TrimSpace(*c.Name)
	}
	if c.Email != nil {
		p.Email = strings.TrimSpace(*c.Email)
	}
	if c.Role != nil {
		p.Role = *c.Role
	}
	if c.Language != nil {
		p.Language = *c.Language
	}
	return p, p.Check()
}

// NoSuchPerson is the error for a person who does not exist for who asks.
func NoSuchPerson() *Error { return NoSuch("person") }

// NoSuch is the error for a thing of the console that does not exist for who asks.
func NoSuch(thing string) *Error {
	return &Error{Kind: NotFound, Code: "not_found", Message: "There is no such " + thing + ", or not any more. Load the page anew."}
}

// LastOwner is the error for what would leave a tenant without an owner.
func LastOwner() *Error {
	return &Error{
		Kind: Conflict, Code: "last_owner", Param: "role",
		Message: "This is the only owner who can enter, and somebody has to be. Make another person an owner and let them enter first; one who was invited counts once they have opened their link.",
	}
}

// EmailTaken is the error for an e-mail address that another person has.
func EmailTaken(email string) *Error {
	return &Error{
		Kind: Conflict, Code: "email_taken", Param: "email",
		Message: "Somebody with the address " + email + " is here already. Change that person, or write another address.",
	}
}

// Actor is the person as who changed something.
func (p Person) Actor() Actor {
	if p.IsOperator() {
		return Actor{Kind: ByOperatorActing, Name: p.Name, ID: p.ID}
	}
	return Actor{Kind: ByPerson, Name: p.Name, ID: p.ID}
}

// PersonChanges lists what differs between two versions of a person.
func PersonChanges(before, after Person) []FieldChange {
	var c changes
	c.text("name", before.Name, after.Name)
	c.text("email", before.Email, after.Email)
	c.text("role", string(before.Role), string(after.Role))
	c.text("language", before.Language, after.Language)
	return c
}

// LeftWorking are the fields that name what somebody made and left working.
func LeftWorking(keys, connections []string) []FieldChange {
	var c changes
	c.list("keys_left", nil, keys)
	c.list("connections_left", nil, connections)
	return c
}

// ConsoleSession is a browser in which a person has entered. What it shows to
// prove that is kept as a hash.
type ConsoleSession struct {
	ID        ID
	PersonID  ID
	Hash      ConsoleHash
	Browser   string // what the browser says that it is
	Address   string // where it was seen last
	CreatedAt time.Time
	SeenAt    time.Time // up to two minutes behind
	ExpiresAt time.Time
}

// ConsoleLink is an address that lets a person in, once.
type ConsoleLink struct {
	Hash      ConsoleHash
	PersonID  ID
	Purpose   LinkPurpose
	CreatedAt time.Time
	ExpiresAt time.Time
}

// LinkPurpose is how a link reaches the person.
type LinkPurpose string

// The purposes of links, and how long each is good for.
const (
	LinkPrinted LinkPurpose = "printed" // by the command line, to be opened at once
	LinkMailed  LinkPurpose = "mailed"  // because the person asked for it
	LinkInvites LinkPurpose = "invites" // because somebody invited them
)

// Lasts is how long a link is good for.
func (p LinkPurpose) Lasts() time.Duration {
	switch p {
	case LinkInvites:
		return 7 * 24 * time.Hour
	case LinkMailed:
		return 15 * time.Minute
	}
	return time.Hour
}

// SessionLasts is how long a person who comes back stays in.
const SessionLasts = 30 * 24 * time.Hour

// Passkey is a credential with which a person enters without a link.
type Passkey struct {
	ID         []byte // as the authenticator gave it
	PersonID   ID
	Name       string // what the person calls it
	Data       []byte // the public key and its counters, as the library writes them
	CreatedAt  time.Time
	LastUsedAt time.Time // zero: never
}

// TooManyPasskeys is the error for one passkey more than a person can have.
func TooManyPasskeys(most int) *Error {
	return &Error{
		Kind: Conflict, Code: "passkey_limit", Message: fmt.Sprintf("You have %d passkeys, and no more are kept. Remove one that you do not use any more.", most),
	}
}

// ConsoleHash is what is kept of the secret of a session or a link.
type ConsoleHash [sha256.Size]byte

// NewConsoleToken makes the secret of a session or a link.
func NewConsoleToken() Secret {
	var b [32]byte
	rand.Read(b[:])
	return Secret(base64.RawURLEncoding.EncodeToString(b[:]))
}

// consoleTokenLength is that of 256 bits in base64: nobody guesses one.
const consoleTokenLength = 43

// ParseConsoleToken says what is kept of a secret. What cannot be one is told
// without a look into the database.
func ParseConsoleToken(token string) (ConsoleHash, bool) {
	if len(token) != consoleTokenLength {
		return ConsoleHash{}, false
	}
	return HashConsoleToken(token), true
}

// HashConsoleToken is what is kept of a secret.
func HashConsoleToken(token string) ConsoleHash { return sha256.Sum256([]byte(token)) }
