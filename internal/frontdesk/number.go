package frontdesk

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
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

// HasSecret says whether numbers of the carrier come with something by which
// its requests are known to be its own: the auth token of Twilio, the public
// key of Telnyx.
func (c Carrier) HasSecret() bool { return c == Twilio || c == Telnyx }

// CheckSecret holds a secret to what the carrier gives out.
func (c Carrier) CheckSecret(s Secret) error {
	text := s.Reveal()
	switch {
	case !c.HasSecret() && text != "":
		return InvalidParam("secret", "A number of the carrier %s has no secret.", c)
	case c.HasSecret() && text == "":
		return InvalidParam("secret", "A number of the carrier %s needs its secret: %s.", c, c.secretName())
	case strings.ContainsFunc(text, isBlank):
		return InvalidParam("secret", "The secret has blanks in it. Copy %s alone.", c.secretName())
	case c == Telnyx && !isEd25519Key(text):
		return InvalidParam("secret", "That is not %s: expected 32 bytes in base64, as the portal shows it.", c.secretName())
	}
	return nil
}

func (c Carrier) secretName() string {
	if c == Telnyx {
		return "the account's public key"
	}
	return "the account's auth token"
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
