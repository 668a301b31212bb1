package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// Options say what a text alone does not tell. The zero value is useful.
type Options struct {
	Code   string // a confirmation code that stands in the text: it is spelled
	Region string // the country of the business, by its ISO code: its own numbers go without their country code
	Slow   bool   // after a "no": names are spelled, addresses too, and numbers are said figure by figure
}

// Text is what a voice says for a text that was written to be read. It takes time
// in proportion to the text, and what it returns is at most eight times as long
// and 64 bytes more.
func Text(l *language.Language, written string, o Options) string {
	v := voiceOf(l)
	s := speaker{voice: v, Options: o, in: v.choices(plain(strings.ToValidUTF8(written, "")))}
	s.grown = max(0, len(s.in)-len(written))
	s.out = make([]byte, 0, len(s.in)+len(s.in)/2+32)
	for s.at < len(s.in) {
		s.step()
	}
	return s.end()
}

// most is how long what is spoken may be for so much that was written.
func most(written int) int { return 8*written + 64 }

// speaker goes through a text from left to right.
type speaker struct {
	*voice
	Options
	in    string
	at    int
	out   []byte
	chunk int  // where the run without spaces ends that at stands in
	calm  bool // no address is in it
	coded bool // the code was spelled

	linked bool // a web address was passed over
	grown  int  // how much longer the text is than what was written
	fresh  int  // a place where a word begins though a letter stands before it
}

// Those who read one kind of thing each.
func (s *speaker) addresses() addressReader { return addressReader{s} }
func (s *speaker) clocks() clockReader      { return clockReader{s} }
func (s *speaker) days() dateReader         { return dateReader{s} }
func (s *speaker) marks() markReader        { return markReader{s} }
func (s *speaker) amounts() amountReader    { return amountReader{s} }
func (s *speaker) phones() phoneReader      { return phoneReader{s} }
func (s *speaker) spelling() speller        { return speller{s} }
func (s *speaker) words() wordReader        { return wordReader{s} }

// step says what stands at the place, and moves on.
func (s *speaker) step() {
	r, size := rune(s.in[s.at]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRuneInString(s.in[s.at:])
	}
	switch {
	case r == ' ':
		s.space()
		s.at++
	case s.inWord():
		s.copy(r, size)
	case unicode.IsLetter(r) && r != 'º' && r != 'ª':
		s.words().word()
	case r >= '0' && r <= '9':
		s.figures()
	default:
		s.marks().mark(r, size)
	}
}

// figures says what begins with a figure: the first that knows it.
func (s *speaker) figures() {
	switch {
	case s.spelling().code(), s.addresses().address(), s.words().short(), s.days().date(), s.clocks().clock(), s.phones().phone():
	case s.amounts().quantity(), s.amounts().fraction():
	default:
		s.amounts().amount()
	}
}

// inWord says whether the place is inside a word: nothing but its end can follow.
func (s *speaker) inWord() bool {
	if s.at == 0 || s.at == s.fresh {
		return false
	}
	here, _ := utf8.DecodeRuneInString(s.in[s.at:])
	before, _ := utf8.DecodeLastRuneInString(s.in[:s.at])
	return isWordRune(here) && isWordRune(before) && here != 'º' && here != 'ª'
}

func (s *speaker) copy(r rune, size int) {
	s.out = utf8.AppendRune(s.out, r)
	s.at += size
}

// put writes words, apart from those before and with a capital where a sentence
// begins.
func (s *speaker) put(words string) {
	if words == "" {
		return
	}
	begins := s.begins()
	s.space()
	first, size := utf8.DecodeRuneInString(words)
	if begins && unicode.IsLower(first) {
		s.out = utf8.AppendRune(s.out, unicode.ToUpper(first))
		words = words[size:]
	}
	s.out = append(s.out, words...)
}

// puts is put, and a space behind it where a word follows at once.
func (s *speaker) puts(words string) {
	s.put(words)
	if s.at < len(s.in) {
		if r, _ := utf8.DecodeRuneInString(s.in[s.at:]); isWordRune(r) {
			s.space()
		}
	}
}

// begins says whether a sentence begins here.
func (s *speaker) begins() bool {
	for i := len(s.out) - 1; i >= 0; i-- {
		switch s.out[i] {
		case ' ':
		case '.', '!', '?':
			return true
		default:
			return opening(s.out[:i+1])
		}
	}
	return true
}

// opening says whether a text ends in a mark that opens a sentence.
func opening(b []byte) bool {
	r, _ := utf8.DecodeLastRune(b)
	return r == '¿' || r == '¡'
}

// space separates words; two are one, and behind an opening mark is none.
func (s *speaker) space() {
	n := len(s.out)
	if n == 0 || s.out[n-1] == ' ' || opening(s.out) {
		return
	}
	s.out = append(s.out, ' ')
}

// pause writes a mark that a voice hears: of several in a row the strongest
// stays.
func (s *speaker) pause(mark byte) {
	for len(s.out) > 0 && s.out[len(s.out)-1] == ' ' {
		s.out = s.out[:len(s.out)-1]
	}
	n := len(s.out)
	if n == 0 {
		return
	}
	last := s.out[n-1]
	switch {
	case opening(s.out):
	case strings.IndexByte(".!?", last) >= 0:
		if mark == '!' || mark == '?' {
			s.out[n-1] = mark
		}
	case strings.IndexByte(",:;", last) >= 0:
		if mark != ',' {
			s.out[n-1] = mark
		}
	default:
		s.out = append(s.out, mark)
	}
	s.space()
}

// end is the whole without what hangs over at its end.
func (s *speaker) end() string {
	text := strings.TrimRight(string(s.out), " ,;:-¿¡")
	if text == "" && s.linked { // it was all there was to say
		s.out = s.out[:0]
		s.put(s.say("on_website"))
		s.pause('.')
		return strings.TrimSpace(string(s.out))
	}
	if cut := len(s.out) - len(text); cut > 0 && strings.ContainsAny(string(s.out[len(text):]), ",;:-") && text != "" && !strings.HasSuffix(text, ".") {
		return text + "."
	}
	return text
}

// lastWord is the last word of what was said, without marks, and where it begins;
// it is "" where a mark that pauses stands behind it.
func (s *speaker) lastWord() (string, int) {
	end := len(s.out)
	for end > 0 && s.out[end-1] == ' ' {
		end--
	}
	from := end
	for from > 0 {
		r, size := utf8.DecodeLastRune(s.out[:from])
		if !isWordRune(r) {
			break
		}
		from -= size
	}
	return string(s.out[from:end]), from
}

// next is the rune behind the place i, 0 at the end.
func (s *speaker) next(i int) rune {
	if i >= len(s.in) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s.in[i:])
	return r
}

// stopAfter is where reading goes on behind something that ends at i with a full
// stop of its own: before that stop if it ends the sentence as well.
func (s *speaker) stopAfter(i int) int {
	if i == 0 || s.in[i-1] != '.' {
		return i
	}
	rest := spacesEnd(s.in, i)
	if r := s.next(rest); rest == len(s.in) || rest > i && (unicode.IsUpper(r) || r == '¿' || r == '¡') {
		return i - 1
	}
	return i
}

// digits says figures one by one.
func (s *speaker) digits(figures string) {
	for i := range len(figures) {
		s.space()
		s.out = append(s.out, figures[i])
		if s.Slow && i+1 < len(figures) {
			s.out = append(s.out, ',')
		}
	}
}

// dashEnd is where a dash at i ends, with the spaces around it; i if there is
// none.
func (s *speaker) dashEnd(i int) int {
	j := spacesEnd(s.in, min(i, len(s.in)))
	r, size := utf8.DecodeRuneInString(s.in[j:])
	if j-i > 1 || !isDash(r) {
		return i
	}
	end := spacesEnd(s.in, j+size)
	if end-j-size > 1 {
		return i
	}
	return end
}
