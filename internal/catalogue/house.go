package catalogue

import (
	"regexp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/opening"
)

// house is what a business says of itself beside its entries.
type house struct {
	business frontdesk.Business
	hours    *opening.Hours
	week     frontdesk.Week // of hours
	open     bool           // there are hours
	holidays bool           // it is known what becomes of public holidays
	written  bool           // its hours stand in a book that is kept, not in words alone
	country  string         // where it is
	staff    []staff
	settings frontdesk.AgentSettings
	policy   text
	specials text
	dietary  text
	shipping text
	returns  text
	zones    text
	courses  []string
	shelves  []string
	own      map[string]bool // words of its name
	stems    map[string]bool // of these words
}

func readHouse(a frontdesk.Agent) house {
	b := a.Config.Business
	b.Name, b.Address, b.Phone, b.Website = line(b.Name, longText), line(b.Address, longText), line(b.Phone, shortText), line(b.Website, longText)
	b.HoursHuman = line(b.HoursHuman, houseText)
	h := house{
		business: b, own: map[string]bool{}, stems: map[string]bool{},
		policy: newText(a.Config.Policy), specials: newText(a.Config.Specials), dietary: newText(a.Config.Dietary),
		shipping: newText(b.ShippingHuman), returns: newText(b.ReturnsHuman), zones: newText(b.ZonesHuman),
	}
	for _, w := range slices.Concat(tokens(b.Name, ""), tokens(a.DisplayName, "")) {
		h.own[w.word] = true
		for _, e := range w.entries {
			h.stems[e.Stems] = true
		}
	}
	if known, err := opening.Of(a); err == nil {
		h.hours, h.week, h.open, h.holidays = known, known.Week(), known.Known(), known.KnowsHolidays()
		h.staff = readStaff(a.Settings.Calendar, known)
	}
	c := a.Settings.Calendar
	h.written = c.Openings != nil || len(c.Exceptions) > 0 || c.Holidays != ""
	h.country, h.settings = frontdesk.CountryOf(a.Timezone), a.Settings
	return h
}

// text is something that a business wrote, in its sentences.
type text struct {
	whole     string
	sentences []passage
}

// passage is a sentence and the words that it can be found by, in both
// languages.
type passage struct {
	text  string
	means map[lexicon.Entry]bool
	words []token
}

const mostSentences = 60

func newText(s string) text {
	t := text{whole: line(s, houseText)}
	for _, one := range splitSentences(t.whole) {
		if len(t.sentences) < mostSentences {
			t.sentences = append(t.sentences, newPassage(one))
		}
	}
	return t
}

func newPassage(s string) passage {
	p := passage{text: s, means: map[lexicon.Entry]bool{}, words: tokens(s, lexicon.Language(s))}
	langs := labelLanguages(s, "", languages())
	for i, w := range p.words {
		for _, lang := range languages() {
			p.means[w.entry(lang)] = true
		}
		for _, lang := range langs {
			p.meaning(w.entry(lang))
			var stems []string
			for _, next := range p.words[i:min(len(p.words), i+mostPhrase)] {
				stems = append(stems, next.stem(lang))
			}
			if e, n := lexicon.Words().PhraseAt(lang, stems); n > 1 {
				p.meaning(e)
			}
		}
	}
	return p
}

func (p *passage) meaning(e lexicon.Entry) {
	for m := range lexicon.Words().Same(e) {
		p.means[m.Entry] = true
	}
}

// has says whether the sentence speaks of a word.
func (p passage) has(w token) bool {
	return w.in(p.means) || !w.empty() && slices.ContainsFunc(p.words, func(o token) bool { return alike(w.word, o.word) })
}

var endOfSentence = regexp.MustCompile(`[.!?…]+["»”)]?\s+`)

// splitSentences cuts where a sentence ends and another one begins; an
// abbreviation with a small letter or a figure after it does not end one.
func splitSentences(s string) (all []string) {
	start := 0
	for _, m := range endOfSentence.FindAllStringIndex(s, -1) {
		if next := s[m[1]:]; next != "" && strings.ToLower(next[:1]) == next[:1] && next[0] < 0x80 && next[0] != '"' {
			continue
		}
		if m[1]-start < 8 {
			continue
		}
		all = append(all, strings.TrimSpace(s[start:m[1]]))
		start = m[1]
	}
	if rest := strings.TrimSpace(s[start:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

// pick returns the sentences that speak of the words, at most two, and how many
// of the words the best of them has.
func (t text) pick(words []token) (chosen []passage, most int) {
	for _, p := range t.sentences {
		n := 0
		for _, w := range words {
			if p.has(w) {
				n++
			}
		}
		switch {
		case n == 0 || n < most:
		case n > most:
			chosen, most = []passage{p}, n
		case len(chosen) < 2:
			chosen = append(chosen, p)
		}
	}
	return chosen, most
}

// saying are the sentences in which a phrase of a meaning stands.
func (t text) saying(meaning string) (chosen []passage) {
	for _, p := range t.sentences {
		if mixed().Phrases("catalogue_" + meaning).In(mixed().Tokens(p.text)) {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

func joinPassages(all []passage) string {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = sentence(p.text)
	}
	return strings.Join(texts, " ")
}

// SpeaksOf says whether the business names a thing where it says what it is: in
// its name, or in those of its services and what is told of them.
func (c *Catalogue) SpeaksOf(word string) bool {
	for own := range c.house.own {
		if beginAlike(own, word) {
			return true
		}
	}
	return slices.ContainsFunc(c.Services, func(s Service) bool { return s.TellsOf(word) })
}

// TellsOf says whether a service is called after a thing, or described by it.
func (s Service) TellsOf(word string) bool {
	has := func(s string) bool {
		return slices.ContainsFunc(tokens(s, ""), func(w token) bool { return beginAlike(w.word, word) })
	}
	return has(s.Description) || slices.ContainsFunc(s.AllNames(), has)
}

// beginAlike says whether two words are one, or of one family: "dentist" and
// "dental".
func beginAlike(a, b string) bool {
	const stem = 4
	return a == b || len(a) > stem && len(b) > stem && a[:stem] == b[:stem]
}
