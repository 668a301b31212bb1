package cli

import (
	"errors"
	"io/fs"
	"os"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

const keyCheck = "master key"

// checkMasterKey looks for the key that seals secrets: in the settings, or in
// the data directory.
func (d *doctor) checkMasterKey() {
	if d.settings.MasterKey != "" {
		d.checkKeyText(d.settings.MasterKey, "FRONTDESK_MASTER_KEY")
		return
	}
	if d.postgres() {
		d.warn(keyCheck, "Set FRONTDESK_MASTER_KEY to the same value on every node.", "FRONTDESK_MASTER_KEY is not set: with PostgreSQL all nodes need the same key, and the data directory is this node's own")
	}
	file := d.settings.MasterKeyFile()
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		d.missingKey(file)
		return
	}
	if err != nil {
		d.fail(keyCheck, "Let this user read the file.", "%v", err)
		return
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		d.warn(keyCheck, "chmod 600 "+file, "%s is open to other users (mode %04o)", file, mode)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		d.fail(keyCheck, "Let this user read the file.", "%v", err)
		return
	}
	d.checkKeyText(frontdesk.Secret(text), file)
}

// missingKey: commands make a database without the key; serve makes the key.
func (d *doctor) missingKey(file string) {
	if d.keyProblem != nil {
		d.fail(keyCheck, "Put "+file+" back from where it is kept; docs/operations.md says what to do if it is gone for good.", "%s", d.keyProblem.Message)
		return
	}
	d.ok(keyCheck, "there is none yet; the first start makes %s (restoring a backup? Put the old one there first)", file)
}

func (d *doctor) checkKeyText(key frontdesk.Secret, from string) {
	if _, err := seal.New(key); err != nil {
		d.fail(keyCheck, "Put the key back from where it is kept; make a new one only if there is no data yet: openssl rand -base64 32", "%s is not 32 bytes in base64", from)
		return
	}
	if d.keyProblem != nil {
		d.fail(keyCheck, "Put the right one back from where it is kept; docs/operations.md says what to do if it is gone for good.", "%s", d.keyProblem.Message)
		return
	}
	d.ok(keyCheck, "%s is well-formed", from)
}

// tryKey holds the master key against what the database holds. checkMasterKey
// says what is wrong, and whether it is a key at all.
func (d *doctor) tryKey(s *store.Store) {
	box, err := d.openBox()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	err = app.CheckKey(d.ctx, d.settings, s, box)
	if err != nil && !errors.As(err, &d.keyProblem) {
		d.fail(keyCheck, d.awayFix(), "it cannot be tried: %v", err)
	}
}
