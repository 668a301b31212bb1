package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/backup"
	"frontdesk.dev/frontdesk/internal/store"
)

func (p *program) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Copy the embedded database to a new file, while it is in use",
		Long: `Copy the embedded database to a new file, while it is in use.

The copy is consistent and complete by itself; ` + "`frontdesk restore`" + ` puts it back. It
does not hold the master key: keep that too, or the secrets in the copy cannot be
opened. Nor does it hold the bytes of documents, unless they are kept in the
database: copy their directory after it. What agents answer from is in the copy, so
they answer without.

Without FILE the copy goes to FRONTDESK_BACKUP_TO, a directory or a bucket, as those
that serve makes by itself.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := p.settings(cmd)
			if err == nil && !databaseExists(settings) {
				// Opening it would make an empty one, and a worthless backup.
				return refused("no_database", "data", "there is no database in %s; name its directory with --data or FRONTDESK_DATA", settings.Data)
			}
			// As it is: a backup before an upgrade must not be upgraded.
			return p.onOpenStore(func(s *session, args []string) error { return s.backup(args) })(cmd, args)
		},
	}
}

func (s *session) backup(args []string) error {
	if store.IsPostgres(s.settings.Database.Reveal()) {
		return refused("backup_unsupported", "", "backup copies the embedded database; for PostgreSQL use pg_dump, for example: pg_dump --format=custom --file=frontdesk.dump \"$FRONTDESK_DATABASE\"")
	}
	if len(args) == 0 {
		return s.backupToPlace()
	}
	file := args[0]
	if _, err := os.Lstat(file); err == nil {
		return refused("file_exists", "FILE", "%s exists already and is not overwritten; choose another name, or remove it first", file)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking at %s: %w", file, err)
	}
	size, err := s.copyDatabase(file)
	if err != nil {
		return err
	}
	return s.printBackup(file, size)
}

func (s *session) printBackup(file string, size int64) error {
	note := s.keyNote()
	value := struct {
		File  string `json:"file"`
		Bytes int64  `json:"bytes"`
		Note  string `json:"note"`
	}{file, size, note}
	return s.print(value, func(w io.Writer) {
		fmt.Fprintf(w, "Wrote %s (%s).\n%s\n", file, bytesText(uint64(size)), note)
	})
}

// backupToPlace makes a copy where serve makes them. It removes none: how many are
// kept is between serve and its schedule.
func (s *session) backupToPlace() error {
	if s.settings.BackupTo == "" {
		return misused("where to? Give FILE, or set FRONTDESK_BACKUP_TO")
	}
	place, err := app.OpenBackups(s.settings)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(s.settings.Data, "backup-*.partial") // serve may be making one too
	if err != nil {
		return fmt.Errorf("making room for the copy: %w", err)
	}
	defer os.RemoveAll(dir)
	made, size, err := backup.Make(s.ctx, s.store, dir, place, s.now())
	if err != nil {
		return err
	}
	return s.printBackup(made.Name+" in "+place.String(), size)
}

// copyDatabase writes the copy under another name beside the file first: a
// backup that was interrupted never looks like one.
func (s *session) copyDatabase(file string) (size int64, err error) {
	tmp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.partial") // readable by its owner only
	if err != nil {
		return 0, fmt.Errorf("making the backup's file: %w", err)
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	if err := s.store.Backup(s.ctx, tmp.Name()); err != nil {
		return 0, err
	}
	info, err := tmp.Stat()
	if err != nil {
		return 0, fmt.Errorf("writing the backup: %w", err)
	}
	if err := errors.Join(tmp.Sync(), os.Rename(tmp.Name(), file)); err != nil {
		return 0, fmt.Errorf("writing the backup: %w", err)
	}
	return info.Size(), nil
}

// keyNote reminds of what the copy does not hold.
func (s *session) keyNote() string {
	if s.settings.MasterKey != "" {
		return "The copy does not hold the master key: keep FRONTDESK_MASTER_KEY too, in another place."
	}
	return fmt.Sprintf("The copy does not hold the master key: keep %s too, in another place.", s.settings.MasterKeyFile())
}
