package understanding

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// claim is a command as a model has written it: a stranger's JSON. A field that
// is missing, of another type or too long is empty; fields that were not asked
// for are not looked at.
type claim struct {
	do                    hearing.Verb
	slot                  hearing.Slot
	task, topic, urgency  string
	value, text, language string
	quantity              int
}

const (
	mostFilled   = 64 << 10 // bytes
	mostClaims   = 24
	longestField = 400 // runes
)

// readClaims reads what a model has filled in. An answer that is no list of
// commands is none.
func readClaims(filled json.RawMessage) (all []claim, ok bool) {
	var in struct {
		Language json.RawMessage
		Commands []map[string]json.RawMessage
	}
	if len(filled) > mostFilled || json.Unmarshal(filled, &in) != nil {
		return nil, false
	}
	for i, fields := range in.Commands {
		if i == mostClaims {
			break
		}
		all = append(all, claim{
			do: hearing.Verb(line(fields["do"])), slot: hearing.Slot(line(fields["slot"])), task: line(fields["task"]), topic: line(fields["topic"]), urgency: line(fields["urgency"]),
			value: line(fields["value"]), text: line(fields["text"]), quantity: whole(fields["quantity"]), language: line(in.Language),
		})
	}
	return all, true
}

// line is a field of words, in one line; a number is taken as it is written.
func line(field json.RawMessage) string {
	var s string
	if json.Unmarshal(field, &s) != nil {
		var n json.Number
		if json.Unmarshal(field, &n) != nil {
			return ""
		}
		s = n.String()
	}
	if utf8.RuneCountInString(s) > longestField {
		return ""
	}
	return strings.TrimSpace(hearing.OneLine(s))
}

// whole is a field of a whole number; models put them in quotes at times.
func whole(field json.RawMessage) int {
	n, err := strconv.Atoi(line(field))
	if err != nil {
		return 0
	}
	return n
}
