package cli

import (
	"cmp"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/store"
)

const databaseCheck = "database"

// checkDatabase asks the database, if there is one, and then the clocks.
func (d *doctor) checkDatabase() {
	if !databaseExists(d.settings) {
		d.ok(databaseCheck, "there is none yet; the first start makes %s", d.settings.DatabaseFile())
		d.checkClock(nil)
		return
	}
	s, err := app.OpenStore(d.settings)
	if err != nil {
		d.fail(databaseCheck, "Correct FRONTDESK_DATABASE or --database.", "%v", err)
		d.checkClock(nil)
		return
	}
	defer s.Close()
	if err := s.Ping(d.ctx); err != nil {
		d.fail(databaseCheck, d.awayFix(), "it does not answer: %v", cause(err))
		d.checkClock(nil)
		return
	}
	d.checkVersion(s)
	d.checkDamage(s)
	d.checkMigrations(s)
	d.checkClock(s)
}

func (d *doctor) awayFix() string {
	if d.postgres() {
		return "Check that the server runs, that this machine reaches it, and the user, password and name in FRONTDESK_DATABASE."
	}
	return "Check that " + d.settings.DatabaseFile() + " is readable and is a frontdesk database; otherwise restore a backup."
}

func (d *doctor) checkVersion(s *store.Store) {
	text, number, err := s.Version(d.ctx)
	switch {
	case err != nil:
		d.fail(databaseCheck, d.awayFix(), "its version cannot be told: %v", cause(err))
	case d.postgres() && number < store.MinPostgres:
		d.fail(databaseCheck, "Upgrade the server to PostgreSQL 13 or later.", "PostgreSQL %s is too old", text)
	case d.postgres():
		d.ok(databaseCheck, "PostgreSQL %s answers", text)
	default:
		d.ok(databaseCheck, "SQLite %s answers", text)
	}
}

func (d *doctor) checkDamage(s *store.Store) {
	if d.postgres() {
		return
	}
	found, err := s.Damage(d.ctx)
	const fix = "Stop frontdesk, keep a copy of the data directory, and restore the latest backup."
	switch {
	case err != nil:
		d.fail("integrity", fix, "the file cannot be checked: %v", cause(err))
	case len(found) > 0:
		d.fail("integrity", fix, "the file is damaged: %s", strings.Join(found, "; "))
	default:
		d.ok("integrity", "the file is sound")
	}
}

func (d *doctor) checkMigrations(s *store.Store) {
	pending, err := s.Pending(d.ctx)
	switch {
	case err != nil:
		d.fail("migrations", "Use the binary that fits the database.", "%v", cause(err))
	case len(pending) > 0:
		d.warn("migrations", "Run `frontdesk migrate`; serve does so by itself.", "%d are pending, the first is %s", len(pending), pending[0].Name)
	default:
		d.ok("migrations", "all are applied")
		d.tryKey(s)
		d.knowInstallation(s)
		d.checkAgents(s)
		d.checkNotices(s)
		d.checkCalendars(s)
		d.checkNumbers(s)
		d.checkBooks(s, cmp.Or(d.settings.Now, time.Now()))
		d.checkCertificates(s, cmp.Or(d.settings.Now, time.Now()))
	}
}

// maxSkew is how far the clocks of a node and its database may be apart.
const maxSkew = 2 * time.Second

// checkClock holds our clock against the database's, if it has one of its own.
func (d *doctor) checkClock(s *store.Store) {
	const check, fix = "clock", "Set the clock, and keep it right with NTP."
	if !d.settings.Now.IsZero() {
		d.warn(check, "Unset FRONTDESK_NOW, unless this is for development or tests.", "FRONTDESK_NOW is set: it starts at %s", d.settings.Now.Format(time.RFC3339))
		return
	}
	if s == nil || !d.postgres() {
		d.ok(check, "%s", when(time.Now()))
		return
	}
	before := time.Now()
	theirs, err := s.Now(d.ctx)
	if err != nil {
		d.fail(check, d.awayFix(), "the database's time cannot be told: %v", cause(err))
		return
	}
	// The answer was given at some time between asking and now.
	if ahead, behind := time.Until(theirs), before.Sub(theirs); max(ahead, behind) > maxSkew {
		d.warn(check, fix, "this machine and the database are %s apart", max(ahead, behind).Round(100*time.Millisecond))
		return
	}
	d.ok(check, "%s, as the database's", when(before))
}
