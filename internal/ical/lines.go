package ical

import (
	"strings"
	"time"
	"unicode/utf8"
)

// lines are the lines of a file as they grow. They are escaped and folded while
// they are written: a feed of thousands of events needs no strings in between.
type lines struct {
	buf    []byte
	octets int // of the piece of a line that is being written
}

// maxOctets is how long a piece of a line may be, its end apart.
const maxOctets = 75

// line writes a property whose value is one of our own words. One without a
// value is left out, here and below.
func (b *lines) line(name, value string) {
	if value == "" {
		return
	}
	b.begin(name)
	b.put(":")
	b.put(value)
	b.end()
}

// text writes a property whose value is any text.
func (b *lines) text(name, value string) {
	if value == "" {
		return
	}
	b.begin(name)
	b.put(":")
	b.escape(value)
	b.end()
}

// list writes a property whose value is a list of texts.
func (b *lines) list(name string, values []string) {
	if len(values) == 0 {
		return
	}
	b.begin(name)
	for i, value := range values {
		if i == 0 {
			b.put(":")
		} else {
			b.put(",")
		}
		b.escape(value)
	}
	b.end()
}

// uri writes a property whose value is an address, in which nothing is escaped.
func (b *lines) uri(name, value string) {
	if value == "" {
		return
	}
	b.begin(name)
	b.put(":")
	b.putPrintable(value)
	b.end()
}

// time writes an instant as the clock of a zone shows it, or in UTC if the zone
// is nil.
func (b *lines) time(name string, t time.Time, zone *time.Location) {
	if t.IsZero() {
		return
	}
	b.begin(name)
	if zone == nil {
		b.put(":")
		b.clock(t.UTC())
		b.put("Z")
	} else {
		b.put(";TZID=")
		b.parameter(zone.String())
		b.put(":")
		b.clock(t.In(zone))
	}
	b.end()
}

// parameter writes the value of a parameter, in quotes where it needs them.
func (b *lines) parameter(value string) {
	value = strings.ReplaceAll(value, `"`, "")
	if !strings.ContainsAny(value, ":;,") {
		b.putPrintable(value)
		return
	}
	b.put(`"`)
	b.putPrintable(value)
	b.put(`"`)
}

// clock writes the date and the time of day of t.
func (b *lines) clock(t time.Time) {
	var digits [32]byte
	for _, c := range t.AppendFormat(digits[:0], clockLayout) {
		b.rune(rune(c), 1)
	}
}

// escape writes a text. Control characters and what is no UTF-8 have no place in
// one.
func (b *lines) escape(s string) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch r {
		case '\\', ';', ',':
			b.rune('\\', 1)
			b.rune(r, 1)
		case '\n':
			b.put(`\n`)
		default:
			if printable(r, size) {
				b.rune(r, size)
			}
		}
	}
}

// putPrintable writes a text as it is, but for its control characters and what
// is no UTF-8.
func (b *lines) putPrintable(s string) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if printable(r, size) {
			b.rune(r, size)
		}
	}
}

func printable(r rune, size int) bool {
	return r >= ' ' && r != 0x7f && (r != utf8.RuneError || size > 1)
}

func (b *lines) begin(name string) {
	b.octets = 0
	b.put(name)
}

func (b *lines) end() { b.buf = append(b.buf, "\r\n"...) }

// put writes a text of ASCII as it is.
func (b *lines) put(s string) {
	for i := range len(s) {
		b.rune(rune(s[i]), 1)
	}
}

// rune writes a character of so many bytes, on a further piece of the line where
// this one has no room for it.
func (b *lines) rune(r rune, size int) {
	if b.octets+size > maxOctets {
		b.buf = append(b.buf, "\r\n "...)
		b.octets = 1
	}
	b.octets += size
	if size == 1 {
		b.buf = append(b.buf, byte(r))
		return
	}
	b.buf = utf8.AppendRune(b.buf, r)
}
