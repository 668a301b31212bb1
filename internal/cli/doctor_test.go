package cli

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/trace/tracetest"
)

// findingsOf runs the doctor and returns its exit code and what it says of
// each check: the worst status, and all messages.
func (d *desk) findingsOf(args ...string) (code int, status, message map[string]string) {
	d.t.Helper()
	a := d.run(append([]string{"doctor", "--json"}, args...)...)
	if a.stderr != "" {
		d.t.Errorf("stderr: %s", a.stderr)
	}
	status, message = map[string]string{}, map[string]string{}
	for _, entry := range decode(d.t, a.stdout)["checks"].([]any) {
		f := entry.(map[string]any)
		name := f["check"].(string)
		message[name] += f["message"].(string) + "\n"
		if s := f["status"].(string); status[name] != broken && s != fine || status[name] == "" {
			status[name] = s
		}
		if f["status"] != fine && f["fix"] == nil {
			d.t.Errorf("no word on what to do about %v", f)
		}
	}
	return a.code, status, message
}

func TestDoctorFindsAllWell(t *testing.T) {
	d := bareDesk(t, "FRONTDESK_MASTER_KEY=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	d.must("migrate")
	code, status, message := d.findingsOf()
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	for check, s := range status {
		if s != fine {
			t.Errorf("%s: %s %s", check, s, message[check])
		}
	}
	hold(t, "text", d.must("doctor"), "ok", "migrations", "Ready to serve.")
}

func TestDoctorFindsPromptsThatNobodyReads(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "--slug", "casa-lola", "--name", "Casa Lola")
	file := filepath.Join(t.TempDir(), "agent.json")
	text := `{"slug":"recepcion","vertical":"restaurant","display_name":"Casa Lola","config":{"prompt_extra":"Offer the terrace first."}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d.must("agent", "import", file, "--tenant", "casa-lola")
	code, status, message := d.findingsOf()
	if code != 0 || status["agents"] != unwell {
		t.Errorf("code %d, %v", code, status)
	}
	hold(t, "message", message["agents"], "prompt_extra is not obeyed", "casa-lola/recepcion")
}

func TestDoctorLooksIntoTheBooks(t *testing.T) {
	d := newDesk(t, "FRONTDESK_NOW=2026-11-16T09:00:00Z")
	d.must("tenant", "create", "--slug", "rizos", "--name", "Rizos")
	agent := func(words, resources, openings string) {
		file := filepath.Join(t.TempDir(), "agent.json")
		text := `{"slug":"rizos","vertical":"salon","display_name":"Rizos","languages":["es"],"timezone":"Europe/Madrid","config":{"business":{"hours_human":"` + words + `"},
			"services":[{"id":"corte","name":"Corte","duration_minutes":30}]},
			"calendar":{"openings":{"0":` + openings + `,"1":[["10:00","14:00"]],"4":[["10:00","14:00"]]},"holidays":"ES-AR","resources":` + resources + `}}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d.must("agent", "import", file, "--tenant", "rizos", "--force")
	}
	agent("Lunes y martes de 10 a 14", `[{"id":"luis","name":"Luis","kind":"person"}]`, `[["10:00","14:00"]]`)
	d.must("capture", "add", "--tenant", "rizos", "--at", "2026-11-23T10:30", "--service", "corte", "--name", "Ana")
	if _, _, message := d.findingsOf(); strings.Contains(message["books"], "differ") || strings.Contains(message["books"], "closed day") || strings.Contains(message["books"], "luis") {
		t.Errorf("all is well, and it says %s", message["books"])
	}
	agent("Lunes cerrado, martes de 9 a 14", `[{"id":"luis","name":"Luis","kind":"person","services":[]},{"id":"ana","name":"Ana","kind":"person"}]`, `[]`)
	code, status, message := d.findingsOf()
	if code != 0 || status["books"] != unwell {
		t.Errorf("code %d, %v", code, status)
	}
	hold(t, "message", message["books"], `hours_human says "Lunes cerrado, martes de 9 a 14"`, "differ on Tuesday", "nothing can be booked with luis",
		"1 appointments to come stand outside the hours or on a closed day, the first at 2026-11-23T10:30:00", "holidays of ES-AR for 2027")
}

func TestDoctorOnNothing(t *testing.T) {
	d := bareDesk(t)
	code, status, _ := d.findingsOf("--database", "")
	if code != 0 || status["data"] != unwell || status["database"] != fine {
		t.Errorf("code %d, %v", code, status)
	}
	if _, err := os.Stat(d.data); err == nil {
		t.Error("the doctor made the data directory")
	}
}

func TestDoctorFindsWhatIsWrong(t *testing.T) {
	tests := map[string]struct {
		env    []string
		spoil  func(t *testing.T, d *desk)
		check  string
		status string
		says   string
	}{
		"a setting that cannot be read": {
			env: []string{"FRONTDESK_RATE_BURST=many"}, check: "settings", status: broken, says: `"many"`,
		},
		"a variable that is none": {
			env: []string{"FRONTDESK_LISTN=:1"}, check: "settings", status: unwell, says: "FRONTDESK_LISTEN",
		},
		"a clock that is set by hand": {
			env: []string{"FRONTDESK_NOW=2026-03-01T10:00:00Z"}, check: "clock", status: unwell, says: "2026-03-01",
		},
		"a master key that is none": {
			env: []string{"FRONTDESK_MASTER_KEY=hunter2"}, check: "master key", status: broken, says: "FRONTDESK_MASTER_KEY is not 32 bytes",
		},
		"a master key file that is none": {
			spoil: func(t *testing.T, d *desk) { write(t, d.settings().MasterKeyFile(), "hunter2", 0o600) },
			check: "master key", status: broken, says: "is not 32 bytes",
		},
		"a master key open to all": {
			spoil: func(t *testing.T, d *desk) {
				if _, err := app.NewBox(d.settings()); err != nil {
					t.Fatal(err)
				}
				chmod(t, d.settings().MasterKeyFile(), 0o644)
			},
			check: "master key", status: unwell, says: "mode 0644",
		},
		"a data directory open to all": {
			spoil: func(t *testing.T, d *desk) { chmod(t, d.data, 0o755) },
			check: "data", status: unwell, says: "mode 0755",
		},
		"a data directory that is a file": {
			spoil: func(t *testing.T, d *desk) {
				if err := os.RemoveAll(d.data); err != nil {
					t.Fatal(err)
				}
				write(t, d.data, "", 0o600)
			},
			check: "data", status: broken, says: "not a directory",
		},
		"an address in use": {
			spoil: func(t *testing.T, d *desk) {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { l.Close() })
				go func() {
					for {
						c, err := l.Accept()
						if err != nil {
							return
						}
						c.Close()
					}
				}()
				d.env = append([]string{"FRONTDESK_LISTEN=" + l.Addr().String()}, d.env...)
			},
			check: "listen", status: broken, says: "in use",
		},
		"an address of another machine": {
			env:   []string{"FRONTDESK_LISTEN=192.0.2.7:8080"},
			check: "listen", status: broken, says: "cannot assign requested address",
		},
		"a server that is away": {
			env:   []string{"FRONTDESK_DATABASE=postgres://u:hunter2@127.0.0.1:1/x?sslmode=disable"},
			check: "database", status: broken, says: "does not answer",
		},
		"a server without a common key": {
			env:   []string{"FRONTDESK_DATABASE=postgres://u:hunter2@127.0.0.1:1/x?sslmode=disable"},
			check: "master key", status: unwell, says: "all nodes need the same key",
		},
		"documents in a directory of a node": {
			env:   []string{"FRONTDESK_DATABASE=postgres://u:hunter2@127.0.0.1:1/x?sslmode=disable", "FRONTDESK_DOCUMENTS=/srv/documents"},
			check: "documents", status: unwell, says: "every node has to reach: /srv/documents",
		},
		"documents in a database that is away": {
			env:   []string{"FRONTDESK_DATABASE=postgres://u:hunter2@127.0.0.1:1/x?sslmode=disable"},
			check: "documents", status: fine, says: "kept in the database",
		},
		"documents in a bucket without a key": {
			env: []string{"FRONTDESK_DOCUMENTS=s3://docs?region=eu-west-3"}, check: "documents", status: broken, says: "needs an access key",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, tt.env...)
			makeDirectory(t, d.data)
			if tt.spoil != nil {
				tt.spoil(t, d)
			}
			code, status, message := d.findingsOf()
			if status[tt.check] != tt.status {
				t.Errorf("%s is %s: %s", tt.check, status[tt.check], message[tt.check])
			}
			hold(t, tt.check, message[tt.check], tt.says)
			if (code == 1) != (tt.status == broken || status["database"] == broken) {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

func TestDoctorAsksTheCollectorOfTraces(t *testing.T) {
	collector := tracetest.New(t)
	d := newDesk(t, "FRONTDESK_TRACES_URL="+collector.URL, "FRONTDESK_TRACES_HEADERS=x-key=hunter2")
	makeDirectory(t, d.data)
	_, status, message := d.findingsOf()
	if status["traces"] != fine || collector.Header().Get("x-key") != "hunter2" || len(collector.Spans()) > 0 {
		t.Errorf("traces are %s: %s, with %v", status["traces"], message["traces"], collector.Header())
	}
	collector.Answer(http.StatusForbidden)
	code, status, message := d.findingsOf()
	if status["traces"] != unwell || code != 0 {
		t.Errorf("refused, traces are %s, and the exit code is %d", status["traces"], code)
	}
	hold(t, "traces", message["traces"], "takes no traces: the collector answered 403")
	if strings.Contains(message["traces"], "hunter2") {
		t.Errorf("a header is told: %s", message["traces"])
	}
}

func TestDoctorOnADatabaseThatIsNone(t *testing.T) {
	d := newDesk(t)
	makeDirectory(t, d.data)
	write(t, d.settings().DatabaseFile(), "this is not a database, and it is long enough to be looked at as one", 0o600)
	code, status, message := d.findingsOf("--database", "")
	if code != 1 || status["database"] != broken {
		t.Errorf("code %d, %v %v", code, status, message)
	}
}

func TestDoctorOnPendingMigrations(t *testing.T) {
	d := bareDesk(t)
	if !storetest.IsPostgres() {
		makeDirectory(t, d.data)
		write(t, d.settings().DatabaseFile(), "", 0o600)
	}
	if code, status, message := d.findingsOf(); code != 0 || status["migrations"] != unwell {
		t.Errorf("code %d, %v %v", code, status, message)
	}
}

func makeDirectory(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func chmod(t *testing.T, file string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
}

// TestAFirstRunSaysWhereItMayNotWrite: a server's own directory belongs to root at first.
func TestAFirstRunSaysWhereItMayNotWrite(t *testing.T) {
	d := newDesk(t)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.WriteFile(filepath.Join(dir, "try"), nil, 0o600) == nil {
		t.Skip("NOT COVERED: this user may write anywhere")
	}
	got := d.run("tenant", "create", "--slug", "acme", "--data", filepath.Join(dir, "data"))
	if got.code == 0 || !strings.Contains(got.stderr, "to this user") || !strings.Contains(got.stderr, "--data or FRONTDESK_DATA") {
		t.Errorf("got %+v", got)
	}
}
