// Package app puts the parts together: settings become a store, a sealed box,
// keys, the API and the servers; they run until they are told to stop. It is
// the only package that knows all others, and it decides nothing itself.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/api"
	"frontdesk.dev/frontdesk/internal/backup"
	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/certificate"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/console"
	"frontdesk.dev/frontdesk/internal/devlisten"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/mcp"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/pdf"
	"frontdesk.dev/frontdesk/internal/phone"
	"frontdesk.dev/frontdesk/internal/privacy"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/sip"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/trace"
	"frontdesk.dev/frontdesk/internal/voice"
	"frontdesk.dev/frontdesk/internal/web"
	"frontdesk.dev/frontdesk/internal/webhook"
)

// Options are what a process is started with beside its settings.
type Options struct {
	Demo    bool
	Log     *slog.Logger
	Out     io.Writer // where the demo's keys and curl lines are printed
	Version string
}

// OpenStore opens the database of the settings. It does not migrate it.
func OpenStore(s config.Settings) (*store.Store, error) {
	if err := finishRestore(s); err != nil {
		return nil, err
	}
	return store.Open(store.Options{
		URL: cmp.Or(s.Database.Reveal(), s.DatabaseFile()), Timeout: s.DatabaseTimeout, MaxConnections: s.DatabaseConns,
		Pooler: s.DatabasePooler == config.PoolerTransaction, ListenURL: s.DatabaseListen.Reveal(), Now: service.Clock(s.Now),
	})
}

// Serve runs everything in one process until ctx ends, then stops: what runs
// is finished, what waits is written. It returns within the stop timeout,
// whatever hangs.
func Serve(ctx context.Context, s config.Settings, o Options) error {
	served := service.Go(o.Log, "server", func() error { return serve(ctx, s, o) })
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-served:
		return err
	case <-time.After(s.StopTimeout):
		return fmt.Errorf("the stop timeout of %s was over before the process had stopped by itself", s.StopTimeout)
	}
}

func serve(ctx context.Context, s config.Settings, o Options) error {
	if s.DebugListen != "" { // first of all, and to the end, so that one can look into a start or a stop that hangs
		stopDebugging, err := serveProfiles(s.DebugListen, o.Log)
		if err != nil {
			return err
		}
		defer stopDebugging()
	}
	if err := finishRestore(s); err != nil {
		return err
	}
	unlock, err := LockData(s)
	if err != nil {
		return err
	}
	defer unlock()
	p, err := assemble(ctx, s, o)
	if err != nil {
		return err
	}
	defer p.closeStore()
	fronts, err := p.listen()
	if err != nil {
		return err
	}
	if o.Demo {
		if err := p.openDemo(ctx, o.Out, fronts[0].listener.Addr()); err != nil {
			closeFronts(fronts)
			return err
		}
	}
	return p.run(ctx, fronts)
}

// parts are the assembled parts of a process.
type parts struct {
	settings     config.Settings
	log          *slog.Logger
	now          func() time.Time
	store        *store.Store
	box          *seal.Box
	keys         *account.Keys
	people       *account.People
	webhooks     *webhook.Webhooks
	dispatch     *webhook.Dispatcher
	blobs        *blob.Store
	pdf          *pdf.Reader
	library      *knowledge.Library
	privacy      *privacy.Keeper
	shelves      *knowledge.Shelves
	reading      *knowledge.Worker
	light        *knowledge.Worker
	sessions     *reception.Sessions
	notices      *notice.Notices
	phone        *phone.Phone
	studio       *voice.Studio // nil: nobody is heard and spoken to by ourselves
	sip          *sip.Server   // nil: SIP is not served
	sipSince     time.Time     // when its sockets were opened
	web          *web.Web
	calendar     *calendar.Calendar
	outside      *calendar.Outside
	api          *api.API
	console      *console.Console
	mcp          *mcp.Server
	backups      *backup.Schedule // nil: none is set
	mail         *notice.Mail     // nil: no relay is set
	texts        bool             // text messages can be sent
	version      string
	installation frontdesk.ID // of the database
	started      time.Time
	swept        atomic.Int64 // when all that plans keep for some days was last swept, in seconds since 1970
	devlisten    *devlisten.Server
	nodes        *nodes // nil: there are no others
	handler      http.Handler
	public       http.Handler        // handler without the figures of the process
	figures      http.Handler        // nothing but those, and health
	certs        *certificate.Keeper // nil: TLS is somebody else's
	tracer       *trace.Tracer       // nil: off
	stopBy       time.Time           // when a stop must be over; zero before it begins
}

func assemble(ctx context.Context, s config.Settings, o Options) (_ *parts, err error) {
	p := &parts{settings: s, log: o.Log, now: service.Clock(s.Now), version: o.Version}
	p.started = p.now()
	p.swept.Store(p.started.Unix())
	if p.store, err = OpenStore(s); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.closeStore()
		}
	}()
	applied, err := p.store.Migrate(ctx, p.now())
	if err != nil {
		return nil, err
	}
	for _, m := range applied {
		o.Log.Info("migrated the database", "migration", m.Name)
	}
	if p.box, err = OpenBox(ctx, s, p.store, p.now()); err != nil {
		return nil, err
	}
	in, _, err := p.store.InstallationForWorker(ctx)
	if err != nil {
		return nil, err
	}
	p.installation = in.ID
	if p.store.Name() == "postgres" && s.MasterKey == "" {
		o.Log.Warn("the master key is kept in the data directory of this node; nodes that share a database need the same one: set FRONTDESK_MASTER_KEY", "data", s.Data)
	}
	p.nodes = newNodes(p)
	p.privacy = privacy.New(privacy.Options{Store: p.store, Log: p.log, Now: p.now, OpenAnswer: api.OpenAnswer(p.box)})
	p.keys, p.people = account.NewKeys(p.store, p.now), account.NewPeople(p.store, p.now)
	registry := p.newRegistry(o.Version)
	if p.tracer, err = p.openTracer(s); err != nil {
		return nil, err
	}
	if err := p.addWebhooks(registry); err != nil {
		return nil, err
	}
	if p.outside, err = OpenOutside(s, p.store, p.box, p.now, p.log); err != nil {
		return nil, err
	}
	if err := p.addKnowledge(registry); err != nil {
		return nil, err
	}
	if err := p.addReception(registry); err != nil {
		return nil, err
	}
	if err := p.addNotices(registry); err != nil {
		return nil, err
	}
	if p.studio, err = OpenStudio(s, p.log); err != nil {
		return nil, err
	}
	if err := p.addPhone(registry, o.Demo); err != nil {
		return nil, err
	}
	if err := p.addWeb(registry); err != nil {
		return nil, err
	}
	if err := p.addBackups(registry); err != nil {
		return nil, err
	}
	p.calendar = calendar.New(p.store, nil)
	proxies, err := s.Proxies()
	if err != nil {
		return nil, err
	}
	if p.api, err = api.New(api.Options{
		Store: p.store, Keys: p.keys, Box: p.box, Webhooks: p.webhooks, Library: p.library, Shelves: p.shelves, Now: p.now, Log: o.Log, Metrics: registry,
		RatePerSecond: s.RatePerSecond, RateBurst: s.RateBurst, Nodes: p.nodes.limits(),
		AnswerTime: answerTime(s), Tracer: p.tracer, TrustedProxies: proxies,
	}); err != nil {
		return nil, err
	}
	if err := p.addConsole(registry); err != nil {
		return nil, err
	}
	p.devlisten = devlisten.New(p.store, p.keys, p.now, p.log)
	if err := p.addCertificates(registry); err != nil {
		return nil, err
	}
	return p, p.addHandlers(registry)
}

// answerTime is what all questions of one request may take together: a fifth
// more than one of them.
func answerTime(s config.Settings) time.Duration { return s.DatabaseTimeout + s.DatabaseTimeout/5 }

// run serves on all fronts until ctx ends.
func (p *parts) run(ctx context.Context, fronts []front) error {
	work := service.NewGroup(p.log)
	p.startWork(work)
	p.startSIP(work)
	servers, failed := p.serveFronts(fronts)
	p.log.Info("ready", append([]any{"database", p.store.Name(), "documents", p.blobs.String()}, places(fronts)...)...)
	select {
	case err := <-failed:
		return errors.Join(err, p.stop(servers, work))
	case <-ctx.Done():
		return p.stop(servers, work)
	}
}

// newRegistry holds the figures of this process.
func (p *parts) newRegistry(version string) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(runtimeCollectors()...)
	r.MustRegister(poolCollector{p.store}, buildInfo(version), databaseCollector{p}, processCollector{p})
	return r
}
