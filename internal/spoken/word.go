package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// wordReader says words, and what is written instead of words.
type wordReader struct{ *speaker }

// word says what begins with a letter: a code, an address, an abbreviation, a
// reference, or a word.
func (s wordReader) word() {
	if s.spelling().code() || s.addresses().address() || s.spelling().name() || s.short() || s.reference() {
		return
	}
	end := wordEnd(s.in, s.at)
	word := s.in[s.at:end]
	if s.shouted(s.at, end) {
		s.shout(word)
	} else {
		s.out = append(s.out, word...)
	}
	s.at = end
}

// short says an abbreviation in full.
func (s wordReader) short() bool {
	end := wordEnd(s.in, s.at)
	if end-s.at > s.longest+2 {
		return false
	}
	for _, one := range s.shorts[strings.ToLower(s.in[s.at:end])] {
		to, ok := s.written(one.written)
		if !ok || !s.beside(one, to) || one.capital && !unicode.IsUpper(s.next(s.at)) {
			continue
		}
		rest := spacesEnd(s.in, to)
		if one.ends || rest == len(s.in) {
			to = s.stopAfter(to)
		}
		s.at = to
		if word, from := s.lastWord(); word != "" && strings.HasPrefix(one.said, word+" ") {
			s.out = s.out[:from] // "de L-V" brings its own "de"
		}
		s.puts(one.said)
		return true
	}
	return false
}

// written says whether something stands at the place, in any case, and where it
// ends. What ends in a letter or a figure must end there as a word.
func (s wordReader) written(what string) (int, bool) {
	i := s.at
	for _, want := range what {
		if i >= len(s.in) {
			return 0, false
		}
		r, size := utf8.DecodeRuneInString(s.in[i:])
		if r != want && unicode.ToLower(r) != want {
			return 0, false
		}
		i += size
	}
	last, _ := utf8.DecodeLastRuneInString(what)
	return i, !isWordRune(last) || !isWordRune(s.next(i))
}

// beside says whether an abbreviation that ends at i has beside it what it asks
// for.
func (s wordReader) beside(one short, i int) bool {
	switch one.beside {
	case '#':
		return unicode.IsDigit(s.next(spacesEnd(s.in, i)))
	case '^':
		return unicode.IsUpper(s.next(spacesEnd(s.in, i)))
	case '<':
		word, _ := s.lastWord()
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsUpper(r)
	}
	return true
}

// reference says something as "CC-1042" by its letters and figures.
func (s wordReader) reference() bool {
	letters := wordEnd(s.in, s.at)
	if letters-s.at > 4 || strings.ToUpper(s.in[s.at:letters]) != s.in[s.at:letters] {
		return false
	}
	from := letters
	if from < len(s.in) && s.in[from] == '-' {
		from++
	}
	end := digitsEnd(s.in, from)
	if end-from < 2 || end-from > 8 || from == letters && letters-s.at > 2 || isWordRune(s.next(end)) {
		return false
	}
	for _, r := range s.in[s.at:letters] {
		s.put(string(r))
	}
	s.digits(s.in[from:end])
	s.at = end
	return true
}

// shouted says whether a word in capitals is a word that somebody stressed, and
// not letters that are said one by one: those are short, or have no vowel.
func (s wordReader) shouted(from, end int) bool {
	if !allCapitals(s.in[from:end]) {
		return false
	}
	if long(s.in[from:end]) || end-from == 3 && s.Words("grammar")[language.Fold(s.in[from:end])] {
		return true
	}
	if end >= len(s.in) || s.in[end] != ' ' {
		return false
	}
	next := wordEnd(s.in, end+1)
	return next-end < 32 && long(s.in[end+1:next]) && allCapitals(s.in[end+1:next])
}

// long says whether a word in capitals is long enough to be one, and can be
// spoken: letters that stand for words often have three consonants together.
func long(word string) bool {
	letters, together, most := 0, 0, 0
	for _, r := range word {
		letters++
		if together++; strings.ContainsRune("AEIOUYÁÉÍÓÚÜ", r) {
			together = 0
		}
		most = max(most, together)
	}
	return letters > 3 && most < letters && (letters > 5 || most < 3)
}

func allCapitals(word string) bool {
	for _, r := range word {
		if !unicode.IsUpper(r) {
			return false
		}
	}
	return word != ""
}

// shout writes a word that stands in capitals as others are written.
func (s wordReader) shout(word string) {
	if s.begins() {
		_, size := utf8.DecodeRuneInString(word)
		s.out = append(s.out, word[:size]...)
		word = word[size:]
	}
	s.out = append(s.out, strings.ToLower(word)...)
}
