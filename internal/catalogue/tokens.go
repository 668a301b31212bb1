package catalogue

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// mostTokens bounds what is read of a text: callers say less.
const mostTokens = 160

// languages are those that every word is looked at in, for callers mix them.
var languages = [...]string{lexicon.Spanish, lexicon.English}

// token is a word of a text and where it stands there.
type token struct {
	word       string // folded
	start, end int    // bytes of the text
	hyphen     bool   // a hyphen joins it to the next one
	stop       bool   // a comma or another mark stands between it and the next one
	es, en     lexicon.Entry

	function bool // grammar
	slight   bool // says little
	manners  bool // is said around what is asked
}

// entry is the word as the lexicon has it in a language.
func (t token) entry(lang string) lexicon.Entry {
	if lang == lexicon.Spanish {
		return t.es
	}
	return t.en
}

func (t token) stem(lang string) string { return t.entry(lang).Stems }

// tokens splits a text of a language into its words and numbers; an empty
// language stands for either. An apostrophe ends a word,
// and what it leaves over ("s", "t") is grammar.
func tokens(text, lang string) (all []token) {
	for start := 0; start < len(text) && len(all) < mostTokens; {
		r, size := utf8.DecodeRuneInString(text[start:])
		if !wordRune(r) {
			if (r == '-' || r == '‐' || r == '‑') && len(all) > 0 && all[len(all)-1].end == start {
				all[len(all)-1].hyphen = nextIsWord(text[start+size:])
			}
			if strings.ContainsRune(",;.:?!()¿¡…", r) && len(all) > 0 {
				all[len(all)-1].stop = true
			}
			start += size
			continue
		}
		end := endOfWord(text, start)
		if t := newToken(text[start:end], lang, start, end); t.word != "" {
			all = append(all, t)
		}
		start = end
	}
	return all
}

func newToken(word, lang string, start, end int) token {
	t := known.of(word, lang)
	t.start, t.end = start, end
	return t
}

// known remembers words as tokens: the names of entries and what callers say are
// made of the same words again and again.
var known remembered

// mostKnown bounds the memory: about 5 MiB.
const mostKnown = 1 << 14

type remembered struct {
	mu     sync.RWMutex
	tokens map[spelling]token
}

type spelling struct{ word, lang string }

// of is a word as a token, wherever it stands. When too many are known, all are
// forgotten: those that are in use come back at once.
func (r *remembered) of(word, lang string) token {
	r.mu.RLock()
	t, ok := r.tokens[spelling{word, lang}]
	r.mu.RUnlock()
	if ok {
		return t
	}
	word = strings.Clone(word) // not the text that it stands in
	l, w := lexicon.Words(), lexicon.Fold(word)
	t = token{word: w, es: l.Entry(lexicon.Spanish, w), en: l.Entry(lexicon.English, w)}
	t.weigh(lang)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tokens == nil || len(r.tokens) >= mostKnown {
		r.tokens = make(map[spelling]token, 256)
	}
	r.tokens[spelling{word, lang}] = t
	return t
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

func nextIsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return wordRune(r)
}

// endOfWord is where the word that begins at start ends. Figures keep what
// groups them: "1.150", "9,50" and "21:30" are one word each.
func endOfWord(text string, start int) int {
	at := start
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		inNumber := strings.ContainsRune(".,:", r) && at > start && digitAt(text, at-1) && digitAt(text, at+size)
		if !wordRune(r) && !inNumber {
			break
		}
		at += size
	}
	return at
}

func digitAt(text string, at int) bool { return at < len(text) && text[at] >= '0' && text[at] <= '9' }

// number says whether the token is written in figures.
func (t token) number() bool { return t.word[0] >= '0' && t.word[0] <= '9' }

// numeral says whether the token is a number, in figures or in words.
func (t token) numeral() bool {
	return t.number() || lexicon.Numbers(lexicon.Spanish, t.word) != nil || lexicon.Numbers(lexicon.English, t.word) != nil
}

// grammar says whether the token only holds sentences together.
func (t token) grammar() bool { return t.function }

// light says whether the token says little, beside a word that says more.
func (t token) light() bool { return t.slight && !talk[t.word] }

// empty says whether the token tells nothing of what is asked: grammar, manners
// and words that say little.
func (t token) empty() bool { return !telling[t.word] && (t.function || t.slight || t.manners) }

// weigh finds out how much the token says in a language; in either of them when
// that is not known.
func (t *token) weigh(lang string) {
	for _, l := range languages {
		if lang == "" || lang == l {
			t.function = t.function || lexicon.Grammar(l, t.word)
			t.slight = t.slight || isLight(l, t.word)
		}
		t.manners = t.manners || lexicon.Manners(l, t.word)
	}
}

// isLight is lexicon.Light, but that goes by stems and would make Madrid a
// mother.
func isLight(lang, word string) bool {
	if lang == lexicon.Spanish && strings.HasSuffix(word, "d") && word != "verdad" {
		return false
	}
	return lexicon.Light(lang, word)
}

// known says whether either language has the word.
func (t token) known() bool {
	return lexicon.Words().Knows(t.es) || lexicon.Words().Knows(t.en)
}

// telling are words that say little elsewhere, but change what a business is
// asked: the menu is not the children's menu.
var telling = set(`nino nina ninos ninas bebe bebes baby babies kid kids child children home domicilio regalar grande pequeno
viejo big small old trabajar work stay late early`)

// talk are words that callers use to speak of booking, buying and asking as
// such. They name no entry, unless an entry has no other word.
var talk = set(`cita citas mesa mesas reserva reservas reservar reservacion reservo turno turnos hueco huecos hora horas visita visitas
consulta consultas sesion sesiones servicio servicios tratamiento tratamientos plaza
appointment appointments table tables book booking bookings reservation reservations reserve slot slots visit visits session sessions service
services treatment treatments consultation schedule
menu menus carta plato platos dish dishes meal meals comida comer eat food producto productos articulo articulos product products item items
precio precios price prices cuesta costs cost vale`)

func set(list string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		all[w] = true
	}
	return all
}
