package spoken

import (
	"strings"
)

// addressReader says e-mail addresses, and passes over those of the web.
type addressReader struct{ *speaker }

// The longest that an address can be, before the sign and behind it.
const (
	longestMailbox = 64
	longestDomain  = 253
)

// ends of domains that tell a bare web address from a missing space.
var topDomains = map[string]bool{
	"com": true, "net": true, "org": true, "es": true, "uk": true, "us": true, "eu": true, "cat": true, "info": true, "example": true,
	"shop": true, "app": true, "io": true, "ie": true, "mx": true, "ar": true, "cl": true, "pe": true, "online": true, "dev": true,
}

// address says an e-mail address, and passes over a web address.
func (s addressReader) address() bool {
	if s.at >= s.chunk {
		s.chunk = len(s.in)
		if n := strings.IndexByte(s.in[s.at:], ' '); n >= 0 {
			s.chunk = s.at + n
		}
		part := s.in[s.at:s.chunk]
		s.calm = !strings.ContainsAny(part, "@") && !strings.Contains(part, "://") && strings.IndexByte(strings.TrimRight(part, "."), '.') < 0
	}
	if s.calm {
		return false
	}
	return s.mailbox() || s.link()
}

// mailbox says an e-mail address.
func (s addressReader) mailbox() bool {
	at := s.at
	for at < len(s.in) && at-s.at <= longestMailbox && (isAlnum(s.in[at]) || single(s.in, at, "._%+-")) {
		at++
	}
	if at >= len(s.in) || s.in[at] != '@' || at == s.at {
		return false
	}
	domain, ok := domainAt(s.in, at+1)
	if !ok {
		return false
	}
	box := s.in[s.at:at]
	if !s.Slow || len(box) > longestName || !s.spelling().fits(at, func() { s.sayParts(box, s.letterwise) }) {
		s.sayParts(box, s.put)
	}
	s.put(s.say("at_sign"))
	s.sayParts(s.in[at+1:domain], s.domainPart)
	s.at = domain
	return true
}

// letterwise says a part of an address letter by letter.
func (s addressReader) letterwise(part string) {
	s.spelling().spell(part, false)
	s.out = append(s.out, ',')
}

// domainPart says a part of a domain.
func (s addressReader) domainPart(part string) {
	if said, ok := s.domains[strings.ToLower(part)]; ok {
		part = said
	}
	s.put(part)
}

// sayParts says words and the signs between them. Three figures and more are
// said one by one.
func (s addressReader) sayParts(text string, say func(string)) {
	for i := 0; i < len(text); {
		from := i
		for i < len(text) && isAlnum(text[i]) && isDigit(text[i]) == isDigit(text[from]) {
			i++
		}
		switch part := text[from:i]; {
		case part == "":
			s.put(s.say(signs[text[i]]))
			i++
		case len(part) > 2 && isDigit(part[0]):
			s.digits(part)
		default:
			say(part)
		}
	}
}

// signs are the wordings of the signs in addresses.
var signs = map[byte]string{'.': "dot", '-': "dash", '_': "underscore", '+': "plus", '%': "percent"}

// link passes over a web address: "on our website" takes its place, or nothing
// where the sentence had named the website already.
func (s addressReader) link() bool {
	end, ok := s.linkEnd()
	if !ok {
		return false
	}
	bracketed := s.at > 0 && s.in[s.at-1] == '(' && s.next(end) == ')'
	s.at, s.linked = end, true
	if bracketed {
		return true
	}
	from := s.sentence()
	named, connected := s.leadsToLink(from)
	switch words := len(strings.Fields(string(s.out[from:]))); {
	case words == 0:
		s.at = s.markEnd(s.at)
	case named && words <= 3:
		s.out = s.out[:from]
		s.at = s.markEnd(s.at)
	case named:
	case connected:
		s.put(s.say("on_website"))
	default:
		if word, _ := s.lastWord(); s.is("web_verbs", word) {
			s.put(s.say("website"))
			break
		}
		s.pause(',')
		s.put(s.say("on_website"))
	}
	return true
}

// leadsToLink takes the words off that only lead to an address, "at" or "is:",
// and says whether what stands before names a website, and whether there were any.
func (s addressReader) leadsToLink(from int) (named, connected bool) {
	for range 3 {
		s.out = s.out[:len(strings.TrimRight(string(s.out[from:]), " :,("))+from]
		word, begin := s.lastWord()
		if begin < from || !s.is("web_connectors", word) {
			return s.is("web_words", word), connected
		}
		connected = true
		s.out = s.out[:begin]
	}
	return false, connected
}

// sentence is where the sentence begins that is being said; only the last part of
// a long one is looked at.
func (s addressReader) sentence() int {
	for i := len(s.out) - 1; i >= max(0, len(s.out)-200); i-- {
		if s.out[i] == '.' || s.out[i] == '!' || s.out[i] == '?' {
			for i++; i < len(s.out) && s.out[i] == ' '; i++ {
			}
			return i
		}
	}
	return max(0, len(s.out)-200)
}

// markEnd is where the marks end that close a sentence at i, for one that is not
// said.
func (s addressReader) markEnd(i int) int {
	for i < len(s.in) && strings.IndexByte(".,;:!?)", s.in[i]) >= 0 {
		i++
	}
	return i
}

// linkEnd is where the web address ends that stands here.
func (s addressReader) linkEnd() (int, bool) {
	rest := s.in[s.at:s.chunk]
	if !hasPrefixFold(rest, "http://") && !hasPrefixFold(rest, "https://") && !hasPrefixFold(rest, "www.") {
		end, ok := domainAt(s.in, s.at)
		if !ok || !topDomains[s.in[strings.LastIndexByte(s.in[:end], '.')+1:end]] {
			return 0, false
		}
		if end < s.chunk && s.in[end] != '/' {
			return end, true
		}
	}
	return s.at + len(strings.TrimRight(rest, ".,;:!?)»”\"'*_`>]")), true
}

// domainAt is where the domain ends that stands at i: at least two parts, the last
// of them letters.
func domainAt(text string, i int) (int, bool) {
	from, end := i, 0
	for i < len(text) && i-from <= longestDomain && (isAlnum(text[i]) || single(text, i, ".-")) {
		i++
	}
	for end = i; end > from && !isAlnum(text[end-1]); end-- {
	}
	dot := strings.LastIndexByte(text[from:end], '.')
	if dot < 1 || end-from-dot < 3 || digitsIn(text[from+dot:end]) {
		return 0, false
	}
	return end, true
}

func digitsIn(s string) bool { return strings.ContainsAny(s, "0123456789") }

// single says whether one of some signs stands at i, between letters or figures.
func single(text string, i int, signs string) bool {
	return strings.IndexByte(signs, text[i]) >= 0 && i > 0 && i+1 < len(text) && isAlnum(text[i-1]) && isAlnum(text[i+1])
}

func isAlnum(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
