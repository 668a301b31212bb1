package audio

import (
	"encoding/binary"
	"errors"
	"strings"
	"time"
)

// KeyEvent is one packet of a key that is pressed (RFC 4733). There are several of
// each press.
type KeyEvent struct {
	Key      byte // of 0 to 9, *, # and A to D; 0: something else, such as a hook flash
	End      bool // it was released
	Volume   int  // dB below the loudest, 0 to 63
	Duration int  // so far, in samples of the stream's clock
}

// ErrKeyEvent is what a payload that cannot be one gets.
var ErrKeyEvent = errors.New("audio: a key event has at least four bytes")

// ParseKeyEvent reads a packet's payload.
func ParseKeyEvent(payload []byte) (KeyEvent, error) {
	if len(payload) < 4 {
		return KeyEvent{}, ErrKeyEvent
	}
	e := KeyEvent{
		End:      payload[1]&0x80 != 0,
		Volume:   int(payload[1] & 0x3F),
		Duration: int(binary.BigEndian.Uint16(payload[2:])),
	}
	if int(payload[0]) < len(keys) {
		e.Key = keys[payload[0]]
	}
	return e, nil
}

// Append appends the payload of e to dst. It reports whether e has a key.
func (e KeyEvent) Append(dst []byte) ([]byte, bool) {
	event := strings.IndexByte(keys, e.Key)
	if event < 0 {
		return dst, false
	}
	flags := byte(max(0, min(e.Volume, 63)))
	if e.End {
		flags |= 0x80
	}
	dst = append(dst, byte(event), flags)
	return binary.BigEndian.AppendUint16(dst, uint16(max(0, min(e.Duration, 0xFFFF)))), true
}

// KeyPress returns the events of one press, to be sent 20 ms apart, all with the
// timestamp of its beginning. The last is there three times, for it must not be
// lost.
func KeyPress(key byte, length time.Duration) []KeyEvent {
	const volume = 10
	length = max(2*FrameTime, min(length, 8*time.Second))
	var events []KeyEvent
	for at := FrameTime; at < length; at += FrameTime {
		events = append(events, KeyEvent{Key: key, Volume: volume, Duration: Count(Rate, at)})
	}
	end := KeyEvent{Key: key, End: true, Volume: volume, Duration: Count(Rate, length)}
	return append(events, end, end, end)
}

// overtaken is by how many samples a packet can be behind another: ten seconds.
// What is further behind is another stream's.
const overtaken = 10 * Rate

// Keys makes presses of the packets of key events: each press is told once, with
// the first packet of it that arrives, in whatever number and order they come. The
// zero value is ready.
type Keys struct {
	began bool
	key   byte
	at    uint32 // the timestamp of the press, or of its last part
	until uint32 // the end of what is known of it
	ended bool
}

// Hear takes the timestamp and the payload of a packet, and returns the key if it
// is a new press.
func (k *Keys) Hear(timestamp uint32, payload []byte) (key byte, pressed bool) {
	e, err := ParseKeyEvent(payload)
	if err != nil || e.Key == 0 {
		return 0, false
	}
	until := timestamp + uint32(e.Duration)
	if k.began {
		switch after := int32(timestamp - k.at); {
		case after < 0 && after > -overtaken:
			// It was overtaken by a later one. A key told late would be a wrong
			// number, one that is missing is noticed.
			return 0, false
		case after == 0:
			k.ended = k.ended || e.End
			if int32(until-k.until) > 0 {
				k.until = until
			}
			return 0, false
		case after > 0 && k.goesOn(e, timestamp):
			k.at, k.until, k.ended = timestamp, until, e.End
			return 0, false
		}
	}
	*k = Keys{began: true, key: e.Key, at: timestamp, until: until, ended: e.End}
	return e.Key, true
}

// goesOn reports whether e is the next part of a press that is longer than a
// duration can say, which is told with a new timestamp. One that was not near
// that is another press, of which we missed the end of the first.
func (k *Keys) goesOn(e KeyEvent, timestamp uint32) bool {
	const nearlyAll = 0xFFFF - 8000
	return !k.ended && e.Key == k.key && k.until-k.at >= nearlyAll && int32(timestamp-k.until) < 8000
}
