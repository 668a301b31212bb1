package catalogue

import "strings"

// pattern is a few words that tell what a question is about. In its text a tilde
// ends a word that may go on, and a star stands for up to four words between.
type pattern []step

type step struct {
	word   string
	prefix bool // the word may go on
	gap    bool // others may stand before it
}

const widestGap = 4

func newPattern(text string) (p pattern) {
	gap := false
	for w := range strings.FieldsSeq(text) {
		if w == "*" {
			gap = true
			continue
		}
		word, prefix := strings.CutSuffix(w, "~")
		p = append(p, step{word, prefix, gap})
		gap = false
	}
	return p
}

func (s step) fits(word string) bool {
	return word == s.word || s.prefix && strings.HasPrefix(word, s.word)
}

// at returns the tokens that the pattern takes when it begins at i; nil when it
// does not.
func (p pattern) at(words []token, i int) []int {
	if len(p) == 0 || !p[0].fits(words[i].word) {
		return nil
	}
	used := []int{i}
	next := i + 1
	for _, s := range p[1:] {
		last := next
		if s.gap {
			last += widestGap
		}
		found := -1
		for k := next; k <= last && k < len(words); k++ {
			if s.fits(words[k].word) {
				found = k
				break
			}
		}
		if found < 0 {
			return nil
		}
		used, next = append(used, found), found+1
	}
	return used
}

// anywhere returns the tokens that the pattern takes where it first fits.
func (p pattern) anywhere(words []token) (used []int, ok bool) {
	for i := range words {
		if used := p.at(words, i); used != nil {
			return used, true
		}
	}
	return nil, false
}

// topic is what a question can be about.
type topic string

// The topics. Most are those of Reply; the others are forms of them.
const (
	hours     topic = "hours"
	openNow   topic = "open now"
	closing   topic = "closing"
	festive   topic = "holidays"
	address   topic = "address"
	phone     topic = "phone"
	website   topic = "website"
	email     topic = "email"
	services  topic = "services"
	price     topic = "price"
	duration  topic = "duration"
	menu      topic = "menu"
	contains  topic = "contains"
	allergic  topic = "allergens"
	allergy   topic = "allergy" // of the caller
	dietary   topic = "diet"
	specials  topic = "specials"
	have      topic = "have"
	products  topic = "products"
	stock     topic = "stock"
	property  topic = "listings"
	reference topic = "reference"
	policy    topic = "policy"
	cancel    topic = "cancel"
	shipping  topic = "shipping"
	returns   topic = "returns"
	zones     topic = "zones"
)

// topics are all of them.
var topics = []topic{
	hours, openNow, closing, festive, address, phone, website, email, services, price, duration, menu, contains, allergic, allergy, dietary,
	specials, have, products, stock, property, reference, policy, cancel, shipping, returns, zones,
}

// cues are the words by which callers show a topic.
func cues(t topic) []pattern { return expressions("about " + string(t)) }
