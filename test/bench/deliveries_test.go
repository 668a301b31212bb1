package bench

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/webhook"
	"frontdesk.dev/frontdesk/internal/wire"
)

const (
	burst = 5_000
	paced = 500
	pace  = 50 // a second
)

// BenchmarkDeliveries takes events of about 1 KiB from their commit to a
// receiver in another process.
func BenchmarkDeliveries(b *testing.B) {
	for _, database := range []string{"sqlite", "postgres"} {
		if database == "postgres" && os.Getenv("FRONTDESK_TEST_DATABASE") == "" {
			b.Log("PostgreSQL is not covered: FRONTDESK_TEST_DATABASE is not set")
			continue
		}
		for _, scheme := range []string{"http", "https"} {
			b.Run(database+"/"+scheme+"/burst", func(b *testing.B) {
				o := newOffice(b, database, scheme)
				o.burst(b)
			})
			b.Run(database+"/"+scheme+"/paced", func(b *testing.B) {
				o := newOffice(b, database, scheme)
				alone := o.paced(b)
				report(b, alone)
			})
		}
		b.Run(database+"/http/slow neighbour", func(b *testing.B) {
			o := newOffice(b, database, "http")
			alone := o.paced(b)
			o.hang(b)
			beside := o.paced(b)
			report(b, beside)
			b.ReportMetric(float64(percentile(beside, 99))/float64(percentile(alone, 99)), "p99-x-alone")
		})
	}
}

func report(b *testing.B, took []time.Duration) {
	b.ReportMetric(micros(percentile(took, 50))/1000, "p50-ms")
	b.ReportMetric(micros(percentile(took, 99))/1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}

func percentile(took []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}

// office is a dispatcher at work in this process, and a receiver in another.
type office struct {
	store    *store.Store
	hooks    *webhook.Webhooks
	tenant   frontdesk.Tenant
	owner    frontdesk.Owner
	receiver *receiver
}

func newOffice(b *testing.B, database, scheme string) *office {
	b.Helper()
	url := filepath.Join(b.TempDir(), "frontdesk.db")
	if database == "postgres" {
		url = storetest.URL(b)
	}
	s, err := store.Open(store.Options{URL: url, Timeout: 30 * time.Second})
	check(b, err)
	b.Cleanup(func() { s.Close() })
	_, err = s.Migrate(context.Background(), time.Now())
	check(b, err)
	r := startReceiver(b, scheme)
	box, err := seal.New("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	check(b, err)
	guard, err := egress.New(egress.Options{Allow: []string{r.origin, hangOrigin(b)}, CAFile: r.ca})
	check(b, err)
	log := slog.New(slog.DiscardHandler)
	sender := webhook.NewSender(guard, box, time.Now, log, nil)
	o := &office{store: s, hooks: webhook.New(s, box, guard, sender, time.Now), receiver: r}
	o.tenant = storetest.Tenant(b, s, "bench")
	o.owner = frontdesk.Owner{TenantID: o.tenant.ID, Live: true}
	o.connect(b, o.owner, r.origin+"/hook")
	if n := history(); n > 0 {
		layIn(b, database, url, n)
	}
	work := service.NewGroup(log)
	dispatcher := webhook.NewDispatcher(s, sender, time.Now, log, webhook.DispatcherOptions{})
	work.Go("dispatcher", dispatcher.Run)
	b.Cleanup(func() { work.Stop(context.Background()) })
	return o
}

func (o *office) connect(b *testing.B, owner frontdesk.Owner, url string) {
	b.Helper()
	_, _, err := o.hooks.Connect(context.Background(), owner,
		frontdesk.Actor{}, frontdesk.ConnectionInput{Name: "bench", URL: url, Events: frontdesk.EventTypes}, 20)
	check(b, err)
}

// emit commits one event and returns when it was committed.
func (o *office) emit(b *testing.B, owner frontdesk.Owner) (frontdesk.ID, time.Time) {
	b.Helper()
	object := fmt.Appendf(nil, `{"object":"call","summary":%q}`, strings.Repeat("una mesa para dos ", 40))
	e, err := wire.Event(wire.EventSource{Tenant: o.tenant, Live: true}, frontdesk.CallCompleted, time.Now(), object)
	check(b, err)
	check(b, o.store.Emit(context.Background(), owner, e))
	return e.ID, time.Now()
}

// burst emits as fast as it can and waits until all have arrived.
func (o *office) burst(b *testing.B) {
	before, began := selfCPU(), time.Now()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range burst / 4 {
				o.emit(b, o.owner)
			}
		})
	}
	wg.Wait()
	o.receiver.wait(b, burst)
	elapsed, cpu := time.Since(began), selfCPU()-before
	b.ReportMetric(burst/elapsed.Seconds(), "events/s")
	b.ReportMetric(micros(cpu)/burst, "cpu-µs/event")
	b.ReportMetric(float64(selfResident(b))/(1<<20), "MB-resident")
	b.ReportMetric(0, "ns/op")
}

// paced emits at a steady pace and returns how long each took to arrive.
func (o *office) paced(b *testing.B) []time.Duration {
	seen := o.receiver.count()
	committed := map[frontdesk.ID]time.Time{}
	tick := time.NewTicker(time.Second / pace)
	defer tick.Stop()
	for range paced {
		<-tick.C
		id, at := o.emit(b, o.owner)
		committed[id] = at
	}
	o.receiver.wait(b, seen+paced)
	var took []time.Duration
	for id, at := range committed {
		took = append(took, o.receiver.arrival(id).Sub(at))
	}
	return took
}

// hang gives another tenant a receiver that answers nothing, and work for it.
func (o *office) hang(b *testing.B) {
	neighbour := storetest.Tenant(b, o.store, "neighbour")
	owner := frontdesk.Owner{TenantID: neighbour.ID, Live: true}
	o.connect(b, owner, hangOrigin(b)+"/hook")
	for range 500 {
		o.emit(b, owner)
	}
}

var hanging = sync.OnceValues(func() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() {
		for {
			if _, err := l.Accept(); err != nil { // kept open, never answered
				return
			}
		}
	}()
	return "http://" + l.Addr().String(), nil
})

func hangOrigin(b *testing.B) string {
	origin, err := hanging()
	check(b, err)
	return origin
}

func selfCPU() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func selfResident(b *testing.B) int64 {
	return (&server{cmd: &exec.Cmd{Process: &os.Process{Pid: os.Getpid()}}}).resident(b)
}

// receiver is a process that answers 200 to every delivery and tells when each
// arrived.
type receiver struct {
	origin string
	ca     string

	mu      sync.Mutex
	arrived map[frontdesk.ID]time.Time
	grew    chan struct{}
}

func startReceiver(b *testing.B, scheme string) *receiver {
	b.Helper()
	self, err := os.Executable()
	check(b, err)
	dir := b.TempDir()
	cmd := exec.Command(self, "-receive", scheme, "-receive-dir", dir)
	out, err := cmd.StdoutPipe()
	check(b, err)
	check(b, cmd.Start())
	b.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		b.Fatal("the receiver did not start")
	}
	r := &receiver{origin: scheme + "://" + lines.Text(), arrived: map[frontdesk.ID]time.Time{}, grew: make(chan struct{}, 1)}
	if scheme == "https" {
		r.ca = filepath.Join(dir, "cert.pem")
	}
	go r.read(lines)
	return r
}

func (r *receiver) read(lines *bufio.Scanner) {
	for lines.Scan() {
		id, at, _ := strings.Cut(lines.Text(), " ")
		nanos, _ := strconv.ParseInt(at, 10, 64)
		r.mu.Lock()
		if _, known := r.arrived[frontdesk.ID(id)]; !known {
			r.arrived[frontdesk.ID(id)] = time.Unix(0, nanos)
		}
		r.mu.Unlock()
		select {
		case r.grew <- struct{}{}:
		default:
		}
	}
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.arrived)
}

func (r *receiver) arrival(id frontdesk.ID) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.arrived[id]
}

func (r *receiver) wait(b *testing.B, n int) {
	b.Helper()
	deadline := time.After(2 * time.Minute)
	for r.count() < n {
		select {
		case <-r.grew:
		case <-deadline:
			b.Fatalf("%d of %d events arrived", r.count(), n)
		}
	}
}

// receive is what the receiver's process does.
func receive(scheme, dir string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	cert, key := writeCertificate(dir)
	fmt.Println(l.Addr()) // the certificate is there to be read
	out := bufio.NewWriter(os.Stdout)
	var mu sync.Mutex
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		at := time.Now().UnixNano()
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, "%s %d\n", r.Header.Get("webhook-id"), at)
		out.Flush()
	})
	if scheme == "http" {
		panic(http.Serve(l, handler))
	}
	panic(http.ServeTLS(l, handler, cert, key))
}

func writeCertificate(dir string) (cert, key string) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		panic(err)
	}
	text, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		panic(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(cert, "CERTIFICATE", der)
	write(key, "EC PRIVATE KEY", text)
	return cert, key
}

func write(file, kind string, der []byte) {
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		panic(err)
	}
}
