package cli

import (
	"io"
	"log/slog"
	"net/netip"
	"time"

	"frontdesk.dev/frontdesk/internal/config"
)

// logger is the log that the settings ask for.
func logger(w io.Writer, s config.Settings) *slog.Logger {
	o := &slog.HandlerOptions{Level: s.Level(), ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch {
		case a.Value.Kind() == slog.KindDuration: // JSON would write nanoseconds without saying so
			return slog.String(a.Key, a.Value.Duration().Round(time.Microsecond).String())
		case s.LogAddresses != config.LogAddressesFull && (a.Key == "visitor" || a.Key == "remote"):
			return slog.String(a.Key, shortened(a.Value.String()))
		}
		return a
	}}
	if s.LogFormat == config.LogJSON {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// shortened is the network that an address of the internet is in: enough to tell one
// abuser from many, and nobody's own. Addresses of a machine's own network say whether
// a proxy is believed, and of nobody who visits.
func shortened(text string) string {
	at, err := netip.ParseAddr(text)
	if withPort, portErr := netip.ParseAddrPort(text); portErr == nil {
		at, err = withPort.Addr(), nil
	}
	if at = at.Unmap().WithZone(""); err != nil || at.IsLoopback() || at.IsPrivate() || at.IsLinkLocalUnicast() {
		return text
	}
	bits := 48
	if at.Is4() {
		bits = 24
	}
	network, err := at.Prefix(bits)
	if err != nil {
		return text
	}
	return network.String()
}
