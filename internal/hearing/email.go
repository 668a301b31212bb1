package hearing

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// emailReader hears e-mail addresses.
type emailReader struct{ *ear }

var writtenMail = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\pL\d][\pL\d._%+-]*\s?@\s?[\pL\d][\pL\d-]*(?:\.[\pL\d-]+)*\.\pL{2,}`)
})

// hearEmail hears an e-mail address, written or spoken.
func (e emailReader) hearEmail() {
	if at := writtenMail().FindStringIndex(e.Text); at != nil {
		e.emailAt = [2]int{at[0], at[1]}
		e.Email = strings.ToLower(strings.ReplaceAll(e.Text[at[0]:at[1]], " ", ""))
		return
	}
	for i, w := range e.words.words {
		if e.sign(w.Word) == "@" {
			if e.spokenEmail(i) {
				return
			}
		}
	}
}

// settleIntents lets go of what was heard of words that only give an address: "could
// you send it to …" asks nothing, and who says one has not put it off.
func (e emailReader) settleIntents() {
	if e.Email == "" {
		return
	}
	asks := touchesAny(e.emailAt, append(slices.Clone(e.questionsAt), e.questionAt))
	if asks {
		e.Question, e.Questions, e.questionAt, e.questionsAt, e.doneAt = "", nil, [2]int{}, nil, nil
	}
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i == Restart || i == Ask && asks || i == Order && len(e.Items) == 0 })
}

// saidAround is where an address stands together with the words that lead to it and
// those that tell how it is written: they are no remark.
func (e emailReader) saidAround() [2]int {
	at, words := e.emailAt, e.words.words
	if e.Email == "" {
		return at
	}
	talks := func(w string) bool {
		return e.is("mail_leads", w) || e.is("mail_talk", w) || e.is("fillers", w) || e.is("lead_ins", w)
	}
	for _, w := range slices.Backward(words) {
		if w.Start < at[0] && talks(w.Word) {
			at[0] = w.Start
		} else if w.Start < at[0] {
			break
		}
	}
	for _, w := range words {
		if w.Start >= at[1] && talks(w.Word) {
			at[1] = w.End
		} else if w.Start >= at[1] {
			break
		}
	}
	return at
}

// isNamed says whether the words up to i stand behind a word for an address: "my email
// is ana maria at …".
func (e emailReader) isNamed(i int) bool {
	words := e.words.words
	for k := i; k >= 0 && words[k].Sentence == words[i].Sentence; k-- {
		if e.is("mail_words", words[k].Word) {
			return true
		}
	}
	return false
}

// spokenEmail reads "john dot smith at example dot com" around the word i. After
// an "at" a dot must come, or it is an ordinary at.
func (e emailReader) spokenEmail(i int) bool {
	words := e.words.words
	host, to := e.spokenHost(words, i+1)
	if host == "" {
		return false
	}
	local, from := e.spokenLocal(i)
	if local == "" {
		return false
	}
	e.Email = local + "@" + host
	e.emailAt = [2]int{words[from].Start, words[to-1].End}
	return true
}

// spokenHost reads "gmail punto com"; a host without a point is none.
func (e emailReader) spokenHost(words []language.Token, i int) (host string, to int) {
	var b strings.Builder
	dots, afterSign := 0, true
	for ; i < len(words); i++ {
		sign := e.sign(words[i].Word)
		if sign == "@" || sign == "" && !afterSign {
			break
		}
		if sign == "." {
			dots++
		}
		b.WriteString(cmp.Or(sign, words[i].Word))
		afterSign = sign != "" || dots == 0 && i+1 < len(words) && e.sign(words[i+1].Word) == "" && e.joinable(words[i+1].Word)
		to = i + 1
	}
	host = b.String()
	if dots == 0 || strings.HasSuffix(host, ".") || strings.HasPrefix(host, ".") {
		return "", 0
	}
	return host, to
}

// sign is the sign of an address that a word stands for.
func (e emailReader) sign(word string) string {
	sign, _ := e.Mix.Value("mail signs", word)
	return sign
}

// signBefore is the sign that the words up to i stand for, and of how many words
// it is: "guion", "guion bajo".
func (e emailReader) signBefore(i int) (sign string, n int) {
	words := e.words.words
	if i > 0 {
		if sign := e.sign(words[i-1].Word + " " + words[i].Word); sign != "" {
			return sign, 2
		}
	}
	if sign := e.sign(words[i].Word); sign != "@" {
		return sign, 1
	}
	return "", 1
}

// joinable says whether a word is the second half of a mail host that
// recognisers part.
func (e emailReader) joinable(w string) bool { return e.is("mail halves", w) }

// spokenLocal reads what stands before the at, backwards: words joined by signs,
// and single letters and figures that are being spelled.
func (e emailReader) spokenLocal(at int) (string, int) {
	words := e.words.words
	local, from, joined := "", at, true
	for i := at - 1; i >= 0; i-- {
		if sign, n := e.signBefore(i); sign != "" {
			local, from, joined = sign+local, i-n+1, true
			i = from
			continue
		}
		text, first := e.spokenNumber(i)
		if first == i && e.beginsLocal(i, at, text, joined) {
			break
		}
		local, from, i = text+local, first, first
		joined = len(text) == 1 || isFigures(text)
	}
	if from == at-1 && isFigures(local) {
		local = words[from].Word // who is called Una is no one
	}
	local = strings.Trim(local, ".")
	if !mailLocal().MatchString(local) {
		return "", 0
	}
	return local, from
}

// beginsLocal says whether word i stands before the address and not in it.
func (e emailReader) beginsLocal(i, at int, text string, joined bool) bool {
	words := e.words.words
	w := words[i].Word
	switch {
	case e.sign(w) == "@", e.is("fillers", w), e.is("lead_ins", w), e.is("mail_leads", w) && !spelled(words, i, at), e.endsNumber(i, at):
		return true
	case joined:
		return false
	}
	return len(text) > 1 && !isFigures(text) && e.Expect != SlotEmail && !e.isNamed(i) || e.between(words[i], words[i+1]) != " "
}

// fewestDialled is how many figures in a row are a telephone number rather than the
// end of a name: "085 999 0010 max at gmail dot com".
const fewestDialled = 6

// endsNumber says whether word i is the last of a telephone number that was said
// right before the address.
func (e emailReader) endsNumber(i, at int) bool {
	words := e.words.words
	if i+1 >= at || !isFigures(e.plainNumber(words[i].Word)) {
		return false
	}
	next := words[i+1].Word
	if isFigures(next) || isFigures(e.plainNumber(next)) && !isFigures(words[i].Word) {
		return false // it goes on
	}
	figures := 0
	for k := i; k >= 0 && isFigures(e.plainNumber(words[k].Word)); k-- {
		figures += len(e.plainNumber(words[k].Word))
	}
	return figures >= fewestDialled
}

// spelled says whether the letter at i is one of several.
func spelled(words []language.Token, i, at int) bool {
	return len(words[i].Word) == 1 && (i+1 < at && len(words[i+1].Word) == 1 || i > 0 && len(words[i-1].Word) == 1)
}

var mailLocal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]*$`)
})

// spokenNumber is the figures of the number that ends with word i, or the word, and
// where it begins: "forty two", "ochenta y dos".
func (e emailReader) spokenNumber(i int) (text string, from int) {
	words, tens := e.words.words, i-1
	text = e.plainNumber(words[i].Word)
	if tens > 0 && e.is("between_numbers", words[tens].Word) {
		tens--
	}
	if tens < 0 || len(text) != 1 || !isFigures(text) || text == "0" || words[i].Figures {
		return text, i
	}
	if t := e.digits(words[tens].Word); len(t) == 2 && t[1] == '0' && t != "10" {
		return t[:1] + text, tens
	}
	return text, i
}

// plainNumber is the figures of a number word, or the word.
func (e *ear) plainNumber(w string) string {
	if d := e.digits(w); d != "" {
		return d
	}
	return w
}
