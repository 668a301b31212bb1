package conversation

import (
	"cmp"
	"regexp"
	"strings"
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
		if w.fold == "arroba" || w.fold == "at" {
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
	host, to := spokenHost(words, i+1)
	if host == "" {
		return false
	}
	local, from := e.spokenLocal(i)
	if local == "" {
		return false
	}
	e.Email = local + "@" + host
	e.emailAt = [2]int{words[from].start, words[to-1].end}
	return true
}

// spokenHost reads "gmail punto com"; a host without a point is none.
func spokenHost(words []word, i int) (host string, to int) {
	var b strings.Builder
	dots, afterSign := 0, true
	for ; i < len(words); i++ {
		sign := mailSigns[words[i].fold]
		if sign == "@" || sign == "" && !afterSign {
			break
		}
		if sign == "." {
			dots++
		}
		b.WriteString(cmp.Or(sign, words[i].fold))
		afterSign = sign != "" || dots == 0 && i+1 < len(words) && mailSigns[words[i+1].fold] == "" && joinable(words[i+1].fold)
		to = i + 1
	}
	host = b.String()
	if dots == 0 || strings.HasSuffix(host, ".") || strings.HasPrefix(host, ".") {
		return "", 0
	}
	return host, to
}

// joinable are the second halves of mail hosts that recognisers part.
func joinable(w string) bool { return w == "mail" || w == "look" || w == "hoo" || w == "cloud" }

// spokenLocal reads what stands before the at, backwards: words joined by signs,
// and single letters and figures that are being spelled.
func (e *ear) spokenLocal(at int) (string, int) {
	words := e.words.words
	local, from, joined := "", at, true
	for i := at - 1; i >= 0; i-- {
		sign, w := mailSigns[words[i].fold], words[i].fold
		if w == "bajo" && i > 0 && words[i-1].fold == "guion" {
			local, from, joined = "_"+local, i-1, true
			i--
			continue
		}
		if w == "baja" && i > 0 && words[i-1].fold == "barra" {
			local, from, joined = "_"+local, i-1, true
			i--
			continue
		}
		if sign != "" && sign != "@" {
			local, from, joined = sign+local, i, true
			continue
		}
		text := plainNumber(w)
		if !joined && len(text) > 1 && !isFigures(text) && e.Expect != SlotEmail || mailLeads[w] && !spelled(words, i, at) || fillers[w] || leadIns[w] {
			break
		}
		if !joined && e.Text[words[i].end:words[i+1].start] != " " {
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
func spelled(words []word, i, at int) bool {
	return len(words[i].fold) == 1 && (i+1 < at && len(words[i+1].fold) == 1 || i > 0 && len(words[i-1].fold) == 1)
}

var mailLocal = regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]*$`)

// mailLeads are words that come before an address and are none of it.
var mailLeads = setOf(`es is my mi email correo mail its the el la de to a write escribeme escriban address direccion que y and
	electronico`)

// plainNumber is the figures of a number word, or the word.
func plainNumber(w string) string {
	if d := digitWords[w]; d != "" {
		return d
	}
	return w
}
