package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/language"
)

// listenServed reads an utterance without the clause that tells by whom, or in which
// language, the caller wants to be served: its words would be taken for a change, a
// condition or the wish for a person. It is noted. Where it is put as a condition, or
// against what was read back, that is read back again with it.
func listenServed(text string, s Setting) (*ear, bool) {
	e := &ear{Setting: s}
	e.Text = text
	e.words = e.wordsOf(text)
	if !s.Booking && !s.Booked || s.Expect == SlotName || s.Expect == SlotService || s.Expect == SlotChoice {
		return nil, false
	}
	at, conditional, ok := servedReader{e}.servedAt()
	if !ok {
		return nil, false
	}
	rest := listenAll(blank(text, at), s)
	rest.Text = text
	note := strings.Trim(text[at[0]:at[1]], " ,.;")
	rest.Notes = append(rest.Notes, noteWriter{&cutter{ear: e}}.withoutLeads(note))
	if conditional && s.Expect == SlotConfirm {
		rest.Yes = false
	}
	rest.pieces = append(rest.pieces, Piece{Kind: Remark, Text: note, At: at})
	slices.SortFunc(rest.pieces, func(a, b Piece) int { return a.At[0] - b.At[0] })
	return rest, true
}

// servedReader reads by whom, or in which language, a caller wants to be served.
type servedReader struct{ *ear }

// servedAt is where a clause stands that tells by whom or in which language the caller
// wants to be served, with the words that join it to what was said before; conditional
// says whether those put it against that.
func (e servedReader) servedAt() (at [2]int, conditional, ok bool) {
	words := e.words.words
	for i := range words {
		to, named := e.servedBy(i)
		if !named {
			if to, named = e.at("served_in", words, i); !named {
				continue
			}
		}
		from := i
		for from > 0 && words[from-1].Sentence == words[i].Sentence && (e.is("served_joins", words[from-1].Word) || e.is("conjunctions", words[from-1].Word)) {
			from--
		}
		end := to
		for end < len(words) && words[end].Sentence == words[i].Sentence && (words[end].Clause == words[to-1].Clause || e.is("why_asked", words[end].Word)) {
			end++
		}
		if from == 0 && end == len(words) && e.Expect != SlotConfirm {
			return at, false, false // it is all that is said, and heard as ever
		}
		span := words[from:end]
		if e.tellsSlot(span) {
			continue
		}
		conditional = e.hears("but", span) || e.hears("changes", span) || e.hasOf("conditions", span) || e.hears("rewrites", span)
		return [2]int{words[from].Start, words[end-1].End}, conditional, true
	}
	return at, false, false
}

// tellsSlot says whether words ask something, or name a day, a time or a service: they
// are about that.
func (e servedReader) tellsSlot(words []language.Token) bool {
	at := [2]int{words[0].Start, words[len(words)-1].End}
	said := keepOnly(e.Text, at)
	if slices.ContainsFunc(words, func(w language.Token) bool { return w.Asks }) || len(e.readWhen(said, asked(e.Expect)).Mentions) > 0 {
		return true
	}
	return e.Catalogue != nil && slices.ContainsFunc(e.Catalogue.FindServices(said, e.language()), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Score >= clearMatch
	})
}

// servedBy says whether words from i on want to be served by somebody, who is named or
// told by what they are: "I'd rather see Ann", "prefiero una mujer".
func (e servedReader) servedBy(i int) (to int, ok bool) {
	words := e.words.words
	to, ok = e.at("served_by", words, i)
	if !ok {
		return 0, false
	}
	for to < len(words) && (e.is("determiners", words[to].Word) || e.is("name_titles", words[to].Word)) {
		to++
	}
	if to >= len(words) || words[to].Clause != words[i].Clause {
		return 0, false
	}
	return to + 1, e.is("servers", words[to].Word) || e.is("given_names", words[to].Word) || words[to].Capital && !e.isWord(words[to].Word) || to > 0 && e.is("name_titles", words[to-1].Word)
}
