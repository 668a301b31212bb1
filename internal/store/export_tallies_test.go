package store

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// MigrateTo applies the migrations up to a version, as an older binary would.
func (s *Store) MigrateTo(ctx context.Context, version int, now time.Time) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	return s.exclusively(ctx, "migrating", func(t *tx) error {
		_, err := s.applyAll(t, all[:version], now)
		return err
	})
}

// VersionBefore is the last version before the migration of a name.
func VersionBefore(name string) int {
	all, err := migrations()
	if err != nil {
		panic(err)
	}
	for _, m := range all {
		if len(m.Name) > 5 && m.Name[5:] == name {
			return m.Version - 1
		}
	}
	panic("no migration " + name)
}

// ReadSheet calls visit for all parts of a packed sheet.
func ReadSheet(packed []byte, visit func(frontdesk.DayTally)) error {
	var r sheetReader
	return r.each(0, packed, true, func(p readPart) { visit(p.DayTally) })
}

// PackSheet packs calls and captures of one day.
func PackSheet(calls []frontdesk.Call, captures []frontdesk.Capture) []byte {
	s := sheet{}
	for _, c := range calls {
		s.addCall(c)
	}
	for _, c := range captures {
		s.addCapture(c)
	}
	return s.pack()
}

// AddPacked adds a packed sheet of a day to another one.
func AddPacked(a, b []byte) ([]byte, error) {
	s := sheet{}
	for _, packed := range [][]byte{a, b} {
		var r sheetReader
		if err := r.each(0, packed, true, func(p readPart) { s.add(p.DayTally) }); err != nil {
			return nil, err
		}
	}
	return s.pack(), nil
}

// Occupy takes all places of the share that sums up, until release is called.
func (s *Store) Occupy(ctx context.Context) (release func()) {
	leave, err := s.heavy.summing.enter(ctx, time.Minute)
	if err != nil {
		panic(err)
	}
	leaves := []func(){leave}
	for len(s.heavy.summing.places) < cap(s.heavy.summing.places) {
		s.heavy.summing.places <- struct{}{}
		leaves = append(leaves, func() { <-s.heavy.summing.places })
	}
	return func() {
		for _, leave := range leaves {
			leave()
		}
	}
}
