package table

import (
	"slices"
	"strings"
)

// Bounds of what tells rows apart.
const (
	mostRivals = 3
	alike      = 0.9  // how surely a row must speak of what another does that is meant as well
	whole      = 0.95 // how much of its name must be asked for a row to be the one
	enough     = 0.6  // and how much of the question it must speak of
	much       = 0.4  // how much of what another speaks of a row must speak of to take its place
)

// picker tells which rows of a table a question means.
type picker struct {
	*Table
	in    Inquiry
	asked scope // what the question is about
}

// Pick tells which rows are meant: of the one that was found best and those that were
// found beside it, all that speak of as much of the question, unless it names one of them
// by its whole name. Rows that hold for something else than the question is about, "weekend"
// where it says Monday, give way to others. More is how many more there are than those
// that it tells.
func (t *Table) Pick(in Inquiry, best int, beside []int) (rows []int, more int) {
	p := picker{t, in, readScope(in.Text, true)}
	best = p.fullerName(best)
	rows = []int{best}
	has := in.Found(t.telling(best))
	if p.suits(best) < 0 {
		rows, beside = append(rows, p.instead(best)...), p.all()
	}
	for _, r := range beside {
		if !slices.Contains(rows, r) && in.Echo(t.cellOr(best, t.name)) > 0 && atLeast(in.Found(t.telling(r)), has) {
			rows = append(rows, r)
		}
	}
	rows = p.mostSuited(rows)
	named := slices.DeleteFunc(slices.Clone(rows), func(r int) bool { return in.Echo(t.cellOr(r, t.name)) < whole })
	if len(named) > 0 && sum(in.Found(t.telling(named[0])+" "+t.headings())) >= enough {
		rows = named
	}
	rows = p.toTheWord(p.extreme(rows))
	if len(rows) > mostRivals {
		return rows[:mostRivals], len(rows) - mostRivals
	}
	return rows, 0
}

// extreme is the row with the largest number in its name, or the smallest, where a question
// asks for that: "the taller tower". Rows that no number tells apart are left.
func (p picker) extreme(rows []int) []int {
	words := wordsOf(p.in.Text)
	sign := 0.0
	for i := range words {
		if side, n := match(words[i:], lexes().extremes); n > 0 {
			sign = map[string]float64{"most": 1, "least": -1}[side]
		}
	}
	if sign == 0 || len(rows) < 2 {
		return rows
	}
	best, most, unit := -1, 0.0, ""
	for i, r := range rows {
		all := readScope(p.cellOr(r, p.name), false).extents
		if len(all) != 1 || all[0].low != all[0].high || i > 0 && all[0].unit != unit {
			return rows
		}
		if unit = all[0].unit; best < 0 || sign*all[0].low > sign*most {
			best, most = r, all[0].low
		}
	}
	return []int{best}
}

// toTheWord leaves of rows those whose names the question has word for word, small words as
// well: "one side" beside "two sides".
func (p picker) toTheWord(rows []int) []int {
	asked := map[string]bool{}
	for _, w := range wordsOf(p.in.Text) {
		asked[w.text] = true
	}
	left := slices.DeleteFunc(slices.Clone(rows), func(r int) bool {
		return slices.ContainsFunc(wordsOf(p.cellOr(r, p.name)), func(w word) bool { return !asked[w.text] })
	})
	if len(left) == 0 {
		return rows
	}
	return left
}

// fullerName is the row whose whole name is asked for and has all that the name of another
// has of the question, and more: "Cone with chocolate" instead of "Cone".
func (p picker) fullerName(best int) int {
	has := p.in.Found(p.cellOr(best, p.name))
	for r := range p.rows {
		name := p.cellOr(r, p.name)
		if found := p.in.Found(name); p.in.Echo(name) >= whole && atLeast(found, has) && sum(found) > sum(has) {
			best, has = r, found
		}
	}
	return best
}

// instead are the rows that hold for what the question is about where one does not that
// speaks of more of it: "weekend menu" instead of "menu of the day (Monday to Friday)".
func (p picker) instead(best int) (rows []int) {
	has := sum(p.in.Found(p.cellOr(best, p.name)))
	for r := range p.rows {
		if p.suits(r) > 0 && sum(p.in.Found(p.cellOr(r, p.name))) >= much*has && has > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// all are the places of all rows.
func (p picker) all() []int {
	all := make([]int, len(p.rows))
	for i := range all {
		all[i] = i
	}
	return all
}

// suits is how well a row is what a question is about, by what it holds for and does
// without; less than 0: it is not.
func (p picker) suits(row int) int {
	text := p.telling(row)
	common, apart := p.asked.agree(p.seasons.settled(readScope(p.holds(row), false)))
	if apart {
		return -1
	}
	if p.in.Stance == nil {
		return common
	}
	stance := p.in.Stance(text)
	if stance < 0 {
		return -1
	}
	return common + stance
}

// holds is what of a row tells what it holds for: what it is called and what it is under, and
// words beside its name that describe nothing.
func (t *Table) holds(row int) string {
	parts := []string{lastHeading(t.rows[row].Heading)}
	for i, c := range t.columns {
		switch c.kind {
		case nameColumn, dayColumn, groupColumn, durationColumn:
			parts = append(parts, t.cell(row, i))
		case textColumn:
			if !c.wordy {
				parts = append(parts, t.cell(row, i))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// mostSuited leaves of some rows those that suit a question best.
func (p picker) mostSuited(rows []int) (best []int) {
	most := -1
	for _, r := range rows {
		suits := p.suits(r)
		switch {
		case suits > most:
			best, most = []int{r}, suits
		case suits == most:
			best = append(best, r)
		}
	}
	return best
}

// atLeast says whether one of two rows speaks of all that the other speaks of.
func atLeast(row, other []float32) bool {
	for i := range other {
		if row[i] < alike*other[i] {
			return false
		}
	}
	return true
}

func sum(all []float32) (total float32) {
	for _, f := range all {
		total += f
	}
	return total
}

// PickNamed tells which rows of a turned table are meant: those that the question names,
// else all.
func (t *Table) PickNamed(in Inquiry) (rows []int, more int) {
	var most float32
	for i := range t.rows {
		most = max(most, in.Echo(t.cellOr(i, t.name)))
	}
	for i := range t.rows {
		if most == 0 || in.Echo(t.cellOr(i, t.name)) >= most {
			rows = append(rows, i)
		}
	}
	if len(rows) > mostRivals {
		return rows[:mostRivals], len(rows) - mostRivals
	}
	return rows, 0
}

func (t *Table) cellOr(row, column int) string {
	if column < 0 {
		return ""
	}
	return t.cell(row, column)
}

// telling is what of a row tells it from others: not its prices, and how long things
// take only where its name alone does not tell it.
func (t *Table) telling(row int) string {
	parts := []string{t.rows[row].Heading}
	twins := len(t.twins(row)) > 0
	for i, c := range t.columns {
		switch c.kind {
		case priceColumn, taxColumn, unitColumn:
		case durationColumn, spanColumn, hoursColumn, opensColumn, closesColumn:
			if twins {
				parts = append(parts, t.cell(row, i))
			}
		default:
			parts = append(parts, t.cell(row, i))
		}
	}
	return strings.Join(parts, " ")
}

// headings are the names of all columns.
func (t *Table) headings() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return strings.Join(names, " ")
}

// twins are the other rows of the same name.
func (t *Table) twins(row int) (all []int) {
	for i := range t.rows {
		if i != row && strings.EqualFold(t.cellOr(i, t.name), t.cellOr(row, t.name)) {
			all = append(all, i)
		}
	}
	return all
}
