package hearing

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// nameReader hears who is calling.
type nameReader struct{ questionReader }

// plainNameReader tells names that are made of ordinary words from what such words say.
type plainNameReader struct{ nameReader }

// longestName is how many words a name may have.
const longestName = 6

// hearName hears who is calling.
func (e nameReader) hearName() {
	e.hearCalled()
	e.hearInFull()
	givenReader{e}.putGivenFirst()
}

// hearInFull takes the whole name of who was asked for it and said one word of it first,
// in whatever form, and the rest in a clause further on: "it's Fran here, Frances Doyle".
func (e nameReader) hearInFull() {
	if e.Expect != SlotName || strings.Contains(e.Name, " ") || e.hears("refuses_name", e.words.words) {
		return
	}
	clauses := (utterance{text: e.Text, words: saidOnce(e.rest().words)}).parts(byClause)
	for i, clause := range clauses {
		if i == 0 || clause[0].Start < e.nameAt[1] || clause[0].Asks || e.hasOf("kin", clauses[i-1]) {
			continue
		}
		for len(clause) > 0 && (e.is("fillers", clause[0].Word) || e.is("name_manners", clause[0].Word) || e.is("contrasts", clause[0].Word)) {
			clause = clause[1:]
		}
		n := e.nameLength(clause)
		if n < 2 || e.is("particles", clause[0].Word) || !e.surelyNamed(clause[:n]) || !clause[1].Capital && !e.is("given_names", clause[0].Word) || e.isService(clause[:n]) {
			continue
		}
		e.setName(clause[:n])
		return
	}
}

// hearCalled hears the name that is led to, or is all that is said.
func (e nameReader) hearCalled() {
	if (spellingReader{e}).spelledName() {
		return
	}
	if name := (plainNameReader{e}).namedWithDays(); len(name) > 0 {
		e.When = dates.Reading{}
		e.setName(name)
		return
	}
	plainNameReader{e}.dayIsName()
	words := saidOnce(e.rest().words)
	if e.renames(words) || (givenReader{e}).servesOther(words) {
		return
	}
	if e.fullestName(words) {
		return
	}
	for i := range words {
		to, ok := e.at("name_leads", words, i)
		if !ok || to >= len(words) || words[to].Sentence != words[to-1].Sentence || e.knownAlready() && !e.hears("name_told", words[max(0, i-nearLead):to]) {
			continue
		}
		if e.takenForKin(words[to:]) {
			e.addSurname(words)
			return
		}
		weak := e.is("weak_leads", words[i].Word)
		if e.takeName(words[to:], weak) {
			e.addSurname(words)
			return
		}
	}
	if e.Expect == SlotName && !e.surnameFirst(words) {
		e.bareName(words)
	}
	plainNameReader{e}.lastNamed(words)
	if e.Name == "" && !e.knownAlready() && !e.takenFor(words) {
		e.nameBeside(words)
	}
	if e.Name != "" {
		e.addSurname(words)
	}
}

// nearLead is how many words before a lead may say that a name follows.
const nearLead = 3

// isNamed says whether a name was heard that begins with one that people are given.
func (e nameReader) isNamed() bool {
	first, _, _ := strings.Cut(language.Fold(e.Name), " ")
	return e.is("given_names", first)
}

// knownAlready says whether a number is asked of somebody whose name is known: what
// they say of the number is no name.
func (e nameReader) knownAlready() bool { return e.Expect == SlotPhone && e.Called != "" }

// saidOnce leaves out words that were said twice: the rest of the name follows
// the second time, as in "Noor, Noor Haddad".
func saidOnce(words []language.Token) []language.Token {
	var once []language.Token
	for i, w := range words {
		if w.Skip == language.Read || i+1 == len(words) || words[i+1].Word != w.Word {
			once = append(once, w)
		}
	}
	return once
}

// fullestName takes of several names that are led to the one with most words:
// "she's Saoirse Walsh, I'm Deirdre".
func (e nameReader) fullestName(words []language.Token) bool {
	if e.Expect != SlotName {
		return false
	}
	best, found := []language.Token(nil), 0
	for i := range words {
		to, ok := e.at("name_leads", words, i)
		if !ok {
			to, ok = e.at("their_name_leads", words, i)
		}
		if !ok {
			to, ok = e.at("name_again", words, i)
		}
		if !ok || to >= len(words) || words[to].Sentence != words[to-1].Sentence {
			continue
		}
		for to < len(words)-1 && e.is("name_titles", words[to].Word) {
			to++
		}
		n := e.nameLength(words[to:])
		if n == 0 || !e.plausible(words[to:], n) {
			continue
		}
		if found++; n > len(best) {
			best = words[to : to+n]
		}
	}
	if len(best) < 2 {
		return false
	}
	e.setName(best)
	return true
}

// surnameFirst hears "Lleras, Mauricio".
func (e nameReader) surnameFirst(words []language.Token) bool {
	clauses := (utterance{text: e.Text, words: words}).parts(byClause)
	if len(clauses) != 2 || len(clauses[0]) != 1 || len(clauses[1]) != 1 {
		return false
	}
	surname, given := clauses[0][0], clauses[1][0]
	if strings.Trim(e.between(surname, given), " ,") != "" { // "Kath with a K, Moore with two o's"
		return false
	}
	if e.is("given_names", surname.Word) || !e.is("given_names", given.Word) || e.isWord(surname.Word) || e.nameLength(clauses[0]) != 1 {
		return false
	}
	e.setName(clauses[1])
	e.Name, e.nameAt[0] = e.Name+" "+e.tidyName(e.Text[surname.Start:surname.End]), surname.Start
	return true
}

// takenFor hears for whom it is: "at 3 pm for Sam Nash", "una mesa para Ana".
func (e nameReader) takenFor(words []language.Token) bool {
	for i := 0; i+1 < len(words); i++ {
		if !e.is("for_whom", words[i].Word) || strings.TrimSpace(e.between(words[i], words[i+1])) != "" {
			continue
		}
		if e.takenForKin(words[i+1:]) {
			return true
		}
		if i == 0 || e.is("seeking", words[i-1].Word) || words[i+1].Clause != words[i].Clause {
			continue
		}
		after := words[i+1:]
		if e.is("name_titles", after[0].Word) {
			continue // an appointment for Dr Ruiz is with her
		}
		if n := e.nameLength(after); n > 0 && e.surelyNamed(after[:n]) && !e.isService(after[:n]) {
			e.setName(after[:n])
			return true
		}
	}
	return false
}

// takenForKin hears the name of somebody close: "para mi hija Lucía", "for my
// son, Tom".
func (e nameReader) takenForKin(after []language.Token) bool {
	if len(after) < 3 || !e.is("ours", after[0].Word) || !e.is("kin", after[1].Word) || after[2].Sentence != after[1].Sentence {
		return false
	}
	named := after[2:]
	n := e.nameLength(named)
	if n == 0 || !named[0].Capital && !e.is("given_names", named[0].Word) || named[0].Capital && e.Text == strings.ToUpper(e.Text) {
		return false
	}
	if n < len(named) && e.is("name_joins", named[n].Word) || e.is("particles", named[0].Word) {
		return false // "for my wife Sarah and I"
	}
	e.setName(named[:n])
	return true
}

// nameBeside takes a clause that is nothing but a name, next to the telephone
// number, at the end of what is wanted, or where it is all that is said: ", Laura
// King, 600 333 123".
func (e nameReader) nameBeside(words []language.Token) {
	clauses := (utterance{text: e.Text, words: words}).parts(byClause)
	for i, clause := range clauses {
		for len(clause) > 0 && (e.is("name_manners", clause[0].Word) || e.is("fillers", clause[0].Word)) {
			clause = clause[1:]
		}
		n := e.nameLength(clause)
		if n == 0 || !e.onlyManners(clause[n:]) || e.isService(clause[:n]) || clause[0].Asks || !e.surelyNamed(clause[:n]) {
			continue
		}
		if i > 0 && (plainNameReader{e}).namesKin(clauses[i-1], clause[:n]) {
			continue
		}
		if e.endsWish(clauses, i, clause[:n]) || e.standsAlone(clauses, i, clause[:n]) || e.nextToPhone(clause[:n]) {
			e.setName(clause[:n])
			return
		}
	}
	e.nameBefore(words)
}

// namesKin says whether a name is rather that of somebody in the clause before it than
// the caller's: "la recoge mi hermano, Julián".
func (e plainNameReader) namesKin(before, name []language.Token) bool {
	if e.Expect == SlotName {
		return false
	}
	for i := 1; i < len(before); i++ {
		if e.is("kin", before[i].Word) && e.is("ours", before[i-1].Word) {
			return i+1 == len(before) || len(name) == 1
		}
	}
	return len(before) > 1 && e.is("one_of_several", before[len(before)-1].Word) // "for the youngest, Ines"
}

// endsWish says whether a name is the last thing said of what is wanted.
func (e nameReader) endsWish(clauses [][]language.Token, i int, name []language.Token) bool {
	return i+1 == len(clauses) && i > 0 && len(e.When.Mentions)+len(e.Services) > 0 &&
		(len(name) > 1 || e.is("given_names", name[0].Word) && name[0].Capital)
}

// standsAlone says whether a name is all that is said while something is
// arranged.
func (e nameReader) standsAlone(clauses [][]language.Token, i int, name []language.Token) bool {
	return (e.Booking || e.Expect == SlotConfirm) && len(name) > 1 && e.saysOnly(clauses, i) && (e.is("given_names", name[0].Word) || e.onlyNamed(name))
}

// saysOnly says whether all clauses but one are manners.
func (e nameReader) saysOnly(clauses [][]language.Token, i int) bool {
	for j, other := range clauses {
		if j != i && !e.onlyManners(other) {
			return false
		}
	}
	return true
}

// onlyNamed says whether words that may answer something else are a name none
// of whose parts is known: written as one, not made of ordinary words alone, and
// nothing that was offered.
func (e nameReader) onlyNamed(words []language.Token) bool {
	if e.Expect == Nothing || e.Expect == SlotService || e.Expect == SlotChoice || len(e.Services)+len(e.Unbookable)+len(e.When.Mentions) > 0 {
		return false
	}
	strange := false // a word that is none of either language
	offered := language.Fold(strings.Join(e.Offered, " "))
	for _, w := range words {
		if e.is("particles", w.Word) {
			continue
		}
		if !w.Capital || e.smallest(w.Word) || e.is("telling", w.Word) || strings.Contains(offered, w.Word) {
			return false
		}
		strange = strange || !e.isWord(w.Word)
	}
	return strange
}

// nameBefore takes the name that runs up to the telephone number without a
// comma, as recognisers write: "at ten laura king 600 333 123".
func (e nameReader) nameBefore(words []language.Token) {
	to := 0
	for to < len(words) && words[to].End <= e.phoneAt[0] {
		to++
	}
	for n := min(3, to); n > 1; n-- {
		last := words[to-n : to]
		if e.is("given_names", last[0].Word) && e.nameLength(last) == n && e.surelyNamed(last) && e.nextToPhone(last) && !e.isService(last) {
			e.setName(last)
			return
		}
	}
}

// nextToPhone says whether only signs and small words are between the words and
// the telephone number.
func (e nameReader) nextToPhone(words []language.Token) bool {
	if e.phoneAt[1] == 0 {
		return false
	}
	from, to := words[len(words)-1].End, e.phoneAt[0]
	if to < from {
		from, to = e.phoneAt[1], words[0].Start
	}
	for _, w := range e.words.words {
		if w.Start >= from && w.End <= to && !e.smallTalk(w.Word) && !e.is("phone_nouns", w.Word) && !e.is("name_manners", w.Word) {
			return false
		}
	}
	return true
}

// surelyNamed is the test for names that nothing leads to: a known given name,
// or two words and more that are all capitalised and not all ordinary.
func (e nameReader) surelyNamed(words []language.Token) bool {
	known, capitals, ordinary := false, 0, 0
	for _, w := range words {
		switch {
		case e.is("particles", w.Word):
			continue
		case w.Capital:
			capitals++
		}
		known = known || e.is("given_names", w.Word)
		if e.isWord(w.Word) && !e.is("given_names", w.Word) {
			ordinary++
		}
	}
	if e.Text == strings.ToUpper(e.Text) || capitals == 0 {
		return e.is("given_names", words[0].Word) && ordinary == 0 && len(words) > 1
	}
	return known && words[0].Capital || capitals > 1 && ordinary < capitals
}

// addSurname joins the two halves of "first name Ana, last name López".
func (e nameReader) addSurname(words []language.Token) {
	_, to, ok := e.find("surname_leads", words)
	if !ok || to >= len(words) {
		return
	}
	n := e.nameLength(words[to:])
	if n == 0 || words[to].Start < e.nameAt[1] && e.nameAt[0] < words[to+n-1].End {
		return
	}
	first, at := e.Name, e.nameAt
	e.setName(words[to : to+n])
	e.Name, e.nameAt = first+" "+e.Name, [2]int{min(at[0], e.nameAt[0]), max(at[1], e.nameAt[1])}
}

// takeName takes the name at the beginning of words.
func (e nameReader) takeName(words []language.Token, weak bool) bool {
	for len(words) > 0 && e.is("name_titles", words[0].Word) {
		words = words[1:]
	}
	n := e.nameLength(words)
	if n == 0 {
		return false
	}
	if e.is("companies", words[0].Word) {
		return false // whoever pays is not who calls
	}
	if weak && (e.is("particles", words[0].Word) || !e.plausible(words, n)) && !(n > 1 && e.Expect == SlotName && (plainNameReader{e}).plainName(words, words[:n])) {
		return false
	}
	e.setName(words[:n])
	return true
}

// plausible is the harder test for a name that no clear words lead to: it is
// capitalised, or names are what was asked for and it is no ordinary word.
func (e nameReader) plausible(words []language.Token, n int) bool {
	if words[0].Capital {
		return e.Text != strings.ToUpper(e.Text) || e.Expect == SlotName
	}
	for _, w := range words[:n] {
		if !e.is("particles", w.Word) && e.isWord(w.Word) && !e.is("given_names", w.Word) {
			return false
		}
	}
	return e.Expect == SlotName || e.is("given_names", words[0].Word)
}

// nameLength is how many of the words are a name.
func (e nameReader) nameLength(words []language.Token) int {
	n := 0
	for n < len(words) && n < longestName {
		w := words[n]
		if n > 0 && (w.Clause != words[n-1].Clause || e.between(words[n-1], w) != " " && e.between(words[n-1], w) != "-" && e.between(words[n-1], w) != ". ") {
			break
		}
		if !e.nameWord(words, n) || e.tellsWhich(words, n) {
			break
		}
		n++
	}
	for n > 0 && e.is("particles", words[n-1].Word) && !words[n-1].Capital {
		n--
	}
	if n == 1 && utf8.RuneCountInString(e.Text[words[0].Start:words[0].End]) < 2 {
		return 0
	}
	return n
}

// tellsWhich says whether an article behind a name begins to tell which of those who are
// called so it is: "soy Marta la de la rodilla". Within a surname it follows a particle.
func (e nameReader) tellsWhich(words []language.Token, i int) bool {
	return i > 0 && i+1 < len(words) && e.is("determiners", words[i].Word) && !words[i].Capital && !words[i+1].Capital && !e.is("particles", words[i-1].Word) && (e.Expect != SlotName || e.is("particles", words[i+1].Word))
}

// nameWord says whether a word may be part of a name.
func (e nameReader) nameWord(words []language.Token, i int) bool {
	w := words[i]
	switch {
	case isFigures(w.Word), e.is("phone_nouns", w.Word) && !w.Capital, i > 0 && e.is("name_joins", w.Word) && !e.joinsSurnames(words, i):
		return false
	case e.is("particles", w.Word):
		return i > 0 || w.Capital || i+1 < len(words) && (words[i+1].Capital || e.is("particles", words[i+1].Word) || !e.isWord(words[i+1].Word))
	case e.neverNames(words, i):
		return false
	case w.Capital || e.is("given_names", w.Word), e.Expect == SlotName && e.is("word_names", w.Word):
		return true
	}
	return !e.smallest(w.Word) && e.digits(w.Word) == ""
}

// neverNames says whether a word is no part of a name. A word that is none in another
// language may answer the question for a name, as Una does, and one behind a name that
// is written as a surname is one: "Clara Mesa".
func (e nameReader) neverNames(words []language.Token, i int) bool {
	w := words[i]
	if !e.is("not_names", w.Word) {
		return false
	}
	if e.Expect != SlotName || e.Text == strings.ToUpper(e.Text) {
		return true
	}
	if !language.Of(e.Setting.Language).Words("not_names")[w.Word] && (w.Capital || i == 0 && len(words) > 1) {
		return false
	}
	return i == 0 || !w.Capital || !words[i-1].Capital
}

// joinsSurnames says whether an "and" is part of a name: "Ortega y Gasset". Before
// an ordinary word it goes on to something else: "y ponga cinco".
func (e nameReader) joinsSurnames(words []language.Token, i int) bool {
	if i+1 >= len(words) || words[i+1].Clause != words[i].Clause {
		return false
	}
	next := words[i+1]
	return e.is("particles", words[i].Word) && !next.Figures && (e.is("given_names", next.Word) || !e.isWord(next.Word)) && !e.is("particles", next.Word)
}

// bareName takes an answer that is nothing but a name, with manners around it.
func (e nameReader) bareName(words []language.Token) {
	asks, plain := e.asksSomething(), plainNameReader{e}
	if e.hears("refuses_name", words) {
		return
	}
	for _, whole := range (utterance{text: e.Text, words: words}).parts(byClause) {
		clause := e.pastKin(whole)
		for len(clause) > 0 && e.is("name_titles", clause[0].Word) {
			clause = clause[1:]
		}
		n := e.nameLength(clause)
		if n == 0 || !e.endsAfter(clause, n) || e.isService(clause[:n]) || plain.namesThing(whole, clause[:n]) {
			continue
		}
		if plain.hardlyNamed(words, clause[:n]) || asks && (n < 2 || !e.namedOnly(clause[:n])) {
			continue
		}
		e.setName(clause[:n])
		return
	}
}

// lastNamed takes a full name at the end of what answers the question for it, whatever a
// recogniser made of the words that lead to it: "my name in Emily Carter".
func (e plainNameReader) lastNamed(words []language.Token) {
	const mostBefore, longest = 4, 4
	if e.Expect != SlotName || e.Name != "" || e.asksSomething() || e.hears("refuses_name", words) || e.Text == strings.ToUpper(e.Text) {
		return
	}
	for n := min(longest, len(words)); n > 1; n-- {
		before, last := words[:len(words)-n], words[len(words)-n:]
		if len(before) <= mostBefore && last[0].Capital && last[1].Capital && e.is("given_names", last[0].Word) && e.nameLength(last) == n &&
			!e.isService(last) && !e.hasOf("kin", before) {
			e.setName(last)
			return
		}
	}
}

// namesThing says whether ordinary words behind an article are a thing: "it's the blue
// door". A surname may have one: "la señora Rosa".
func (e plainNameReader) namesThing(clause, name []language.Token) bool {
	before := slices.IndexFunc(clause, func(w language.Token) bool { return w.Start == name[0].Start }) - 1
	return before >= 0 && e.is("determiners", clause[before].Word) && e.isWord(name[0].Word) && !e.hasOf("given_names", name) && !name[0].Capital
}

// hardlyNamed says whether words that answer the question for a name are none: ordinary
// ones that are no plain answer, or unknown ones that mean something.
func (e plainNameReader) hardlyNamed(words, name []language.Token) bool {
	if e.allWords(name) && !name[0].Capital {
		return !e.plainName(words, name)
	}
	return !e.hasOf("given_names", name) && e.saysElse(name)
}

// plainName says whether ordinary words are the name that was asked for: there are few
// of them, nothing else is said beside manners and the number, and they say nothing
// themselves. One alone must be a word that people are called.
func (e plainNameReader) plainName(words, name []language.Token) bool {
	const most = 4
	if len(name) > most || len(name) == 1 && !e.is("word_names", name[0].Word) {
		return false
	}
	for _, w := range words {
		again := slices.ContainsFunc(name, func(n language.Token) bool { return n.Word == w.Word })
		if !again && !e.onlyManners([]language.Token{w}) && !e.smallTalk(w.Word) {
			return false
		}
	}
	return !e.neverNamed(name) && !e.saysElse(name)
}

// neverNamed says whether words that are all ordinary hold one that no name has: a
// filler, an article that belongs to no surname, somebody of the caller's.
func (e plainNameReader) neverNamed(words []language.Token) bool {
	for i, w := range words {
		if e.is("particles", w.Word) {
			if e.is("determiners", w.Word) && (i == 0 || !e.is("particles", words[i-1].Word)) {
				return true
			}
			continue
		}
		for _, set := range []string{"fillers", "name_manners", "interrogatives", "determiners", "ours", "kin"} {
			if e.is(set, w.Word) {
				return true
			}
		}
	}
	return false
}

// saysElse says whether words that may be a name mean something when nobody has asked
// for one.
func (e plainNameReader) saysElse(name []language.Token) bool {
	s := e.Setting
	s.Expect, s.Booking, s.Offered = Nothing, false, nil
	other := listen(e.Text[name[0].Start:name[len(name)-1].End], s)
	day := len(other.When.Mentions) > 0 && !((len(name) > 1 || len(e.words.words) == 1 && name[0].Capital && e.Expect == SlotName) && e.is("word_names", name[0].Word))
	return day || len(other.Intents)+len(other.Messages) > 0 || other.Yes || other.No || other.Question != "" || other.Party > 0 || other.DontKnow || other.Waits || other.Self || other.AnyTime
}

// dayIsName takes a day that people are called for the beginning of the name that was
// asked for: "Domingo Casas".
func (e plainNameReader) dayIsName() {
	words := e.words.words
	if e.Expect != SlotName || len(e.When.Mentions) != 1 {
		return
	}
	at := e.When.Mentions[0]
	for i, w := range words {
		if w.Start != at.Start || w.End != at.End || !e.is("word_names", w.Word) {
			continue
		}
		name := words[i:]
		n := e.nameLength(name)
		if lead, ok := e.leadBefore(words[:i]); (i == 0 || ok && lead == i) && (len(words) == 1 && w.Capital || n > 1 && e.onlyManners(name[n:]) && (e.hasOf("given_names", name[1:n]) || !e.saysElse(name[1:n]))) {
			e.When = dates.Reading{}
		}
		return
	}
}

// namedWithDays are the words of a name that is asked for and of which a part is a day
// or a month, where nothing else is said: "Iván Abril". It begins with what people are
// called, or is written as a name.
func (e plainNameReader) namedWithDays() []language.Token {
	const fewest, most = 2, 4
	if e.Expect != SlotName || len(e.When.Mentions) == 0 || !e.bareDays() {
		return nil
	}
	words := e.withoutLeads()
	if len(words) < fewest || len(words) > most || words[0].Clause != words[len(words)-1].Clause || e.neverNamed(words) {
		return nil
	}
	given, written, own := e.is("given_names", words[0].Word) || e.is("word_names", words[0].Word), true, false
	for _, w := range words {
		if _, number := e.counts(w.Word); number || w.Figures {
			return nil
		}
		written = written && (w.Capital || e.is("particles", w.Word))
		own = own || !touches(w, wishReader{e.ear}.whenSpans()) && !wishReader{e.ear}.inServiceName(w)
	}
	if given || written && own && e.Text != strings.ToUpper(e.Text) {
		return words
	}
	return nil
}

// withoutLeads are the words without those that lead to a name, and manners around it.
func (e plainNameReader) withoutLeads() []language.Token {
	words := e.words.words
	for len(words) > 0 && e.onlyManners(words[len(words)-1:]) {
		words = words[:len(words)-1]
	}
	for i := range words {
		if to, ok := e.at("name_leads", words, i); ok && to < len(words) && e.onlyManners(words[:i]) {
			return words[to:]
		}
	}
	return words
}

// bareDays says whether the days that were read are single words.
func (e plainNameReader) bareDays() bool {
	for _, m := range e.When.Mentions {
		if m.AboutTime() || strings.ContainsRune(e.Text[m.Start:m.End], ' ') {
			return false
		}
	}
	return true
}

// leadBefore is where words that lead to a name end.
func (e plainNameReader) leadBefore(words []language.Token) (to int, ok bool) {
	for i := range words {
		if to, ok = e.at("name_leads", words, i); ok && to == len(words) {
			return to, true
		}
	}
	return 0, false
}

// pastKin is a clause without the small words before a name, and without who it
// is to the caller: "para mi papá Álvaro".
func (e nameReader) pastKin(clause []language.Token) []language.Token {
	for len(clause) > 0 {
		kin := len(clause) > 2 && e.is("ours", clause[0].Word) && e.is("kin", clause[1].Word)
		switch {
		case kin:
			clause = clause[2:]
		case e.is("name_manners", clause[0].Word), e.is("fillers", clause[0].Word):
			clause = clause[1:]
		default:
			return clause
		}
	}
	return clause
}

// endsAfter says whether a name ends after n words of a clause: with it, before
// manners or a number that is none of it, or where the clause goes on to
// something else.
func (e nameReader) endsAfter(clause []language.Token, n int) bool {
	return e.onlyManners(clause[n:]) || touches(clause[n], e.apartAt) || e.is("name_ends", clause[n].Word) && e.mostlyNamed(clause[:n])
}

// mostlyNamed says whether at most half of the words are ordinary ones: there are
// names among those.
func (e nameReader) mostlyNamed(words []language.Token) bool {
	ordinary := 0
	for _, w := range words {
		if e.isWord(w.Word) && !e.is("given_names", w.Word) && !w.Capital {
			ordinary++
		}
	}
	return 2*ordinary <= len(words) && !e.allWords(words)
}

// namedOnly says whether none of the words is an ordinary one, save in a name of
// several that is written with capitals.
func (e nameReader) namedOnly(words []language.Token) bool {
	for _, w := range words {
		if !e.is("particles", w.Word) && e.isWord(w.Word) && !e.is("given_names", w.Word) && !(w.Capital && len(words) > 1) {
			return false
		}
	}
	return !e.allWords(words)
}

// allWords says whether every word is an ordinary one, so that they are hardly
// a name.
func (e nameReader) allWords(words []language.Token) bool {
	for _, w := range words {
		if !e.is("particles", w.Word) && (e.is("given_names", w.Word) || !e.isWord(w.Word)) {
			return false
		}
	}
	return true
}

func (e nameReader) onlyManners(words []language.Token) bool {
	for _, w := range words {
		if !e.is("name_manners", w.Word) && !e.is("fillers", w.Word) && !e.is("tails", w.Word) && !e.is("phone_nouns", w.Word) {
			return false
		}
	}
	return true
}

func (e nameReader) isService(words []language.Token) bool {
	return len(e.Services) > 0 && e.serviceAt[0] <= words[0].Start && words[len(words)-1].End <= e.serviceAt[1]
}

func (e nameReader) setName(words []language.Token) {
	from, to := words[0].Start, words[len(words)-1].End
	if n := len(words); n > 2 && words[0].Word == words[n-1].Word {
		words = words[1:] // the surname first, then all of it
	}
	e.Name, e.nameAt = e.tidyName(e.Text[words[0].Start:to]), [2]int{from, to}
	if e.serviceAt[0] >= from && e.serviceAt[1] <= to {
		e.Services, e.serviceAt = nil, [2]int{} // who is called Rosa asks for none
	}
}

// tidyName writes a name as names are written: capitals where a recogniser has
// given none, particles small.
func (e nameReader) tidyName(s string) string {
	fields := strings.Fields(s)
	shout := s == strings.ToUpper(s)
	for i, f := range fields {
		fields[i] = e.tidyWord(f, i > 0, shout)
	}
	return strings.Join(fields, " ")
}

func (e nameReader) tidyWord(f string, inside, shout bool) string {
	lower := strings.ToLower(f)
	if folded := language.Fold(f); inside && e.is("particles", folded) && !e.is("capital_particles", folded) && (shout || f == lower) {
		return lower
	}
	if f != lower && !(shout && utf8.RuneCountInString(f) > 2) {
		return f
	}
	parts := strings.FieldsFunc(lower, func(r rune) bool { return r == '-' })
	for i, p := range parts {
		parts[i] = capitalised(p)
	}
	return strings.Join(parts, "-")
}

func capitalised(s string) string {
	if len(s) > 3 && (strings.HasPrefix(s, "o'") || strings.HasPrefix(s, "d'")) {
		return strings.ToUpper(s[:1]) + s[1:2] + capitalised(s[2:])
	}
	if len(s) > 4 && strings.HasPrefix(s, "mc") {
		return "Mc" + capitalised(s[2:])
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
