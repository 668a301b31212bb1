package sip

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/pion/srtp/v3"
)

// suite is the one way of encryption that we speak; everybody who speaks any
// does.
const suite = "AES_CM_128_HMAC_SHA1_80"

// srtpKeys are the key and the salt of one direction (RFC 4568).
type srtpKeys struct {
	tag  string // number of the offer's line that they answer
	key  []byte
	salt []byte
}

const keyBytes, saltBytes = 16, 14

// readCrypto reads a=crypto, and says whether it is a way of encryption that we
// speak.
func readCrypto(value string) (*srtpKeys, bool) {
	fields := strings.Fields(value)
	if len(fields) < 3 || fields[1] != suite || len(fields[0]) > 9 {
		return nil, false
	}
	for _, parameter := range fields[3:] {
		if strings.HasPrefix(parameter, "UNENCRYPTED") || strings.HasPrefix(parameter, "UNAUTHENTICATED") {
			return nil, false
		}
	}
	// The first of several keys; a key with an identifier is one of many, which
	// nobody uses.
	inline, ok := strings.CutPrefix(strings.Split(fields[2], ";")[0], "inline:")
	parts := strings.Split(inline, "|")
	if !ok || len(parts) > 2 || len(parts) == 2 && strings.Contains(parts[1], ":") {
		return nil, false
	}
	b, err := base64.StdEncoding.DecodeString(parts[0])
	if err != nil {
		b, err = base64.RawStdEncoding.DecodeString(parts[0])
	}
	if err != nil || len(b) != keyBytes+saltBytes {
		return nil, false
	}
	return &srtpKeys{fields[0], b[:keyBytes], b[keyBytes:]}, true
}

// newKeys are ours for the answer to an offer.
func newKeys(tag string) *srtpKeys {
	b := make([]byte, keyBytes+saltBytes)
	_, _ = rand.Read(b) // it does not fail
	return &srtpKeys{tag, b[:keyBytes], b[keyBytes:]}
}

func (k *srtpKeys) attribute() string {
	return fmt.Sprintf("%s %s inline:%s", k.tag, suite, base64.StdEncoding.EncodeToString(append(append([]byte{}, k.key...), k.salt...)))
}

func (k *srtpKeys) context() (*srtp.Context, error) {
	return srtp.CreateContext(k.key, k.salt, srtp.ProtectionProfileAes128CmHmacSha1_80, srtp.SRTPReplayProtection(64))
}
