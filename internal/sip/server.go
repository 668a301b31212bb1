package sip

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/emiago/sipgo"
	gosip "github.com/emiago/sipgo/sip"
	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/service"
)

// Options say how a Server is reached, and what it does with a call.
type Options struct {
	Listen    []string       // such as "udp:0.0.0.0:5060", "tcp:[::]:5060", "tls:0.0.0.0:5061"
	TLS       *tls.Config    // the certificate for tls:, and the roots that registrars' certificates are held against
	Public    string         // host or address that peers are told; "": that of the interface a peer is reached by
	Ports     [2]int         // for sound, one even port a call; 0, 0: 40000 to 40399
	Allow     []netip.Prefix // who may call us without a registration: a telephone system, a carrier's addresses
	MostCalls int            // at once; 0: 200
	Log       *slog.Logger
	Now       func() time.Time
	Metrics   prometheus.Registerer // nil: none

	// Answer has a call to itself, on a goroutine of its own. It answers or
	// rejects it, and the call is over when it returns. ctx ends when the server
	// cannot wait any longer; that the caller has hung up is told by Call.Read and
	// Call.Done.
	Answer func(ctx context.Context, call *Call)
}

// timing is how long things take; tests have less patience.
type timing struct {
	t1         time.Duration // SIP's estimate of a round trip
	t2         time.Duration // the longest pause between two retransmissions
	tick       time.Duration // how often a call is looked after
	unanswered time.Duration // a call that nobody answers
	noMedia    time.Duration // a call in which nothing is heard
	held       time.Duration // a call that is on hold
	request    time.Duration // for a request of ours to be answered
	noNotify   time.Duration // for the first news of a transfer
	transfer   time.Duration // for the outcome of a transfer
	lastNotify time.Duration // for news of a transfer that come after the end of the call
	minSession time.Duration // the shortest session timer we agree to
	keepAlive  time.Duration // between two signs of life to a registrar
	retry      time.Duration // after the first failure to register
	message    time.Duration // for a message on a connection to be there, from its first byte; and for the first
	idleConn   time.Duration // of a connection without calls
}

var patient = timing{
	t1: 500 * time.Millisecond, t2: 4 * time.Second, tick: time.Second,
	unanswered: 3 * time.Minute, noMedia: 30 * time.Second, held: time.Hour,
	request: 10 * time.Second, noNotify: 40 * time.Second, transfer: 3 * time.Minute, lastNotify: 2 * time.Second,
	minSession: 90 * time.Second,
	keepAlive:  25 * time.Second, retry: 5 * time.Second, // firewalls forget what is silent for 30 seconds
	message: 10 * time.Second, idleConn: 5 * time.Minute,
}

// Server is a SIP user agent that takes calls.
type Server struct {
	o       Options
	log     *slog.Logger
	timing  timing
	gate    *gate
	parser  *gosip.Parser
	seldom  *limit.Seldom // of what anybody can have logged
	ports   *ports
	metrics *metrics
	here    *endpoint
	work    *service.Group // calls and registrations
	serving *service.Group // listeners
	hard    context.Context
	cut     context.CancelFunc // ends hard, and with it all calls

	mu       sync.Mutex
	calls    map[string]*Call   // by their dialog
	invites  map[string]*Call   // by what they came with
	active   int                // calls that have not ended
	unheard  map[netip.Addr]int // of them, those whose caller has not acknowledged an answer yet, by who sends SIP
	stopping bool
	idle     chan struct{} // closed when the last call ends; nil: nobody waits for that
	trunks   []*registration
}

// The library's bounds are variables of its own.
func init() {
	// Answers must go back the way the request came, however long they are.
	gosip.UDPMTUSize = mostMessage + 200
	gosip.SetDefaultLogger(slog.New(slog.DiscardHandler))
}

// New opens the sockets of a Server. Run serves them.
func New(o Options) (*Server, error) {
	o, err := withDefaults(o)
	if err != nil {
		return nil, err
	}
	s := &Server{
		o: o, log: o.Log, timing: patient, parser: newParser(), metrics: newMetrics(o.Metrics), ports: newPorts(o.Ports), here: &endpoint{host: publicHost{name: o.Public}},
		work: service.NewGroup(o.Log), serving: service.NewGroup(o.Log),
		calls: map[string]*Call{}, invites: map[string]*Call{}, unheard: map[netip.Addr]int{}, seldom: limit.NewSeldom(linesAMinute),
	}
	s.hard, s.cut = context.WithCancel(context.Background())
	s.gate = newGate(o.Allow, o.Log, o.Now, s.metrics)
	if err := s.openAgent(); err != nil {
		return nil, err
	}
	for _, address := range o.Listen {
		l, err := s.listen(address)
		if err != nil {
			s.here.close()
			return nil, err
		}
		s.here.listeners = append(s.here.listeners, l)
	}
	s.watchTrunks(o.Metrics)
	return s, nil
}

func withDefaults(o Options) (Options, error) {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.MostCalls = cmp.Or(o.MostCalls, 200)
	if o.Ports == [2]int{} {
		o.Ports = [2]int{40000, 40399}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	switch {
	case o.Answer == nil:
		return o, errors.New("sip: nobody answers calls: Options.Answer is missing")
	case len(o.Listen) == 0:
		return o, errors.New("sip: there is no address to listen on, such as udp:0.0.0.0:5060")
	case o.Ports[0] < 1024 || o.Ports[1] > 65535 || o.Ports[1] <= o.Ports[0]:
		return o, fmt.Errorf("sip: ports %d to %d are no range between 1024 and 65535", o.Ports[0], o.Ports[1])
	}
	return o, nil
}

// openAgent makes the library's parts: transports, transactions and the routes of
// requests.
func (s *Server) openAgent() error {
	quiet := slog.New(&quietHandler{s.log.Handler()})
	agent, err := sipgo.NewUA(
		sipgo.WithUserAgent("frontdesk"),
		sipgo.WithUserAgentParser(s.parser),
		sipgo.WithUserAgenTLSConfig(dialing(s.o.TLS)),
		sipgo.WithUserAgentTransportLayerOptions(
			gosip.WithTransportLayerLogger(quiet),
			gosip.WithTransportLayerReadFilter((&dialed{s: s, streams: map[string]*dialedStream{}}).filter), // before the transports, which take it over
			gosip.WithTransportLayerTransports(gosip.TransportsConfig{
				TCP: &gosip.TransportTCP{WriteTimeout: 10 * time.Second},
				TLS: &gosip.TransportTLS{TransportTCP: &gosip.TransportTCP{WriteTimeout: 10 * time.Second}},
			})),
		sipgo.WithUserAgentTransactionLayerOptions(
			gosip.WithTransactionLayerLogger(quiet),
			gosip.WithTransactionLayerUnhandledResponseHandler(func(*gosip.Response) {})),
	)
	if err != nil {
		return fmt.Errorf("making the SIP agent: %w", err)
	}
	server, err := sipgo.NewServer(agent, sipgo.WithServerLogger(quiet))
	if err != nil {
		return fmt.Errorf("making the SIP server: %w", err)
	}
	client, err := sipgo.NewClient(agent, sipgo.WithClientLogger(quiet))
	if err != nil {
		return fmt.Errorf("making the SIP client: %w", err)
	}
	s.here.agent, s.here.client = agent, client
	s.route(server)
	return nil
}

// dialing is how registrars are reached by TLS.
func dialing(served *tls.Config) *tls.Config {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if served != nil {
		c.RootCAs = served.RootCAs
	}
	return c
}

// Listening is where the server listens, with the ports it was given.
func (s *Server) Listening() []string {
	var all []string
	for _, l := range s.here.listeners {
		all = append(all, l.network+":"+l.address.String())
	}
	return all
}

// Run serves until ctx ends, and then hangs up whatever Stop has left.
func (s *Server) Run(ctx context.Context) error {
	for _, l := range s.here.listeners {
		s.serving.Keep("sip "+l.network, func(ctx context.Context) { s.serve(ctx, l) })
	}
	s.log.Info("sip: listening", "addresses", s.Listening(), "ports", fmt.Sprintf("%d-%d", s.o.Ports[0], s.o.Ports[1]))
	<-ctx.Done()
	s.Stop(ctx)
	left, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if unfinished := s.work.Stop(left); len(unfinished) > 0 {
		s.log.Warn("sip: not all has ended", "work", unfinished)
	}
	s.here.close()
	err := s.here.agent.Close()
	if unfinished := s.serving.Stop(left); len(unfinished) > 0 {
		s.log.Warn("sip: not all has ended", "work", unfinished)
	}
	return err
}

// Stop refuses new calls, waits until those there are have ended or ctx ends,
// and then hangs up the rest and unregisters.
func (s *Server) Stop(ctx context.Context) {
	s.mu.Lock()
	s.stopping = true
	s.mu.Unlock()
	s.awaitCalls(ctx)
	s.cut()
	s.SetTrunks(nil)
	last, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	s.awaitCalls(last)
	s.work.Stop(last)
}

// awaitCalls waits until there is no call, or until ctx ends.
func (s *Server) awaitCalls(ctx context.Context) {
	for {
		s.mu.Lock()
		if len(s.calls) == 0 {
			s.mu.Unlock()
			return
		}
		if s.idle == nil {
			s.idle = make(chan struct{})
		}
		idle := s.idle
		s.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
	}
}

// linesAMinute is how often the log has the same line of what calls bring about.
const linesAMinute = 20

// admit takes a call in, unless there are too many: of all, or of those of one peer
// that are not acknowledged. Half of all calls are a peer's that does not acknowledge
// any; the others have the rest.
func (s *Server) admit(c *Call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	peer := c.dialog.from.Addr()
	if s.stopping || s.active >= s.o.MostCalls || s.unheard[peer] >= (s.o.MostCalls+1)/2 {
		return false
	}
	s.calls[c.key] = c
	s.invites[c.inviteKey] = c
	s.active++
	s.unheard[peer]++
	c.counted, c.unheard = true, true
	s.metrics.calls.Set(float64(s.active))
	return true
}

// acknowledged counts a call out of those that its peer has not acknowledged.
func (s *Server) acknowledged(c *Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hear(c)
}

// hear is acknowledged; s is locked.
func (s *Server) hear(c *Call) {
	if !c.unheard {
		return
	}
	c.unheard = false
	peer := c.dialog.from.Addr()
	if s.unheard[peer]--; s.unheard[peer] <= 0 {
		delete(s.unheard, peer)
	}
}

// free gives a call's place to the next when it ends: that its peer has yet to say
// that it knows takes no place from others.
func (s *Server) free(c *Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hear(c)
	if c.counted {
		c.counted = false
		s.active--
		s.metrics.calls.Set(float64(s.active))
	}
}

// say logs what callers can bring about as often as they like.
func (s *Server) say(log *slog.Logger, level slog.Level, message string, attributes ...any) {
	passed, ok := s.seldom.Take(message, s.o.Now())
	if !ok {
		level, passed = slog.LevelDebug, 0
	}
	if passed > 0 {
		attributes = append(attributes, "not_logged_before", passed)
	}
	log.Log(context.Background(), level, message, attributes...)
}

func (s *Server) forget(c *Call) {
	s.free(c) // one that was cancelled as it came in has ended before it was counted
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, c.key)
	delete(s.invites, c.inviteKey)
	if len(s.calls) == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// callOf finds the call that a request within a dialog belongs to.
func (s *Server) callOf(req *gosip.Request) *Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[dialogKey(callID(req), tag(req.To()))]
	if c == nil || c.dialog.remoteTag != tag(req.From()) {
		return nil
	}
	return c
}

func (s *Server) isStopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopping
}

// registrations are those of the trunks there are now.
func (s *Server) registrations() []*registration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.trunks)
}
