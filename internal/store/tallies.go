package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// Tallies are what analytics are read from. The transaction that records calls
// or captures writes one small sheet of them for each day it touched, an entry;
// FoldTalliesForWorker adds entries to the sheets of their day: that of all
// agents together, and one for each agent. So recordings never wait for each
// other, and at any moment an owner's day is its sheets and its entries together.

// sheetID says what a sheet is of.
type sheetID struct {
	owner frontdesk.Owner
	agent frontdesk.ID // allAgents, or one
	day   int64
}

// allAgents is where the sheets of all agents together stand.
const allAgents = frontdesk.ID("00000000-0000-0000-0000-000000000000")

// compare is the order in which sheets are locked.
func (a sheetID) compare(b sheetID) int {
	return cmp.Or(cmp.Compare(a.owner.TenantID, b.owner.TenantID), cmp.Compare(mode(a.owner), mode(b.owner)),
		cmp.Compare(a.agent, b.agent), cmp.Compare(a.day, b.day))
}

func mode(o frontdesk.Owner) int {
	if o.Live {
		return 1
	}
	return 0
}

// sheets are several that are being written.
type sheets map[sheetID]sheet

func (s sheets) of(id sheetID) sheet {
	if s[id] == nil {
		s[id] = sheet{}
	}
	return s[id]
}

// inOrder are all of them in the order of locking.
func (s sheets) inOrder() []sheetID { return slices.SortedFunc(maps.Keys(s), sheetID.compare) }

// spread adds a tally to the sheets that it counts on.
func (s sheets) spread(owner frontdesk.Owner, t frontdesk.DayTally) {
	all := s.of(sheetID{owner, allAgents, t.Day})
	together := t
	together.AgentID = ""
	all.add(together)
	if t.AgentID == "" {
		return
	}
	s.of(sheetID{owner, t.AgentID, t.Day}).add(t)
	if slices.ContainsFunc(t.Calls, func(n int) bool { return n != 0 }) {
		all.addCallsAlone(t)
	}
}

// entries are sheets of what was recorded, by day.
type entries map[int64]sheet

func (e entries) of(day int64) sheet {
	if e[day] == nil {
		e[day] = sheet{}
	}
	return e[day]
}

func (e entries) addCall(c frontdesk.Call) {
	day, _ := frontdesk.DayAndQuarter(c.StartedAt)
	e.of(day).addCall(c)
}

func (e entries) addCapture(c frontdesk.Capture) {
	day, _ := frontdesk.DayAndQuarter(c.CreatedAt)
	e.of(day).addCapture(c)
}

// spread are the sheets that the entries count on.
func (e entries) spread(owner frontdesk.Owner) (sheets, error) {
	all := sheets{}
	var reader sheetReader
	for day, entry := range e {
		if err := reader.each(day, entry.pack(), true, func(p readPart) { all.spread(owner, p.DayTally) }); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// tally writes entries for calls and captures. Whoever inserts some calls it in
// the same transaction.
func (t *tx) tally(owner frontdesk.Owner, calls []frontdesk.Call, captures []frontdesk.Capture) error {
	tallied := entries{}
	for _, c := range calls {
		tallied.addCall(c)
	}
	for _, c := range captures {
		tallied.addCapture(c)
	}
	return inBatches(slices.Sorted(maps.Keys(tallied)), func(days []int64) error {
		var args []any
		for _, day := range days {
			id := frontdesk.NewID(time.Unix(day*86_400, 0))
			args = append(args, string(owner.TenantID), owner.Live, day, string(id), tallied[day].pack())
		}
		return t.later(`INSERT INTO tally_entries (tenant_id, live, day, id, sheet) VALUES `+placeholders(len(days), 5), args...)
	})
}

// errNotTallied: the owner has calls or captures from before the tallies.
var errNotTallied = errors.New("not tallied yet")

// Analytics tells how the owner's calls of a window went. It reads tallies; for
// an owner whose older calls are not tallied yet, and in a zone that keeps no
// whole quarters from UTC, it counts calls.
func (s *Store) Analytics(ctx context.Context, owner frontdesk.Owner, f frontdesk.AnalyticsFilter, w frontdesk.Window, agents []frontdesk.Agent) (frontdesk.Analytics, error) {
	analysis := newAnalysis(w, agents)
	if w.InQuarters() {
		err := s.readTallies(ctx, owner, f, w, analysis)
		if err == nil {
			return analysis.Analytics(), nil
		}
		if !errors.Is(err, errNotTallied) {
			return frontdesk.Analytics{}, err
		}
	}
	calls, err := s.CallTallies(ctx, owner, f, w.Previous, w.To)
	if err != nil {
		return frontdesk.Analytics{}, err
	}
	captures, err := s.CaptureTallies(ctx, owner, f, w.Previous, w.To)
	if err != nil {
		return frontdesk.Analytics{}, err
	}
	analysis = newAnalysis(w, agents)
	analysis.AddCounted(calls, captures)
	return analysis.Analytics(), nil
}

// newAnalysis is one in which agents are open as their calendars say, with the
// breaks, exceptions and holidays of each day.
func newAnalysis(w frontdesk.Window, agents []frontdesk.Agent) *frontdesk.Analysis {
	analysis := frontdesk.NewAnalysis(w, agents)
	for _, a := range agents {
		c := a.Settings.Calendar
		if c.Openings == nil && len(c.Exceptions) == 0 && len(c.Closures) == 0 && c.Holidays == "" {
			continue // its hours of the week say it all
		}
		hours, err := opening.Of(a)
		if err != nil || !hours.Known() {
			continue
		}
		var spans [][2]time.Time
		last := frontdesk.DateOf(w.To.In(hours.Zone()))
		// A night that began on the day before the window goes into it.
		for d := frontdesk.DateOf(w.From.In(hours.Zone())).AddDays(-1); !last.Before(d); d = d.AddDays(1) {
			for _, s := range hours.Day(d).Open {
				spans = append(spans, [2]time.Time{s.From, s.To})
			}
		}
		analysis.Opens(a.ID, spans)
	}
	return analysis
}

// readTallies asks one question, so that it sees every entry either as such or
// in its sheet.
func (s *Store) readTallies(ctx context.Context, owner frontdesk.Owner, f frontdesk.AnalyticsFilter, w frontdesk.Window, a *frontdesk.Analysis) error {
	first, _ := frontdesk.DayAndQuarter(w.Previous)
	last, _ := frontdesk.DayAndQuarter(w.To)
	var reader sheetReader
	return s.eachHeavy(ctx, &s.heavy.summing, "reading tallies",
		`SELECT 0, NULL, TRUE FROM tally_backfills WHERE tenant_id = $1 AND live = $2
		UNION ALL SELECT day, sheet, TRUE FROM tally_days WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND day >= $4 AND day <= $5
		UNION ALL SELECT day, sheet, FALSE FROM tally_entries WHERE tenant_id = $1 AND live = $2 AND day >= $4 AND day <= $5`,
		[]any{string(owner.TenantID), owner.Live, string(cmp.Or(f.AgentID, allAgents)), first, last}, func(r row) error {
			var day int64
			var packed []byte
			var folded bool
			if err := r.Scan(&day, &packed, &folded); err != nil {
				return err
			}
			if packed == nil {
				return errNotTallied
			}
			return reader.each(day, packed, a.NeedsDetails(day), func(p readPart) {
				switch {
				case f.Channel != "" && f.Channel != p.Channel, !folded && f.AgentID != "" && f.AgentID != p.AgentID:
				case p.callsAlone:
					a.AddAfterHours(p.DayTally)
				default:
					a.Add(p.DayTally)
				}
			})
		})
}

// foldTime is how long a folding may take: nobody waits for it but other workers,
// and over a slow line it takes its time.
const foldTime = 10 * time.Second

// FoldTalliesForWorker adds up to most entries to the sheets of their days and
// says how many it found. Any number of workers may do so at once.
func (s *Store) FoldTalliesForWorker(ctx context.Context, most int) (folded int, err error) {
	var waiting bool
	// Most of the time there are none, and nobody needs to wait for us.
	if err := s.row(ctx, "looking for tallies to fold", `SELECT EXISTS (SELECT 1 FROM tally_entries)`, nil, &waiting); err != nil || !waiting {
		return 0, err
	}
	err = s.transactFor(ctx, foldTime, "folding tallies", func(t *tx) error {
		taken := sheets{}
		var reader sheetReader
		err := t.each(`WITH taken AS MATERIALIZED (
				SELECT tenant_id, live, day, id FROM tally_entries ORDER BY tenant_id, live, day, id LIMIT $1 + 0`+t.dialect.skip+`)
			DELETE FROM tally_entries WHERE (tenant_id, live, day, id) IN (SELECT tenant_id, live, day, id FROM taken)
			RETURNING tenant_id, live, day, sheet`, []any{most}, func(r row) error {
			var owner frontdesk.Owner
			var day int64
			var packed []byte
			if err := r.Scan(&owner.TenantID, &owner.Live, &day, &packed); err != nil {
				return err
			}
			folded++
			return reader.each(day, packed, true, func(p readPart) { taken.spread(owner, p.DayTally) })
		})
		if err != nil {
			return err
		}
		return t.addToSheets(taken)
	})
	return folded, err
}

// addToSheets adds to what stands for those days already. They are locked in a
// fixed order, so that two who add never wait for each other in a circle.
func (t *tx) addToSheets(more sheets) error {
	return inBatches(more.inOrder(), func(ids []sheetID) error {
		var args []any
		for _, id := range ids {
			args = append(args, string(id.owner.TenantID), id.owner.Live, string(id.agent), id.day, emptySheet)
		}
		// It changes nothing: it makes the rows that are missing, locks all of
		// them and reads them, in one go.
		err := t.each(`INSERT INTO tally_days (tenant_id, live, agent_id, day, sheet) VALUES `+placeholders(len(ids), 5)+`
			ON CONFLICT (tenant_id, live, agent_id, day) DO UPDATE SET sheet = tally_days.sheet
			RETURNING tenant_id, live, agent_id, day, sheet`,
			args, func(r row) error { return addStored(r, more) })
		if err != nil {
			return err
		}
		for i, id := range ids {
			args[5*i+4] = more[id].pack()
		}
		return t.later(`INSERT INTO tally_days (tenant_id, live, agent_id, day, sheet) VALUES `+placeholders(len(ids), 5)+`
			ON CONFLICT (tenant_id, live, agent_id, day) DO UPDATE SET sheet = excluded.sheet`, args...)
	})
}

// addStored adds the sheet of a row to the one that is to be written.
func addStored(r row, to sheets) error {
	var id sheetID
	var packed []byte
	if err := r.Scan(&id.owner.TenantID, &id.owner.Live, &id.agent, &id.day, &packed); err != nil {
		return err
	}
	var reader sheetReader
	err := reader.each(id.day, packed, true, func(p readPart) {
		if p.callsAlone {
			to.of(id).addCallsAlone(p.DayTally)
		} else {
			to.of(id).add(p.DayTally)
		}
	})
	if err != nil {
		return fmt.Errorf("day %d of agent %s of tenant %s: %w", id.day, id.agent, id.owner.TenantID, err)
	}
	return nil
}

// inBatches calls do with items until it had all of them: 64 at a time, then 16,
// 4 and one, so that there are four texts of a statement and not one for every
// number of rows.
func inBatches[T any](items []T, do func([]T) error) error {
	for n := 64; n > 0; n /= 4 {
		for len(items) >= n {
			if err := do(items[:n]); err != nil {
				return err
			}
			items = items[n:]
		}
	}
	return nil
}
