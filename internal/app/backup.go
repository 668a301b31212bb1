package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/backup"
	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/config"
)

// OpenBackups opens the place of scheduled backups.
func OpenBackups(s config.Settings) (*blob.Store, error) {
	if s.BackupTo == "" {
		return nil, errors.New("FRONTDESK_BACKUP_TO is not set")
	}
	place, err := blob.Open(s.BackupTo, blob.Options{AccessKey: s.S3AccessKey, SecretKey: s.S3SecretKey})
	if err != nil {
		return nil, fmt.Errorf("FRONTDESK_BACKUP_TO: %w", err)
	}
	return place, nil
}

// OpenBackupAt opens the place of one backup in a bucket, and returns its name
// there.
func OpenBackupAt(s config.Settings, address string) (*blob.Store, string, error) {
	path, query, _ := strings.Cut(address, "?")
	at := strings.LastIndex(path, "/")
	name := path[at+1:]
	if err := blob.CheckKey(name); err != nil {
		return nil, "", err
	}
	if query != "" {
		query = "?" + query
	}
	place, err := blob.Open(path[:at]+query, blob.Options{AccessKey: s.S3AccessKey, SecretKey: s.S3SecretKey})
	return place, name, err
}

// addBackups puts together what copies the database by itself.
func (p *parts) addBackups(registry *prometheus.Registry) error {
	if p.settings.BackupTo == "" {
		return nil
	}
	place, err := OpenBackups(p.settings)
	if err != nil {
		return err
	}
	p.backups = backup.NewSchedule(backup.ScheduleOptions{
		Store: p.store, Dir: p.settings.Data, Place: place, Every: p.settings.BackupEvery, Keep: p.settings.BackupKeep, Now: p.now, Log: p.log,
	})
	registry.MustRegister(p.backups)
	return nil
}

// finishRestore brings a restore to its end that was cut off: until then the
// database is neither the old one nor the new one.
func finishRestore(s config.Settings) error {
	if s.Database != "" {
		return nil
	}
	if begun, err := backup.Interrupted(s.Data); err != nil || !begun {
		return err
	}
	unlock, err := LockData(s)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = backup.Finish(s.Data)
	return err
}
