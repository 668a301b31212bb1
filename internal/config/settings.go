// Package config holds the settings of a process. Each setting is a field of
// Settings; its tags say the environment variable, the flag that overrides it,
// the default and what it is for.
//
// Load fills Settings from the environment, and docs/settings.md is printed
// from the same tags: a setting is written down once. Where the values go is
// not known here.
package config

import (
	"cmp"
	"path/filepath"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Settings are all settings.
type Settings struct {
	Listen          string           `env:"FRONTDESK_LISTEN" flag:"listen" default:"127.0.0.1:8080" doc:"Address and port to listen on, without TLS."`
	Domain          string           `env:"FRONTDESK_DOMAIN" flag:"domain" doc:"Names under which this server is reached by TLS, separated by commas, such as desk.example.com: it orders their certificates by ACME and serves them on FRONTDESK_TLS_LISTEN, and redirects to there from FRONTDESK_HTTP_LISTEN. To set it is to accept the terms of the certificate authority. Empty: no TLS; put a proxy in front."`
	TLSListen       string           `env:"FRONTDESK_TLS_LISTEN" default:":443" doc:"Address and port to serve TLS on, if FRONTDESK_DOMAIN is set. The world must reach it on port 443."`
	HTTPListen      string           `env:"FRONTDESK_HTTP_LISTEN" default:":80" doc:"Address and port that redirects to TLS, if FRONTDESK_DOMAIN is set. The world must reach it on port 80."`
	ACMEDirectory   string           `env:"FRONTDESK_ACME_DIRECTORY" default:"https://acme-v02.api.letsencrypt.org/directory" doc:"Directory of the certificate authority, which may be one on a private network. For trials: https://acme-staging-v02.api.letsencrypt.org/directory."`
	ACMEEmail       string           `env:"FRONTDESK_ACME_EMAIL" doc:"E-mail address that the certificate authority may write to. Empty: none."`
	ACMERoots       string           `env:"FRONTDESK_ACME_ROOTS" doc:"PEM file with certificates that FRONTDESK_ACME_DIRECTORY itself is trusted by beside the system's, for an authority of one's own."`
	MetricsListen   string           `env:"FRONTDESK_METRICS_LISTEN" flag:"metrics-listen" doc:"Address and port, such as 10.0.0.7:9090, for /metrics, /healthz and /readyz alone. /metrics is then nowhere else. Empty: /metrics is on FRONTDESK_LISTEN."`
	Data            string           `env:"FRONTDESK_DATA" flag:"data" default:"frontdesk-data" doc:"Directory of the embedded database and the master key. Made if it is missing, readable by its owner only."`
	Database        frontdesk.Secret `env:"FRONTDESK_DATABASE" flag:"database" doc:"postgres:// address of a PostgreSQL 13 or later. Empty: SQLite in the data directory."`
	DatabaseTimeout time.Duration    `env:"FRONTDESK_DATABASE_TIMEOUT" default:"1500ms" doc:"How long one question to the database may take before the answer is 503."`
	DatabaseConns   int              `env:"FRONTDESK_DATABASE_CONNECTIONS" default:"0" doc:"Connections that this node opens to PostgreSQL at most, or readers of SQLite. 0: 16, or two a core. docs/operations.md says how many nodes fit a server."`
	DatabasePooler  string           `env:"FRONTDESK_DATABASE_POOLER" doc:"transaction: FRONTDESK_DATABASE is the address of a pooler that lends a connection for one transaction only, such as PgBouncer in transaction mode. Empty: it is PostgreSQL's own, or that of a pooler in session mode."`
	DatabaseListen  frontdesk.Secret `env:"FRONTDESK_DATABASE_LISTEN" doc:"postgres:// address of PostgreSQL itself, past the pooler: one connection a node, on which it hears at once of work that other nodes have. Empty: FRONTDESK_DATABASE, or behind a pooler in transaction mode none, and nodes look for work every second."`
	MasterKey       frontdesk.Secret `env:"FRONTDESK_MASTER_KEY" doc:"32 bytes in base64 that seal secrets in the database. All nodes on one database need the same. Empty: generated once into the data directory."`
	OldMasterKeys   frontdesk.Secret `env:"FRONTDESK_MASTER_KEY_OLD" doc:"Earlier master keys, separated by commas, while the database still holds values that they sealed. frontdesk rekey seals them anew."`
	RatePerSecond   int              `env:"FRONTDESK_RATE_PER_SECOND" default:"200" doc:"Requests a second that one API key may make for long."`
	RateBurst       int              `env:"FRONTDESK_RATE_BURST" default:"2000" doc:"Requests that one API key may make at once."`
	WebhookAllow    string           `env:"FRONTDESK_WEBHOOK_ALLOW" doc:"For development: origins that deliveries may reach although they are not public, separated by commas, such as https://127.0.0.1:8443,http://127.0.0.1:9000."`
	WebhookCA       string           `env:"FRONTDESK_WEBHOOK_CA" doc:"For development: PEM file with certificate authorities that deliveries trust beside the system's."`
	WebhookProxy    string           `env:"FRONTDESK_WEBHOOK_PROXY" doc:"Proxy that all deliveries and requests to outside calendars and to the certificate authority go through, such as http://proxy.example.com:3128. The proxy then decides what can be reached. The usual proxy variables are not used."`
	CalendarAllow   string           `env:"FRONTDESK_CALENDAR_ALLOW" doc:"Origins of calendar servers that outside calendars may be on although they are not public or do not use port 443, separated by commas, such as http://127.0.0.1:5232."`
	CalendarCA      string           `env:"FRONTDESK_CALENDAR_CA" doc:"PEM file with certificate authorities that outside calendars are trusted by beside the system's."`
	Documents       string           `env:"FRONTDESK_DOCUMENTS" doc:"Where the bytes of documents are kept: database, a directory, or s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-west-1. Several nodes need one that all of them reach. Empty: the database if it is PostgreSQL, else documents in the data directory."`
	S3AccessKey     frontdesk.Secret `env:"FRONTDESK_S3_ACCESS_KEY" doc:"Access key for documents and backups in S3."`
	S3SecretKey     frontdesk.Secret `env:"FRONTDESK_S3_SECRET_KEY" doc:"Secret key for documents and backups in S3."`
	BackupTo        string           `env:"FRONTDESK_BACKUP_TO" doc:"Where serve copies the embedded database to by itself: a directory, better on another disk, or s3://bucket/prefix?endpoint=https://s3.example.com with FRONTDESK_S3_ACCESS_KEY and FRONTDESK_S3_SECRET_KEY. The master key is not copied. Not with PostgreSQL. Empty: nowhere."`
	BackupEvery     time.Duration    `env:"FRONTDESK_BACKUP_EVERY" default:"24h" doc:"How far apart those copies are made."`
	BackupKeep      int              `env:"FRONTDESK_BACKUP_KEEP" default:"7" doc:"How many of those copies are kept. Older ones are removed after a new one was made."`
	Cache           string           `env:"FRONTDESK_CACHE" doc:"Directory for what can be made anew at any time: the PDF reader's compiled code. Who can write there can run code as this process. Empty: cache in the data directory."`
	KnowledgeMemory int              `env:"FRONTDESK_KNOWLEDGE_MEMORY" default:"256" doc:"Megabytes that the indices of all knowledge bases may take in memory. Those that were not asked for longest make room."`
	Reader          string           `env:"FRONTDESK_READER" default:"on" doc:"Whether the first passages found for a question are read by the network that comes with the program, where it is in doubt whether they answer: on or off. It takes 40 MB of memory and some 10 ms of a processor's time a question; without AVX2 or NEON it is off."`
	EmbeddingsURL   string           `env:"FRONTDESK_EMBEDDINGS_URL" doc:"Base address of an OpenAI-compatible endpoint for embeddings, such as https://api.example.com/v1. Empty: documents are searched by their words alone."`
	EmbeddingsModel string           `env:"FRONTDESK_EMBEDDINGS_MODEL" doc:"Name of the model that is asked for embeddings."`
	EmbeddingsKey   frontdesk.Secret `env:"FRONTDESK_EMBEDDINGS_KEY" doc:"Key for the embeddings endpoint. Empty: none is sent."`
	ModelURL        string           `env:"FRONTDESK_MODEL_URL" doc:"Base address of an OpenAI-compatible endpoint for a language model, such as https://api.example.com/v1, that helps to understand callers. What they say is sent there. Empty: callers are understood by rules alone."`
	ModelName       string           `env:"FRONTDESK_MODEL_NAME" doc:"Name of the language model."`
	ModelKey        frontdesk.Secret `env:"FRONTDESK_MODEL_KEY" doc:"Key for the language model's endpoint. Empty: none is sent."`
	HearingURL      string           `env:"FRONTDESK_HEARING_URL" doc:"Base address of an OpenAI-compatible endpoint that makes words of sound (/audio/transcriptions), such as https://api.example.com/v1 or http://127.0.0.1:8090/v1 of frontdesk-speech. Callers over SIP and visitors with a microphone are heard by it: what they say is sent there. Empty: neither is offered."`
	HearingModel    string           `env:"FRONTDESK_HEARING_MODEL" default:"whisper-1" doc:"Name of the model that is asked to hear."`
	HearingKey      frontdesk.Secret `env:"FRONTDESK_HEARING_KEY" doc:"Key for the hearing endpoint. Empty: none is sent."`
	SpeechURL       string           `env:"FRONTDESK_SPEECH_URL" doc:"Base address of an OpenAI-compatible endpoint that speaks (/audio/speech), in bare samples of 24 kHz and 16 bits (response_format pcm); what comes as another type is refused. Empty: FRONTDESK_HEARING_URL."`
	SpeechModel     string           `env:"FRONTDESK_SPEECH_MODEL" default:"gpt-4o-mini-tts" doc:"Name of the model that is asked to speak."`
	SpeechKey       frontdesk.Secret `env:"FRONTDESK_SPEECH_KEY" doc:"Key for the speech endpoint. Empty: none is sent, or FRONTDESK_HEARING_KEY where FRONTDESK_SPEECH_URL is empty too."`
	Voices          string           `env:"FRONTDESK_VOICES" doc:"What our voices are called by who speaks, separated by commas: speech/voc_es_alba=nova for the speech endpoint, twilio/voc_es_alba=es-ES-Neural2-A or telnyx/… for a carrier's relay. A voice that is not named is the speech endpoint's that docs/speech.md lists, and on a relay the carrier's own."`
	SIPListen       string           `env:"FRONTDESK_SIP_LISTEN" doc:"Where SIP is served, separated by commas: udp:0.0.0.0:5060, tcp:0.0.0.0:5060, tls:0.0.0.0:5061. Needs FRONTDESK_HEARING_URL. On several nodes, set it on one. Empty: nowhere."`
	SIPPublic       string           `env:"FRONTDESK_SIP_PUBLIC" doc:"Address or name under which trunks reach this server's SIP and sound, where a router translates addresses. Empty: that of the interface a call comes in by."`
	SIPPorts        string           `env:"FRONTDESK_SIP_PORTS" default:"40000-40399" doc:"UDP ports for the sound of calls, two a call."`
	SIPAllow        string           `env:"FRONTDESK_SIP_ALLOW" doc:"Addresses or networks, separated by commas, whose calls are taken without a registration of ours: a private exchange, a trunk's servers. Everybody else gets no answer."`
	SIPCertificate  string           `env:"FRONTDESK_SIP_CERTIFICATE" doc:"PEM file with the certificate for SIP over TLS."`
	SIPKey          string           `env:"FRONTDESK_SIP_KEY" doc:"PEM file with the key of FRONTDESK_SIP_CERTIFICATE."`
	SIPCalls        int              `env:"FRONTDESK_SIP_CALLS" default:"100" doc:"Calls over SIP at once. More are told that the line is busy."`
	WebStarts       int              `env:"FRONTDESK_WEB_STARTS_PER_MINUTE" default:"300" doc:"Conversations a minute that one visitor address may start on the web channel, and no more than a quarter of FRONTDESK_WEB_AGENT_STARTS_PER_MINUTE. An IPv6 network of 56 bits, as a household has it, counts as one address."`
	WebMessages     int              `env:"FRONTDESK_WEB_MESSAGES_PER_SECOND" default:"50" doc:"Messages a second that one visitor address may send for long."`
	WebBurst        int              `env:"FRONTDESK_WEB_MESSAGES_BURST" default:"2000" doc:"Messages that one visitor address may send at once."`
	WebAgentStarts  int              `env:"FRONTDESK_WEB_AGENT_STARTS_PER_MINUTE" default:"1200" doc:"Conversations a minute that all visitors together may start with one agent."`
	WebOpen         int              `env:"FRONTDESK_WEB_OPEN_PER_ADDRESS" default:"50" doc:"Conversations that one visitor address may hold at once. One counts until nothing has been said in it for 5 minutes."`
	AddressBookings int              `env:"FRONTDESK_BOOKINGS_PER_ADDRESS" default:"60" doc:"Appointments, orders and messages an hour that are written down for one visitor address."`
	PhoneBookings   int              `env:"FRONTDESK_BOOKINGS_PER_PHONE" default:"20" doc:"Appointments, orders and messages an hour that are written down for one telephone number."`
	AgentBookings   int              `env:"FRONTDESK_BOOKINGS_PER_AGENT" default:"200" doc:"Appointments, orders and messages an hour that one agent writes down."`
	PublicURL       string           `env:"FRONTDESK_PUBLIC_URL" doc:"Address under which customers reach this server, such as https://desk.example.com. It begins the links in what they are sent, and the addresses that carriers of telephone numbers call, for which it must be https. Empty: https:// and the first of FRONTDESK_DOMAIN; without that nothing that is sent has a link, and no telephone call is answered."`
	SMTP            string           `env:"FRONTDESK_SMTP" doc:"Mail relay that takes what customers and owners are written: smtp://user@mail.example.com:587 with STARTTLS, which is insisted on, or smtps://user@mail.example.com:465. smtp+plain://127.0.0.1:25 is for a relay on this machine. Empty: no mail is sent."`
	SMTPPassword    frontdesk.Secret `env:"FRONTDESK_SMTP_PASSWORD" doc:"Password of the user in FRONTDESK_SMTP."`
	MailFrom        string           `env:"FRONTDESK_MAIL_FROM" doc:"Address that mail comes from, such as desk@example.com. The name that is shown is the business's."`
	Text            string           `env:"FRONTDESK_TEXT" doc:"Carrier that takes text messages: telnyx, or twilio: and the SID of the account. Empty: none is sent."`
	TextKey         frontdesk.Secret `env:"FRONTDESK_TEXT_KEY" doc:"The carrier's API key (Telnyx) or auth token (Twilio)."`
	TextFrom        string           `env:"FRONTDESK_TEXT_FROM" doc:"Number that text messages come from, such as +34600111222, or the SID of a messaging service (Twilio)."`
	TextURL         string           `env:"FRONTDESK_TEXT_URL" doc:"For development: base address to send text messages to in place of the carrier's own."`
	NoticeTest      string           `env:"FRONTDESK_NOTICE_TEST_ADDRESSES" doc:"E-mail addresses and telephone numbers, separated by commas, that are written to in test mode. Nobody else is."`
	TrustedProxies  string           `env:"FRONTDESK_TRUSTED_PROXIES" doc:"Addresses or networks of proxies in front of this server, separated by commas, such as 10.0.0.0/8,192.0.2.7. Their X-Forwarded-For says where a visitor comes from." default:"127.0.0.0/8,::1/128"`
	LogFormat       string           `env:"FRONTDESK_LOG_FORMAT" default:"text" doc:"text or json."`
	LogAddresses    string           `env:"FRONTDESK_LOG_ADDRESSES" default:"short" doc:"short or full. Short writes the network of a visitor into the log, such as 203.0.113.0/24 or 2001:db8:1::/48, in place of the address."`
	LogLevel        string           `env:"FRONTDESK_LOG_LEVEL" default:"info" doc:"debug, info, warn or error. One line per request is written at info."`
	TracesURL       string           `env:"FRONTDESK_TRACES_URL" doc:"Address of a collector that takes traces as OTLP over HTTP, such as http://collector:4318; /v1/traces is added where it has no path. It may be on a private network. docs/operations.md says what is sent. Empty: no traces."`
	TracesHeaders   frontdesk.Secret `env:"FRONTDESK_TRACES_HEADERS" doc:"Headers that are sent to the collector, such as authorization=Bearer abc, separated by commas."`
	TracesRatio     float64          `env:"FRONTDESK_TRACES_RATIO" default:"1" doc:"Share of requests, conversations and deliveries that are traced, such as 0.05; 1: all of them. Nodes on one database need the same."`
	StopTimeout     time.Duration    `env:"FRONTDESK_STOP_TIMEOUT" default:"20s" doc:"How long a stop may take in all: requests, background work and the last writes share it. What has not ended by then is cut off, and the process exits. 0s waits for nothing."`
	DebugListen     string           `env:"FRONTDESK_DEBUG_LISTEN" flag:"debug-listen" doc:"Loopback address and port, such as 127.0.0.1:6060, on which net/http/pprof is served: profiles of CPU and memory, goroutines, traces. Empty: nowhere."`
	Now             time.Time        `env:"FRONTDESK_NOW" doc:"For development and tests: RFC 3339 instant at which the process's clock starts."`
}

// DatabaseFile is where the embedded database is.
func (s Settings) DatabaseFile() string { return filepath.Join(s.Data, "frontdesk.db") }

// LockFile is what a process that serves the embedded database holds.
func (s Settings) LockFile() string { return filepath.Join(s.Data, "frontdesk.lock") }

// DocumentsDir is where the bytes of documents are when they are kept beside
// the embedded database.
func (s Settings) DocumentsDir() string { return filepath.Join(s.Data, "documents") }

// CacheDir is for what can be made anew at any time.
func (s Settings) CacheDir() string { return cmp.Or(s.Cache, filepath.Join(s.Data, "cache")) }

// MasterKeyFile is where the master key is, unless it comes by a setting.
func (s Settings) MasterKeyFile() string { return filepath.Join(s.Data, "master.key") }
