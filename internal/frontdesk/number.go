package frontdesk

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Number is a telephone number that an agent answers. No two tenants have the
// same one: it is by the number alone that an incoming call is told apart.
type Number struct {
	Number    string // E.164
	TenantID  ID
	AgentID   ID
	Live      bool // the mode of its calls
	Carrier   Carrier
	Trunk     string // SIP: where it is registered, sip:user@registrar; "": calls come without that
	CreatedAt time.Time
}

// Owner is whose calls come in by the number.
func (n Number) Owner() Owner { return Owner{TenantID: n.TenantID, Live: n.Live} }

// Carrier is how the calls of a number come to us.
type Carrier string

// The carriers.
const (
	Twilio Carrier = "twilio"
	Telnyx Carrier = "telnyx"
	SIP    Carrier = "sip" // a trunk or a private exchange
)

// Carriers are all there are.
var Carriers = []Carrier{Twilio, Telnyx, SIP}

// HasSecret says whether the number comes with something secret: the auth token of
// Twilio and the public key of Telnyx, by which their requests are known to be
// theirs, and the password of a SIP trunk.
func (n Number) HasSecret() bool { return n.Carrier != SIP || n.Trunk != "" }

// CheckSecret holds a secret to what the carrier gives out.
func (n Number) CheckSecret(s Secret) error {
	text := s.Reveal()
	switch {
	case !n.HasSecret() && text != "":
		return InvalidParam("secret", "A number of the carrier %s has a secret with a trunk alone: its password.", n.Carrier)
	case n.HasSecret() && text == "":
		return InvalidParam("secret", "A number of the carrier %s needs its secret: %s.", n.Carrier, n.secretName())
	case n.Carrier == SIP:
		return nil // a password may have blanks in it
	case strings.ContainsFunc(text, isBlank):
		return InvalidParam("secret", "The secret has blanks in it. Copy %s alone.", n.secretName())
	case n.Carrier == Telnyx && !isEd25519Key(text):
		return InvalidParam("secret", "That is not %s: expected 32 bytes in base64, as the portal shows it.", n.secretName())
	}
	return nil
}

func (n Number) secretName() string {
	switch n.Carrier {
	case Telnyx:
		return "the account's public key"
	case SIP:
		return "the password of the trunk"
	}
	return "the account's auth token"
}

// trunkForm is what a trunk looks like.
var trunkForm = regexp.MustCompile(`^sip:([A-Za-z0-9._+~!-]{1,64})@([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?(;transport=(udp|tcp|tls))?$`)

// checkTrunk refuses what is not the address of a trunk.
func (n Number) checkTrunk() error {
	switch {
	case n.Trunk == "":
		return nil
	case n.Carrier != SIP:
		return InvalidParam("trunk", "A number of the carrier %s has no trunk.", n.Carrier)
	case !trunkForm.MatchString(n.Trunk):
		return InvalidParam("trunk", "%q is no address of a trunk, such as sip:620@192.168.178.1 or sip:34910000000@sip.example.com;transport=tls.", n.Trunk)
	}
	return nil
}

// TrunkUser is the user and the registrar of the trunk, with its scheme.
func (n Number) TrunkUser() (user, registrar string) {
	user, host, _ := strings.Cut(strings.TrimPrefix(n.Trunk, "sip:"), "@")
	return user, "sip:" + host
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func isEd25519Key(text string) bool {
	raw, err := base64.StdEncoding.DecodeString(text)
	return err == nil && len(raw) == ed25519.PublicKeySize
}

// Check says whether the number is fit to be stored.
func (n Number) Check() error {
	if !slices.Contains(Carriers, n.Carrier) {
		return InvalidParam("carrier", "There is no carrier %q; there are: twilio, telnyx, sip.", string(n.Carrier))
	}
	if err := n.checkTrunk(); err != nil {
		return err
	}
	return CheckE164("number", n.Number)
}

// E164 is a telephone number with its country as carriers spell it, however its
// digits were grouped: "+34 910 00 00 00" is "+34910000000". It is "" for
// anything else.
func E164(text string) string {
	text = strings.TrimSpace(text)
	digits := strings.TrimPrefix(text, "+")
	if digits == text || strings.ContainsFunc(digits, notInNumber) {
		return ""
	}
	return International(text, "")
}

func notInNumber(r rune) bool { return !strings.ContainsRune("0123456789 .-()", r) }

// CheckE164 refuses what is not a telephone number in E.164.
func CheckE164(param, number string) error {
	if number == "" || E164(number) != number {
		return InvalidParam(param, "%q is no telephone number with its country, such as +34600111222.", number)
	}
	return nil
}

// NumberTaken is the error for a number that somebody has already. The command
// that removes it is said, and nothing about whose it is.
func NumberTaken(number string, own bool) *Error {
	e := &Error{Kind: Conflict, Code: "number_taken", Param: "number"}
	if own {
		e.Message = fmt.Sprintf("The tenant has the number %s already. To change its agent, carrier, mode or secret, remove it first: `frontdesk number remove`.", number)
		return e
	}
	e.Message = fmt.Sprintf("The number %s belongs to another tenant. Check the digits; if they are right, `frontdesk number remove` with that tenant takes it away there first.", number)
	return e
}

// NumberChanges lists what differs between two versions of a number.
func NumberChanges(before, after Number) []FieldChange {
	var c changes
	c.text("agent_id", string(before.AgentID), string(after.AgentID))
	c.text("carrier", string(before.Carrier), string(after.Carrier))
	c.text("trunk", before.Trunk, after.Trunk)
	return c
}
