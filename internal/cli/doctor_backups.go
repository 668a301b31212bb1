package cli

import (
	"cmp"
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/backup"
)

// checkBackups looks how old the newest scheduled backup is.
func (d *doctor) checkBackups() {
	const check = "backups"
	if d.postgres() {
		d.ok(check, "not made by frontdesk with PostgreSQL: see that pg_dump runs")
		return
	}
	if d.settings.BackupTo == "" {
		d.ok(check, "none are scheduled; FRONTDESK_BACKUP_TO has serve make them")
		return
	}
	const fix = "Correct FRONTDESK_BACKUP_TO and its credentials; `frontdesk backup` without a file tries it at once, and the log of serve says why one failed."
	place, err := app.OpenBackups(d.settings)
	if err != nil {
		d.fail(check, fix, "%v", err)
		return
	}
	defer place.Close()
	ctx, cancel := context.WithTimeout(d.ctx, 10*time.Second)
	defer cancel()
	all, err := backup.Copies(ctx, place)
	if err != nil {
		d.fail(check, fix, "%v", err)
		return
	}
	if len(all) == 0 {
		d.warn(check, "Nothing, if serve has just been started for the first time. "+fix, "there is none yet in %s", place)
		return
	}
	// One may be late by the time that it takes.
	if age := cmp.Or(d.settings.Now, time.Now()).Sub(all[0].At); age > d.settings.BackupEvery+d.settings.BackupEvery/2 {
		d.warn(check, "See that serve runs. "+fix, "the newest in %s is %s old: %s", place, age.Round(time.Minute), all[0].Name)
		return
	}
	d.ok(check, "the newest of %d in %s is %s", len(all), place, all[0].Name)
}
