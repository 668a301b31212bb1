package frontdesk

import "log/slog"

// Secret is a string that must not be logged or printed. Reveal is the only
// way to its value.
type Secret string

func (Secret) String() string { return "[secret]" }

// GoString keeps a secret out of %#v as well.
func (Secret) GoString() string { return "[secret]" }

// LogValue keeps a secret out of the log.
func (Secret) LogValue() slog.Value { return slog.StringValue("[secret]") }

// MarshalText keeps a secret out of every encoder.
func (Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// Reveal returns the value itself.
func (s Secret) Reveal() string { return string(s) }
