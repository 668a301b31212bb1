package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// whom is for whom, or for what of theirs, a caller wants something: "for me",
// "para mi nena", "for the van", "for Rex".
type whom struct {
	from, to int  // words
	named    bool // for somebody or something else, and not just "for her"
}

// whomIn are all of those in some words.
func (e wishReader) whomIn(words []language.Token) (all []whom) {
	for i := range words {
		if w, ok := e.whomAt(words, i); ok {
			all = append(all, w)
		}
	}
	return all
}

// whomAt reads for whom something is wanted at word i. A day is nobody, and what is
// wanted itself has no article of its own: "an appointment for a cut".
func (e wishReader) whomAt(words []language.Token, i int) (whom, bool) {
	next := i + 1
	if !e.is("for_whom", words[i].Word) || next >= len(words) || words[next].Clause != words[i].Clause {
		return whom{}, false
	}
	noun := next + 1
	switch w := words[next]; {
	case touches(w, e.whenSpans()):
		return whom{}, false
	case e.is("whose", w.Word) && e.follows(words, noun) && e.isSomebody(words[noun]):
		return whom{from: i, to: e.whomEnd(words, noun), named: true}, true
	case e.is("oneself", w.Word), e.is("whom_pronouns", w.Word):
		return whom{from: i, to: noun}, true
	case e.isCalled(w):
		return whom{from: i, to: noun, named: true}, true
	}
	return whom{}, false
}

// whomEnd is where those end whose first word is at i: "my little girl", "the wife's
// car", as far as nothing that is wanted is named.
func (e wishReader) whomEnd(words []language.Token, i int) int {
	const most = 3
	to := i + 1
	for to < i+most && e.follows(words, to) && e.isSomebody(words[to]) && !e.inServiceName(words[to]) {
		to++
	}
	return to
}

// follows says whether word i follows the one before it with no mark between them.
func (e wishReader) follows(words []language.Token, i int) bool {
	if i >= len(words) || words[i].Clause != words[i-1].Clause {
		return false
	}
	end, start := words[i-1].End, words[i].Start
	return end >= start || !strings.ContainsAny(e.Text[end:start], ",;:") // two words of one contraction overlap
}

// inServiceName says whether a word stands in the name of a service.
func (e wishReader) inServiceName(w language.Token) bool {
	stem := lexicon.Stem(e.stemLanguage(), w.Word)
	return e.Catalogue != nil && slices.ContainsFunc(e.Catalogue.Services, func(s catalogue.Service) bool {
		return slices.ContainsFunc(append(s.AllNames(), s.Aliases...), func(name string) bool {
			return slices.ContainsFunc(e.wordsOf(name).words, func(n language.Token) bool { return lexicon.Stem(e.stemLanguage(), n.Word) == stem })
		})
	})
}

// isSomebody says whether a word may be what somebody or something is called.
func (e wishReader) isSomebody(w language.Token) bool {
	return !touches(w, e.whenSpans()) && weight(e.language(), w.Word) != 3 && !e.is("fillers", w.Word) && !e.is("tails", w.Word) && !e.is("further_joins", w.Word) && !e.is("clause_words", w.Word) && !e.is("whose", w.Word)
}

// isCalled says whether a word is a name.
func (e wishReader) isCalled(w language.Token) bool {
	return (e.is("given_names", w.Word) || w.Capital && !e.smallest(w.Word)) && !touches(w, e.whenSpans())
}

// sharedOut says whether each of two parts names a service and for whom it is: "a cut
// for me and a colour for my daughter". However like each other the two are, they are
// two appointments.
func (e wishReader) sharedOut(i int, left, right part) bool {
	words := e.words.words
	if len(e.whomIn(words[:i])) == 0 || len(e.whomIn(words[i:])) == 0 {
		return false
	}
	return (left.service != "" || e.mayName(words[:i])) && (right.service != "" || e.mayName(words[i:])) && (left.service != "" || right.service != "")
}

// mayName says whether some words may name a service, if not which.
func (e wishReader) mayName(words []language.Token) bool {
	if e.Catalogue == nil {
		return false
	}
	found := e.Catalogue.FindServices(e.Text[words[0].Start:words[len(words)-1].End], e.language())
	return len(found) > 0 && found[0].Score >= weakMatch && !found[0].Weak
}

// wantedAgain says whether the service of the left part is wanted for somebody else as
// well: "a cut for me and another for my son".
func (e wishReader) wantedAgain(i int, left, right part) bool {
	words := e.words.words
	return left.service != "" && right.service == "" && len(e.whomIn(words[:i])) > 0 && len(e.whomIn(words[i:])) > 0
}

// takeAgain takes the service of the first wish where another one is wanted for
// somebody else and none is named.
func (e wishReader) takeAgain(first *ear) {
	if len(e.Services)+len(e.Unbookable)+len(e.Items) == 0 && len(e.whomIn(e.words.words)) > 0 && len(wishReader{first}.whomIn(first.words.words)) > 0 {
		e.Services = first.Services
	}
}

// namesWhom says whether the name that was heard is that of whom the wish is for, and
// not the caller's.
func (e wishReader) namesWhom() bool {
	words := e.words.words
	return e.Name != "" && slices.ContainsFunc(e.whomIn(words), func(w whom) bool {
		return e.nameAt[0] >= words[w.from].Start && e.nameAt[1] <= words[w.to-1].End
	})
}
