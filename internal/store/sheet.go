package store

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math/bits"
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// A sheet is what one owner's UTC day came to, packed into bytes: for every
// agent and channel the counts of each quarter of an hour in which there was
// something. Two sheets of a day add up to one.
//
// On the sheet of all agents together, the parts without an agent count them
// all. Beside these, each agent has its calls alone, from which it is found out
// what was after hours.
//
// The form, all numbers being varints:
//
//	version
//	names: how many, then each with its length
//	parts: how many, then each with its length:
//	  agent and channel, as positions among the names
//	  1 for calls alone, else 0
//	  a bit for each of the 96 quarters
//	  calls: a number for every quarter that has a bit
//	  unless it is calls alone:
//	    seconds and captures: the same
//	    outcomes: how many, then each its name and a number for every quarter
//	    languages: the same
const sheetVersion = 1

// emptySheet is one on which nothing stands.
var emptySheet = []byte{sheetVersion, 0, 0}

var errSheet = errors.New("a sheet of tallies cannot be read: it is damaged, or was written by a newer frontdesk")

// sheet is one that is being written.
type sheet map[sheetKey]*sheetPart

type sheetKey struct {
	agent   frontdesk.ID
	channel frontdesk.Channel
}

type byQuarter [frontdesk.QuartersPerDay]int

type sheetPart struct {
	callsAlone               bool
	calls, seconds, captures byQuarter
	outcomes, languages      map[string]*byQuarter
}

func (s sheet) part(agent frontdesk.ID, channel frontdesk.Channel) *sheetPart {
	key := sheetKey{agent, channel}
	if s[key] == nil {
		s[key] = &sheetPart{outcomes: map[string]*byQuarter{}, languages: map[string]*byQuarter{}}
	}
	return s[key]
}

func (s sheet) addCall(c frontdesk.Call) {
	p := s.part(c.AgentID, c.Channel)
	_, quarter := frontdesk.DayAndQuarter(c.StartedAt)
	p.calls[quarter]++
	p.seconds[quarter] += c.Duration
	counts(p.outcomes, string(c.Outcome))[quarter]++
	counts(p.languages, c.Language)[quarter]++
}

func (s sheet) addCapture(c frontdesk.Capture) {
	_, quarter := frontdesk.DayAndQuarter(c.CreatedAt)
	s.part(c.AgentID, c.Channel).captures[quarter]++
}

// add adds a tally of the day.
func (s sheet) add(t frontdesk.DayTally) {
	p := s.part(t.AgentID, t.Channel)
	p.calls.add(t.Quarters, t.Calls)
	p.seconds.add(t.Quarters, t.Seconds)
	p.captures.add(t.Quarters, t.Captures)
	for _, c := range t.Outcomes {
		counts(p.outcomes, c.Name).add(t.Quarters, c.Calls)
	}
	for _, c := range t.Languages {
		counts(p.languages, c.Name).add(t.Quarters, c.Calls)
	}
}

// addCallsAlone adds the calls of a tally of the day and nothing else of it.
func (s sheet) addCallsAlone(t frontdesk.DayTally) {
	p := s.part(t.AgentID, t.Channel)
	p.callsAlone = true
	p.calls.add(t.Quarters, t.Calls)
}

func (b *byQuarter) add(quarters []uint8, n []int) {
	for i, q := range quarters {
		b[q] += n[i]
	}
}

func counts(columns map[string]*byQuarter, name string) *byQuarter {
	if columns[name] == nil {
		columns[name] = &byQuarter{}
	}
	return columns[name]
}

// pack writes the sheet. The same counts give the same bytes.
func (s sheet) pack() []byte {
	w := sheetWriter{places: map[string]int{}}
	for _, key := range slices.SortedFunc(maps.Keys(s), func(a, b sheetKey) int {
		return cmp.Or(cmp.Compare(a.agent, b.agent), cmp.Compare(a.channel, b.channel))
	}) {
		w.write(key, s[key])
	}
	packed := binary.AppendUvarint([]byte{sheetVersion}, uint64(len(w.names)))
	for _, name := range w.names {
		packed = append(binary.AppendUvarint(packed, uint64(len(name))), name...)
	}
	return append(binary.AppendUvarint(packed, uint64(len(s))), w.parts...)
}

type sheetWriter struct {
	names  []string
	places map[string]int
	parts  []byte
	part   []byte
}

func (w *sheetWriter) write(key sheetKey, p *sheetPart) {
	w.part = w.part[:0]
	w.name(string(key.agent))
	w.name(string(key.channel))
	quarters := p.quarters()
	w.number(p.form())
	w.part = binary.LittleEndian.AppendUint64(w.part, quarters.low)
	w.part = binary.LittleEndian.AppendUint32(w.part, quarters.high)
	w.counts(quarters, &p.calls)
	if !p.callsAlone {
		w.counts(quarters, &p.seconds)
		w.counts(quarters, &p.captures)
		w.columns(quarters, p.outcomes)
		w.columns(quarters, p.languages)
	}
	w.parts = append(binary.AppendUvarint(w.parts, uint64(len(w.part))), w.part...)
}

// The forms of a part.
const (
	formFull = iota
	formCallsAlone
)

func (p *sheetPart) form() int {
	if p.callsAlone {
		return formCallsAlone
	}
	return formFull
}

func (w *sheetWriter) columns(quarters quarterSet, columns map[string]*byQuarter) {
	w.number(len(columns))
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		w.name(name)
		w.counts(quarters, columns[name])
	}
}

func (w *sheetWriter) number(n int) { w.part = binary.AppendUvarint(w.part, uint64(n)) }

func (w *sheetWriter) name(name string) {
	place, known := w.places[name]
	if !known {
		place = len(w.names)
		w.places[name] = place
		w.names = append(w.names, name)
	}
	w.number(place)
}

func (w *sheetWriter) counts(quarters quarterSet, counts *byQuarter) {
	for q, n := range counts {
		if quarters.has(q) {
			w.number(n)
		}
	}
}

// quarterSet has a bit for each quarter of a day.
type quarterSet struct {
	low  uint64
	high uint32
}

func (p *sheetPart) quarters() (set quarterSet) {
	for q := range p.calls {
		switch {
		case p.calls[q] == 0 && p.captures[q] == 0:
		case q < 64:
			set.low |= 1 << q
		default:
			set.high |= 1 << (q - 64)
		}
	}
	return set
}

func (s quarterSet) has(q int) bool {
	if q < 64 {
		return s.low>>q&1 == 1
	}
	return s.high>>(q-64)&1 == 1
}

// list appends the quarters that have a bit, ascending.
func (s quarterSet) list(quarters []uint8) []uint8 {
	for low := s.low; low != 0; low &= low - 1 {
		quarters = append(quarters, uint8(bits.TrailingZeros64(low)))
	}
	for high := s.high; high != 0; high &= high - 1 {
		quarters = append(quarters, uint8(64+bits.TrailingZeros32(high)))
	}
	return quarters
}

// sheetReader reads sheets, one after the other. It keeps what it needs for the
// next one: reading a year makes next to no garbage.
type sheetReader struct {
	rest     []byte
	bad      bool
	known    map[string]string
	names    []string
	quarters []uint8
	figures  []int
	columns  []frontdesk.TallyColumn
}

// readPart is a part of a sheet as it is read. It is good until the next one is.
type readPart struct {
	frontdesk.DayTally
	callsAlone bool
}

// each calls visit for every part of a day's sheet. Without details, which are
// outcomes, languages and the parts of calls alone, it leaves them out.
func (r *sheetReader) each(day int64, packed []byte, details bool, visit func(readPart)) error {
	r.rest, r.bad = packed, false
	if r.number() != sheetVersion || !r.readNames() {
		return errSheet
	}
	for n := r.number(); n > 0 && !r.bad; n-- {
		size := r.number()
		if size > len(r.rest) {
			return errSheet
		}
		after := r.rest[size:]
		r.rest = r.rest[:size]
		if p := r.part(details); !r.bad && (details || !p.callsAlone) {
			p.Day = day
			visit(p)
		}
		r.rest = after
	}
	if r.bad {
		return errSheet
	}
	return nil
}

func (r *sheetReader) readNames() bool {
	if r.known == nil {
		r.known = map[string]string{}
	}
	r.names = r.names[:0]
	for n := r.number(); n > 0 && !r.bad; n-- {
		size := r.number()
		if size > len(r.rest) {
			return false
		}
		name, known := r.known[string(r.rest[:size])]
		if !known {
			name = string(r.rest[:size])
			r.known[name] = name
		}
		r.names, r.rest = append(r.names, name), r.rest[size:]
	}
	return !r.bad
}

func (r *sheetReader) part(details bool) (p readPart) {
	r.figures, r.columns = r.figures[:0], r.columns[:0]
	p.AgentID, p.Channel = frontdesk.ID(r.name()), frontdesk.Channel(r.name())
	form := r.number()
	p.callsAlone = form == formCallsAlone
	if r.bad || form > formCallsAlone || p.callsAlone && !details || !r.readQuarters() {
		r.bad = r.bad || form > formCallsAlone
		return p
	}
	p.Quarters = r.quarters
	p.Calls = r.counts()
	if p.callsAlone {
		return p
	}
	p.Seconds, p.Captures = r.counts(), r.counts()
	if details {
		outcomes := r.readColumns()
		languages := r.readColumns()
		p.Outcomes, p.Languages = r.columns[:outcomes:outcomes], r.columns[outcomes:outcomes+languages]
	}
	return p
}

func (r *sheetReader) readQuarters() bool {
	const size = 12
	if len(r.rest) < size {
		r.bad = true
		return false
	}
	set := quarterSet{binary.LittleEndian.Uint64(r.rest), binary.LittleEndian.Uint32(r.rest[8:])}
	r.rest = r.rest[size:]
	r.quarters = set.list(r.quarters[:0])
	return true
}

// readColumns appends columns to r.columns and says how many.
func (r *sheetReader) readColumns() int {
	n := 0
	for want := r.number(); n < want && !r.bad; n++ {
		name := r.name()
		r.columns = append(r.columns, frontdesk.TallyColumn{Name: name, Calls: r.counts()})
	}
	return n
}

// counts reads a figure for each quarter.
func (r *sheetReader) counts() []int {
	begin, end := len(r.figures), len(r.figures)+len(r.quarters)
	r.figures = slices.Grow(r.figures, len(r.quarters))[:end]
	figures, rest, at := r.figures[begin:end:end], r.rest, 0
	for i := range figures {
		if at < len(rest) && rest[at] < 0x80 { // as most are
			figures[i] = int(rest[at])
			at++
			continue
		}
		n, size := binary.Uvarint(rest[at:])
		if size <= 0 {
			r.bad = true
			break
		}
		figures[i] = int(n)
		at += size
	}
	r.rest = rest[at:]
	return figures
}

func (r *sheetReader) name() string {
	place := r.number()
	if r.bad || place >= len(r.names) {
		r.bad = true
		return ""
	}
	return r.names[place]
}

// number reads a number that says how much follows.
func (r *sheetReader) number() int {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > 1<<30 {
		r.bad = true
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}
