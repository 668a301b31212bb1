package dates

import (
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/language"
)

// line is what was said, token by token, with what has been found in it so far.
// Everything that reads begins with what stands at a place of it.
type line struct {
	*vocabulary
	text     string
	toks     []token
	now      time.Time
	today    Date
	lang     *lexicon // of the language to prefer
	asked    Asked
	standing Standing
	found    []Mention

	// moving: the caller moves an appointment. Then "from Monday to Tuesday" is
	// no range, and Tuesday counts.
	moving bool
}

// reader finds the mentions of a line. It knows days; clocks knows times, and
// figures what is written in figures.
type reader struct{ clocks }

func (r *reader) prepare(tokens []language.Token, lang *language.Language) {
	r.toks = r.tokensOf(r.text, tokens)
	r.lang = r.preferred(lang)
	r.moving = slices.ContainsFunc(r.toks, func(t token) bool { return r.sets["moves"][t.word] })
	r.take()
}

// preferred is the lexicon of a language; without one it is told by the small
// words of the text.
func (r *reader) preferred(lang *language.Language) *lexicon {
	best, most := r.lexicons[len(r.lexicons)-1], 0
	for _, l := range slices.Backward(r.lexicons) {
		if l.language == lang {
			return l
		}
		score := 0
		for _, t := range r.toks {
			if l.grammar[t.word] {
				score++
			}
		}
		if score > most {
			best, most = l, score
		}
	}
	return best
}

// tok is the token at i; there is an empty one on either side of the text.
func (r *line) tok(i int) token {
	if i < 0 || i >= len(r.toks) {
		return token{gap: language.Stop, value: -1, weekday: -1, clause: -1}
	}
	return r.toks[i]
}

func (r *line) word(i int) string {
	if i < 0 || i >= len(r.toks) {
		return ""
	}
	return r.toks[i].word
}

// is says whether the word at i is in a set of the vocabulary.
func (r *line) is(i int, set string) bool { return r.sets[set][r.word(i)] }

// soft says whether token i stands close enough to the one before.
func (r *line) soft(i int) bool { return r.tok(i).gap.Soft() }

// near is soft, or parted by a comma.
func (r *line) near(i int) bool { return r.soft(i) || r.tok(i).gap == language.Comma }

// says tells whether the words stand at token i.
func (r *line) says(i int, words []string) bool {
	if i < 0 || i+len(words) > len(r.toks) {
		return false
	}
	for k, w := range words {
		if t := &r.toks[i+k]; t.word != w || t.taken || k > 0 && !t.gap.Soft() {
			return false
		}
	}
	return true
}

// skip is the token after the word at i if it is in the set, or else i.
func (r *line) skip(i int, set string) int {
	if r.is(i, set) {
		return i + 1
	}
	return i
}

// over is the token after all words of the set that stand near at i.
func (r *line) over(i int, set string) int {
	const longest = 4
	for range longest {
		if !r.near(i) || !r.is(i, set) {
			break
		}
		i++
	}
	return i
}

// heardAt says whether an expression of a plain section stands at i, and where
// it ends.
func (r *line) heardAt(i int, section string) (end int) {
	_, end = r.plain[section].at(r, i)
	return end
}

// rule reads one mention that begins at token i, and tells the token after it;
// 0 when there is none.
type rule func(r *reader, i int) (Mention, int)

// longest is what the rule finds that reads furthest; of equals the first.
func (r *reader) longest(i int, rules ...rule) (m Mention, end int) {
	for _, try := range rules {
		if found, e := try(r, i); e > max(end, i) {
			m, end = found, e
		}
	}
	return m, end
}

// scan finds the mentions one after the other.
func (r *reader) scan() {
	for i := 0; i < len(r.toks); {
		if !r.begins(r.toks[i]) {
			i++
			continue
		}
		m, end := r.longest(i, relation, bound, offset, dayRange, weekdaySet, otherOne, day, days, clockRange, clock, part, soonest)
		if end == 0 {
			i++
			continue
		}
		r.add(m, i, end)
		i = end
	}
}

// begins says whether a mention may begin with the token. Most words of a
// sentence are passed over here.
func (r *reader) begins(t token) bool {
	return !t.taken && (t.value >= 0 || t.weekday >= 0 || t.month > 0 || r.first[t.word])
}

// add keeps a mention, together with the small words before it that belong to it.
func (r *reader) add(m Mention, i, end int) {
	first := 0
	if len(r.found) > 0 {
		first = r.found[len(r.found)-1].tokens.to
	}
	m.head = i
	for i > first && r.soft(i) && r.is(i-1, "leading") {
		i--
	}
	m.tokens = span{i, end}
	m.Start, m.End = r.toks[i].start, r.toks[end-1].end
	if last, ok := r.last(); ok { // words that were spelled as one share their place
		m.Start = max(m.Start, last.End)
		m.End = max(m.End, m.Start)
	}
	r.found = append(r.found, m)
}

// last is the mention that was found last.
func (r *line) last() (Mention, bool) {
	if len(r.found) == 0 {
		return Mention{}, false
	}
	return r.found[len(r.found)-1], true
}
