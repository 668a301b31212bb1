package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// On PostgreSQL, calls, events and what belongs to them stand in partitions, about
// one a month, by the time in their ids. Together the partitions of a table hold
// every id that there can be: the first has no beginning and the last has no end.
// So nothing fails when nobody makes new ones; the last one grows.
//
// The last partition begins a month or two ahead, and is empty. Before its time
// comes it is given an end, and a new last one is made behind it. Rows are never
// moved. A partition that has become empty is dropped, and the one behind it
// begins where it began.
//
// Every partition has its bounds as CHECK constraints too. PostgreSQL then knows,
// without looking at its rows, that it may be attached.

// partitionedTable is a table that stands in partitions.
type partitionedTable struct {
	name string
	key  string // the id that it is divided by
	set  string // what a new partition is told besides; %s is its name
}

// partitionedTables are all of them.
var partitionedTables = []partitionedTable{
	{name: "calls", key: "id"},
	{name: "transcripts", key: "call_id"},
	// As call_words was made; see its migration.
	{name: "call_words", key: "call_id", set: `ALTER TABLE %[1]s SET (toast_tuple_target = 128);
		ALTER TABLE %[1]s ALTER COLUMN words SET STORAGE EXTERNAL, ALTER COLUMN words SET STATISTICS 0`},
	{name: "deliveries", key: "id"},
	{name: "events", key: "id"},
}

const (
	// partitionsAhead is how long before its time a partition is made. Programs
	// that find deliveries by their ctid may work beside this one until the second
	// partition has rows: an upgrade takes less.
	partitionsAhead = 30 * 24 * time.Hour
	// emptyFor is how long the time of a partition must be over before it is
	// dropped.
	emptyFor = 7 * 24 * time.Hour
	// partitionTime is how long a change of partitions may take, and
	// partitionPatience how long it is tried.
	partitionTime     = time.Minute
	partitionPatience = time.Minute
	// mostUnread is how large an empty partition may be that is dropped: while it
	// is looked through once more, nobody can use the table.
	mostUnread = 16 << 20
)

// PartitionChange is what was done to a partition, or could not be.
type PartitionChange struct {
	Table     string
	Partition string
	Step      PartitionStep
}

// PartitionStep says what it was.
type PartitionStep string

// The steps.
const (
	PartitionMade    PartitionStep = "made"
	PartitionDropped PartitionStep = "dropped"
	PartitionBusy    PartitionStep = "busy"  // somebody held the table; it is tried again
	PartitionStray   PartitionStep = "stray" // it has rows from after its time, and gets no end
)

// partition is one of a table's partitions: ids of [from, to). "" is no bound.
type partition struct {
	name     string
	from, to frontdesk.ID
}

// KeepPartitionsForWorker makes the partitions of the months to come, closes holes
// between partitions, and drops those that are over and empty. It says what it did.
// Of several workers that do so at once, one gets on.
func (s *Store) KeepPartitionsForWorker(ctx context.Context, now time.Time) (changes []PartitionChange, err error) {
	if !s.dialect.partitions {
		return nil, nil
	}
	err = s.transactFor(ctx, apartTime, "keeping partitions", func(guard *tx) error {
		var mine bool
		if _, err := guard.row(`SELECT pg_try_advisory_xact_lock(716632711, 'calls'::regclass::oid::int)`, nil, &mine); err != nil || !mine {
			return err
		}
		// It stands idle, without a snapshot, while others do the work.
		if err := guard.session.script(`SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
			return err
		}
		var failed error
		for _, table := range partitionedTables {
			done, err := s.keepPartitions(ctx, table, now)
			changes, failed = append(changes, done...), errors.Join(failed, err)
			if ctx.Err() != nil || frontdesk.IsUnavailable(failed) {
				break
			}
		}
		return failed
	})
	return changes, err
}

// keepPartitions keeps those of one table. They are looked at anew for every step,
// since the one before has changed them.
func (s *Store) keepPartitions(ctx context.Context, table partitionedTable, now time.Time) (changes []PartitionChange, err error) {
	for _, step := range []func(context.Context, partitionedTable, []partition, time.Time) ([]PartitionChange, error){
		s.closeHoles, s.lookAhead, s.dropEmpty,
	} {
		parts, err := s.partitions(ctx, table)
		if err != nil {
			return changes, err
		}
		done, err := step(ctx, table, parts, now)
		if changes = append(changes, done...); err != nil {
			return changes, err
		}
	}
	return changes, nil
}

// changed is what came of a change. That somebody else held the table is no error.
func (p partitionedTable) changed(part partition, step PartitionStep, err error) ([]PartitionChange, error) {
	if code := pgCode(err); code == lockNotAvailable || code == deadlockDetected {
		step, err = PartitionBusy, nil
	}
	if err != nil || step == "" {
		return nil, err
	}
	return []PartitionChange{{p.name, part.name, step}}, nil
}

// closeHoles makes partitions that somebody has taken away.
func (s *Store) closeHoles(ctx context.Context, table partitionedTable, parts []partition, _ time.Time) (changes []PartitionChange, err error) {
	for _, hole := range table.holes(parts) {
		done, err := table.changed(hole, PartitionMade, s.changePartitions(ctx, "closing a hole between partitions", table.create(hole)))
		if changes = append(changes, done...); err != nil {
			return changes, err
		}
	}
	return changes, nil
}

// lookAhead gives the last partition an end when its time comes near.
func (s *Store) lookAhead(ctx context.Context, table partitionedTable, parts []partition, now time.Time) ([]PartitionChange, error) {
	ahead := now.Add(partitionsAhead)
	if len(parts) == 0 {
		return nil, nil
	}
	last := parts[len(parts)-1]
	if last.to != "" || string(last.from) > firstIDFrom(ahead) {
		return nil, nil
	}
	next := table.from(frontdesk.ID(firstIDFrom(monthAfter(ahead))))
	step, err := s.endPartition(ctx, table, last, next)
	if step == PartitionStray {
		next = last
	}
	return table.changed(next, step, err)
}

// dropEmpty drops the first partition that is over and has no rows, and then looks
// for another.
func (s *Store) dropEmpty(ctx context.Context, table partitionedTable, parts []partition, now time.Time) (changes []PartitionChange, err error) {
	over := firstIDFrom(now.Add(-emptyFor))
	for i := 0; i+1 < len(parts) && string(parts[i].to) <= over; i++ {
		dropped, err := s.dropIfEmpty(ctx, table, parts[i], parts[i+1])
		if err == nil && !dropped {
			continue
		}
		done, err := table.changed(parts[i], PartitionDropped, err)
		if changes = append(changes, done...); err != nil || !dropped {
			return changes, err
		}
		parts[i+1].from = parts[i].from
	}
	return changes, nil
}

// monthAfter is the beginning of the month after t's.
func monthAfter(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, time.UTC)
}

// from is a partition of the ids from one on.
func (p partitionedTable) from(id frontdesk.ID) partition {
	if id == "" {
		return partition{name: p.name + "_first"}
	}
	return partition{name: p.name + "_from_" + id.MintedAt().Format("200601"), from: id}
}

// holes are partitions that are missing before, between and after others.
func (p partitionedTable) holes(parts []partition) (missing []partition) {
	end := frontdesk.ID("")
	for _, part := range parts {
		if part.from != end {
			hole := p.from(end)
			hole.to = part.from
			missing = append(missing, hole)
		}
		end = part.to
	}
	if len(parts) == 0 || end != "" {
		missing = append(missing, p.from(end))
	}
	return missing
}

// bound is a bound of a partition as PostgreSQL wants it.
func bound(id frontdesk.ID, none string) string {
	if id == "" {
		return none
	}
	return "'" + string(id) + "'"
}

func (p partition) values() string {
	return ` FOR VALUES FROM (` + bound(p.from, "MINVALUE") + `) TO (` + bound(p.to, "MAXVALUE") + `)`
}

// fromCheck and toCheck add a bound as a constraint.
func (p partition) fromCheck(key string) string {
	return fmt.Sprintf(`ALTER TABLE %[1]s ADD CONSTRAINT %[1]s_begins CHECK (%[2]s >= '%[3]s')`, p.name, key, p.from)
}

func (p partition) toCheck(key string) string {
	return fmt.Sprintf(`ALTER TABLE %[1]s ADD CONSTRAINT %[1]s_ends CHECK (%[2]s < '%[3]s')`, p.name, key, p.to)
}

// create are the statements that make a partition.
func (p partitionedTable) create(part partition) string {
	statements := []string{`CREATE TABLE ` + part.name + ` PARTITION OF ` + p.name + part.values()}
	if part.from != "" {
		statements = append(statements, part.fromCheck(p.key))
	}
	if part.to != "" {
		statements = append(statements, part.toCheck(p.key))
	}
	if p.set != "" {
		statements = append(statements, fmt.Sprintf(p.set, part.name))
	}
	return strings.Join(statements, ";\n")
}

// endPartition gives the last partition of a table an end, where next begins.
//
// The constraint that proves it is made first, and checked while others read and
// write. From then on the partition takes nothing from after its end, which is a
// month away at least. Whatever fails, it is taken back.
func (s *Store) endPartition(ctx context.Context, table partitionedTable, last, next partition) (PartitionStep, error) {
	last.to = next.from
	open := fmt.Sprintf(`ALTER TABLE %[1]s DROP CONSTRAINT IF EXISTS %[1]s_ends`, last.name)
	doing := "making a partition"
	// One that was cut off may have left its own.
	if err := s.changePartitions(ctx, doing, open+`; `+last.toCheck(table.key)+` NOT VALID`); err != nil {
		return "", err
	}
	err := s.engine.ask(ctx, apartTime, fmt.Sprintf(`ALTER TABLE %[1]s VALIDATE CONSTRAINT %[1]s_ends`, last.name), nil, nil)
	if err == nil {
		err = s.changePartitions(ctx, doing, strings.Join([]string{
			`ALTER TABLE ` + table.name + ` DETACH PARTITION ` + last.name,
			`ALTER TABLE ` + table.name + ` ATTACH PARTITION ` + last.name + last.values(),
			table.create(next),
		}, ";\n"))
	}
	if err == nil {
		return PartitionMade, nil
	}
	if undo := s.changePartitions(context.WithoutCancel(ctx), doing, open); undo != nil {
		return "", errors.Join(s.failed(doing, err), undo)
	}
	if pgCode(err) == checkViolation {
		return PartitionStray, nil
	}
	return "", s.failed(doing, err)
}

// checkViolation is PostgreSQL's code for a row that a constraint does not allow.
const checkViolation = "23514"

// dropIfEmpty drops a partition that has no rows. The one behind it begins where
// it began.
func (s *Store) dropIfEmpty(ctx context.Context, table partitionedTable, empty, next partition) (dropped bool, err error) {
	doing := "dropping an empty partition"
	const exists = `SELECT EXISTS (SELECT 1 FROM %s)`
	var some bool
	scan := func(r row) error { return r.Scan(&some) }
	if err := s.engine.ask(ctx, partitionTime, fmt.Sprintf(exists, empty.name), nil, scan); err != nil || some {
		return false, s.failed(doing, err)
	}
	// What was deleted is still there to be passed over, until it is vacuumed. And
	// where the next one begins must be known without reading it.
	var size int64
	err = s.engine.ask(ctx, apartTime, `VACUUM `+empty.name, nil, nil)
	if err == nil {
		err = s.engine.ask(ctx, apartTime, fmt.Sprintf(`ALTER TABLE %[1]s VALIDATE CONSTRAINT %[1]s_begins`, next.name), nil, nil)
	}
	if err == nil {
		err = s.engine.ask(ctx, partitionTime, `SELECT pg_relation_size('`+empty.name+`')`, nil, func(r row) error { return r.Scan(&size) })
	}
	if err != nil || size > mostUnread {
		return false, s.failed(doing, err)
	}
	next.from = empty.from
	begins := fmt.Sprintf(`ALTER TABLE %[1]s DROP CONSTRAINT %[1]s_begins`, next.name)
	if next.from != "" {
		begins += "; " + next.fromCheck(table.key) + ` NOT VALID`
	}
	err = s.withTables(ctx, doing, func(t *tx) error {
		if _, err := t.exec(`LOCK TABLE ` + table.name + ` IN ACCESS EXCLUSIVE MODE`); err != nil {
			return err
		}
		if _, err := t.row(fmt.Sprintf(exists, empty.name), nil, &some); err != nil || some {
			return err
		}
		return t.session.script(strings.Join([]string{
			`ALTER TABLE ` + table.name + ` DETACH PARTITION ` + empty.name,
			`DROP TABLE ` + empty.name,
			`ALTER TABLE ` + table.name + ` DETACH PARTITION ` + next.name,
			`ALTER TABLE ` + table.name + ` ATTACH PARTITION ` + next.name + next.values(),
			begins,
		}, ";\n"))
	})
	return err == nil && !some, err
}

// changePartitions runs statements in one transaction.
func (s *Store) changePartitions(ctx context.Context, doing, statements string) error {
	return s.withTables(ctx, doing, func(t *tx) error { return t.session.script(statements) })
}

// withTables runs work that keeps all others from a table, in a transaction. It
// waits only for a moment for who uses the table, since all others wait behind it,
// and comes again: less than PostgreSQL waits before it looks for two who wait
// for each other, so that it is not a customer's question that has to give way.
func (s *Store) withTables(ctx context.Context, doing string, work func(*tx) error) error {
	return again(ctx, partitionPatience, func() error {
		return s.transactFor(ctx, partitionTime, doing, func(t *tx) error {
			if _, err := t.exec(`SET LOCAL lock_timeout = '500ms'`); err != nil {
				return err
			}
			return work(t)
		})
	})
}

// partitions are those of a table, in their order.
func (s *Store) partitions(ctx context.Context, table partitionedTable) (all []partition, err error) {
	err = s.each(ctx, "looking at partitions", `SELECT c.relname, pg_get_expr(c.relpartbound, c.oid)
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = '`+table.name+`'::regclass`, nil, func(r row) error {
		var p partition
		var bounds string
		if err := r.Scan(&p.name, &bounds); err != nil {
			return err
		}
		m := partitionBounds.FindStringSubmatch(bounds)
		if m == nil {
			return fmt.Errorf("the partition %s of %s has bounds of another kind than frontdesk makes: %s", p.name, table.name, bounds)
		}
		p.from, p.to = frontdesk.ID(m[1]), frontdesk.ID(m[2])
		all = append(all, p)
		return nil
	})
	slices.SortFunc(all, func(a, b partition) int { return cmp.Compare(a.from, b.from) })
	return all, err
}

var partitionBounds = regexp.MustCompile(`^FOR VALUES FROM \((?:MINVALUE|'([0-9a-f-]{36})')\) TO \((?:MAXVALUE|'([0-9a-f-]{36})')\)$`)
