package frontdesk_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func TestNewKeySecret(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^svc_(live|test)_[0-9A-Za-z]{38}$`)
	seen := map[string]bool{}
	letters := map[rune]bool{}
	for i := range 500 {
		live := i%2 == 0
		key := frontdesk.NewKeySecret(live).Reveal()
		if !form.MatchString(key) || strings.HasPrefix(key, "svc_live_") != live {
			t.Fatalf("a key of live=%v looks like %s", live, key)
		}
		if seen[key] {
			t.Fatalf("%s came twice", key)
		}
		seen[key] = true
		hash, ok := frontdesk.ParseKey(key)
		if !ok || hash != sha256.Sum256([]byte(key)) {
			t.Fatalf("%s does not parse", key)
		}
		for _, c := range key[9:41] {
			letters[c] = true
		}
	}
	if len(letters) != 62 {
		t.Errorf("500 keys use %d letters, not 62", len(letters))
	}
}

// The checksum is the CRC-32 of the 32 letters in base 62, most significant
// letter first, so that others can write it too.
func TestKeyChecksumIsKnown(t *testing.T) {
	t.Parallel()
	tests := map[string]string{ // as zlib computes them
		"00000000000000000000000000000000": "2wjyrI",
		"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz": "4W8LJS",
		"0123456789ABCDEFGHIJKLMNOPQRSTUV": "1ggZdL",
	}
	for letters, sum := range tests {
		if _, ok := frontdesk.ParseKey("svc_live_" + letters + sum); !ok {
			t.Errorf("the checksum of %s is not %s", letters, sum)
		}
	}
}

// crcBase62 computes CRC-32 (IEEE) bit by bit.
func crcBase62(data []byte) string {
	crc := ^uint32(0)
	for _, b := range data {
		crc ^= uint32(b)
		for range 8 {
			if crc&1 == 1 {
				crc = crc>>1 ^ 0xedb88320
			} else {
				crc >>= 1
			}
		}
	}
	crc = ^crc
	var digits []byte
	for range 6 {
		digits = append([]byte{base62[crc%62]}, digits...)
		crc /= 62
	}
	return string(digits)
}

func TestParseKeyRefusesEachAlteredCharacter(t *testing.T) {
	t.Parallel()
	key := frontdesk.NewKeySecret(true).Reveal()
	for i := range key {
		for _, c := range []byte(base62 + "_- \x00\xff") {
			altered := []byte(key)
			altered[i] = c
			if _, ok := frontdesk.ParseKey(string(altered)); ok != (c == key[i]) {
				t.Fatalf("with %q at %d: %v", c, i, ok)
			}
		}
	}
}

func TestParseKeyRefuses(t *testing.T) {
	t.Parallel()
	key := frontdesk.NewKeySecret(false).Reveal()
	tests := map[string]string{
		"nothing":                "",
		"the prefix alone":       "svc_test_",
		"one letter short":       key[:len(key)-1],
		"one letter more":        key + "0",
		"another prefix":         "sk_live__" + key[9:],
		"an upper-case prefix":   "SVC_TEST_" + key[9:],
		"without its prefix":     key[9:],
		"a space before":         " " + key,
		"a newline after":        key + "\n",
		"two neighbours swapped": swapped(key),
		"what people see of it":  frontdesk.KeyPrefix(frontdesk.Secret(key)),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if hash, ok := frontdesk.ParseKey(text); ok || hash != (frontdesk.KeyHash{}) {
				t.Errorf("%q is taken for a key", text)
			}
		})
	}
}

// swapped exchanges the first two different neighbours among the letters.
func swapped(key string) string {
	b := []byte(key)
	for i := 9; i < 40; i++ {
		if b[i] != b[i+1] {
			b[i], b[i+1] = b[i+1], b[i]
			break
		}
	}
	return string(b)
}

func TestKeySecretFromIsRepeatable(t *testing.T) {
	t.Parallel()
	seeds := map[string][]byte{
		"of 64 bytes":                bytes.Repeat([]byte{1, 2, 3, 4}, 16),
		"of bytes that give nothing": bytes.Repeat([]byte{0xff}, 64),
		"that is short":              {42},
	}
	seen := map[string]bool{}
	for name, seed := range seeds {
		for _, live := range []bool{true, false} {
			a, b := frontdesk.KeySecretFrom(live, seed), frontdesk.KeySecretFrom(live, bytes.Clone(seed))
			if a != b {
				t.Errorf("a seed %s gives %s and %s", name, a.Reveal(), b.Reveal())
			}
			if _, ok := frontdesk.ParseKey(a.Reveal()); !ok {
				t.Errorf("a seed %s gives %s, which is no key", name, a.Reveal())
			}
			seen[a.Reveal()] = true
		}
	}
	if len(seen) != 2*len(seeds) {
		t.Errorf("other seeds or modes give the same key: %v", seen)
	}
}

func TestKeyPrefixShowsThirteenCharacters(t *testing.T) {
	t.Parallel()
	key := frontdesk.NewKeySecret(true)
	if got := frontdesk.KeyPrefix(key); got != key.Reveal()[:13]+"…" {
		t.Errorf("got %q", got)
	}
}

func TestKeyUsable(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC)
	tests := map[string]struct {
		key  frontdesk.Key
		want string
	}{
		"without an end":                   {frontdesk.Key{}, ""},
		"before it expires":                {frontdesk.Key{ExpiresAt: now.Add(time.Microsecond)}, ""},
		"the moment it expires":            {frontdesk.Key{ExpiresAt: now}, "api_key_expired"},
		"long expired":                     {frontdesk.Key{ExpiresAt: now.AddDate(-1, 0, 0)}, "api_key_expired"},
		"revoked at a time to come":        {frontdesk.Key{RevokedAt: now.Add(time.Second)}, ""},
		"the moment it is revoked":         {frontdesk.Key{RevokedAt: now}, "api_key_revoked"},
		"revoked and expired":              {frontdesk.Key{RevokedAt: now.Add(-1), ExpiresAt: now.Add(-2)}, "api_key_revoked"},
		"expired, and to be revoked later": {frontdesk.Key{RevokedAt: now.Add(1), ExpiresAt: now}, "api_key_expired"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tt.key.Usable(now)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *frontdesk.Error
			if !errors.As(err, &e) || e.Kind != frontdesk.Unauthorized || e.Code != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add("")
	f.Add("svc_live_")
	f.Add(frontdesk.KeySecretFrom(true, []byte("a")).Reveal())
	f.Add(frontdesk.KeySecretFrom(false, []byte("b")).Reveal())
	f.Fuzz(func(t *testing.T, text string) {
		hash, ok := frontdesk.ParseKey(text)
		switch {
		case !ok && hash != frontdesk.KeyHash{}:
			t.Error("a hash of what is no key")
		case ok && (len(text) != 47 || hash != sha256.Sum256([]byte(text))):
			t.Errorf("%q is taken for a key", text)
		case ok && crcBase62([]byte(text[9:41])) != text[41:]:
			t.Errorf("%q has a wrong checksum", text)
		}
	})
}
