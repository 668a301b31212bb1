package store

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// afterAll is a position before the newest item of any list.
const afterAll = frontdesk.ID("ffffffff-ffff-ffff-ffff-ffffffffffff")

// filter keeps the rows whose column has the value, or compares to it as compare
// says; the value "" keeps all.
type filter struct {
	column  string
	value   string
	number  int64  // in place of value
	compare string // "": =

	// Some values are much rarer than others. PostgreSQL keeps one plan for all of
	// them, and expects each to be as frequent as they are on average: for a rare one
	// it would walk through all of the owner's rows. So it is not told the value, and
	// is told the condition twice, which makes it seem rare: then it takes the index
	// that has the column.
	uneven bool

	// In place of all that: captures that these filters keep, of which there are
	// few.
	within []filter
}

// asking is s.each with all that stays the same from one question to the next;
// of a transaction it is t.each.
func (s *Store) asking(ctx context.Context, doing string) asks {
	return func(query string, args []any, scan func(row) error) error {
		return s.each(ctx, doing, query, args, scan)
	}
}

type asks func(query string, args []any, scan func(row) error) error

// one reads the row that a question finds. When it finds none, the thing is
// missing.
func one[T any](ask asks, thing, query string, args []any, scan func(row) (T, error)) (item T, err error) {
	found := false
	err = ask(query, args, func(r row) (err error) {
		found = true
		item, err = scan(r)
		return err
	})
	if err == nil && !found {
		err = frontdesk.Missing(thing)
	}
	return item, err
}

// page reads one page of an owner's rows, newest first. selecting is the query
// up to its WHERE. There are as many query texts as combinations of filters,
// and an index for each of them.
func page[T any](ctx context.Context, s *Store, doing, selecting string, owner frontdesk.Owner, p frontdesk.Page,
	filters []filter, scan func(row) (T, error),
) (frontdesk.List[T], error) {
	limit := cmp.Or(p.Limit, frontdesk.DefaultPageSize)
	query, args := pageQuery(selecting, owner, p.StartingAfter, limit+1, filters)
	list := frontdesk.List[T]{Items: make([]T, 0, limit+1)}
	err := s.each(ctx, doing, query, args, func(r row) error {
		if len(list.Items) > limit {
			return nil
		}
		item, err := scan(r)
		list.Items = append(list.Items, item)
		return err
	})
	if err != nil {
		return frontdesk.List[T]{}, err
	}
	if len(list.Items) > limit {
		list.Items, list.More = list.Items[:limit], true
	}
	return list, nil
}

// mostRows are the limits that stand in the texts of questions. They are literals,
// because PostgreSQL would take a parameter for a tenth of all rows: it would plan
// every question anew rather than keep a plan, which takes longer than to answer it
// where a table has many partitions. And they are few, because every one of them
// makes another text.
var mostRows = []int{frontdesk.DefaultPageSize + 1, frontdesk.MaxPageSize + 1, searchBatch}

// atMost is the least limit of a text that is enough for n rows.
func atMost(n int) string {
	for _, most := range mostRows {
		if n <= most {
			return strconv.Itoa(most)
		}
	}
	return strconv.Itoa(n)
}

// pageQuery asks for at least limit rows where there are so many: callers pass over
// the others.
func pageQuery(selecting string, owner frontdesk.Owner, after frontdesk.ID, limit int, filters []filter) (string, []any) {
	where, args := conditions(filters, []any{string(owner.TenantID), owner.Live, string(cmp.Or(after, afterAll))})
	return selecting + ` WHERE tenant_id = $1 AND live = $2 AND id < $3` + where + ` ORDER BY id DESC LIMIT ` + atMost(limit), args
}

// conditions are the filters in SQL, each with an AND before it, and args with
// what they compare to. The first two of args are the owner.
func conditions(filters []filter, args []any) (string, []any) {
	var where strings.Builder
	for _, f := range filters {
		var value any = f.value
		switch {
		case f.within != nil:
			var inner string
			inner, args = conditions(f.within, args)
			// The limit keeps the database from planning both as one.
			fmt.Fprintf(&where, ` AND id IN (SELECT id FROM captures WHERE tenant_id = $1 AND live = $2%s ORDER BY %s LIMIT %d)`,
				inner, f.within[0].column, 2*mostSorted)
			continue
		case f.number != 0:
			value = f.number
		case f.value == "":
			continue
		}
		args = append(args, value)
		if f.uneven {
			fmt.Fprintf(&where, ` AND %[1]s = (SELECT CAST($%[2]d AS TEXT)) AND %[1]s >= (SELECT CAST($%[2]d AS TEXT))`, f.column, len(args))
			continue
		}
		fmt.Fprintf(&where, ` AND %s %s $%d`, f.column, cmp.Or(f.compare, `=`), len(args))
	}
	return where.String(), args
}
