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

// sharedWithKin says whether two parts of a sentence that word i joins name different
// services, and the second begins with somebody close who wants it: "I need a cut and my
// husband wants a shave".
func (e wishReader) sharedWithKin(i int, left, right part) bool {
	const near = 5 // words: "y que a mi marido"
	words := e.words.words
	if !differ(left, right) || !e.is("further_joins", words[i].Word) || words[i].Sentence != words[i-1].Sentence || e.hears("done_already", words) {
		return false
	}
	return e.hasKin(words[i:min(i+near, len(words))]) && e.surelyNames(words[:i]) && e.surelyNames(words[i:])
}

// surelyNames says whether some words name one service and no other.
func (e wishReader) surelyNames(words []language.Token) bool {
	found := e.Catalogue.FindServices(e.Text[words[0].Start:words[len(words)-1].End], e.language())
	return len(found) > 0 && found[0].Sure && found[0].Score >= clearMatch && !found[0].Weak
}

// hasKin says whether somebody close is named in some words.
func (e wishReader) hasKin(words []language.Token) bool {
	for i := 1; i < len(words); i++ {
		if e.is("kin", words[i].Word) && e.is("ours", words[i-1].Word) {
			return true
		}
	}
	return false
}

// sharedOnes are where things are counted out by whom they are for: "one for me and one
// for my dad" tells no hour.
func (e wishReader) sharedOnes() (all [][2]int) {
	words := e.words.words
	for i := 0; i+1 < len(words); i++ {
		n, taken := e.numberAt(words, i)
		if taken != 1 || n != 1 {
			continue
		}
		if _, ok := e.whomAt(words, i+1); ok && words[i+1].Clause == words[i].Clause {
			all = append(all, [2]int{words[i].Start, words[i].End})
		}
	}
	begins := func(at [2]int) bool {
		i := itemReader(e).after(at[0])
		return i == 0 || words[i-1].Clause != words[i].Clause || e.is("further_joins", words[i-1].Word)
	}
	if len(all) == 1 && !begins(all[0]) {
		return nil // "at one for my dad"
	}
	return all
}

// hearSeveral hears that a service is wanted several times where each is for one
// person: "two haircuts". They follow one another.
func (e wishReader) hearSeveral() (Heard, bool) {
	const most = 4
	words, n := e.words.words, 0
	each := e.Trade.BooksPeople && !e.Trade.HasEmergencies && !e.Trade.ComesToCustomer && !e.Trade.SeatsParties
	if at := itemReader(e).after(e.serviceAt[0]); each && e.serviceAt[1] > 0 && at > 0 && at < len(words) && len(e.Services) > 0 && !e.Booking && !e.Booked && !e.Has(Ask) {
		n, _ = e.numberAt(words, at-1)
	}
	if n < 2 || n > most {
		return Heard{}, false
	}
	e.want(Book)
	if e.Party == n {
		e.Party, e.partyAt = 0, [2]int{}
	}
	heard := e.heard()
	for range n - 1 {
		heard.Commands = append(heard.Commands, Command{Do: DoAnother, Task: Book},
			Command{Do: DoSet, Slot: SlotService, Services: e.Services, Unsure: len(e.Services) > 1 || e.UnsureService},
			Command{Do: DoRelate, Slot: SlotDate}, Command{Do: DoRelate, Slot: SlotTime})
	}
	return heard, true
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
	return (left.service != "" || e.mayName(words[:i])) && right.service == "" && len(e.whomIn(words[:i])) > 0 && len(e.whomIn(words[i:])) > 0
}

// takeAgain takes the service of the first wish where another one is wanted for
// somebody else and none is named. One that is named where a reason is told is meant
// all the same: "y a mi marido que le afeiten".
func (e wishReader) takeAgain(first *ear) {
	if len(e.Services)+len(e.Unbookable)+len(e.Items) == 0 && e.hasKin(e.words.words) {
		named := e.tellsOf(e.words.words).service
		for _, s := range e.Catalogue.Services {
			if s.ID == named && s.Bookable {
				e.Services = []catalogue.Service{s}
			}
		}
	}
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
