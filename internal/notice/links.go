package notice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
)

// LinkPath is where a customer sees, confirms, moves and cancels an
// appointment; what follows it is the link's token.
const LinkPath = "/appointment/"

// Links makes and reads the addresses under which customers see their own
// appointments. Whoever has one may act on that appointment, and on nothing
// else: a token names a capture and its owner, and is signed.
type Links struct {
	key  []byte
	base string
}

// NewLinks signs with the master key's box. base is the public address of the
// server, such as https://desk.example.com; without one there are tokens, but no
// addresses.
func NewLinks(box *seal.Box, base string) Links {
	return Links{key: box.Derive("appointment links"), base: strings.TrimSuffix(base, "/")}
}

// A token is a mode, two ids and half a signature, in base64.
const (
	idSize   = 16
	macSize  = 16
	bodySize = 1 + 2*idSize
)

// Token names one of the owner's captures.
func (l Links) Token(owner frontdesk.Owner, capture frontdesk.ID) string {
	body := make([]byte, 0, bodySize+macSize)
	mode := byte(0)
	if owner.Live {
		mode = 1
	}
	body = append(body, mode)
	body = appendID(body, owner.TenantID)
	body = appendID(body, capture)
	return base64.RawURLEncoding.EncodeToString(append(body, l.sign(body)...))
}

// Address is where the customer finds the capture, or "" where the server has no
// public address.
func (l Links) Address(owner frontdesk.Owner, capture frontdesk.ID) string {
	if l.base == "" {
		return ""
	}
	return l.base + LinkPath + l.Token(owner, capture)
}

// Read is what a token names, if it is one of ours.
func (l Links) Read(token string) (owner frontdesk.Owner, capture frontdesk.ID, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	// Without a key anybody could sign.
	if len(l.key) == 0 || err != nil || len(raw) != bodySize+macSize || raw[0] > 1 {
		return owner, "", false
	}
	body, mac := raw[:bodySize], raw[bodySize:]
	if !hmac.Equal(mac, l.sign(body)) {
		return owner, "", false
	}
	owner = frontdesk.Owner{TenantID: readID(body[1 : 1+idSize]), Live: body[0] == 1}
	return owner, readID(body[1+idSize:]), true
}

func (l Links) sign(body []byte) []byte {
	mac := hmac.New(sha256.New, l.key)
	mac.Write(body)
	return mac.Sum(nil)[:macSize]
}

// appendID appends the bytes of a UUID.
func appendID(b []byte, id frontdesk.ID) []byte {
	raw, err := hex.DecodeString(strings.ReplaceAll(string(id), "-", ""))
	if err != nil || len(raw) != idSize {
		raw = make([]byte, idSize) // no id of ours: a token that finds nothing
	}
	return append(b, raw...)
}

func readID(raw []byte) frontdesk.ID {
	h := hex.EncodeToString(raw)
	return frontdesk.ID(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}
