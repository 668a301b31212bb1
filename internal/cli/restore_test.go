package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/blob/blobtest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// sealedDesk is an installation with something that its master key has sealed,
// and a backup of it.
func sealedDesk(t *testing.T, env ...string) (d *desk, file string) {
	d = newDesk(t, env...)
	if storetest.IsPostgres() {
		t.Skip("about the embedded database")
	}
	d.must("tenant", "create", "lola")
	d.must("agent", "create", "--tenant", "lola", "--slug", "desk", "--vertical", "general", "--name", "Desk")
	d.must("number", "add", "--tenant", "lola", "--agent", "desk", "--carrier", "twilio", "--secret-file", d.file("secret", "0123456789abcdef0123456789abcdef"), "+34910000000")
	file = filepath.Join(t.TempDir(), "copy.db")
	d.must("backup", file)
	return d, file
}

func TestRestore(t *testing.T) {
	d, file := sealedDesk(t)
	key := d.settings().MasterKeyFile()
	into := filepath.Join(t.TempDir(), "restored")
	a := d.run("restore", file, "--data", into)
	if a.code != 1 {
		t.Errorf("without the key: exit code %d", a.code)
	}
	hold(t, "without the key", a.stderr, filepath.Join(into, "master.key")+" does not exist", "--key-file", "--without-key")
	other := d.file("other.key", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	if a := d.run("restore", file, "--data", into, "--key-file", other); a.code != 1 || !strings.Contains(a.stderr, "under another key") {
		t.Errorf("with another key: %d %s", a.code, a.stderr)
	}
	if _, err := os.Stat(filepath.Join(into, "frontdesk.db")); err == nil {
		t.Fatal("something was restored")
	}
	for name, text := range map[string]string{"is empty": " \n", "holds no master key": "rubbish"} {
		if a := d.run("restore", file, "--data", into, "--key-file", d.file("other.key", text)); a.code != 1 || !strings.Contains(a.stderr, name) || strings.Contains(a.stderr, "make one with: openssl") && !strings.Contains(a.stderr, "new installation") {
			t.Errorf("a key file that %s: %d %s", name, a.code, a.stderr)
		}
	}
	hold(t, "restore", d.must("restore", file, "--data", into, "--key-file", key), "tenants: 1, agents: 1, live calls: 0 (none yet)")
	for _, args := range [][]string{{"rekey"}, {"tenant", "list"}} {
		d.must(append(args, "--data", into)...)
	}
	if a := d.run("restore", file, "--data", into); a.code != 1 || !strings.Contains(a.stderr, "--replace") {
		t.Errorf("over a database: %d %s", a.code, a.stderr)
	}
	d.must("tenant", "create", "late", "--data", into)
	got := d.read("restore", file, "--data", into, "--replace")
	if got["tenants"] != 1.0 || got["newest_call_at"] != nil {
		t.Errorf("got %v", got)
	}
	hold(t, "what was there", d.must("tenant", "list", "--data", got["moved_to"].(string)), "late", "lola")
	if text := d.must("tenant", "list", "--data", into); strings.Contains(text, "late") {
		t.Errorf("restored: %s", text)
	}
	gone := filepath.Join(t.TempDir(), "gone")
	hold(t, "restore", d.must("restore", file, "--data", gone, "--without-key"), "rekey --abandon-sealed")
	hold(t, "rekey", d.must("rekey", "--abandon-sealed", "--yes", "--data", gone), "lost: the secret of the number +34910000000")
}

func TestRestoreRefuses(t *testing.T) {
	d, file := sealedDesk(t)
	d.must("tenant", "create", "late")
	raw := d.file("raw.db", "x")
	write(t, raw+"-wal", "what was written last", 0o600)
	tests := map[string]struct {
		args []string
		says string
	}{
		"no file":                  {[]string{"restore"}, "FILE or --latest"},
		"both":                     {[]string{"restore", file, "--latest"}, "FILE or --latest"},
		"what is not there":        {[]string{"restore", file + "x", "--replace"}, "no such file"},
		"a directory":              {[]string{"restore", t.TempDir(), "--replace"}, "is not a file"},
		"the database itself":      {[]string{"restore", d.settings().DatabaseFile(), "--replace"}, "is the database itself"},
		"a copy with a log":        {[]string{"restore", raw, "--replace"}, "not a finished copy"},
		"what is no copy":          {[]string{"restore", d.file("text.db", strings.Repeat("text", 1000)), "--replace"}, "Nothing was changed"},
		"no place for --latest":    {[]string{"restore", "--latest", "--replace"}, "FRONTDESK_BACKUP_TO is not set"},
		"no name in a bucket":      {[]string{"restore", "s3://bucket/?endpoint=http://127.0.0.1:1", "--replace"}, "blob key"},
		"a server of PostgreSQL's": {[]string{"restore", file, "--database", "postgres://u@127.0.0.1:1/x"}, "pg_restore"},
	}
	for name, tt := range tests {
		if a := d.run(tt.args...); a.code == 0 || !strings.Contains(a.stderr, tt.says) {
			t.Errorf("%s: %d %s", name, a.code, a.stderr)
		}
	}
	unlock, err := app.LockData(d.settings())
	if err != nil {
		t.Fatal(err)
	}
	if a := d.run("restore", file, "--replace"); a.code != 1 || !strings.Contains(a.stderr, "another frontdesk uses the data directory") {
		t.Errorf("beside a server: %d %s", a.code, a.stderr)
	}
	unlock()
	hold(t, "what was there", d.must("tenant", "list"), "late")
}

// TestARestoreThatWasCutOff is finished by the next command, whichever it is.
func TestARestoreThatWasCutOff(t *testing.T) {
	d, file := sealedDesk(t)
	d.must("tenant", "create", "late")
	stage := filepath.Join(d.data, ".restore")
	makeDirectory(t, stage)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(stage, "frontdesk.db"), string(text), 0o600)
	write(t, filepath.Join(stage, "ready"), "before-restore-1", 0o600)
	if got := d.must("tenant", "list"); strings.Contains(got, "late") || !strings.Contains(got, "lola") {
		t.Errorf("the next command sees %s", got)
	}
	hold(t, "what was there", d.must("tenant", "list", "--data", filepath.Join(d.data, "before-restore-1")), "late")
}

func TestBackupToABucket(t *testing.T) {
	server := blobtest.NewServer(t)
	d, _ := sealedDesk(t, "FRONTDESK_BACKUP_TO="+server.Place("backups"), "FRONTDESK_S3_ACCESS_KEY="+blobtest.AccessKey.Reveal(), "FRONTDESK_S3_SECRET_KEY="+blobtest.SecretKey.Reveal())
	_, status, message := d.findingsOf()
	if status["backups"] != unwell {
		t.Errorf("before the first: %v", message["backups"])
	}
	hold(t, "backup", d.must("backup"), "Wrote frontdesk-", "s3://documents/backups")
	if _, status, message := d.findingsOf(); status["backups"] != fine {
		t.Errorf("after one: %v", message["backups"])
	}
	key := d.settings().MasterKeyFile()
	hold(t, "restore --latest", d.must("restore", "--latest", "--data", filepath.Join(t.TempDir(), "a"), "--key-file", key), "tenants: 1")
	keys := server.Keys()
	if len(keys) != 1 {
		t.Fatalf("the bucket has %v", keys)
	}
	address := strings.Replace(server.Place("backups"), "?", "/"+strings.TrimPrefix(keys[0], "backups/")+"?", 1)
	hold(t, "restore s3://", d.must("restore", address, "--data", filepath.Join(t.TempDir(), "b"), "--key-file", key), "tenants: 1")
	late := &desk{t: t, data: d.data, env: append([]string{"FRONTDESK_NOW=2036-01-01T00:00:00Z"}, d.env...)}
	if _, status, message := late.findingsOf(); status["backups"] != unwell || !strings.Contains(message["backups"], "old") {
		t.Errorf("years later: %v", message["backups"])
	}
}
