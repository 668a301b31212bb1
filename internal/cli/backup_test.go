package cli

import (
	"os"
	"path/filepath"
	"testing"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestBackupCanBeUsed(t *testing.T) {
	d := newDesk(t)
	if storetest.IsPostgres() {
		a := d.run("backup", filepath.Join(t.TempDir(), "copy.db"))
		if a.code != 1 {
			t.Errorf("exit code %d", a.code)
		}
		hold(t, "backup", a.stderr, "pg_dump")
		return
	}
	d.must("tenant", "create", "one")
	d.must("tenant", "create", "two")
	open := d.open() // the database is in use
	restored := filepath.Join(t.TempDir(), "restored")
	makeDirectory(t, restored)
	file := filepath.Join(restored, filepath.Base(d.settings().DatabaseFile()))
	got := d.read("backup", file)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || got["bytes"] != float64(info.Size()) {
		t.Errorf("%v, %v, %v", info, err, got)
	}
	hold(t, "note", got["note"].(string), "master.key")
	if tenants, err := open.Tenants(t.Context()); err != nil || len(tenants) != 2 {
		t.Errorf("the original has %d tenants, %v", len(tenants), err)
	}
	if list := d.read("tenant", "list", "--data", restored); len(list["tenants"].([]any)) != 2 {
		t.Errorf("the copy holds %v", list)
	}
	entries, _ := os.ReadDir(restored)
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".partial" {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestBackupOverwritesNothing(t *testing.T) {
	d := bareDesk(t)
	if a := d.run("backup", filepath.Join(t.TempDir(), "copy.db"), "--database", ""); a.code != 1 {
		t.Errorf("a backup of nothing: exit code %d", a.code)
	} else {
		hold(t, "backup", a.stderr, "there is no database in")
	}
	if a := d.run("tenant", "list", "--database", ""); a.code != 0 {
		t.Fatalf("tenant list: %s", a.stderr)
	}
	file := d.file("copy.db", "precious")
	if a := d.run("backup", file, "--database", ""); a.code != 1 {
		t.Errorf("exit code %d", a.code)
	} else {
		hold(t, "backup", a.stderr, "is not overwritten")
	}
	if text, _ := os.ReadFile(file); string(text) != "precious" {
		t.Errorf("the file holds %q", text)
	}
	a := d.run("backup", filepath.Join(t.TempDir(), "no", "such", "copy.db"), "--database", "")
	if a.code != 1 {
		t.Errorf("exit code %d", a.code)
	}
}

// TestTheMasterKeyIsLost: commands that need it are refused until the operator
// says that it is gone for good.
func TestTheMasterKeyIsLost(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "lola")
	d.must("agent", "create", "--tenant", "lola", "--slug", "desk", "--vertical", "general", "--name", "Desk")
	secret := d.file("secret", "0123456789abcdef0123456789abcdef")
	add := func(number string) answer {
		return d.run("number", "add", "--tenant", "lola", "--agent", "desk", "--carrier", "twilio", "--secret-file", secret, number)
	}
	if a := add("+34910000000"); a.code != 0 {
		t.Fatal(a.stderr)
	}
	file := d.settings().MasterKeyFile()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]answer{"number add": add("+34910000001"), "rekey": d.run("rekey"), "serve": d.run("serve")} {
		if a.code != 1 {
			t.Errorf("%s: exit code %d", name, a.code)
		}
		hold(t, name, a.stderr, file+" does not exist", "--abandon-sealed")
	}
	_, status, message := d.findingsOf()
	if status["master key"] != broken {
		t.Errorf("the doctor: %v", status)
	}
	hold(t, "the doctor", message["master key"], file+" does not exist")
	if _, err := os.Stat(file); err == nil {
		t.Fatal("a new key was made")
	}
	hold(t, "rekey", d.must("rekey", "--abandon-sealed", "--yes"), "lost: the secret of the number +34910000000", "entered anew")
	if a := add("+34910000001"); a.code != 0 {
		t.Error(a.stderr)
	}
	write(t, file, "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", 0o600)
	_, status, message = d.findingsOf()
	if status["master key"] != broken {
		t.Errorf("the doctor: %v", status)
	}
	hold(t, "the doctor", message["master key"], file+" is not the master key of this database")
}
