// Package seal encrypts what must not be readable in the database: AES-256-GCM
// under the server's master key. A sealed value is bound to a place (a label
// such as a row's key), so that it cannot be moved to another one.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const keySize = 32

// version is the first byte of every sealed value, so that the way of sealing
// can change.
const version = 1

// Box seals and opens values. It is safe for concurrent use.
type Box struct {
	master []byte
	aead   cipher.AEAD
	older  []cipher.AEAD // that opens what earlier keys sealed
}

// Format keeps the keys out of whatever prints a box.
func (*Box) Format(f fmt.State, _ rune) { io.WriteString(f, "[secret]") }

// New makes a box from a master key, 32 bytes in base64, that seals with it and
// also opens what older keys have sealed.
func New(master frontdesk.Secret, older ...frontdesk.Secret) (*Box, error) {
	raw, aead, err := keyed(master)
	if err != nil {
		return nil, err
	}
	b := &Box{master: raw, aead: aead}
	for _, key := range older {
		_, aead, err := keyed(key)
		if err != nil {
			return nil, err
		}
		b.older = append(b.older, aead)
	}
	return b, nil
}

func keyed(master frontdesk.Secret) ([]byte, cipher.AEAD, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(master.Reveal()))
	if err != nil || len(raw) != keySize {
		return nil, nil, errors.New("the master key must be 32 bytes in base64; for a new installation make one with: openssl rand -base64 32")
	}
	key, err := hkdf.Key(sha256.New, raw, nil, "frontdesk seal", keySize)
	if err != nil {
		return nil, nil, fmt.Errorf("deriving the sealing key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, fmt.Errorf("making the cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, nil, fmt.Errorf("making the cipher: %w", err)
	}
	return raw, aead, nil
}

// LoadOrCreate reads the master key from a file, or makes one there that only
// its owner can read.
func LoadOrCreate(file string) (key frontdesk.Secret, created bool, err error) {
	dir := filepath.Dir(file)
	text, err := os.ReadFile(file)
	if err == nil {
		return frontdesk.Secret(strings.TrimSpace(string(text))), false, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", false, fmt.Errorf("reading the master key: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", false, fmt.Errorf("making the data directory: %w", err)
	}
	raw := make([]byte, keySize)
	rand.Read(raw)
	text = []byte(base64.StdEncoding.EncodeToString(raw) + "\n")
	// Written whole under another name first and linked: two processes that
	// start at once end up with the same key.
	tmp, err := os.CreateTemp(dir, filepath.Base(file)+".*")
	if err != nil {
		return "", false, fmt.Errorf("writing the master key: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return "", false, fmt.Errorf("writing the master key: %w", err)
	}
	if err := os.Link(tmp.Name(), file); errors.Is(err, os.ErrExist) {
		return LoadOrCreate(file)
	} else if err != nil {
		return "", false, fmt.Errorf("writing the master key: %w", err)
	}
	return frontdesk.Secret(strings.TrimSpace(string(text))), true, nil
}

// Seal encrypts a value for a place.
func (b *Box) Seal(place string, value []byte) []byte {
	return b.aead.Seal([]byte{version}, nil, value, []byte(place))
}

// Open decrypts a value that was sealed for the same place.
func (b *Box) Open(place string, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != version {
		return nil, errors.New("opening a sealed value: not one of ours")
	}
	for _, aead := range append([]cipher.AEAD{b.aead}, b.older...) {
		if value, err := aead.Open(nil, nil, sealed[1:], []byte(place)); err == nil {
			return value, nil
		}
	}
	return nil, errors.New("opening a sealed value: it was sealed with another master key, or altered")
}

// Value is a sealed value and the place that it was sealed for.
type Value struct {
	Place  string
	Sealed []byte
}

// OpensAny says whether the box opens at least one of the values.
func (b *Box) OpensAny(values []Value) bool {
	return slices.ContainsFunc(values, func(v Value) bool {
		_, err := b.Open(v.Place, v.Sealed)
		return err == nil
	})
}

// Derive makes 64 bytes that only holders of the master key can make, always
// the same for the same purpose.
func (b *Box) Derive(purpose string) []byte {
	out, err := hkdf.Key(sha256.New, b.master, nil, "frontdesk derive "+purpose, 64)
	if err != nil {
		panic(err) // 64 bytes are within what HKDF can give
	}
	return out
}
