package sip

import (
	"context"
	"log/slog"
)

// quietHandler writes what the library has to say for debugging only: it calls
// an error what any stranger can make happen.
type quietHandler struct{ slog.Handler }

func (h *quietHandler) Enabled(ctx context.Context, _ slog.Level) bool {
	return h.Handler.Enabled(ctx, slog.LevelDebug)
}

func (h *quietHandler) Handle(ctx context.Context, r slog.Record) error {
	said := slog.NewRecord(r.Time, slog.LevelDebug, "sip: "+r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if a.Key != "data" { // whole messages, with what is secret in them
			said.AddAttrs(a)
		}
		return true
	})
	return h.Handler.Handle(ctx, said)
}

func (h *quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &quietHandler{h.Handler.WithAttrs(attrs)}
}

func (h *quietHandler) WithGroup(name string) slog.Handler {
	return &quietHandler{h.Handler.WithGroup(name)}
}
