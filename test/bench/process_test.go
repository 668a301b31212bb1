package bench

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
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
)

var (
	receiveFlag = flag.String("receive", "", "receive deliveries by http or https (used by the benchmark itself)")
	receiveDir  = flag.String("receive-dir", "", "where the receiver's certificate goes")
)

var bareFlag = flag.String("bare", "", "serve the bytes of this file on a bare handler (used by the benchmark itself)")

// TestMain turns this program into the bare handler, or the receiver of
// deliveries, when it is told to: each must be a process of its own for its CPU
// time to be told apart.
func TestMain(m *testing.M) {
	flag.Parse()
	if *receiveFlag != "" {
		receive(*receiveFlag, *receiveDir)
	}
	if *bareFlag == "" {
		os.Exit(m.Run())
	}
	body, err := os.ReadFile(*bareFlag)
	if err != nil {
		panic(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(os.Stderr, "listen=%s\n", l.Addr())
	http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}))
}

// server is a process under measurement.
type server struct {
	cmd  *exec.Cmd
	addr string
}

func build(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "frontdesk")
	cmd := exec.Command("go", "build", "-trimpath", "-o", binary, "frontdesk.dev/frontdesk/cmd/frontdesk")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	return binary
}

// start runs the program and returns when it is ready.
func start(b *testing.B, binary, url string) *server {
	b.Helper()
	env := []string{
		"FRONTDESK_LISTEN=127.0.0.1:0", "FRONTDESK_RATE_PER_SECOND=1000000", "FRONTDESK_RATE_BURST=10000000",
		// A busy machine is to show in the figures, not to end the run.
		"FRONTDESK_DATABASE_TIMEOUT=30s",
		"FRONTDESK_LOG_FORMAT=json", "FRONTDESK_DATA=" + filepath.Dir(url),
	}
	if strings.HasPrefix(url, "postgres") {
		env = append(env, "FRONTDESK_DATABASE="+url, "FRONTDESK_DATA="+b.TempDir())
	}
	s := launch(b, `"listen":"`, exec.Command(binary, "serve"), env)
	return s
}

func startBare(b *testing.B, body []byte) *server {
	b.Helper()
	file := filepath.Join(b.TempDir(), "page.json")
	check(b, os.WriteFile(file, body, 0o600))
	self, err := os.Executable()
	check(b, err)
	return launch(b, "listen=", exec.Command(self, "-bare", file), nil)
}

// launch starts a process and reads, from what it logs, where it listens.
func launch(b *testing.B, mark string, cmd *exec.Cmd, env []string) *server {
	b.Helper()
	cmd.Env = append(os.Environ(), env...)
	stderr, err := cmd.StderrPipe()
	check(b, err)
	check(b, cmd.Start())
	s := &server{cmd: cmd}
	b.Cleanup(s.stop)
	lines := bufio.NewScanner(stderr)
	var seen bytes.Buffer
	for lines.Scan() {
		fmt.Fprintln(&seen, lines.Text())
		if _, rest, found := strings.Cut(lines.Text(), mark); found {
			s.addr, _, _ = strings.Cut(rest, `"`)
			go showErrors(lines)
			return s
		}
	}
	b.Fatalf("the process did not start: %s", seen.String())
	return nil
}

// showErrors reads what a process logs, and shows what went wrong.
func showErrors(lines *bufio.Scanner) {
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"level":"ERROR"`) {
			fmt.Fprintln(os.Stderr, lines.Text())
		}
	}
}

func (s *server) stop() {
	if s.cmd.ProcessState == nil {
		s.cmd.Process.Signal(syscall.SIGTERM)
		s.cmd.Wait()
	}
}

// cpu is the processor time that the process has used so far.
func (s *server) cpu(b *testing.B) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if errors.Is(err, os.ErrNotExist) {
		b.Skip("processor time is read from /proc, which this system does not have")
	}
	check(b, err)
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+2:]))
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	const ticksPerSecond = 100
	return time.Duration(user+system) * time.Second / ticksPerSecond
}

// resident is what the process holds in memory, in bytes.
func (s *server) resident(b *testing.B) int64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	check(b, err)
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	check(b, err)
	return kb << 10
}

// get asks once and returns the body, which must be a page of calls.
func (s *server) get(b *testing.B, path, header string) []byte {
	b.Helper()
	c := s.dial(b)
	defer c.Close()
	body, err := c.ask(path, header)
	check(b, err)
	check(b, listOf(body))
	return body
}

// conn is a connection that is kept alive.
type conn struct {
	net.Conn
	r    *bufio.Reader
	body []byte
}

func (s *server) dial(b *testing.B) *conn {
	b.Helper()
	c, err := net.Dial("tcp", s.addr)
	check(b, err)
	return newConn(c)
}

func newConn(c net.Conn) *conn { return &conn{Conn: c, r: bufio.NewReaderSize(c, 64<<10)} }

// ask sends a request and reads its answer: as little as a client can do, so
// that the two cores are left to what is measured.
func (c *conn) ask(path, header string) ([]byte, error) {
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: bench\r\n%s\r\n", path, header); err != nil {
		return nil, err
	}
	status, err := c.r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	length := 0
	for {
		line, err := c.r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line == "\r\n" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		}
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	if _, err := io.ReadFull(c.r, c.body); err != nil {
		return nil, err
	}
	if !strings.Contains(status, " 200 ") {
		return nil, fmt.Errorf("%s%s", status, c.body)
	}
	return c.body, nil
}

// measure asks b.N times over several connections and reports the figures. It
// returns the processor time of one request.
func measure(b *testing.B, s *server, path, header string, bare time.Duration) time.Duration {
	took := make([]time.Duration, b.N)
	before, began := s.cpu(b), time.Now()
	b.ResetTimer()
	var wg sync.WaitGroup
	errs := make(chan error, connections)
	for i := range connections {
		c := s.dial(b)
		wg.Go(func() {
			defer c.Close()
			for n := i; n < b.N; n += connections {
				start := time.Now()
				if _, err := c.ask(path, header); err != nil {
					errs <- err
					return
				}
				took[n] = time.Since(start)
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	select {
	case err := <-errs:
		b.Fatal(err)
	default:
	}
	elapsed, cpu := time.Since(began), (s.cpu(b)-before)/time.Duration(b.N)
	slices.Sort(took)
	b.ReportMetric(float64(b.N)/elapsed.Seconds(), "req/s")
	b.ReportMetric(micros(took[len(took)/2]), "p50-µs")
	b.ReportMetric(micros(took[len(took)*99/100]), "p99-µs")
	b.ReportMetric(micros(cpu), "cpu-µs/req")
	if bare > 0 {
		b.ReportMetric(float64(cpu)/float64(bare), "x-bare")
	}
	b.ReportMetric(0, "ns/op")
	return cpu
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
