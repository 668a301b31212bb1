package dates

import "frontdesk.dev/frontdesk/internal/language"

// take marks what is no time for certain: telephone numbers, addresses, and
// greetings, in which the afternoon of "buenas tardes" means nothing.
func (r figures) take() {
	shouting := r.shouting()
	for i := 0; i < len(r.toks); {
		end := max(r.greets(i), r.heardAt(i, "greetings"), r.heardAt(i, "no_times"), r.street(i), r.houseFirst(i, shouting))
		if end > 0 {
			r.takeTo(i, end)
			i = end
			continue
		}
		end, digits := r.run(i)
		if digits >= 7 {
			r.takeTo(i, end)
		}
		i = max(end, i+1)
	}
}

// greets is where a greeting ends that is no more than a part of the day, at the
// beginning of a line: "morning, I want to come on Tuesday".
func (r figures) greets(i int) int {
	if i > 0 || !r.is(i, "greets_alone") || !r.is(i+1, "greets_before") {
		return 0
	}
	return i + 1
}

func (r figures) takeTo(i, end int) {
	for ; i < end; i++ {
		r.toks[i].taken = true
	}
}

// run is a row of numbers with nothing between them, and how many digits it
// has. Single words of digits are one each: "seis cero cero".
func (r figures) run(i int) (end, digits int) {
	if _, end := r.threeParts(i); end > 0 {
		return end, 0
	}
	for end = i; end < len(r.toks); end++ {
		t := r.tok(end)
		if g := t.gap; end > i && g != language.Space && g != language.Dash && g != language.Dot && g != language.Comma {
			break
		}
		switch {
		case t.value >= 0:
			if g := r.tok(end + 1).gap; g == language.Colon || g == language.Slash {
				return end, digits
			}
			digits += t.wide
		case r.spokenDigit(t.word):
			digits++
		default:
			return end, digits
		}
	}
	return end, digits
}

func (r figures) spokenDigit(word string) bool {
	for _, l := range r.lexicons {
		if v, ok := l.cardinals[word]; ok && v <= 99 && !r.article(word) || l.oh[word] && len(word) > 1 {
			return true
		}
		if _, ok := l.repeats[word]; ok {
			return true
		}
	}
	return false
}

// article says whether a number word is an article as well: "un", "una".
func (r *line) article(word string) bool { return len(r.amounts[word]) > 0 }

// street reads an address that begins with the kind of its place: "calle del Mar
// 12". The number of the house must be there, else it is no address that could
// be taken for a date.
func (r figures) street(i int) (end int) {
	const longest = 6
	if !r.is(i, "street_before") && !(r.word(i) == "c" && r.tok(i+1).gap == language.Slash) {
		return 0
	}
	for k := i + 1; k < i+longest && k < len(r.toks); k++ {
		t := r.tok(k)
		if t.gap == language.Stop || r.is(k, "at") || r.startsLead(k) {
			return 0
		}
		if t.value >= 0 && !r.startsClock(k+1) {
			return k + 1
		}
		if t.weekday >= 0 && !t.capital {
			return 0
		}
	}
	return 0
}

// startsLead says whether the words at i lead to a time.
func (r *line) startsLead(i int) bool {
	l, end := r.leads.at(r, i)
	return end > 0 && l.strong
}

// houseFirst reads an address that begins with the number of the house: "12
// Baker Street", "4 Cotham Brow".
func (r figures) houseFirst(i int, shouting bool) (end int) {
	t := r.tok(i)
	if t.value < 1 || t.wide > 4 || t.price || t.gap == language.Glued && i > 0 {
		return 0
	}
	for k := i + 1; k <= i+3 && r.soft(k) && r.tok(k).value < 0; k++ {
		if r.is(k, "street_after") && k > i+1 {
			return k + 1
		}
		if r.is(k, "ordinary") || r.tok(k).month > 0 {
			return 0
		}
	}
	if shouting || !r.placeName(i+1) || !r.placeName(i+2) {
		return 0
	}
	return i + 3
}

// placeName says whether the word at i is written with a capital letter and has
// no meaning in a date.
func (r figures) placeName(i int) bool {
	t := r.tok(i)
	return r.soft(i) && t.gap != language.Glued && t.capital && t.value < 0 && t.end-t.start > 2 && t.weekday < 0 && t.month == 0 && !r.is(i, "ordinary") && !r.is(i, "counted") && !r.first[t.word]
}

// shouting says whether the text is in capital letters throughout, which then
// say nothing.
func (r figures) shouting() bool {
	for _, t := range r.toks {
		if t.value < 0 && t.end-t.start > 2 && !t.capital {
			return false
		}
	}
	return true
}
