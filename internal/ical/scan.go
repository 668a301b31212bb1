package ical

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// property is a line of a component. Its parameters are as they were written.
type property struct {
	name, params, value string
}

// component is what stands between a BEGIN and its END: the properties that are
// read of one of its kind, and of a time zone its blocks.
type component struct {
	properties []property
	blocks     []*component
}

// all are the properties of a name.
func (c *component) all(name string) (found []property) {
	for _, p := range c.properties {
		if p.name == name {
			found = append(found, p)
		}
	}
	return found
}

// first is the first property of a name, empty if there is none.
func (c *component) first(name string) property {
	for _, p := range c.properties {
		if p.name == name {
			return p
		}
	}
	return property{}
}

// contents are the components of a calendar that say when somebody is busy.
type contents struct {
	events, freeBusy, zones []*component
}

// Components nest three deep; a few levels more do no harm.
const maxDepth = 10

// wanted are the properties that are read of each kind of component. All others
// are passed over, however long they are.
func wanted(kind string) []string {
	switch kind {
	case "VEVENT":
		return []string{"UID", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "TRANSP", "STATUS", busyStatus}
	case "VFREEBUSY":
		return []string{"UID", "FREEBUSY"}
	case "VTIMEZONE":
		return []string{"TZID"}
	case "STANDARD", "DAYLIGHT":
		return []string{"DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "RRULE", "RDATE"}
	}
	return nil
}

// nesting is where in the calendar the lines are.
type nesting struct {
	contents
	kinds []string     // of the components that are open
	open  []*component // the same; nil for one that is passed over
	room  int          // for further components
	whole bool         // a calendar has ended
}

// scan reads a calendar.
func scan(r io.Reader, o Options) (contents, error) {
	n := nesting{room: o.Components}
	l := lineReader{r: bufio.NewReader(r), left: o.Bytes, longest: o.Line}
	for {
		line, cut, err := l.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return contents{}, err
		}
		if len(line) == 0 {
			continue
		}
		if err := n.take(line, cut); err != nil {
			return contents{}, err
		}
	}
	if len(n.kinds) > 0 || !n.whole {
		return contents{}, fmt.Errorf("%w: it ends too early", ErrNoCalendar)
	}
	return n.contents, nil
}

// take takes a line. One that was cut off has only its beginning.
func (n *nesting) take(line []byte, cut bool) error {
	p, ok := parseProperty(line)
	switch {
	case !ok && len(n.kinds) == 0:
		return fmt.Errorf("%w: it begins with something else", ErrNoCalendar)
	case !ok && !cut:
		return nil // not a property; there are writers that break lines without folding them
	case p.name == "BEGIN" && !cut:
		return n.begin(strings.ToUpper(p.value))
	case p.name == "END" && !cut:
		return n.end(strings.ToUpper(p.value))
	case len(n.kinds) == 0:
		return fmt.Errorf("%w: it begins with something else", ErrNoCalendar)
	}
	last := len(n.open) - 1
	if n.open[last] == nil || !slices.Contains(wanted(n.kinds[last]), p.name) {
		return nil
	}
	if cut {
		return fmt.Errorf("%w: a line %s is too long", ErrTooMuch, p.name)
	}
	n.open[last].properties = append(n.open[last].properties, p)
	return nil
}

func (n *nesting) begin(kind string) error {
	switch {
	case len(n.kinds) == 0 && kind != "VCALENDAR":
		return fmt.Errorf("%w: it begins with something else", ErrNoCalendar)
	case len(n.kinds) == maxDepth:
		return fmt.Errorf("%w: components within components", ErrTooMuch)
	}
	// Only what stands where it belongs is read: an alarm within an event has a
	// duration too.
	var c *component
	parent := ""
	if len(n.kinds) > 0 {
		parent = n.kinds[len(n.kinds)-1]
	}
	top := len(n.kinds) == 1 && (kind == "VEVENT" || kind == "VFREEBUSY" || kind == "VTIMEZONE")
	block := len(n.kinds) == 2 && parent == "VTIMEZONE" && (kind == "STANDARD" || kind == "DAYLIGHT")
	if top || block {
		if n.room--; n.room < 0 {
			return fmt.Errorf("%w: too many components", ErrTooMuch)
		}
		c = &component{}
	}
	n.kinds, n.open = append(n.kinds, kind), append(n.open, c)
	return nil
}

func (n *nesting) end(kind string) error {
	last := len(n.kinds) - 1
	if last < 0 || n.kinds[last] != kind {
		return fmt.Errorf("%w: the end of a component that did not begin", ErrNoCalendar)
	}
	c := n.open[last]
	n.kinds, n.open = n.kinds[:last], n.open[:last]
	switch {
	case last == 0:
		n.whole = true
	case c == nil:
	case kind == "VEVENT":
		n.events = append(n.events, c)
	case kind == "VFREEBUSY":
		n.freeBusy = append(n.freeBusy, c)
	case kind == "VTIMEZONE":
		n.zones = append(n.zones, c)
	default:
		zone := n.open[last-1]
		zone.blocks = append(zone.blocks, c)
	}
	return nil
}

// parseProperty takes a line apart. A colon or a semicolon within quotes is part
// of a parameter.
func parseProperty(line []byte) (p property, ok bool) {
	quoted, name := false, -1
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ';' && name < 0:
			name = i
		case c == ':':
			if name < 0 {
				name = i
			}
			p.name = strings.ToUpper(string(bytes.TrimSpace(line[:name])))
			p.params = strings.ToValidUTF8(string(line[name:i]), "\uFFFD")
			p.value = strings.ToValidUTF8(string(bytes.TrimSpace(line[i+1:])), "\uFFFD")
			return p, p.name != ""
		}
	}
	return property{}, false
}

// param is the value of a parameter without its quotes, "" if there is none.
func (p property) param(name string) string {
	for rest := p.params; rest != ""; {
		rest = rest[1:] // the semicolon
		end, quoted := len(rest), false
		for i := range len(rest) {
			if rest[i] == '"' {
				quoted = !quoted
			} else if rest[i] == ';' && !quoted {
				end = i
				break
			}
		}
		key, value, _ := strings.Cut(rest[:end], "=")
		if strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(strings.Trim(value, `"`))
		}
		rest = rest[end:]
	}
	return ""
}

// lineReader puts folded lines together again.
type lineReader struct {
	r       *bufio.Reader
	left    int // bytes that may still come
	longest int // bytes of a line that are kept
	line    []byte
	begun   bool
}

// next is the next line without its end; cut says that there was more of it. It
// is valid until the next call.
func (l *lineReader) next() (line []byte, cut bool, err error) {
	l.line = l.line[:0]
	for {
		piece, err := l.r.ReadSlice('\n')
		if l.left -= len(piece); l.left < 0 {
			return nil, false, fmt.Errorf("%w: too many bytes", ErrTooMuch)
		}
		if !l.begun {
			l.begun = true
			piece = bytes.TrimPrefix(piece, []byte("\xef\xbb\xbf"))
		}
		room := max(l.longest+2-len(l.line), 0) // 2 for the end of the line
		cut = cut || len(piece) > room
		l.line = append(l.line, piece[:min(len(piece), room)]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.line) > 0:
			return l.line, cut, nil
		case err != nil:
			return nil, false, err
		}
		if !cut {
			l.line = bytes.TrimRight(l.line, "\r\n")
		}
		if after, err := l.r.Peek(1); err != nil || after[0] != ' ' && after[0] != '\t' {
			return l.line, cut, nil
		}
		_, _ = l.r.Discard(1)
		l.left--
	}
}
