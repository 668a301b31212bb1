package search

import (
	"strings"
	"unicode/utf8"
)

// Lengths of an answer in bytes: the most that is said, and what is short enough
// to say a second sentence.
const (
	longestAnswer = 300
	shortAnswer   = 160
)

// What makes a sentence the answer beside the question's own words, in shares
// of the question: the kind of fact that is asked for, to be the first after a
// question that was answered before, and to be near in meaning.
const (
	factTells  = 0.25
	firstTells = 0.6
	nearTells  = 1
)

// answer takes from a fragment the one or two sentences that say most about the
// question. A fragment's own question is never part of it.
func (ix *Index) answer(q *question, e *evidence) string {
	f := &ix.fragments[e.fragment]
	if rowCells(f.Text) != nil {
		return clip(f.Text) // of a question that was answered before: rows of tables are worded by answerRows
	}
	if len(e.parts) == 0 {
		return ""
	}
	best := ix.bestPart(q, e)
	from, to := q.extend(f.Text, e.parts, best)
	if isHeading(f.Text, e.parts, best) {
		to = below(f.Text, e.parts, best, to)
	}
	if from == best && leansBack(f.Text, e.parts[:to+1], best) {
		from--
	}
	return clip(joined(f.Text, e.parts[from:to+1]))
}

// bestPart is the sentence of a fragment that says most about the question.
func (ix *Index) bestPart(q *question, e *evidence) (best int) {
	f := &ix.fragments[e.fragment]
	most := float32(-1)
	for i := range e.parts {
		tells := q.tells(&e.parts[i])
		if leansBack(f.Text, e.parts[:i+1], i) { // it is about what the one before it names
			tells = max(tells, q.tells(&e.parts[i])+q.gain(f.Text, e.parts, i, i-1))
		}
		if i == 0 && f.Question != "" {
			tells += firstTells
		}
		if tells > most {
			best, most = i, tells
		}
	}
	return best
}

// longestHeading is how many words the heading of a paragraph has at most.
const longestHeading = 5

// isHeading tells whether a sentence is the heading of a paragraph: "Dogs. On the
// terrace, yes. Inside, only guide dogs."
func isHeading(text string, parts []part, at int) bool {
	return at+1 < len(parts) && sameParagraph(text, parts[at], parts[at+1]) && len(strings.Fields(parts[at].of(text))) <= longestHeading &&
		(at == 0 || !sameParagraph(text, parts[at-1], parts[at]))
}

// littleSaid is what a heading and a sentence are at most, in bytes, for one more
// sentence to be said: "Emergencies. We are not vets." helps nobody.
const littleSaid = 60

// below is the last sentence to say after a heading: all of a short paragraph.
func below(text string, parts []part, at, to int) int {
	for to+1 < len(parts) && sameParagraph(text, parts[to], parts[to+1]) {
		length := parts[to+1].end - parts[at].start
		if length > shortAnswer && (length > longestAnswer || parts[to].end-parts[at].start > littleSaid) {
			break
		}
		to++
	}
	return to
}

// sameParagraph tells whether no empty line lies between two sentences.
func sameParagraph(text string, a, b part) bool {
	return !strings.Contains(text[a.end:b.start], "\n\n")
}

// nextItem tells whether a sentence begins another item of a list than the one before it
// is of.
func nextItem(text string, a, b part) bool {
	return strings.Contains(text[a.end:b.start], "\n") && strings.ContainsAny(text[a.end-1:a.end], ".!?")
}

// leansBack tells whether a sentence begins with a word that stands for something
// named before it, "She works on Mondays": then that is said as well, where there is
// room.
func leansBack(text string, parts []part, at int) bool {
	if at == 0 || parts[len(parts)-1].end-parts[at-1].start > longestAnswer || !sameParagraph(text, parts[at-1], parts[at]) {
		return false
	}
	first := tokens(parts[at].of(text))
	return len(first) > 0 && facts().leaning[first[0].word]
}

// tells is how much a sentence says about the question.
func (q *question) tells(p *part) float32 {
	return q.share(p.found) + factTells*max(0, q.fits(p.kinds)) + nearTells*p.near
}

// extend adds a neighbouring sentence to the best one when both fit and the
// other says something more, or what comes next may belong to a short one.
func (q *question) extend(text string, parts []part, best int) (from, to int) {
	after, before := q.gain(text, parts, best, best+1), q.gain(text, parts, best, best-1)
	switch {
	case before > 0.1 && before > after:
		return best - 1, best
	case after > 0.05, after >= 0 && goesOn(text, parts[best:]):
		return best, best + 1
	}
	return best, best
}

// goesOn tells whether what follows a sentence may belong to it: it is short,
// and the line goes on.
func goesOn(text string, parts []part) bool {
	this, next := parts[0], parts[1]
	return this.end-this.start < shortAnswer && !strings.Contains(text[this.end:next.start], "\n")
}

// muchMore is how much more a sentence of another paragraph must say to be added.
const muchMore = 0.3

// gain is how much more a sentence says together with another; -1 when there is
// no other, no room for it, or it is of another paragraph and does not say much more.
func (q *question) gain(text string, parts []part, best, other int) float32 {
	if other < 0 || other >= len(parts) {
		return -1
	}
	a, b := &parts[best], &parts[other]
	if max(a.end, b.end)-min(a.start, b.start) > longestAnswer {
		return -1
	}
	both := part{&passage{kinds: a.kinds | b.kinds}, union(a.found, b.found), max(a.near, b.near)}
	more := q.tells(&both) - q.tells(a)
	if first, second := parts[min(best, other)], parts[max(best, other)]; more < muchMore && (!sameParagraph(text, first, second) || other < best && nextItem(text, first, second)) {
		return -1
	}
	return more
}

// joined are sentences of a text as one line. Lines that end without a mark are
// items of a list.
func joined(text string, parts []part) string {
	said := ""
	for _, p := range parts {
		s := strings.TrimLeft(p.of(text), "-*•· ")
		switch {
		case said == "":
			said = s
		case strings.ContainsAny(said[len(said)-1:], ".!?:;,"):
			said += " " + s
		default:
			said += "; " + s
		}
	}
	return said
}

// rowCells splits a row of a table, as "Service: Cut; Price: 25 €", into its
// cells. It is nil for other texts.
func rowCells(text string) []string {
	if strings.Contains(text, "\n") {
		return nil
	}
	cells := strings.Split(text, "; ")
	for _, c := range cells {
		if !strings.Contains(c, ": ") {
			return nil
		}
	}
	if len(cells) < 2 {
		return nil
	}
	return cells
}

// clip cuts a text at a word, so that it is not too long. A number is not cut
// off from what follows it.
func clip(text string) string {
	if len(text) <= longestAnswer {
		return text
	}
	cut := longestAnswer - len("…")
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	text = text[:cut]
	for space := strings.LastIndexAny(text, " \n"); space > longestAnswer/2; space = strings.LastIndexAny(text, " \n") {
		text = strings.TrimRight(text[:space], " ,;:\n")
		if !digitAt(text, len(text)-1) {
			break
		}
	}
	return text + "…"
}
