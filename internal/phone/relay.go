package phone

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/turns"
)

// relay serves the socket of one call.
func (p *Phone) relay(w http.ResponseWriter, r *http.Request, d *dialect) {
	place, on, err := p.mayRelay(r, d)
	if err != nil {
		status, body := refused(err)
		http.Error(w, strings.TrimSpace(string(body)), status)
		p.log.Warn("telephone: a relay was refused", "carrier", d.carrier, "status", status, "error", err)
		return
	}
	defer place.Leave()
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		p.log.Warn("telephone: a relay could not be opened", "carrier", d.carrier, "call", on.ID, "error", err)
		return
	}
	conn.SetReadLimit(maxFrame)
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	place.Hold(on.ID, cancel)
	p.metrics.relays.Inc()
	defer p.metrics.relays.Dec()
	call := turns.NewCall(&relayLine{conn: conn, d: d, log: p.log.With("carrier", d.carrier, "call", on.ID)}, turns.Options{
		Sessions: p.sessions, On: on, Habits: d.habits, Stopping: p.lines.Stopping(), Resumed: true,
		Now: p.now, Log: p.log, Watch: p.metrics.watch(),
	})
	call.Hold(ctx)
	if ctx.Err() == nil { // else another relay holds the call
		p.endLater(on)
	}
}

// endsBy is how long after a relay was closed the carrier may take to tell whether
// the caller has gone. Should it never, the call is over then.
const endsBy = time.Minute

// endLater ends a call whose relay was closed. The carrier asks what to do then; should
// that not come, the call ends by itself.
func (p *Phone) endLater(on reception.OnLine) {
	service.Later(p.log, "end of a call", endsBy, func() {
		ctx, cancel := context.WithTimeout(context.Background(), reception.TurnTime)
		defer cancel()
		_, _ = p.sessions.End(ctx, on.ID, on.Token.Reveal()) // whoever has taken it up since holds another token
	})
}

// Relays that may be open at once on a node, and of one tenant.
const (
	mostRelays   = 4000
	mostOfTenant = 1000
)

// mayRelay holds the opening of a relay to its token and, where the carrier signs
// it, to that. The token is used up with it, once there is room.
func (p *Phone) mayRelay(r *http.Request, d *dialect) (place *turns.Place, on reception.OnLine, err error) {
	number, secret, err := p.numbers.Find(r.Context(), r.URL.Query().Get("number"))
	if err != nil {
		return nil, on, err
	}
	if number.Carrier != d.carrier {
		return nil, on, refusal{http.StatusNotFound, errors.New("the number belongs to another carrier")}
	}
	if d.signedSocket != nil {
		address := "ws" + strings.TrimPrefix(p.public, "http") + r.URL.RequestURI()
		if err := d.signedSocket(r, spellings(address), secret); err != nil {
			return nil, on, refusal{http.StatusForbidden, err}
		}
	}
	id, ok := frontdesk.ParseID(r.PathValue("id"))
	if !ok {
		return nil, on, errTaken
	}
	if place, err = p.lines.Enter(number.TenantID); err != nil {
		return nil, on, refusal{http.StatusServiceUnavailable, err}
	}
	if on, err = p.sessions.Connect(r.Context(), id, r.PathValue("token"), number.Number); err != nil {
		place.Leave()
	}
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		return nil, on, errTaken
	}
	return place, on, err
}

// relayLine is the socket of one relay.
type relayLine struct {
	conn *websocket.Conn
	d    *dialect
	log  *slog.Logger
}

const (
	// writeWithin is how long a carrier may take for a frame.
	writeWithin = 5 * time.Second
	// framesPerSecond is how many frames a carrier sends for long; framesBurst at once.
	framesPerSecond, framesBurst = 50, 500
)

// Listen reads frames until the socket is closed.
func (l *relayLine) Listen(ctx context.Context, tell func(turns.Event)) error {
	pace := rate.NewLimiter(framesPerSecond, framesBurst)
	for {
		kind, text, err := l.conn.Read(ctx)
		if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
			return nil
		}
		if err != nil {
			return err
		}
		if !pace.Allow() {
			return errors.New("the carrier sends more frames than anybody speaks")
		}
		f, err := readFrame(text)
		if err != nil || kind != websocket.MessageText {
			l.log.Warn("telephone: a carrier sent what is no frame", "error", err)
			continue
		}
		if f.Type == "error" {
			l.log.Warn("telephone: the carrier does not take what was sent", "error", briefly(f.Description))
		}
		if e, tells := f.event(); tells {
			tell(e)
		}
	}
}

// briefly is the beginning of what a carrier complains of: what follows may quote what
// was said.
func briefly(text string) string {
	if i := strings.IndexAny(text, ":{\"\n"); i >= 0 {
		text = text[:i]
	}
	return frontdesk.Clip(text, 80)
}

// Do sends the frame of something to be done.
func (l *relayLine) Do(ctx context.Context, a turns.Act) error {
	text, err := json.Marshal(frameOf(a))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	return l.conn.Write(ctx, websocket.MessageText, text)
}

// Close closes the socket: the carrier asks what to do then.
func (l *relayLine) Close() { l.conn.CloseNow() }
