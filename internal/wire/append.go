package wire

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Time spells an instant: RFC 3339, UTC, milliseconds.
func Time(t time.Time) string { return string(appendTime(nil, t)) }

func appendTime(b []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
}

// maybeTime spells an instant that may be missing.
func maybeTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := Time(t)
	return &s
}

// appendString appends s as a JSON string. Strings come from databases that
// hold UTF-8 only; should one not, the encoder mends it.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x80 {
			quoted, err := jsontext.AppendQuote(b, s)
			if err != nil && quoted == nil {
				return append(b, `""`...)
			}
			return quoted
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// appendField appends a string property, unless it has no value.
func appendField(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(b, name...)
	return appendString(b, value)
}

// appendNullable appends a string property that is null when it has no value.
func appendNullable(b []byte, name, value string) []byte {
	b = append(b, name...)
	if value == "" {
		return append(b, `null`...)
	}
	return appendString(b, value)
}

// appendNullableNumber appends a number that is null when it was not said.
func appendNullableNumber(b []byte, name string, n int) []byte {
	b = append(b, name...)
	if n == 0 {
		return append(b, `null`...)
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// appendNullableTime appends an instant that may be missing.
func appendNullableTime(b []byte, name string, t time.Time) []byte {
	b = append(b, name...)
	if t.IsZero() {
		return append(b, `null`...)
	}
	b = append(b, '"')
	b = appendTime(b, t)
	return append(b, '"')
}
