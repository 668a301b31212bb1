package frontdesk

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"slices"
	"strings"
	"time"
)

const (
	livePrefix   = "svc_live_"
	testPrefix   = "svc_test_"
	keyRandom    = 32
	keyChecksum  = 6
	keyPrefixLen = 13
	base62       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// Key is a credential as we keep it: never the secret, only its hash.
type Key struct {
	ID         ID
	TenantID   ID
	Live       bool
	Name       string
	Prefix     string // the first characters and an ellipsis, for people to tell keys apart
	Hash       KeyHash
	Scopes     []string
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	RevokedAt  time.Time // zero: not revoked
	LastUsedAt time.Time // zero: never used; up to a minute behind
}

// KeyHash is the SHA-256 of a whole key.
type KeyHash [sha256.Size]byte

// NewKeySecret makes the secret of a new key from fresh randomness.
func NewKeySecret(live bool) Secret {
	letters := make([]byte, 0, keyRandom)
	var buf [64]byte
	for len(letters) < keyRandom {
		rand.Read(buf[:])
		letters = appendBase62(letters, buf[:])
	}
	return keySecret(live, letters)
}

// KeySecretFrom makes the secret of a key from a seed of at least 64 bytes; the
// same seed gives the same key. It serves the demo, which must be able to show
// its keys again at every start without keeping them.
func KeySecretFrom(live bool, seed []byte) Secret {
	letters := appendBase62(nil, seed)
	for len(letters) < keyRandom {
		sum := sha256.Sum256(seed)
		seed = sum[:]
		letters = appendBase62(letters, seed)
	}
	return keySecret(live, letters)
}

// appendBase62 turns random bytes into letters, passing over those that would
// make some letters likelier than others, until there are enough.
func appendBase62(letters, random []byte) []byte {
	for _, b := range random {
		if b < 248 && len(letters) < keyRandom {
			letters = append(letters, base62[b%62])
		}
	}
	return letters
}

func keySecret(live bool, letters []byte) Secret {
	prefix := testPrefix
	if live {
		prefix = livePrefix
	}
	return Secret(prefix + string(letters) + checksum(string(letters)))
}

// ParseKey reads what a client sent as its key. It says whether it can be one
// of ours at all, without asking anybody, and gives the hash to look it up by.
func ParseKey(s string) (KeyHash, bool) {
	if !strings.HasPrefix(s, livePrefix) && !strings.HasPrefix(s, testPrefix) {
		return KeyHash{}, false
	}
	letters := s[len(livePrefix):]
	if len(letters) != keyRandom+keyChecksum {
		return KeyHash{}, false
	}
	if checksum(letters[:keyRandom]) != letters[keyRandom:] {
		return KeyHash{}, false
	}
	return sha256.Sum256([]byte(s)), true
}

// KeyPrefix is the part of a key that may be shown.
func KeyPrefix(s Secret) string { return s.Reveal()[:keyPrefixLen] + "…" }

func checksum(letters string) string {
	n := crc32.ChecksumIEEE([]byte(letters))
	var out [keyChecksum]byte
	for i := keyChecksum - 1; i >= 0; i-- {
		out[i] = base62[n%62]
		n /= 62
	}
	return string(out[:])
}

// Usable returns nil for a key that works at now, and otherwise what is wrong.
func (k Key) Usable(now time.Time) error {
	switch {
	case !k.RevokedAt.IsZero() && !now.Before(k.RevokedAt):
		return &Error{Kind: Unauthorized, Code: "api_key_revoked", Message: "This API key was revoked. Ask the operator for a new one."}
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return &Error{Kind: Unauthorized, Code: "api_key_expired", Message: "This API key has expired. Ask the operator for a new one."}
	}
	return nil
}

// Has says whether the key was granted the scope.
func (k Key) Has(scope string) bool { return slices.Contains(k.Scopes, scope) }

// Called is what people call the key: its name, or what it begins with.
func (k Key) Called() string { return cmp.Or(k.Name, k.Prefix) }

// Actor is the key as who changed something.
func (k Key) Actor() Actor { return Actor{Kind: ByKey, Name: k.Called(), ID: k.ID} }

// KeyChanges lists what differs between two versions of a key.
func KeyChanges(before, after Key) []FieldChange {
	var c changes
	c.text("name", before.Name, after.Name)
	c.text("prefix", before.Prefix, after.Prefix)
	c.text("mode", before.mode(), after.mode())
	c.list("scopes", before.Scopes, after.Scopes)
	c.instant("expires_at", before.ExpiresAt, after.ExpiresAt)
	c.instant("revoked_at", before.RevokedAt, after.RevokedAt)
	return c
}

func (k Key) mode() string {
	switch {
	case k.ID == "":
		return ""
	case k.Live:
		return "live"
	}
	return "test"
}
