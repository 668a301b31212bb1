package frontdesk

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"time"
)

// ID is a UUID in lower-case canonical form. Ours are version 7, minted at the
// object's own time, so that sorting by id is sorting by time.
type ID string

// NewID mints a UUIDv7 at t. The twelve bits after the version hold the
// fraction of the millisecond, so that ids keep the order of microseconds.
func NewID(t time.Time) ID {
	var random [8]byte
	rand.Read(random[:])
	return IDFrom(t, random)
}

// IDFrom is NewID with randomness from elsewhere: the demo is the same on every
// machine.
func IDFrom(t time.Time, random [8]byte) ID {
	var b [16]byte
	copy(b[8:], random[:])
	putTime(&b, t)
	b[8] = b[8]&0x3f | 0x80
	return format(b)
}

// FirstIDAt returns the smallest UUIDv7 that any object made at t or later in
// the same millisecond can have. It turns a time range into an id range.
func FirstIDAt(t time.Time) ID {
	var b [16]byte
	if t.Before(time.UnixMilli(0)) { // there are no ids from before
		t = time.UnixMilli(0)
	}
	putTime(&b, t.Truncate(time.Millisecond))
	b[8] = 0x80
	return format(b)
}

// ParseID reads any UUID in canonical form, in either letter case.
func ParseID(s string) (ID, bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return "", false
	}
	lower := make([]byte, 36)
	for i := range len(s) {
		c := s[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'f':
		case c >= 'A' && c <= 'F':
			c += 'a' - 'A'
		default:
			return "", false
		}
		lower[i] = c
	}
	return ID(lower), true
}

// ParseCursor reads a position in a list: the id of an item, always version 7.
func ParseCursor(s string) (ID, error) {
	id, ok := ParseID(s)
	if !ok || !id.isV7() {
		return "", &Error{
			Kind: Invalid, Code: "invalid_cursor", Param: "starting_after",
			Message: "starting_after must be the id of an item of this list, as next_starting_after gives it.",
		}
	}
	return id, nil
}

func (id ID) isV7() bool {
	return len(id) == 36 && id[14] == '7' && (id[19] >= '8' && id[19] <= '9' || id[19] >= 'a' && id[19] <= 'b')
}

func putTime(b *[16]byte, t time.Time) {
	micros := t.UnixMicro()
	millis := micros / 1000
	fraction := uint16((micros % 1000) * 4096 / 1000)
	binary.BigEndian.PutUint16(b[0:2], uint16(millis>>32))
	binary.BigEndian.PutUint32(b[2:6], uint32(millis))
	binary.BigEndian.PutUint16(b[6:8], 0x7000|fraction)
}

func format(b [16]byte) ID {
	var out [36]byte
	hex.Encode(out[0:8], b[0:4])
	out[8] = '-'
	hex.Encode(out[9:13], b[4:6])
	out[13] = '-'
	hex.Encode(out[14:18], b[6:8])
	out[18] = '-'
	hex.Encode(out[19:23], b[8:10])
	out[23] = '-'
	hex.Encode(out[24:36], b[10:16])
	return ID(out[:])
}

// MintedAt is the millisecond at which an id was minted; zero of what is no id.
func (id ID) MintedAt() time.Time {
	if len(id) != 36 || !id.isV7() {
		return time.Time{}
	}
	ms, err := strconv.ParseInt(string(id[:8]+id[9:13]), 16, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
