package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// TestBackupAndRestore loses a machine: the copy that serve made by itself and
// the master key bring everything back.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	if storetest.IsPostgres() {
		t.Skip("about the embedded database")
	}
	backups := filepath.Join(t.TempDir(), "backups")
	p := newPlace(t, "FRONTDESK_BACKUP_TO="+backups)
	d := demo(t, p)
	copies := func() []string {
		found, err := filepath.Glob(filepath.Join(backups, "frontdesk-*.db"))
		must(t, err)
		return found
	}
	if !until(func() bool { return len(copies()) > 0 }, d.ended) {
		t.Fatalf("no copy was made: %s", d.log)
	}
	if got := ask[struct{ File string }](p, "backup"); !strings.HasPrefix(got.File, "frontdesk-") {
		t.Errorf("backup says %+v", got)
	}
	if refused := p.run("restore", "--latest", "--replace"); refused.code != 1 || !strings.Contains(refused.err, "another frontdesk uses") {
		t.Errorf("beside the server: %+v", refused)
	}
	before := d.everything(d.live)
	d.kill()
	key, err := os.ReadFile(filepath.Join(p.data, "master.key"))
	must(t, err)
	must(t, os.RemoveAll(p.data))
	if lost := p.run("restore", "--latest"); lost.code != 1 || !strings.Contains(lost.err, "--key-file") {
		t.Errorf("without the key: %+v", lost)
	}
	safe := filepath.Join(t.TempDir(), "master.key")
	must(t, os.WriteFile(safe, key, 0o600))
	if got := p.run("restore", "--latest", "--key-file", safe); got.code != 0 || !strings.Contains(got.out, "tenants: 1") {
		t.Fatalf("restore: %+v", got)
	}
	if after := p.serve().everything(d.live); after != before {
		t.Error("the restored server answers differently")
	}
}

// TestTheMasterKeyIsLost: a server is refused, and makes no new key.
func TestTheMasterKeyIsLost(t *testing.T) {
	t.Parallel()
	if storetest.IsPostgres() {
		t.Skip("the key comes by a setting")
	}
	p := newPlace(t)
	p.serve().stop()
	file := filepath.Join(p.data, "master.key")
	must(t, os.Remove(file))
	if got := p.run("serve"); got.code != 1 || !strings.Contains(got.err, file) || !strings.Contains(got.err, "--abandon-sealed") {
		t.Errorf("serve: %+v", got)
	}
	if got := p.run("doctor"); got.code != 1 || !strings.Contains(got.out, file+" does not exist") {
		t.Errorf("doctor: %+v", got)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("a new key was made")
	}
	if got := p.run("rekey", "--abandon-sealed", "--yes"); got.code != 0 {
		t.Fatalf("rekey: %+v", got)
	}
	p.serve()
}
