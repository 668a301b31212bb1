// Package carrier is a telephone carrier without a telephone: it calls a running
// server as Twilio or Telnyx do, with a caller whose words and keys come from
// whoever uses it.
//
//	Call -> voice webhook -> markup -> relay socket -> frames both ways
//	     -> the callback after it -> what the markup then says
//
// It has the habits of the two carriers, not their voices: what the server says is
// "played" at a speed that can be chosen, and reported as they report it. `frontdesk
// phone try` is one on a terminal; the tests of the telephone are others. It knows
// nothing of the server but its addresses.
package carrier

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // what Twilio signs with
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"frontdesk.dev/frontdesk/internal/service"
)

// Habits are whose calls these are.
type Habits string

// The carriers.
const (
	Twilio Habits = "twilio"
	Telnyx Habits = "telnyx"
)

// Options are a caller and whom they call.
type Options struct {
	Habits Habits
	Server string // where it is reached, such as http://127.0.0.1:8080
	Public string // its public address, which is signed; "": Server
	Number string // that is called, E.164
	From   string // who calls; "": withheld
	Secret string // Twilio: the auth token. Telnyx: the private key, 64 bytes in base64

	// Form is what the carrier tells beside with every request.
	Form map[string]string

	// Speed is how many characters of speech are played in a second; 0: all of it
	// at once.
	Speed float64
	// Play is told what is played, part by part, as each begins; nil: nobody is.
	Play func(text string)
	// Trace is told of every frame and request as it goes by; nil: nobody is.
	Trace func(direction, text string)
	Now   func() time.Time // time.Now
}

// Call is one call.
type Call struct {
	o    Options
	id   string
	conn *websocket.Conn
	http *http.Client

	frames chan frame
	fault  chan error
	came   *frame // has been waited for, and not been heard yet

	Locale string   // that is spoken now
	Sent   []string // the types of the frames that came, in their order
	Markup string   // the last that came
	Parted string   // what the markup said that ended the call
	Busy   bool     // the call was refused: its caller heard the line busy
	over   bool
	after  string // where to ask what comes then
	dialed string // whom the markup says to call
	dial   dialMarkup
}

// frame is what the server sends.
type frame struct {
	Type          string `json:"type"`
	Token         string `json:"token"`
	Last          bool   `json:"last"`
	Lang          string `json:"lang"`
	Interruptible *bool  `json:"interruptible"`
	TTS           string `json:"ttsLanguage"`
	Transcription string `json:"transcriptionLanguage"`
	HandoffData   string `json:"handoffData"`
}

// known are the fields that a carrier takes in a frame of each type.
var known = map[string][]string{
	"text":     {"type", "token", "last", "lang", "interruptible", "preemptible"},
	"language": {"type", "ttsLanguage", "transcriptionLanguage"},
	"end":      {"type", "handoffData"},
	"play":     {"type", "source", "loop"}, "sendDigits": {"type", "digits"},
}

// Said is what the server said in one turn.
type Said struct {
	Text   string
	Kept   bool // a word does not cut it off
	Cut    bool // it was cut off
	Ended  bool // and hung up
	Dialed string
	Locale string
}

// ErrOver says that the call is over.
var ErrOver = errors.New("the call is over")

// ErrBroken says that the relay has broken: a carrier goes on with Lost.
var ErrBroken = errors.New("the relay was closed")

// Refusal is a request that the server did not do.
type Refusal struct {
	Code   int    // of HTTP
	Status string // the code with its words
}

func (r *Refusal) Error() string { return "the server answers " + r.Status }

// markup is what the server tells a carrier to do.
type markup struct {
	Connect *struct {
		Action string `xml:"action,attr"`
		Relay  struct {
			URL      string `xml:"url,attr"`
			Language string `xml:"language,attr"`
			Langs    []struct {
				Code string `xml:"code,attr"`
			} `xml:"Language"`
		} `xml:"ConversationRelay"`
	} `xml:"Connect"`
	Dial   *dialMarkup `xml:"Dial"`
	Say    []string    `xml:"Say"`
	Reject *struct{}   `xml:"Reject"`
	Hangup *struct{}   `xml:"Hangup"`
	Gather *struct {
		Action string   `xml:"action,attr"`
		Say    []string `xml:"Say"`
	} `xml:"Gather"`
}

type dialMarkup struct {
	Action string `xml:"action,attr"`
	Number struct {
		URL  string `xml:"url,attr"`
		Text string `xml:",chardata"`
	} `xml:"Number"`
}

// Dial calls. What the server says first comes with Hear.
func Dial(ctx context.Context, o Options) (*Call, error) {
	if o.Public == "" {
		o.Public = o.Server
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Call{o: o, id: "CA" + rand.Text(), http: &http.Client{Timeout: 30 * time.Second}}
	m, err := c.Post(ctx, o.Public+"/phone/"+string(o.Habits)+"/voice", c.form("CallStatus", "ringing"))
	if err != nil {
		return c, err
	}
	return c, c.follow(ctx, m)
}

// ID is what the carrier calls the call.
func (c *Call) ID() string { return c.id }

// form is what a carrier tells of the call with every request.
func (c *Call) form(pairs ...string) url.Values {
	from := c.o.From
	if from == "" {
		from = "anonymous"
	}
	f := url.Values{"CallSid": {c.id}, "To": {c.o.Number}, "From": {from}, "Direction": {"inbound"}, "ApiVersion": {"2010-04-01"}}
	for key, value := range c.o.Form {
		f.Set(key, value)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Set(pairs[i], pairs[i+1])
	}
	return f
}

// Post posts a form to one of the server's addresses, signed.
func (c *Call) Post(ctx context.Context, address string, form url.Values) (markup, error) {
	body := form.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.reached(address), strings.NewReader(body))
	if err != nil {
		return markup{}, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	c.sign(request.Header, address, form, body)
	c.trace("->", "POST "+address+" "+body)
	answer, err := c.http.Do(request)
	if err != nil {
		return markup{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return markup{}, err
	}
	c.trace("<-", string(text))
	if answer.StatusCode != http.StatusOK {
		return markup{}, &Refusal{answer.StatusCode, answer.Status}
	}
	c.Markup = string(text)
	var m markup
	return m, xml.Unmarshal(text, &m)
}

// reached is where one of the server's public addresses is reached.
func (c *Call) reached(address string) string {
	public, server := c.o.Public, c.o.Server
	if strings.HasPrefix(address, "ws") {
		public, server = "ws"+strings.TrimPrefix(public, "http"), "ws"+strings.TrimPrefix(server, "http")
	}
	return server + strings.TrimPrefix(address, public)
}

// sign signs a request as the carrier does.
func (c *Call) sign(h http.Header, address string, form url.Values, body string) {
	if c.o.Habits == Telnyx {
		stamp := strconv.FormatInt(c.o.Now().Unix(), 10)
		key, _ := base64.StdEncoding.DecodeString(c.o.Secret)
		if len(key) == ed25519.PrivateKeySize {
			h.Set("telnyx-signature-ed25519", base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(stamp+"|"+body))))
		}
		h.Set("telnyx-timestamp", stamp)
		return
	}
	mac := hmac.New(sha1.New, []byte(c.o.Secret))
	_, _ = io.WriteString(mac, address)
	for _, key := range slices.Sorted(maps.Keys(form)) {
		_, _ = io.WriteString(mac, key+form.Get(key))
	}
	h.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// follow does what the server's markup says.
func (c *Call) follow(ctx context.Context, m markup) error {
	switch {
	case m.Connect != nil:
		c.after, c.Locale = m.Connect.Action, m.Connect.Relay.Language
		return c.open(ctx, m.Connect.Relay.URL)
	case m.Dial != nil:
		c.dial, c.dialed = *m.Dial, strings.TrimSpace(m.Dial.Number.Text)
		return nil
	}
	c.over, c.Busy, c.Parted = true, m.Reject != nil, strings.Join(m.Say, " ")
	return nil
}

// open opens the relay and tells who calls.
func (c *Call) open(ctx context.Context, address string) error {
	h := http.Header{}
	if c.o.Habits == Twilio {
		c.sign(h, address, nil, "")
	}
	conn, answer, err := websocket.Dial(ctx, c.reached(address), &websocket.DialOptions{HTTPHeader: h})
	if err != nil {
		if answer != nil {
			return fmt.Errorf("opening the relay: %w", &Refusal{answer.StatusCode, answer.Status})
		}
		return err
	}
	conn.SetReadLimit(1 << 20)
	c.conn, c.frames, c.fault, c.came = conn, make(chan frame, 64), make(chan error, 1), nil
	frames, fault := c.frames, c.fault
	service.Go(slog.Default(), "carrier", func() error {
		c.read(conn, frames, fault)
		return nil
	})
	setup := map[string]any{"type": "setup", "sessionId": "VX" + rand.Text(), "callSid": c.id, "from": c.o.From, "to": c.o.Number, "direction": "inbound", "callType": "PSTN", "callStatus": "RINGING", "customParameters": map[string]any{}}
	if c.o.Habits == Telnyx {
		setup["callSid"], setup["callControlId"], setup["from"], setup["to"] = "", c.id, nil, nil
		setup["customParameters"] = map[string]any{"telnyx_call_from": c.o.From, "telnyx_call_to": c.o.Number}
	}
	return c.Send(ctx, setup)
}

// read takes the server's frames, and holds them to what a carrier takes.
func (c *Call) read(conn *websocket.Conn, frames chan<- frame, fault chan<- error) {
	defer close(frames)
	for {
		_, text, err := conn.Read(context.Background())
		if err != nil {
			fault <- err
			return
		}
		c.trace("<-", string(text))
		f, err := takeFrame(text)
		if err != nil {
			fault <- err
			return
		}
		frames <- f
	}
}

// takeFrame reads a frame as a carrier does, which takes nothing that it does not
// know.
func takeFrame(text []byte) (f frame, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return f, fmt.Errorf("64107: the server sent what is no JSON: %s", text)
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("64107: %w", err)
	}
	allowed := known[f.Type]
	for name := range fields {
		if !slices.Contains(allowed, name) {
			return f, fmt.Errorf("64107: the server sent %q in a frame of type %q", name, f.Type)
		}
	}
	return f, nil
}

// Send sends a frame.
func (c *Call) Send(ctx context.Context, f any) error {
	if c.conn == nil {
		return ErrOver
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	c.trace("->", string(text))
	if err := c.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}

func (c *Call) trace(direction, text string) {
	if c.o.Trace != nil {
		c.o.Trace(direction, string(bytes.TrimSpace([]byte(text))))
	}
}
