package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"frontdesk.dev/frontdesk/internal/wire"
)

// print answers with value as JSON, or with what text writes.
func (p *program) print(value any, text func(io.Writer)) error {
	if p.json {
		return encode(p.stdout, value)
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	text(w)
	return w.Flush()
}

func encode(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("printing the answer: %w", err)
	}
	return nil
}

// warn tells of something that is not an error, on standard error.
func (p *program) warn(message string) {
	if p.json {
		_ = encode(p.stderr, map[string]any{"warning": map[string]string{"message": message}}) // a warning stops nothing
		return
	}
	fmt.Fprintf(p.stderr, "warning: %s\n", message)
}

// row writes the cells of one line of a table. What others wrote into a cell
// cannot break the table or the terminal.
func row(w io.Writer, cells ...string) {
	for i, c := range cells {
		cells[i] = strings.Map(printable, c)
	}
	fmt.Fprintln(w, strings.Join(cells, "\t"))
}

func printable(r rune) rune {
	if r < 0x20 || r >= 0x7f && r < 0xa0 {
		return ' '
	}
	return r
}

// stamp spells an instant for JSON: null when there is none.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := wire.Time(t)
	return &s
}

// when spells an instant for people.
func when(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
