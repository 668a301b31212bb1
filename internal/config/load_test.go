package config

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "print docs/settings.md anew")

func env(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env   map[string]string
		check func(Settings) bool
		fails string // what the error says; "" for none
	}{
		"an empty environment gives the defaults": {
			check: func(s Settings) bool {
				return s.Listen == "127.0.0.1:8080" && s.Data == "frontdesk-data" && s.Database == "" &&
					s.DatabaseTimeout == 1500*time.Millisecond && s.RatePerSecond == 200 && s.RateBurst == 2000 &&
					s.LogFormat == LogText && s.Level() == slog.LevelInfo && s.StopTimeout == 20*time.Second && s.Now.IsZero()
			},
		},
		"every type is read": {
			env: map[string]string{
				"FRONTDESK_LISTEN": ":9000", "FRONTDESK_DATABASE": "postgres://u:p@db/x", "FRONTDESK_DATABASE_TIMEOUT": "2s",
				"FRONTDESK_RATE_BURST": "7", "FRONTDESK_LOG_LEVEL": "debug", "FRONTDESK_NOW": "2026-11-14T09:30:00+01:00",
			},
			check: func(s Settings) bool {
				return s.Listen == ":9000" && s.Database.Reveal() == "postgres://u:p@db/x" && s.DatabaseTimeout == 2*time.Second &&
					s.RateBurst == 7 && s.Level() == slog.LevelDebug && s.Now.Equal(time.Date(2026, 11, 14, 8, 30, 0, 0, time.UTC))
			},
		},
		"an empty variable counts as not set": {
			env:   map[string]string{"FRONTDESK_RATE_BURST": "", "FRONTDESK_DATA": ""},
			check: func(s Settings) bool { return s.RateBurst == 2000 && s.Data == "frontdesk-data" },
		},
		"a word for a number":       {env: map[string]string{"FRONTDESK_RATE_BURST": "many"}, fails: `FRONTDESK_RATE_BURST is "many": expected a whole number such as 200`},
		"a duration without a unit": {env: map[string]string{"FRONTDESK_STOP_TIMEOUT": "20"}, fails: `FRONTDESK_STOP_TIMEOUT is "20": expected a duration`},
		"a day for an instant":      {env: map[string]string{"FRONTDESK_NOW": "2026-11-14"}, fails: `FRONTDESK_NOW is "2026-11-14": expected an RFC 3339 instant`},
		"an instant out of range":   {env: map[string]string{"FRONTDESK_NOW": "1831-01-01T00:00:00Z"}, fails: `FRONTDESK_NOW is "1831-01-01T00:00:00Z": expected an instant after 1970`},
		"a rate of nothing":         {env: map[string]string{"FRONTDESK_RATE_PER_SECOND": "0"}, fails: `FRONTDESK_RATE_PER_SECOND is "0": expected at least 1`},
		"a negative burst":          {env: map[string]string{"FRONTDESK_RATE_BURST": "-1"}, fails: `FRONTDESK_RATE_BURST is "-1"`},
		"negative connections":      {env: map[string]string{"FRONTDESK_DATABASE_CONNECTIONS": "-1"}, fails: `FRONTDESK_DATABASE_CONNECTIONS is "-1"`},
		"no time for the database":  {env: map[string]string{"FRONTDESK_DATABASE_TIMEOUT": "0s"}, fails: `FRONTDESK_DATABASE_TIMEOUT is "0s"`},
		"an unknown log format":     {env: map[string]string{"FRONTDESK_LOG_FORMAT": "xml"}, fails: `FRONTDESK_LOG_FORMAT is "xml": expected text or json`},
		"an unknown log level":      {env: map[string]string{"FRONTDESK_LOG_LEVEL": "loud"}, fails: `FRONTDESK_LOG_LEVEL is "loud": expected debug, info, warn or error`},
		"a port without an address": {env: map[string]string{"FRONTDESK_LISTEN": "8080"}, fails: `FRONTDESK_LISTEN is "8080": expected an address and a port`},
		"a port out of range":       {env: map[string]string{"FRONTDESK_LISTEN": ":99999"}, fails: `FRONTDESK_LISTEN is ":99999"`},
		"a pooler and a way past it": {
			env: map[string]string{"FRONTDESK_DATABASE": "postgres://u:p@pool/x", "FRONTDESK_DATABASE_POOLER": "transaction", "FRONTDESK_DATABASE_LISTEN": "postgres://u:p@db/x"},
			check: func(s Settings) bool {
				return s.DatabasePooler == PoolerTransaction && s.DatabaseListen.Reveal() == "postgres://u:p@db/x"
			},
		},
		"a pooler of another mode":    {env: map[string]string{"FRONTDESK_DATABASE": "postgres://u:p@db/x", "FRONTDESK_DATABASE_POOLER": "statement"}, fails: `FRONTDESK_DATABASE_POOLER is "statement": expected transaction`},
		"a pooler before SQLite":      {env: map[string]string{"FRONTDESK_DATABASE_POOLER": "transaction"}, fails: `FRONTDESK_DATABASE_POOLER is "transaction": expected transaction, together with`},
		"listening on something else": {env: map[string]string{"FRONTDESK_DATABASE": "postgres://u:p@db/x", "FRONTDESK_DATABASE_LISTEN": "redis://u:hunter2@db"}, fails: `FRONTDESK_DATABASE_LISTEN has a value that cannot be used: expected postgres://`},
		"listening beside SQLite":     {env: map[string]string{"FRONTDESK_DATABASE_LISTEN": "postgres://u:hunter2@db/x"}, fails: `FRONTDESK_DATABASE_LISTEN has a value that cannot be used`},
		"traces with a key and a ratio": {
			env: map[string]string{"FRONTDESK_TRACES_URL": "https://collector.example.com/otlp/v1/traces", "FRONTDESK_TRACES_HEADERS": "authorization=Basic YWJj==, x-team=blue", "FRONTDESK_TRACES_RATIO": "0.05"},
			check: func(s Settings) bool {
				headers, err := s.TracesHeaderValues()
				return err == nil && headers["authorization"] == "Basic YWJj==" && headers["x-team"] == "blue" && s.TracesRatio == .05
			},
		},
		"traces to somewhere":           {env: map[string]string{"FRONTDESK_TRACES_URL": "collector:4318"}, fails: `FRONTDESK_TRACES_URL is "collector:4318": expected an address such as`},
		"a key in the address":          {env: map[string]string{"FRONTDESK_TRACES_URL": "https://c.example.com/?key=1"}, fails: `keys go into FRONTDESK_TRACES_HEADERS`},
		"traces with half a header":     {env: map[string]string{"FRONTDESK_TRACES_HEADERS": "hunter2"}, fails: `FRONTDESK_TRACES_HEADERS has a value that cannot be used: expected a list such as`},
		"traces with a header of lines": {env: map[string]string{"FRONTDESK_TRACES_HEADERS": "a=hunter2\r\nb: c"}, fails: `FRONTDESK_TRACES_HEADERS has a value that cannot be used`},
		"a ratio of nothing":            {env: map[string]string{"FRONTDESK_TRACES_RATIO": "0"}, fails: `FRONTDESK_TRACES_RATIO is "0": expected more than 0`},
		"a ratio of more than all":      {env: map[string]string{"FRONTDESK_TRACES_RATIO": "5"}, fails: `FRONTDESK_TRACES_RATIO is "5": expected more than 0`},
		"a ratio that is no number":     {env: map[string]string{"FRONTDESK_TRACES_RATIO": "NaN"}, fails: `FRONTDESK_TRACES_RATIO is "NaN": expected more than 0`},
		"profiles on this machine": {
			env:   map[string]string{"FRONTDESK_DEBUG_LISTEN": "127.0.0.1:6060"},
			check: func(s Settings) bool { return s.DebugListen == "127.0.0.1:6060" },
		},
		"profiles by IPv6":           {env: map[string]string{"FRONTDESK_DEBUG_LISTEN": "[::1]:6060"}, check: func(s Settings) bool { return s.DebugListen == "[::1]:6060" }},
		"profiles for everybody":     {env: map[string]string{"FRONTDESK_DEBUG_LISTEN": ":6060"}, fails: `FRONTDESK_DEBUG_LISTEN is ":6060": expected a loopback address`},
		"profiles for every address": {env: map[string]string{"FRONTDESK_DEBUG_LISTEN": "0.0.0.0:6060"}, fails: `FRONTDESK_DEBUG_LISTEN is "0.0.0.0:6060": expected a loopback address`},
		"profiles for the network":   {env: map[string]string{"FRONTDESK_DEBUG_LISTEN": "192.168.1.5:6060"}, fails: `FRONTDESK_DEBUG_LISTEN is "192.168.1.5:6060": expected a loopback address`},
		"profiles at a name":         {env: map[string]string{"FRONTDESK_DEBUG_LISTEN": "localhost:6060"}, fails: `FRONTDESK_DEBUG_LISTEN is "localhost:6060": expected a loopback address`},
		"profiles without a port":    {env: map[string]string{"FRONTDESK_DEBUG_LISTEN": "127.0.0.1"}, fails: `FRONTDESK_DEBUG_LISTEN is "127.0.0.1": expected a loopback address`},
		"another kind of database":   {env: map[string]string{"FRONTDESK_DATABASE": "mysql://u:hunter2@db/x"}, fails: `FRONTDESK_DATABASE has a value that cannot be used: expected postgres://`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Load(env(tt.env))
			if tt.fails == "" && err != nil {
				t.Fatalf("Load: %v", err)
			}
			if tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)) {
				t.Fatalf("Load: %v; want an error with %q", err, tt.fails)
			}
			if tt.check != nil && !tt.check(s) {
				t.Errorf("got %+v", s)
			}
		})
	}
}

func TestEverythingWrongIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	_, err := Load(env(map[string]string{"FRONTDESK_RATE_BURST": "x", "FRONTDESK_LOG_LEVEL": "y"}))
	var v *ValueError
	if !errors.As(err, &v) || v.Name != "FRONTDESK_RATE_BURST" {
		t.Errorf("the first error is %v", v)
	}
	if err == nil || !strings.Contains(err.Error(), "FRONTDESK_LOG_LEVEL") {
		t.Errorf("Load: %v", err)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	s, err := Load(env(map[string]string{"FRONTDESK_DATABASE": "mysql://u:hunter2@db/x", "FRONTDESK_MASTER_KEY": "hunter2"}))
	for _, text := range []string{fmt.Sprint(err), fmt.Sprintf("%v %+v %#v", s, s, s)} {
		if strings.Contains(text, "hunter2") {
			t.Errorf("the secret shows: %s", text)
		}
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	got := Unknown([]string{
		"PATH=/bin", "FRONTDESK_KEY=svc_live_x", "FRONTDESK_LISTEN=:1", "FRONTDESK_TEST_DATABASE=x", "FRONTDESK_LISTN=:2", "FRONTDESK_FLUX_CAPACITOR=1", "FRONTDESK_=",
	})
	want := []string{
		"FRONTDESK_ is not a setting; docs/settings.md lists them all",
		"FRONTDESK_FLUX_CAPACITOR is not a setting; docs/settings.md lists them all",
		"FRONTDESK_LISTN is not a setting; did you mean FRONTDESK_LISTEN?",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestEverySettingIsDescribed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, d := range Describe() {
		if !strings.HasPrefix(d.Env, prefix) || d.Doc == "" || seen[d.Env] {
			t.Errorf("not well described: %+v", d)
		}
		seen[d.Env] = true
	}
}

func TestSettingsPage(t *testing.T) {
	t.Parallel()
	const file = "../../docs/settings.md"
	if *update {
		if err := os.WriteFile(file, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != Markdown() {
		t.Errorf("%s is out of date: go test ./internal/config -update", file)
	}
}
