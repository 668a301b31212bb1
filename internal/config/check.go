package config

import (
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// The values of Settings.LogFormat.
const (
	LogText = "text"
	LogJSON = "json"
)

// The values of Settings.LogAddresses.
const (
	LogAddressesShort = "short"
	LogAddressesFull  = "full"
)

var logFormats = []string{LogText, LogJSON}

// PoolerTransaction is the value of Settings.DatabasePooler, if it has one.
const PoolerTransaction = "transaction"

// check holds the rules that a type cannot say.
func (s Settings) check() []error {
	var wrong []error
	rule := func(name, value string, good bool, want string) {
		if !good {
			wrong = append(wrong, &ValueError{Name: name, Value: value, Want: want})
		}
	}
	rule("FRONTDESK_LISTEN", s.Listen, isAddress(s.Listen), "an address and a port such as 127.0.0.1:8080")
	rule("FRONTDESK_DATABASE_TIMEOUT", s.DatabaseTimeout.String(), s.DatabaseTimeout > 0, "more than 0")
	rule("FRONTDESK_DATABASE_CONNECTIONS", strconv.Itoa(s.DatabaseConns), s.DatabaseConns >= 0, "0 or more")
	rule("FRONTDESK_BACKUP_TO", s.BackupTo, s.BackupTo == "" || s.Database == "", "nothing with PostgreSQL: pg_dump copies it, see docs/operations.md")
	rule("FRONTDESK_BACKUP_TO", s.BackupTo, s.BackupTo != "database", "a directory or an address such as s3://bucket/prefix")
	rule("FRONTDESK_BACKUP_EVERY", s.BackupEvery.String(), s.BackupEvery >= time.Minute, "at least 1m")
	rule("FRONTDESK_BACKUP_KEEP", strconv.Itoa(s.BackupKeep), s.BackupKeep > 0, "at least 1")
	rule("FRONTDESK_RATE_PER_SECOND", strconv.Itoa(s.RatePerSecond), s.RatePerSecond > 0, "at least 1")
	rule("FRONTDESK_RATE_BURST", strconv.Itoa(s.RateBurst), s.RateBurst > 0, "at least 1")
	rule("FRONTDESK_READER", s.Reader, s.Reader == "on" || s.Reader == "off", "on or off")
	rule("FRONTDESK_KNOWLEDGE_MEMORY", strconv.Itoa(s.KnowledgeMemory), s.KnowledgeMemory > 0, "at least 1")
	rule("FRONTDESK_EMBEDDINGS_MODEL", s.EmbeddingsModel, (s.EmbeddingsModel == "") == (s.EmbeddingsURL == ""), "a model together with FRONTDESK_EMBEDDINGS_URL, or neither")
	rule("FRONTDESK_SPEECH_URL", s.SpeechURL, s.SpeechURL == "" || s.HearingURL != "", "an address together with FRONTDESK_HEARING_URL, or neither: who speaks has to hear")
	rule("FRONTDESK_SIP_LISTEN", s.SIPListen, s.SIPListen == "" || s.HearingURL != "", "nothing, unless FRONTDESK_HEARING_URL says who hears callers over SIP")
	_, err := s.SIP()
	rule("FRONTDESK_SIP_PORTS, FRONTDESK_SIP_ALLOW or FRONTDESK_SIP_LISTEN", strings.Join([]string{s.SIPPorts, s.SIPAllow, s.SIPListen}, " "), err == nil, "ports such as 40000-40399, networks such as 192.168.178.0/24, and places such as udp:0.0.0.0:5060")
	rule("FRONTDESK_SIP_KEY", s.SIPKey, (s.SIPKey == "") == (s.SIPCertificate == "") && (s.SIPKey != "" || !strings.Contains(s.SIPListen, "tls:")), "a file together with FRONTDESK_SIP_CERTIFICATE; both are needed for tls:")
	rule("FRONTDESK_SIP_CALLS", strconv.Itoa(s.SIPCalls), s.SIPCalls > 0, "at least 1")
	_, err = s.VoiceNames()
	rule("FRONTDESK_VOICES", s.Voices, err == nil, "a list such as speech/voc_es_alba=nova,twilio/voc_en_claire=en-GB-Neural2-A, of voices that GET /voices lists")
	rule("FRONTDESK_WEB_STARTS_PER_MINUTE", strconv.Itoa(s.WebStarts), s.WebStarts > 0, "at least 1")
	rule("FRONTDESK_WEB_MESSAGES_PER_SECOND", strconv.Itoa(s.WebMessages), s.WebMessages > 0, "at least 1")
	rule("FRONTDESK_WEB_MESSAGES_BURST", strconv.Itoa(s.WebBurst), s.WebBurst > 0, "at least 1")
	rule("FRONTDESK_WEB_AGENT_STARTS_PER_MINUTE", strconv.Itoa(s.WebAgentStarts), s.WebAgentStarts > 0, "at least 1")
	rule("FRONTDESK_WEB_OPEN_PER_ADDRESS", strconv.Itoa(s.WebOpen), s.WebOpen > 0, "at least 1")
	rule("FRONTDESK_BOOKINGS_PER_ADDRESS", strconv.Itoa(s.AddressBookings), s.AddressBookings > 0, "at least 1")
	rule("FRONTDESK_BOOKINGS_PER_PHONE", strconv.Itoa(s.PhoneBookings), s.PhoneBookings > 0, "at least 1")
	rule("FRONTDESK_BOOKINGS_PER_AGENT", strconv.Itoa(s.AgentBookings), s.AgentBookings > 0, "at least 1")
	_, err = s.Proxies()
	rule("FRONTDESK_TRUSTED_PROXIES", s.TrustedProxies, err == nil, "addresses or networks such as 10.0.0.0/8,192.0.2.7")
	rule("FRONTDESK_PUBLIC_URL", s.PublicURL, s.PublicURL == "" || isOrigin(s.PublicURL), "an address without a path, such as https://desk.example.com")
	rule("FRONTDESK_MAIL_FROM", s.MailFrom, (s.MailFrom == "") == (s.SMTP == ""), "an address together with FRONTDESK_SMTP, or neither")
	rule("FRONTDESK_TEXT_FROM", s.TextFrom, (s.TextFrom == "") == (s.Text == ""), "a number together with FRONTDESK_TEXT, or neither")
	rule("FRONTDESK_LOG_ADDRESSES", s.LogAddresses, s.LogAddresses == LogAddressesShort || s.LogAddresses == LogAddressesFull, "short or full")
	rule("FRONTDESK_LOG_FORMAT", s.LogFormat, slices.Contains(logFormats, s.LogFormat), "text or json")
	rule("FRONTDESK_LOG_LEVEL", s.LogLevel, isLevel(s.LogLevel), "debug, info, warn or error")
	rule("FRONTDESK_STOP_TIMEOUT", s.StopTimeout.String(), s.StopTimeout >= 0, "0s or more")
	rule("FRONTDESK_DEBUG_LISTEN", s.DebugListen, s.DebugListen == "" || isLoopback(s.DebugListen), "a loopback address and a port such as 127.0.0.1:6060: profiles show what the process has in memory and are for this machine alone")
	rule("FRONTDESK_NOW", s.Now.Format(time.RFC3339), s.Now.IsZero() || s.Now.Year() >= 1970 && s.Now.Year() < 9000, "an instant after 1970")
	return slices.Concat(wrong, s.checkDatabase(), s.checkFront(), s.checkTraces())
}

// checkDatabase holds the rules of where the database is. An address may hold a
// password, so its value is not shown.
func (s Settings) checkDatabase() (wrong []error) {
	if !isDatabase(s.Database) {
		wrong = append(wrong, &ValueError{Name: "FRONTDESK_DATABASE", Secret: true, Want: "postgres://user:password@host/name, or nothing for SQLite in the data directory"})
	}
	if pooler := s.DatabasePooler; pooler != "" && (pooler != PoolerTransaction || s.Database == "") {
		wrong = append(wrong, &ValueError{Name: "FRONTDESK_DATABASE_POOLER", Value: pooler, Want: "transaction, together with the pooler's address in FRONTDESK_DATABASE, or nothing"})
	}
	if !isDatabase(s.DatabaseListen) || s.DatabaseListen != "" && s.Database == "" {
		wrong = append(wrong, &ValueError{Name: "FRONTDESK_DATABASE_LISTEN", Secret: true, Want: "postgres://user:password@host/name, together with FRONTDESK_DATABASE, or nothing"})
	}
	return wrong
}

// Proxies is TrustedProxies as networks; an address is a network of one.
func (s Settings) Proxies() ([]netip.Prefix, error) { return networks(s.TrustedProxies) }

// networks reads networks, and addresses as networks of one.
func networks(list string) (all []netip.Prefix, err error) {
	for _, text := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(text)
		if a, bad := netip.ParseAddr(text); bad == nil {
			network, err = a.Prefix(a.BitLen())
		}
		if err != nil {
			return nil, err
		}
		all = append(all, network.Masked())
	}
	return all, nil
}

// Level is LogLevel as the log takes it.
func (s Settings) Level() slog.Level {
	var l slog.Level
	_ = l.UnmarshalText([]byte(s.LogLevel)) // Load has checked it; info otherwise
	return l
}

func isLevel(text string) bool {
	return slices.Contains([]string{"debug", "info", "warn", "error"}, text)
}

func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// isLoopback says whether an address is one that only this machine reaches. A
// name is none: where it leads is decided elsewhere.
func isLoopback(text string) bool {
	host, _, _ := net.SplitHostPort(text)
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback() && isAddress(text)
}

func isDatabase(address frontdesk.Secret) bool {
	text := address.Reveal()
	return text == "" || strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// isOrigin says whether an address has a scheme and a host and nothing else.
func isOrigin(address string) bool {
	u, err := url.Parse(strings.TrimSuffix(address, "/"))
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && *u == url.URL{Scheme: u.Scheme, Host: u.Host}
}
