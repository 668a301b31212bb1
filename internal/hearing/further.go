package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// wishReader hears a second wish in the same sentence.
type wishReader struct{ *ear }

// hearFurther hears an utterance that wants two things: each part by itself, and
// what was said for both in both. It says whether there are two.
func (e wishReader) hearFurther() (Heard, bool) {
	at := e.furtherAt()
	if at == 0 {
		return e.hearSeveral()
	}
	first := listen(e.Text[:at], e.Setting)
	arranging := e.Setting
	arranging.Booking = true
	if e.Expect == SlotConfirm {
		arranging.Expect = Nothing // what was read back is the first one
	}
	second := listen(strings.Repeat(" ", at)+e.Text[at:], arranging)
	if e.takeBundle(first, second) {
		return Heard{}, false
	}
	wishReader{first}.notePerson()
	wishReader{second}.notePerson()
	wishReader{first}.countApart(second)
	wishReader{second}.takeAgain(first)
	sharedReader{wishReader{first}}.shareNotes(second, e.hears("both", e.words.words))
	if e.Expect != SlotConfirm || len(second.When.Mentions) == 0 { // what was read back has its day and its time
		share(&first.Gist, &second.Gist, e.hears("two_wishes", e.words.words), e.hears("at_once", e.words.words))
	}
	if (wishReader{first}).namesWhom() {
		first.Name, first.nameAt = "", [2]int{}
	}
	if first.Name == "" && e.Expect != SlotConfirm && !second.hears("their_wish", second.words.words) && !(wishReader{second}).namesWhom() {
		first.Name = second.Name
	}
	if e.Expect != SlotConfirm && !first.Has(Book) && !first.Has(Order) {
		first.want(Book)
	}
	task := Book
	if len(second.Items) > 0 && len(second.Services) == 0 || second.Has(Order) && !second.Has(Book) {
		task = Order
	}
	commands := append(first.commands(), Command{Do: DoAnother, Task: task})
	for _, c := range second.commands() {
		if c.Do != DoStart && c.Do != DoYes && c.Do != DoNo {
			commands = append(commands, c)
		}
	}
	return Heard{Text: e.Text, Language: e.Gist.Language, Pieces: append(first.pieces, second.pieces...), Commands: commands}, true
}

// takeBundle takes the service that is both of those that two wishes name, where the
// house has one and only one of the wishes says when: "a cut, and the beard, on Friday".
func (e wishReader) takeBundle(first, second *ear) bool {
	apart := len(wishReader{first}.whomIn(first.words.words)) > 0 && len(wishReader{second}.whomIn(second.words.words)) > 0
	if e.Catalogue == nil || e.Booking || apart || len(first.Services) != 1 || len(second.Services) != 1 || len(first.When.Mentions) > 0 && len(second.When.Mentions) > 0 {
		return false
	}
	both, ok := e.Catalogue.Bundle(first.Services[0], second.Services[0])
	if !ok || !both.Bookable {
		return false
	}
	e.Services, e.Unbookable, e.UnsureService = []catalogue.Service{both}, nil, false
	e.want(Book)
	return true
}

// countApart lets go of the two people of two wishes for two services: each of them
// wants one. Where parties are seated, each wish counts its own.
func (e wishReader) countApart(second *ear) {
	const two = 2
	if e.Trade.SeatsParties || len(e.Services) != 1 || len(second.Services) != 1 || e.Services[0].ID == second.Services[0].ID {
		return
	}
	if e.Party == two && second.Party == 0 {
		e.Party, e.partyAt = 0, [2]int{}
	} else if second.Party == two && e.Party == 0 {
		second.Party, second.partyAt = 0, [2]int{}
	}
}

// share gives the second wish the day of the first when it names none, and its
// time when both were said to be wanted together, or at once; and the first what is
// only told at the end.
func share(first, second *Gist, together, atOnce bool) {
	_, dated := second.When.Day()
	_, clocked := second.When.Time()
	var given []dates.Mention
	for _, m := range first.When.Mentions {
		day := m.Kind == dates.OneDay || m.Kind == dates.Days
		if day && !dated || !day && !clocked && (together && !dated || atOnce) {
			given = append(given, m)
		}
	}
	if len(first.When.Mentions) == 0 && dated { // "an oil change and a brake check on Monday at nine"
		first.When = second.When
		if !atOnce {
			second.When, first.AnyTime, second.AnyTime = dates.Reading{}, first.AnyTime || second.AnyTime, false
		}
	}
	second.When.Mentions = append(given, second.When.Mentions...)
	if _, clocked = second.When.Time(); !clocked && (!dated || len(second.When.Mentions) == 0) && len(second.Services) > 0 {
		second.Same = append(second.Same, SlotDate, SlotTime) // one after the other, unless they say otherwise
	}
	if first.Phone == "" {
		first.Phone = second.Phone
	}
	if first.Email == "" {
		first.Email = second.Email
	}
}

// furtherAt is where in the text a second wish begins, 0 when there is none.
func (e wishReader) furtherAt() int {
	if (e.Expect == SlotName || e.Expect == SlotPhone) && !bothReader(e).wanted() || len(e.Messages) > 0 {
		return 0
	}
	two := e.hears("two_wishes", e.words.words)
	best, most := 0, 0
	for i := range e.words.words {
		n := e.weighFurther(i, two)
		if n > most || n > 0 && n == most && i > best+4 { // "and could you also" is one mark
			best, most = i, n
		}
	}
	if best == 0 {
		return 0
	}
	return e.words.words[best].Start
}

// weighFurther says how well the utterance falls into two wishes at word i, 0
// when it does not.
func (e wishReader) weighFurther(i int, two bool) int {
	words := e.words.words
	if i == 0 || e.insideWhen(i) {
		return 0
	}
	_, marked := e.at("further", words, i)
	if marked || e.joinsAt(i) {
		return e.weighParts(i, marked, two)
	}
	if e.Expect == SlotConfirm || e.follows(words, i) || touches(words[i], e.whenSpans()) || !e.sharedOut(i, e.tellsOf(words[:i]), e.tellsOf(words[i:])) {
		return 0
	}
	return 1 // "a cut for me, a colour for my daughter"
}

// weighParts weighs the words before word i against those from it on. Marked says that
// word i begins a mark of a second wish, two that two are said to be wanted.
func (e wishReader) weighParts(i int, marked, two bool) int {
	words := e.words.words
	left, right := e.tellsOf(words[:i]), e.tellsOf(words[i:])
	weight := left.weight() + right.weight()
	switch {
	case left.clock && right.clock && (two || e.ownedApart(i)):
		return 3 + weight
	case e.Expect == SlotConfirm && marked && e.addsToAgreed(i, right):
		return 4 + weight
	case (e.Expect == SlotConfirm || e.No && e.Expect != Nothing) && !bothReader(e).wanted():
		return 0
	}
	return e.weighMarked(i, left, right, marked, two)
}

// weighMarked weighs parts that nothing else tells of than what stands in them, and
// the mark between them.
func (e wishReader) weighMarked(i int, left, right part, marked, two bool) int {
	namesTwo, weight := differ(left, right), left.weight()+right.weight()
	switch {
	case e.sharedOut(i, left, right), marked && e.wantedAgain(i, left, right), e.sharedWithKin(i, left, right):
		return 5 + weight
	case marked && e.goesOn(left, right, two):
		return 4 + weight
	case two && (namesTwo || marked && left.weight() > 0):
		return 2 + weight
	case namesTwo && (left.clock && right.clock || e.listed(i)):
		return weight
	}
	return 0
}

// insideWhen says whether word i and the one before it both belong to days or times:
// no wish begins between them.
func (e wishReader) insideWhen(i int) bool {
	words, spans := e.words.words, e.whenSpans()
	return touches(words[i], spans) && touches(words[i-1], spans)
}

// joinsAt says whether word i joins what follows to what was said before, or begins
// a sentence.
func (e wishReader) joinsAt(i int) bool {
	words := e.words.words
	return e.is("further_joins", words[i].Word) || words[i].Sentence != words[i-1].Sentence
}

// ownedApart says whether the words before word i and those from it on each tell whose
// appointment they speak of.
func (e wishReader) ownedApart(i int) bool {
	return e.owned(e.words.words[:i]) && e.owned(e.words.words[i:])
}

// addsToAgreed says whether what was read back is agreed to before word i and another
// service is named from there on. Without a time it may be what a question is about.
func (e wishReader) addsToAgreed(i int, right part) bool {
	return e.agreedBefore(i) && right.service != "" && (right.clock || e.Question == "")
}

// listed says whether two services are named one beside the other with word i
// between them: "a check-up and a filling". What lies between them says when and
// for whom, and no more; a service that is both is one wish.
func (e wishReader) listed(i int) bool {
	words := e.words.words
	if !e.is("further_joins", words[i].Word) || questionReader(e).asksSomething() && !e.Has(Book) {
		return false
	}
	left := e.Catalogue.FindServices(blank(e.Text, [2]int{words[i].Start, len(e.Text)}), e.language())[0]
	right := e.Catalogue.FindServices(blank(e.Text, [2]int{0, words[i].End}), e.language())[0]
	if !e.listedBoth(left, right) || e.isBoth(i, left.Entry, right.Entry) {
		return false
	}
	beside := e.whenSpans()
	for _, w := range e.whomIn(words) {
		beside = append(beside, [2]int{words[w.from].Start, words[w.to-1].End})
	}
	for at, w := range words {
		if at+1 == i && w.Start == left.End+1 {
			continue // "front pads and a battery"
		}
		between := w.Start >= left.End && w.End <= right.Start
		if between && !touches(w, beside) && !e.smallTalk(w.Word) && !e.is("determiners", w.Word) && !e.is("kin", w.Word) && !e.is("ours", w.Word) && !e.is("further_joins", w.Word) {
			return false
		}
	}
	return true
}

// listedBoth says whether two services are named in full, or by words that only they
// have and right beside each other: "a haircut and a shave".
func (e wishReader) listedBoth(left, right catalogue.Match[catalogue.Service]) bool {
	if left.Score >= fullMatch && right.Score >= fullMatch {
		return true
	}
	const near = 4 // words between them: "and on top a"
	between := 0
	for _, w := range e.words.words {
		if w.Start < left.End || w.End > right.Start {
			continue
		}
		between++
		if e.is("set want", w.Word) || e.is("set can", w.Word) || e.is("reason_words", w.Word) {
			return false
		}
	}
	sure := func(m catalogue.Match[catalogue.Service]) bool { return m.Sure && m.Score >= clearMatch }
	return sure(left) && sure(right) && between <= near
}

// isBoth says whether the service that was heard has word i in its name and is neither
// of the two on either side of it: "cut and beard" is one thing.
func (e wishReader) isBoth(i int, left, right catalogue.Service) bool {
	w := e.words.words[i]
	if e.serviceAt[0] >= w.Start || w.End >= e.serviceAt[1] {
		return false
	}
	return !slices.ContainsFunc(e.Services, func(s catalogue.Service) bool { return s.ID == left.ID || s.ID == right.ID })
}

// hearBeside hears that something is wanted beside what was booked before:
// another one of the same, on the same day, right after it.
func (e wishReader) hearBeside() {
	words := e.words.words
	if e.Expect == Nothing && e.Booked && !e.Booking && !e.Has(Cancel) && !e.Has(Reschedule) && !e.Has(Ask) && len(e.Messages) == 0 {
		more := e.hears("one_more", words)
		if more && len(e.Services)+len(e.Items) == 0 {
			e.Same = append(e.Same, SlotService)
			e.want(Book)
		}
		if len(e.Services) > 0 && len(words) > 0 && e.goesOnFrom(words) {
			e.want(Book)
		}
		if _, dated := e.When.Day(); !dated && (more || len(e.Services) > 0) {
			e.Same = append(e.Same, SlotDate)
		}
	}
	if _, clocked := e.When.Time(); !clocked && e.hears("right_after", words) {
		e.Same = append(e.Same, SlotTime)
	}
}

// goesOnFrom says whether words go on from what was said before: "and a shave".
func (e wishReader) goesOnFrom(words []language.Token) bool {
	for _, w := range words {
		if e.is("further_joins", w.Word) {
			return true
		}
		if !e.is("fillers", w.Word) && !e.is("agreeing", w.Word) {
			return false
		}
	}
	return false
}

// agreedBefore says whether the words before word i only say yes.
func (e wishReader) agreedBefore(i int) bool {
	words := e.words.words[:i]
	to, ok := e.at("yes_starts", words, 0)
	return ok && e.contentWords(words[to:]) == 0
}

// owned says whether words tell whose the appointment is that they speak of:
// "mine is at ten", "el de Alba a las cinco".
func (e wishReader) owned(words []language.Token) bool {
	if e.hears("own_wish", words) || len(e.whomIn(words)) > 0 {
		return true
	}
	from, _ := e.owner(words)
	return from >= 0
}

// owner is where somebody else is named whose appointment it is, -1 when nobody
// is.
func (e wishReader) owner(words []language.Token) (from, to int) {
	if from, to, ok := e.find("their_wish", words); ok {
		if to < len(words) && e.is("given_names", words[to].Word) && words[to].Clause == words[to-1].Clause {
			to++
		}
		return from, to
	}
	for _, w := range e.whomIn(words) {
		if w.named {
			return w.from, w.to
		}
	}
	for i := 0; i+1 < len(words); i++ {
		if e.is("of_whom", words[i].Word) && e.is("given_names", words[i+1].Word) && words[i].Clause == words[i+1].Clause {
			return i, i + 2
		}
	}
	return -1, 0
}

// notePerson notes whose appointment a wish is when it is somebody else's.
func (e wishReader) notePerson() {
	words := e.words.words
	from, to := e.owner(words)
	if from < 0 {
		return
	}
	for to > from+1 && e.is("remark_ends", words[to-1].Word) {
		to--
	}
	text := e.Text[words[from].Start:words[to-1].End]
	e.Asides = slices.DeleteFunc(e.Asides, func(aside string) bool { return aside == text })
	for i, n := range e.Notes {
		if strings.Contains(n, text) {
			return
		}
		if to > from+1 && strings.HasSuffix(n, e.Text[words[from].Start:words[to-2].End]) {
			e.Notes[i] = text // which ends before the name
			return
		}
	}
	e.Notes = append(e.Notes, text)
}

// goesOn says whether what follows a mark of a second wish is one.
func (e wishReader) goesOn(left, right part, two bool) bool {
	switch {
	case right.items && !left.items && left.weight() > 0:
		return true
	case right.clock && left.clock && !e.Booking:
		return true
	}
	return right.service != "" && left.weight() > 0 && (differ(left, right) || right.clock || two)
}

// differ says whether two parts name different services.
func differ(a, b part) bool { return a.service != "" && b.service != "" && a.service != b.service }

func (e wishReader) whenSpans() [][2]int {
	var all [][2]int
	for _, m := range e.When.Mentions {
		all = append(all, [2]int{m.Start, m.End})
	}
	return all
}

// part is what some words tell that makes a wish of them.
type part struct {
	service      string
	clock, items bool
}

func (p part) weight() int {
	n := 0
	if p.service != "" {
		n++
	}
	if p.clock {
		n++
	}
	return n
}

// tellsOf is what some words tell.
func (e wishReader) tellsOf(words []language.Token) part {
	var p part
	at := [2]int{words[0].Start, words[len(words)-1].End}
	for _, m := range e.When.Mentions {
		inside := m.Start >= at[0] && m.End <= at[1]
		p.clock = p.clock || inside && !m.Negated && (m.Kind == dates.AtClock || m.Kind == dates.Hours)
	}
	p.items = slices.ContainsFunc(e.itemsAt, func(s [2]int) bool { return s[0] >= at[0] && s[1] <= at[1] })
	if e.Catalogue == nil {
		return p
	}
	if found := e.Catalogue.FindServices(e.Text[at[0]:at[1]], e.language()); len(found) > 0 && found[0].Score >= clearMatch {
		named := [2]int{at[0] + found[0].Start, at[0] + found[0].End}
		if !found[0].Weak || !serviceReader(e).tellsOnly(named) {
			p.service = found[0].Entry.ID
		}
	}
	return p
}
