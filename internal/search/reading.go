package search

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Reading is what a reader is given of a fragment: the headings that it stands under
// and the question that it answers come first.
func Reading(f *frontdesk.Fragment) string {
	var b strings.Builder
	for _, part := range []string{f.Heading, f.Question} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	b.WriteString(f.Text)
	return b.String()
}
