package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// Bounds of what is said, in characters: a remark beside what was asked, and all of it; and
// of how many rows remarks are said.
const (
	longestRemark = 110
	mostSaid      = 280
	mostRemarked  = 2
)

// saying is a reading on its way to sentences in a language.
type saying struct {
	Reading
	l     *language.Language
	own   bool     // it is the language of the table
	prose bool     // something of another language had to be said that was asked for
	notes []string // remarks of another language
}

// Say words the reading in a language, for a table that is written in another or the
// same. It is not ok where what was asked for is prose of another language.
func (r Reading) Say(lang, written string, more int) (text string, ok bool) {
	l := language.Of(lang)
	if l == nil {
		return "", false
	}
	s := &saying{Reading: r, l: l, own: lang == written}
	var all []string
	if more > 0 {
		all = append(all, s.word("several"))
	}
	for _, row := range r.rows {
		all = append(all, s.row(row)...)
	}
	text = strings.Join(all, " ")
	for from, to := range l.Pairs("table contractions") {
		text = strings.ReplaceAll(text, " "+from+" ", " "+to+" ")
	}
	if len(s.notes) > 0 {
		text += " " + s.word("noted", "language", l.Pairs("catalogue languages")[written], "text", strings.TrimRight(strings.Join(s.notes, "; "), "."))
	}
	return text, text != "" && !s.prose
}

func (s *saying) word(key string, pairs ...string) string {
	return s.l.SayIn("table wording", key, pairs...)
}

// row are the sentences about one row.
func (s *saying) row(row int) (all []string) {
	name := s.title(row)
	next := func(key string) string {
		if len(all) > 0 || name == "" {
			return key + "_next"
		}
		return key
	}
	if slices.Contains(s.asked, everything) {
		return s.describe(row, name)
	}
	all = s.priceSentences(row, name)
	for _, i := range s.otherColumns() {
		if text := s.table.cell(row, i); text != "" {
			all = append(all, s.fact(row, i, name, next))
		}
	}
	all = slices.DeleteFunc(all, func(text string) bool { return text == "" })
	if len(all) == 0 {
		return s.describe(row, name)
	}
	if len(s.rows) <= mostRemarked {
		all = append(all, s.remarks(row, all)...)
	}
	return all
}

// otherColumns are the columns asked for beside prices; that of closing is said with that
// of opening.
func (s *saying) otherColumns() (all []int) {
	opens := slices.ContainsFunc(s.asked, func(i int) bool { return i >= 0 && s.table.columns[i].kind == opensColumn })
	for _, i := range s.asked {
		if i >= 0 && !(opens && s.table.columns[i].kind == closesColumn) {
			all = append(all, i)
		}
	}
	return all
}

// fact is a sentence about what a row has in a column.
func (s *saying) fact(row, i int, name string, next func(string) string) string {
	c := s.table.columns[i]
	v := read(s.table.cell(row, i), c)
	label := s.label(c)
	takes := v.kind == asLength || v.kind == inWords && s.own && hasTime(v.words)
	switch {
	case takes && c.kind == durationColumn && c.label == "":
		return s.word(next("span"), "name", s.within(name), "span", s.value(row, i, v))
	case v.kind == asYes:
		return s.word(next("yes"), "name", name, "column", label)
	case v.kind == asNo:
		return s.word(next("no"), "name", name, "column", label)
	case c.variant == "" && (label == "" || tellsItself(c, v)):
		return s.word(next("told"), "name", name, "value", strings.TrimRight(s.value(row, i, v), "."))
	}
	return s.word(next("fact"), "name", name, "column", label, "value", strings.TrimRight(s.value(row, i, v), "."))
}

// tellsItself says whether a value needs no name of its column: a time, a day, a person,
// a sentence.
func tellsItself(c column, v value) bool {
	switch {
	case v.kind == asHours || v.kind == asClosed:
		return true
	case c.kind == dayColumn || c.kind == personColumn || c.kind == placeColumn:
		return true
	}
	return v.kind == inWords && (c.kind == noteColumn || c.kind == durationColumn || strings.Count(v.words, " ") >= 3 || tellsDay(v.words))
}

// hasTime says whether a text has a word that measures time.
func hasTime(text string) bool {
	for _, w := range wordsOf(text) {
		if _, ok := lexes().times[w.text]; ok && len(w.text) > 2 {
			return true
		}
	}
	return false
}

// value is what a cell holds, in the language.
func (s *saying) value(row, i int, v value) string {
	switch v.kind {
	case asMoney:
		return s.money(row, i, v)
	case asLength:
		return s.length(v)
	case asHours:
		return s.hours(row, i, v)
	case asClosed:
		return s.word("closed")
	case asFree:
		return s.word("free_short")
	case asNumber:
		return s.numbers(v, strings.TrimSpace(v.unit))
	}
	if !s.own && is(v.words, lexes().askUs) {
		return s.word("ask_us")
	}
	if !s.own && is(v.words, lexes().notHad) {
		return s.word("not_had")
	}
	if !s.own && s.table.columns[i].kind != personColumn && strings.ContainsFunc(v.words, unicode.IsLetter) {
		s.prose = true
	}
	return v.words
}

// remarks are what a row says beside its price: what it holds, on what condition.
func (s *saying) remarks(row int, said []string) (all []string) {
	length := utf8.RuneCountInString(strings.Join(said, " ")) * len(s.rows)
	for i, c := range s.table.columns {
		text := s.table.cell(row, i)
		if i == s.table.name || text == "" || slices.Contains(s.asked, i) || !s.remarkable(c, text) {
			continue
		}
		v := read(text, c)
		n := utf8.RuneCountInString(text)
		if v.kind != inWords && c.kind != noteColumn || n > longestRemark || length+n > mostSaid || strings.Contains(said[0], text) {
			continue
		}
		length += n
		switch {
		case v.kind == asYes || v.kind == asNo:
		case v.kind != inWords:
			all = append(all, s.word("told_next", "value", s.value(row, i, v)))
		case !s.own:
			s.notes = append(s.notes, text)
		default:
			all = append(all, s.word("told_next", "value", strings.TrimRight(text, ".")))
		}
	}
	return all
}

// remarkable says whether a cell is to be said beside a price: a note, or what the
// question speaks of.
func (s *saying) remarkable(c column, text string) bool {
	switch c.kind {
	case noteColumn, unitColumn:
		_, known := s.perOf(text, c)
		return !known
	case textColumn, dayColumn, amountColumn, placeColumn, personColumn:
		return c.wordy && (len(s.prices) > 0 || s.asksText()) || s.in.Echo(text) > 0
	}
	return false
}

// asksText says whether a column is asked for that holds words.
func (s *saying) asksText() bool {
	return slices.ContainsFunc(s.asked, func(i int) bool { return i >= 0 && s.table.columns[i].kind == textColumn })
}

// describe tells the row whole, or as much of it as can be said.
func (s *saying) describe(row int, name string) []string {
	var parts []string
	length := utf8.RuneCountInString(name)
	add := func(text string) {
		if n := utf8.RuneCountInString(text); text != "" && length+n <= mostSaid {
			length += n + 2
			parts = append(parts, text)
		}
	}
	price := s.shortPrice(row)
	for i, c := range s.table.columns {
		text := s.table.cell(row, i)
		if i == s.table.name || text == "" || c.kind == codeColumn || c.kind == priceColumn || c.kind == taxColumn || c.kind == groupColumn || s.inTitle(name, text) {
			continue
		}
		if _, known := s.perOf(text, c); known && price != "" {
			continue
		}
		if c.kind == closesColumn && slices.ContainsFunc(s.table.columns, func(o column) bool { return o.kind == opensColumn }) {
			continue
		}
		add(s.short(row, i))
	}
	add(price)
	if len(parts) == 0 {
		return nil
	}
	value := strings.TrimRight(strings.Join(parts, ", "), ".")
	if name == "" {
		return []string{s.word("told_next", "value", value)}
	}
	return []string{s.word("told", "name", name, "value", value)}
}

// short is what a row has in a column, with as much of the column's name as it needs.
func (s *saying) short(row, i int) string {
	c := s.table.columns[i]
	v := read(s.table.cell(row, i), c)
	label := s.label(c)
	switch {
	case (v.kind == asYes || v.kind == asNo) && label == "":
		return s.word(map[form]string{asYes: "yes_word", asNo: "no_word"}[v.kind])
	case v.kind == asYes:
		return s.word("yes_short", "column", label)
	case v.kind == asNo:
		return s.word("no_short", "column", label)
	case v.kind == asNumber && label != "", v.kind == asLength && c.kind == spanColumn && label != "":
		return label + " " + s.value(row, i, v)
	case v.kind == inWords && !s.own && c.kind != personColumn:
		s.notes = append(s.notes, v.words)
		return ""
	case v.kind == inWords && c.kind == textColumn && label != "" && !strings.Contains(v.words, " "):
		return label + " " + v.words
	}
	return s.value(row, i, v)
}

func (s *saying) inTitle(name, text string) bool { return strings.Contains(name, text) }

// title is what a row is called, with what tells it from others of the same name.
func (s *saying) title(row int) string {
	t := s.table
	name := t.cellOr(row, t.name)
	if name == "" {
		return ""
	}
	if day := lexes().variants[joined(wordsOf(name))]; !s.own && slices.Contains(days, day) {
		return s.word("variant_" + day)
	}
	name = shouted(name)
	twins := t.twins(row)
	var apart []string
	for _, i := range s.apart(row, twins) {
		apart = append(apart, s.apartAs(row, i))
	}
	if len(twins) == 0 {
		return name
	}
	if heading := lastHeading(t.rows[row].Heading); len(apart) == 0 && heading != "" {
		apart = append(apart, heading)
	}
	if len(apart) == 0 {
		return name
	}
	return name + " (" + strings.Join(apart, ", ") + ")"
}

// days are the names of rows of a timetable that every language has words for.
var days = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekday", "weekend"}

// apart are the columns that tell a row from others of the same name, as few as do: words
// before numbers.
func (s *saying) apart(row int, twins []int) (columns []int) {
	t := s.table
	tells := func(words bool) {
		for i, c := range t.columns {
			measured := c.kind == durationColumn || c.kind == spanColumn || c.kind == amountColumn || c.kind == hoursColumn
			if i == t.name || measured == words || c.kind == priceColumn || c.kind == taxColumn || c.kind == codeColumn || c.kind == noteColumn || t.cell(row, i) == "" {
				continue
			}
			left := slices.DeleteFunc(slices.Clone(twins), func(o int) bool { return !strings.EqualFold(t.cell(o, i), t.cell(row, i)) })
			if len(left) < len(twins) {
				columns, twins = append(columns, i), left
			}
		}
	}
	tells(true)
	tells(false)
	return columns
}

func (s *saying) apartAs(row, i int) string {
	if c := s.table.columns[i]; c.kind == durationColumn || c.kind == spanColumn || c.kind == amountColumn || c.kind == hoursColumn {
		return s.short(row, i)
	}
	return s.table.cell(row, i)
}

func lastHeading(heading string) string {
	parts := strings.Split(heading, " > ")
	return parts[len(parts)-1]
}

// many says whether a name is of several things, so that the verb has to be.
func (s *saying) many(name string) bool {
	var head string
	for _, w := range wordsOf(name) {
		if w.number || s.l.Words("table head ends")[w.text] {
			break
		}
		if strings.ContainsAny(name[:w.start], "(,") {
			break
		}
		head = w.text
	}
	ends := func(section string) bool {
		for end := range s.l.Words(section) {
			if strings.HasSuffix(head, end) {
				return true
			}
		}
		return false
	}
	return head != "" && ends("table many ends") && !ends("table one ends")
}

// within is a name inside a sentence: a common word loses its capital.
func (s *saying) within(name string) string {
	first, rest, _ := strings.Cut(name, " ")
	if strings.ContainsFunc(rest, unicode.IsUpper) {
		return name // a name of its own
	}
	for _, code := range language.Codes() {
		if words := lexicon.Words(); words.Knows(words.Entry(code, language.Fold(first))) {
			return lowered(name)
		}
	}
	return name
}

// lowered begins a text with a small letter, unless it begins with several large ones.
func lowered(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if next, _ := utf8.DecodeRuneInString(text[size:]); size == 0 || unicode.IsUpper(next) {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// shouted is a name that is written in capitals as it is written otherwise.
func shouted(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLower(r) || unicode.IsDigit(r) }) || utf8.RuneCountInString(name) < 5 || isCode(name) {
		return name
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(first) + strings.ToLower(name[size:])
}

// list puts phrases together: "a, b and c".
func (s *saying) list(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " " + s.word("and") + " " + all[len(all)-1]
}

// perOf is what a cell says that a price is for each of, in a column of units or a note;
// it is known where it can be worded.
func (s *saying) perOf(text string, c column) (per string, known bool) {
	if c.kind != unitColumn && c.kind != noteColumn || text == "" {
		return "", false
	}
	if unit, ok := lexes().units[joined(wordsOf(text))]; ok {
		return s.word("per_" + unit), true
	}
	if c.kind == noteColumn {
		return "", false
	}
	words := wordsOf(text)
	_, size := lexes().variants[joined(words)]
	each := is(c.name, lexes().each) && len(words) <= 4 // a column "per"
	if s.own && (each || len(words) == 1 && !words[0].number && !size && c.label == "") {
		return s.word("per_unknown", "unit", lowered(text)), true
	}
	return "", false
}

// tax is what is said of the tax of a price; "" where nothing tells.
func (s *saying) tax(row, i int, v value) string {
	t := s.table
	tax, rate, name := cmp.Or(v.tax, t.columns[i].tax), v.rate, v.taxName
	for at, c := range t.columns {
		text := t.cell(row, at)
		if c.kind != taxColumn || text == "" {
			continue
		}
		told := read(text, c)
		switch lex := lexes(); {
		case told.kind == asYes:
			tax = "included"
		case told.kind == asNo:
			tax = "added"
		case is(text, lex.tax):
			tax = lex.tax[joined(wordsOf(text))]
		case told.kind == asNumber && (told.unit == "%" || len(t.rows) == 1 || !t.surveys[at].varied): // else it is an amount
			rate = s.numbers(told, "%")
		}
	}
	tax = cmp.Or(tax, t.tax)
	called := s.word("tax")
	if s.own && name != "" {
		called = strings.ToUpper(name)
	}
	switch {
	case tax != "" && rate != "":
		return s.word("tax_"+tax, "tax", called) + " (" + rate + ")"
	case tax != "":
		return s.word("tax_"+tax, "tax", called)
	case rate != "":
		return s.word("tax_rate", "tax", called, "rate", rate)
	}
	return ""
}
