// Package caldavtest starts real CalDAV servers for tests, on loopback.
package caldavtest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/test/freeport"
)

// Server is a CalDAV server with one empty calendar.
type Server struct {
	Origin   string // such as http://127.0.0.1:5232
	Home     string // the address under which the calendar stands
	Calendar string // the address of the calendar
	User     string
	Password string

	tb      testing.TB
	command []string
	running *exec.Cmd
}

// Each runs a test against every server that is installed, and says aloud which
// is not.
func Each(t *testing.T, test func(t *testing.T, s *Server)) {
	for name, start := range map[string]func(testing.TB) *Server{"radicale": Radicale, "xandikos": Xandikos} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start(t))
		})
	}
}

// Radicale starts Radicale, with a user and a password.
func Radicale(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{tb: tb, User: "ana", Password: "s3cret: ñ"}
	dir := tb.TempDir()
	users := filepath.Join(dir, "users")
	if err := os.WriteFile(users, []byte(s.User+":"+s.Password+"\n"), 0o600); err != nil {
		tb.Fatal(err)
	}
	address := freeport.Address(tb)
	s.at(address, "/ana/", "/ana/salon/")
	s.command = []string{
		installed(tb, "radicale"), "--hosts", address, "--auth-type", "htpasswd", "--auth-htpasswd-filename", users,
		"--auth-htpasswd-encryption", "plain", "--auth-delay", "0", "--storage-filesystem-folder", filepath.Join(dir, "storage"),
	}
	s.Start()
	s.request("MKCALENDAR", s.Calendar, http.StatusCreated)
	return s
}

// Xandikos starts Xandikos, which asks for no password.
func Xandikos(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{tb: tb}
	address := freeport.Address(tb)
	s.at(address, "/user/calendars/", "/user/calendars/calendar/")
	host, port, _ := net.SplitHostPort(address)
	s.command = []string{installed(tb, "xandikos"), "-d", filepath.Join(tb.TempDir(), "dav"), "--defaults", "-l", host, "-p", port}
	s.Start()
	return s
}

func (s *Server) at(address, home, calendar string) {
	s.Origin = "http://" + address
	s.Home, s.Calendar = s.Origin+home, s.Origin+calendar
}

func installed(tb testing.TB, name string) string {
	tb.Helper()
	file, err := exec.LookPath(name)
	if err != nil {
		tb.Skipf("NOT COVERED: there is no %s here (scripts/find-caldav --install)", name)
	}
	return file
}

// patience is how long a server may take to start on a loaded machine.
const patience = time.Minute

// Start starts the server, which New has done already, again after a Stop.
func (s *Server) Start() {
	s.tb.Helper()
	log := &strings.Builder{}
	s.running = exec.Command(s.command[0], s.command[1:]...)
	s.running.Stdout, s.running.Stderr = log, log
	if err := s.running.Start(); err != nil {
		s.tb.Fatal(err)
	}
	s.tb.Cleanup(s.Stop)
	deadline, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, err := net.Dial("tcp", strings.TrimPrefix(s.Origin, "http://")); err == nil {
			c.Close()
			return
		}
		select {
		case <-tick.C:
		case <-deadline.Done():
			s.Stop()
			s.tb.Fatalf("%s does not answer:\n%s", s.command[0], log)
		}
	}
}

// Stop ends the server; what it keeps stays.
func (s *Server) Stop() {
	if s.running != nil {
		_ = s.running.Process.Kill()
		_ = s.running.Wait()
		s.running = nil
	}
}

// Guard lets requests reach the server.
func (s *Server) Guard() *egress.Guard {
	s.tb.Helper()
	g, err := egress.New(egress.Options{Allow: []string{s.Origin}})
	if err != nil {
		s.tb.Fatal(err)
	}
	return g
}

// Put writes an event into the calendar as somebody else would.
func (s *Server) Put(name string, lines ...string) {
	s.tb.Helper()
	s.PutText(name, append([]string{"UID:" + name}, lines...)...)
}

// PutText writes an event with all its lines, UID included.
func (s *Server) PutText(name string, lines ...string) {
	s.tb.Helper()
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//somebody//else//EN\r\nBEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\n" +
		strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	s.send(http.MethodPut, s.Calendar+name+".ics", text, http.StatusCreated)
}

// Event is the text of the event with a name, "" if there is none.
func (s *Server) Event(name string) string {
	s.tb.Helper()
	return s.send(http.MethodGet, s.Calendar+name+".ics", "", http.StatusOK, http.StatusNotFound)
}

// Count is how many events the calendar holds.
func (s *Server) Count() int {
	s.tb.Helper()
	return strings.Count(s.send("PROPFIND", s.Calendar, "", http.StatusMultiStatus), ".ics</")
}

func (s *Server) request(method, address string, want int) { s.send(method, address, "", want) }

func (s *Server) send(method, address, body string, want ...int) string {
	s.tb.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		s.tb.Fatal(err)
	}
	r.Header.Set("Depth", "1")
	if method == http.MethodPut {
		r.Header.Set("Content-Type", "text/calendar; charset=utf-8")
	}
	if s.User != "" {
		r.SetBasicAuth(s.User, s.Password)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.tb.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.tb.Fatal(err)
	}
	for _, status := range want {
		if answer.StatusCode == status {
			if status == http.StatusNotFound {
				return ""
			}
			return string(text)
		}
	}
	s.tb.Fatal(fmt.Sprint(method, " ", address, ": ", answer.Status, "\n", string(text)))
	return ""
}
