package hearing

import (
	"cmp"
	"regexp"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

var written = regexp.MustCompile(`[\pL\d][\pL\d._%+-]*\s?@\s?[\pL\d][\pL\d-]*(?:\.[\pL\d-]+)*\.\pL{2,}`)

// spoken words for the signs of an address.
var mailSigns = map[string]string{
	"arroba": "@", "at": "@", "punto": ".", "dot": ".", "guion": "-", "dash": "-", "hyphen": "-", "underscore": "_",
	"guionbajo": "_", "plus": "+", "barrabaja": "_",
}

// hearEmail hears an e-mail address, written or spoken.
func (e *ear) hearEmail() {
	if at := written.FindStringIndex(e.Text); at != nil {
		e.emailAt = [2]int{at[0], at[1]}
		e.Email = strings.ToLower(strings.ReplaceAll(e.Text[at[0]:at[1]], " ", ""))
		return
	}
	for i, w := range e.words.words {
		if w.Word == "arroba" || w.Word == "at" {
			if e.spokenEmail(i) {
				return
			}
		}
	}
}

// spokenEmail reads "john dot smith at example dot com" around the word i. After
// an "at" a dot must come, or it is an ordinary at.
func (e *ear) spokenEmail(i int) bool {
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
func (e *ear) spokenHost(words []language.Token, i int) (host string, to int) {
	var b strings.Builder
	dots, afterSign := 0, true
	for ; i < len(words); i++ {
		sign := mailSigns[words[i].Word]
		if sign == "@" || sign == "" && !afterSign {
			break
		}
		if sign == "." {
			dots++
		}
		b.WriteString(cmp.Or(sign, words[i].Word))
		afterSign = sign != "" || dots == 0 && i+1 < len(words) && mailSigns[words[i+1].Word] == "" && e.joinable(words[i+1].Word)
		to = i + 1
	}
	host = b.String()
	if dots == 0 || strings.HasSuffix(host, ".") || strings.HasPrefix(host, ".") {
		return "", 0
	}
	return host, to
}

// joinable are the second halves of mail hosts that recognisers part.
func (e *ear) joinable(w string) bool {
	return w == "mail" || w == "look" || w == "hoo" || w == "cloud"
}

// spokenLocal reads what stands before the at, backwards: words joined by signs,
// and single letters and figures that are being spelled.
func (e *ear) spokenLocal(at int) (string, int) {
	words := e.words.words
	local, from, joined := "", at, true
	for i := at - 1; i >= 0; i-- {
		sign, w := mailSigns[words[i].Word], words[i].Word
		if w == "bajo" && i > 0 && words[i-1].Word == "guion" {
			local, from, joined = "_"+local, i-1, true
			i--
			continue
		}
		if w == "baja" && i > 0 && words[i-1].Word == "barra" {
			local, from, joined = "_"+local, i-1, true
			i--
			continue
		}
		if sign != "" && sign != "@" {
			local, from, joined = sign+local, i, true
			continue
		}
		text := e.plainNumber(w)
		if !joined && len(text) > 1 && !isFigures(text) && e.Expect != SlotEmail || e.is("mail_leads", w) && !spelled(words, i, at) || e.is("fillers", w) || e.is("lead_ins", w) {
			break
		}
		if !joined && e.Text[words[i].End:words[i+1].Start] != " " {
			break
		}
		local, from = text+local, i
		joined = len(text) == 1 || isFigures(text)
	}
	local = strings.Trim(local, ".")
	if !mailLocal.MatchString(local) {
		return "", 0
	}
	return local, from
}

// spelled says whether the letter at i is one of several.
func spelled(words []language.Token, i, at int) bool {
	return len(words[i].Word) == 1 && (i+1 < at && len(words[i+1].Word) == 1 || i > 0 && len(words[i-1].Word) == 1)
}

var mailLocal = regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]*$`)

// plainNumber is the figures of a number word, or the word.
func (e *ear) plainNumber(w string) string {
	if d := e.digits(w); d != "" {
		return d
	}
	return w
}
