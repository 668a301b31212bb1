// Package backup copies the embedded database to another place and back.
//
// A copy is the database alone, as SQLite writes it, under a name that says when
// it was made. The master key is not in it: whoever finds a copy must not be able
// to open what is sealed. The way there and back:
//
//	Schedule.Run -> store.Backup -> blob.Put          to a directory or a bucket
//	Stage -> check -> Staged.Place -> Finish          into a data directory
//
// The package knows neither settings nor keys: who calls it says what to check.
package backup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/store"
)

// Copy is a backup in its place.
type Copy struct {
	Name string
	At   time.Time
}

const (
	prefix = "frontdesk-"
	layout = "2006-01-02-150405"
	suffix = ".db"
)

// Name is what a copy made at an instant is called.
func Name(at time.Time) string { return prefix + at.UTC().Format(layout) + suffix }

// parseName is the inverse of Name. Other files in the place are nobody's
// business.
func parseName(name string) (time.Time, bool) {
	at, err := time.Parse(layout, strings.TrimSuffix(strings.TrimPrefix(name, prefix), suffix))
	return at, err == nil && Name(at) == name
}

// Copies lists the copies in a place, the newest first.
func Copies(ctx context.Context, place *blob.Store) (all []Copy, err error) {
	err = place.Each(ctx, time.Time{}, func(key string, _ time.Time) error {
		if at, ok := parseName(key); ok {
			all = append(all, Copy{key, at})
		}
		return nil
	})
	slices.SortFunc(all, func(a, b Copy) int { return b.At.Compare(a.At) })
	return all, err
}

// Make copies the database to a place and returns the copy and its size. The copy
// is made in dir first, under a name that the next one clears away if this one is
// cut off.
func Make(ctx context.Context, db *store.Store, dir string, place *blob.Store, now time.Time) (made Copy, size int64, err error) {
	made = Copy{Name(now), now}
	tmp := filepath.Join(dir, "backup.partial")
	if err := os.Remove(tmp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return made, 0, fmt.Errorf("clearing away an earlier copy: %w", err)
	}
	f, err := os.OpenFile(tmp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return made, 0, fmt.Errorf("making the copy's file: %w", err)
	}
	defer os.Remove(tmp)
	defer f.Close()
	if err := db.Backup(ctx, tmp); err != nil {
		return made, 0, err
	}
	size, err = place.Put(ctx, made.Name, f)
	return made, size, err
}

// Prune removes all copies but the newest.
func Prune(ctx context.Context, place *blob.Store, keep int) error {
	all, err := Copies(ctx, place)
	if err != nil {
		return err
	}
	for i, c := range all {
		if i < keep {
			continue
		}
		if err := place.Delete(ctx, c.Name); err != nil {
			return err
		}
	}
	return nil
}

// ScheduleOptions say what is copied, where to and how often.
type ScheduleOptions struct {
	Store *store.Store
	Dir   string // for the copy while it is made
	Place *blob.Store
	Every time.Duration
	Keep  int
	Now   func() time.Time
	Log   *slog.Logger
}

// againAfter is how long to wait after a copy that failed.
const againAfter = 10 * time.Minute

// Schedule makes copies. It is asked every few seconds, and works when one is due.
type Schedule struct {
	ScheduleOptions
	next time.Time

	mu       sync.Mutex
	newest   time.Time
	bytes    int64
	failures int64
}

// NewSchedule returns a schedule that begins by looking for the newest copy.
func NewSchedule(o ScheduleOptions) *Schedule { return &Schedule{ScheduleOptions: o} }

// Run makes a copy if one is due. An operator has to hear of one that fails: it
// is logged, and counted.
func (s *Schedule) Run(ctx context.Context) {
	now := s.Now()
	if now.Before(s.next) {
		return
	}
	err := s.runOnce(ctx, now)
	if err == nil || ctx.Err() != nil {
		return
	}
	s.next = now.Add(min(s.Every, againAfter))
	s.mu.Lock()
	s.failures++
	s.mu.Unlock()
	s.Log.Error("the scheduled backup failed; free space in the data directory, or correct FRONTDESK_BACKUP_TO and its credentials: `frontdesk backup` without a file tries it at once",
		"to", s.Place.String(), "next_try", s.next, "error", err)
}

func (s *Schedule) runOnce(ctx context.Context, now time.Time) error {
	all, err := Copies(ctx, s.Place)
	if err != nil {
		return err
	}
	// A copy from the future, of a clock that went wrong, must not keep others from
	// being made.
	all = slices.DeleteFunc(all, func(c Copy) bool { return c.At.After(now) })
	if len(all) > 0 {
		s.note(all[0].At, 0)
		if s.next = all[0].At.Add(s.Every); now.Before(s.next) {
			return nil
		}
	}
	made, size, err := Make(ctx, s.Store, s.Dir, s.Place, now)
	if err != nil {
		return err
	}
	s.note(made.At, size)
	s.next = now.Add(s.Every)
	s.Log.Info("backed the database up", "copy", made.Name, "to", s.Place.String(), "bytes", size)
	return Prune(ctx, s.Place, s.Keep)
}

func (s *Schedule) note(at time.Time, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = at
	if size > 0 {
		s.bytes = size
	}
}

var (
	newestDesc   = prometheus.NewDesc("frontdesk_backup_newest_timestamp_seconds", "When the newest scheduled backup was made; 0 before the first.", nil, nil)
	bytesDesc    = prometheus.NewDesc("frontdesk_backup_bytes", "Size of the newest backup that this process made.", nil, nil)
	failuresDesc = prometheus.NewDesc("frontdesk_backup_failures_total", "Scheduled backups that failed.", nil, nil)
)

// Describe and Collect are the figures of the schedule.
func (s *Schedule) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(s, ch) }

// Collect tells them.
func (s *Schedule) Collect(ch chan<- prometheus.Metric) {
	s.mu.Lock()
	defer s.mu.Unlock()
	newest := 0.0
	if !s.newest.IsZero() {
		newest = float64(s.newest.Unix())
	}
	ch <- prometheus.MustNewConstMetric(newestDesc, prometheus.GaugeValue, newest)
	ch <- prometheus.MustNewConstMetric(bytesDesc, prometheus.GaugeValue, float64(s.bytes))
	ch <- prometheus.MustNewConstMetric(failuresDesc, prometheus.CounterValue, float64(s.failures))
}
