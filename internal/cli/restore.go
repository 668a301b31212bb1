package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/backup"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// restoreFlags say what is restored, and over what.
type restoreFlags struct {
	latest     bool
	replace    bool
	keyFile    string
	withoutKey bool
}

func (p *program) restoreCommand() *cobra.Command {
	var f restoreFlags
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a copy that backup made in the place of the embedded database",
		Long: `Put a copy that backup made in the place of the embedded database, while no server
runs on it. FILE is a file, or an address such as
s3://bucket/prefix/frontdesk-2026-11-17-030000.db?endpoint=https://s3.example.com;
--latest takes the newest copy in FRONTDESK_BACKUP_TO.

The copy is looked through before anything is changed: that it is whole, that this
binary can serve it, and that the master key opens what it holds. The key is the one
in FRONTDESK_MASTER_KEY, the one in the data directory, or that of --key-file, which
is then put there. A database that is there already is refused; with --replace it is
moved into a directory beside it. A restore that is killed has either not begun, or
is finished by the next command.`,
		Example: `  frontdesk restore /backups/frontdesk-2026-11-17.db --key-file /safe/master.key
  frontdesk restore --latest --replace`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == f.latest {
				return misused("give either FILE or --latest")
			}
			s, err := p.begin(cmd)
			if err != nil {
				return err
			}
			return s.restore(strings.Join(args, ""), f)
		},
	}
	cmd.Flags().BoolVar(&f.latest, "latest", false, "restore the newest copy in FRONTDESK_BACKUP_TO")
	cmd.Flags().BoolVar(&f.replace, "replace", false, "move the database that is there aside")
	cmd.Flags().StringVar(&f.keyFile, "key-file", "", "file with the master key of the copy, put into the data directory with it")
	cmd.Flags().BoolVar(&f.withoutKey, "without-key", false, "restore although the master key is gone for good; run rekey --abandon-sealed after it")
	return cmd
}

func (s *session) restore(file string, f restoreFlags) error {
	if err := s.checkRestore(f); err != nil {
		return err
	}
	unlock, err := app.LockData(s.settings)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := backup.Finish(s.settings.Data); err != nil {
		return err
	}
	if databaseExists(s.settings) && !f.replace {
		return refused("database_exists", "replace", "there is a database in %s already; --replace moves it aside, or name another directory with --data", s.settings.Data)
	}
	key, err := readKey(f.keyFile)
	if err != nil {
		return err
	}
	from, name, err := s.openCopy(file, f)
	if err != nil {
		return err
	}
	defer from.Close()
	staged, err := backup.Stage(s.ctx, s.settings.Data, from, s.now(), func(db *store.Store) error { return s.checkCopyKey(db, f, key) })
	if err != nil {
		return s.refuseCopy(name, err)
	}
	if err := s.stageKey(staged, key); err != nil {
		return errors.Join(err, staged.Discard())
	}
	moved, err := staged.Place(s.now())
	if err != nil {
		return err
	}
	if err := giveTo(s.settings.Data, s.settings.DatabaseFile(), s.settings.MasterKeyFile(), s.settings.LockFile()); err != nil {
		return fmt.Errorf("restored, but the files do not belong to the user who serves: %w", err)
	}
	return s.printRestored(name, moved, staged.Contents, f)
}

// checkRestore looks at what was asked for before anything is opened.
func (s *session) checkRestore(f restoreFlags) error {
	switch {
	case s.settings.Database != "":
		return refused("restore_unsupported", "", "restore is for the embedded database; for PostgreSQL use pg_restore on what pg_dump wrote, for example: pg_restore --clean --if-exists --dbname=\"$FRONTDESK_DATABASE\" FILE. Start the nodes with the same FRONTDESK_MASTER_KEY as before")
	case f.keyFile != "" && s.settings.MasterKey != "":
		return misused("FRONTDESK_MASTER_KEY is set, and a key of --key-file would not be used: give one of the two")
	case f.keyFile != "" && f.withoutKey:
		return misused("give --key-file, or --without-key if there is none any more")
	}
	return nil
}

// openCopy opens the copy and returns what it is called.
func (s *session) openCopy(file string, f restoreFlags) (io.ReadCloser, string, error) {
	switch {
	case f.latest:
		return s.openLatest()
	case strings.HasPrefix(file, "s3://"):
		place, name, err := app.OpenBackupAt(s.settings, file)
		if err != nil {
			return nil, "", err
		}
		r, err := place.Get(s.ctx, name)
		return r, name, err
	}
	if err := s.checkCopyFile(file); err != nil {
		return nil, "", err
	}
	r, err := os.Open(file)
	return r, file, err
}

func (s *session) openLatest() (io.ReadCloser, string, error) {
	place, err := app.OpenBackups(s.settings)
	if err != nil {
		return nil, "", err
	}
	all, err := backup.Copies(s.ctx, place)
	if err != nil {
		return nil, "", err
	}
	if len(all) == 0 {
		return nil, "", refused("no_backup", "latest", "there is no backup in %s", place)
	}
	r, err := place.Get(s.ctx, all[0].Name)
	return r, all[0].Name, err
}

// checkCopyFile refuses a file that cannot be a finished copy, or has no room.
func (s *session) checkCopyFile(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return refused("backup_invalid", "FILE", "%s is not a file", file)
	}
	if present, err := os.Stat(s.settings.DatabaseFile()); err == nil && os.SameFile(info, present) {
		return refused("backup_invalid", "FILE", "%s is the database itself", file)
	}
	if log, err := os.Stat(file + "-wal"); err == nil && log.Size() > 0 {
		return refused("backup_invalid", "FILE", "%s is not a finished copy: what was written last stands in %s-wal. Make the copy with `frontdesk backup`", file, file)
	}
	if free, err := app.FreeSpace(s.settings.Data); err == nil && free < uint64(info.Size())+diskFail {
		return refused("disk_full", "data", "%s has %s free, and the copy needs %s", s.settings.Data, bytesText(free), bytesText(uint64(info.Size())+diskFail))
	}
	return nil
}

// checkCopyKey holds the key that a server would use against the copy.
func (s *session) checkCopyKey(db *store.Store, f restoreFlags, key frontdesk.Secret) error {
	if f.withoutKey {
		return nil
	}
	settings := s.settings
	settings.MasterKey = cmp.Or(key, settings.MasterKey)
	if app.KeyFileMissing(settings) {
		return app.CheckKey(s.ctx, settings, db, nil)
	}
	box, err := app.NewBox(settings)
	if err != nil {
		return refused("master_key_invalid", "key-file", "%s holds no master key of frontdesk (%v): name the file master.key of the server that the copy is of. Nothing was changed", cmp.Or(f.keyFile, "FRONTDESK_MASTER_KEY, or "+settings.MasterKeyFile()+","), err)
	}
	return app.CheckKey(s.ctx, settings, db, box)
}

// refuseCopy says why a copy was not restored. Nothing was changed.
func (s *session) refuseCopy(name string, err error) error {
	var key *frontdesk.Error
	switch {
	case errors.Is(err, backup.ErrForeign), errors.Is(err, backup.ErrDamaged):
		return refused("backup_invalid", "FILE", "%s cannot be restored: %v. Nothing was changed; take another copy", name, err)
	case errors.As(err, &key) && key.Code == "master_key_missing":
		return refused(key.Code, "key-file", "%s needs its master key, and %s does not exist. Put it there, or name it with --key-file; nothing was changed. If it is gone for good, --without-key restores the rest; lost are then %s", name, s.settings.MasterKeyFile(), app.LostWithKey)
	case errors.As(err, &key) && key.Code == "master_key_wrong":
		return refused(key.Code, "key-file", "the master key does not open what %s holds: it was made under another key. Name that one with --key-file; nothing was changed. If it is gone for good, --without-key restores the rest; lost are then %s", name, app.LostWithKey)
	}
	return err
}

// readKey reads the master key of a file, once: it may be a pipe. "": no file is named.
func readKey(file string) (frontdesk.Secret, error) {
	if file == "" {
		return "", nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading the master key: %w", err)
	}
	key := frontdesk.Secret(strings.TrimSpace(string(text)))
	if key == "" {
		return "", refused("master_key_invalid", "key-file", "%s is empty: name the file master.key of the server that the copy is of. Nothing was changed", file)
	}
	return key, nil
}

// stageKey has a key put in place with the database, unless it is there already.
func (s *session) stageKey(staged *backup.Staged, key frontdesk.Secret) error {
	if key == "" {
		return nil
	}
	present, err := os.ReadFile(s.settings.MasterKeyFile())
	if err == nil && strings.TrimSpace(string(present)) == key.Reveal() {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the master key: %w", err)
	}
	return staged.AddKey(strings.NewReader(key.Reveal() + "\n"))
}

func (s *session) printRestored(name, moved string, c store.Contents, f restoreFlags) error {
	value := map[string]any{"file": name, "data": s.settings.Data, "moved_to": nil, "tenants": c.Tenants, "agents": c.Agents, "calls": c.Calls, "newest_call_at": nil}
	if moved != "" {
		value["moved_to"] = moved
	}
	newest := "none yet"
	if !c.NewestCall.IsZero() {
		value["newest_call_at"] = c.NewestCall.UTC()
		newest = "the newest of " + when(c.NewestCall)
	}
	return s.print(value, func(w io.Writer) {
		fmt.Fprintf(w, "Restored %s into %s: tenants: %d, agents: %d, live calls: %d (%s).\n", name, s.settings.Data, c.Tenants, c.Agents, c.Calls, newest)
		if moved != "" {
			fmt.Fprintf(w, "What was there is in %s; remove it when you do not need it any more.\n", moved)
		}
		if f.withoutKey {
			fmt.Fprintln(w, "Now run `frontdesk rekey --abandon-sealed --yes`: the database is refused until then.")
		}
		fmt.Fprintln(w, "The bytes of documents are not in a copy: put their directory back too, if you have it.")
		if !f.withoutKey {
			fmt.Fprintln(w, "`frontdesk serve` starts.")
		}
	})
}
