package store

import "github.com/jackc/pgx/v5/pgtype"

// text is a column that is read into a string; NULL is "". With shared, rows that
// have the same value have the same copy of it.
type text struct {
	value  string
	shared *texts
}

// texts keeps one copy of each text that comes again in the rows of an answer: of
// a month of appointments most have the same service, status and resource.
type texts struct {
	known  map[string]string
	buffer [64]byte // longer ones are not shared
}

func newTexts() *texts { return &texts{known: map[string]string{}} }

// mostShared bounds what is looked up: beyond it, texts do not come again.
const mostShared = 256

func (t *texts) of(b []byte) string {
	if known, ok := t.known[string(b)]; ok { // this conversion copies nothing
		return known
	}
	s := string(b)
	if len(t.known) < mostShared {
		t.known[s] = s
	}
	return s
}

// ScanBytes takes a column of PostgreSQL's that is a text.
func (t *text) ScanBytes(b []byte) error {
	t.set(b)
	return nil
}

func (t *text) set(b []byte) {
	switch {
	case t.value == string(b): // as in the row before
	case t.shared == nil || len(b) > len(t.shared.buffer):
		t.value = string(b)
	default:
		t.value = t.shared.of(b)
	}
}

// ScanText takes a column of PostgreSQL's that is written as a text, such as an
// id.
func (t *text) ScanText(v pgtype.Text) error {
	t.value = v.String
	return nil
}

// text reads a column of SQLite's.
func (r liteRow) text(i int, t *text) {
	if t.shared != nil {
		if n := r.stmt.ColumnBytes(i, t.shared.buffer[:]); n < len(t.shared.buffer) {
			t.set(t.shared.buffer[:n])
			return
		}
	}
	t.value = r.stmt.ColumnText(i)
}
