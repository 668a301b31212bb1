package dates

import (
	"slices"
	"time"
)

// reader goes through the tokens of one text.
type reader struct {
	text  string
	toks  []token
	now   time.Time
	today Date
	lang  string // "es" or "en", the one to prefer
	asked Asked
	found []Mention

	// moving: the caller moves an appointment. Then "from Monday to Tuesday" is
	// no range, and Tuesday counts.
	moving bool
}

func newReader(text string, now time.Time, lang string, asked Asked) *reader {
	r := &reader{text: text, toks: tokenise(text), now: now, today: DateOf(now), lang: lang, asked: asked}
	if lang != "es" && lang != "en" {
		r.lang = r.guess()
	}
	r.moving = slices.ContainsFunc(r.toks, func(t token) bool { return moves[t.word] })
	r.take()
	return r
}

// guess tells the language by its small words; Spanish when in doubt.
func (r *reader) guess() string {
	score := 0
	for _, t := range r.toks {
		if grammarEN[t.word] {
			score++
		}
		if grammarES[t.word] {
			score--
		}
	}
	if score > 0 {
		return "en"
	}
	return "es"
}

func other(lang string) string {
	if lang == "es" {
		return "en"
	}
	return "es"
}

// tok is the token at i; there is an empty one on either side of the text.
func (r *reader) tok(i int) token {
	if i < 0 || i >= len(r.toks) {
		return token{gap: stop, value: -1, weekday: -1}
	}
	return r.toks[i]
}

func (r *reader) word(i int) string { return r.tok(i).word }

// soft says whether token i stands close enough to the one before.
func (r *reader) soft(i int) bool { return r.tok(i).gap.soft() }

// near is soft, or parted by a comma.
func (r *reader) near(i int) bool { return r.soft(i) || r.tok(i).gap == comma }

// says tells whether the words stand at token i.
func (r *reader) says(i int, words []string) bool {
	for k, w := range words {
		if t := r.tok(i + k); t.word != w || t.taken || k > 0 && !t.gap.soft() {
			return false
		}
	}
	return true
}

// skip is the token after the word at i if it is one of those, or else i.
func (r *reader) skip(i int, words ...string) int {
	for _, w := range words {
		if r.word(i) == w {
			return i + 1
		}
	}
	return i
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
		if !r.toks[i].begins() {
			i++
			continue
		}
		m, end := r.longest(i, offset, dayRange, day, days, clockRange, clock, part)
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
func (t token) begins() bool {
	return !t.taken && (t.value >= 0 || t.weekday >= 0 || t.month > 0 || beginnings[t.word])
}

// beginnings are the first words of all that the rules know.
var beginnings = func() map[string]bool {
	all := set(`half quarter a pasado faltan falta un cuarto hora next following proximo proxima this in en during durante este
from between de del desde entre`)
	for _, words := range []map[string]int{cardinals["es"], cardinals["en"], ordinals["es"], ordinals["en"]} {
		firsts(all, words)
	}
	firsts(all, relatives)
	firsts(all, dayAfter)
	firsts(all, whichBefore)
	firsts(all, stretches)
	firsts(all, weekOf)
	firsts(all, nthWeekdays)
	firsts(all, nthWeek)
	firsts(all, monthParts)
	firsts(all, feasts)
	firsts(all, offsetOpen)
	firsts(all, quantities)
	firsts(all, nows)
	firsts(all, leads)
	firsts(all, fixed)
	firsts(all, spokenParts)
	firsts(all, otherParts)
	firsts(all, afterDay)
	firsts(all, articled)
	firsts(all, dayEnds)
	return all
}()

func firsts[T any](all map[string]bool, words map[string]T) {
	for w := range words {
		all[w] = true
	}
}

// leading are words that belong to the mention behind them.
var leading = set(`on the el del al dia este this of next proximo`)

// add keeps a mention, together with the small words before it.
func (r *reader) add(m Mention, i, end int) {
	first := 0
	if len(r.found) > 0 {
		first = r.found[len(r.found)-1].tokens.to
	}
	for i > first && r.soft(i) && leading[r.word(i-1)] {
		i--
	}
	m.tokens = span{i, end}
	m.Start, m.End = r.toks[i].start, r.toks[end-1].end
	r.found = append(r.found, m)
}
