package catalogue

import (
	"regexp"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// SayWeek says an ordinary week in a language, days with the same hours together.
func SayWeek(lang string, week frontdesk.Week) string {
	return house{open: true, week: week}.sayWeek(lang)
}

// Contradicted are the days of a week, from Monday, 0, of which hours in the
// owner's own words plainly say otherwise: that a day is closed which is not, or
// open, or other hours of opening and closing. What is not understood
// contradicts nothing.
func Contradicted(words string, week frontdesk.Week) (days []int) {
	for d, t := range readTold(words) {
		if t.contradicts(week[d]) {
			days = append(days, d)
		}
	}
	return days
}

// toldDay is what words say of a day: hours in minutes of the day, or closed.
type toldDay struct {
	said     bool
	from, to int // 0, 0: closed
}

func (t toldDay) contradicts(open []frontdesk.Period) bool {
	switch closed := t.from == t.to; {
	case !t.said:
		return false
	case closed || len(open) == 0:
		return closed != (len(open) == 0)
	}
	// Nobody says "am" of a shop that opens at nine.
	same := func(a, b int) bool { return (a-b)%(12*60) == 0 }
	return !same(t.from, open[0].From) || !same(t.to, open[len(open)-1].End())
}

// toldReader reads hours in words from left to right: days, then what holds for
// them; or "closed", then the days.
type toldReader struct {
	week   [7]toldDay
	days   []int
	times  []int
	joins  bool // the last word makes a range of two days
	closed bool
	lost   bool // something was not understood
}

var toldTokens = regexp.MustCompile(`\pL+|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b|h\b)?|\d+|[-–—;.]`)

func readTold(words string) (week [7]toldDay) {
	text := language.Fold(words)
	for _, every := range expressionsOf("told daily") {
		text = strings.ReplaceAll(text, every, " daily ")
	}
	r := &toldReader{}
	for _, token := range toldTokens.FindAllString(text, -1) {
		r.read(token)
	}
	r.endClause()
	if r.lost {
		return week
	}
	return r.week
}

// expressionsOf are those of a section, as they stand in the languages' files.
func expressionsOf(section string) (all []string) {
	for _, code := range languages() {
		for _, line := range language.Of(code).Lines("catalogue " + section) {
			for one := range strings.SplitSeq(line, ",") {
				all = append(all, language.Fold(strings.TrimSpace(one)))
			}
		}
	}
	return all
}

func (r *toldReader) read(token string) {
	joins := r.joins
	r.joins = false
	minute, isTime := toldTime(token)
	switch day := weekdayOf(token); {
	case day >= 0:
		r.addDay(day, joins)
	case token == "daily":
		r.addDay(0, false)
		r.addDay(6, true)
	case isTime:
		r.times = append(r.times, minute)
	case wordsOf("told closed")[token]:
		r.readClosed()
	case token == ";" || token == ".":
		r.endClause()
	case token == "-" || token == "–" || token == "—" || wordsOf("told joining")[token]:
		r.joins = true
	case !wordsOf("told filling")[token]:
		r.lost = true
	}
}

// readClosed reads "closed", of the days before it unless these have hours, else
// of those after it.
func (r *toldReader) readClosed() {
	if len(r.times) > 0 {
		r.endClause()
	}
	r.closed = true
	if len(r.days) > 0 {
		r.endClause()
	}
}

// addDay adds a day to those that the next hours are of, with those since the
// last one where a range was said.
func (r *toldReader) addDay(day int, joins bool) {
	if len(r.times) > 0 {
		r.endClause()
	}
	if joins && len(r.days) > 0 {
		for d := r.days[len(r.days)-1]; d != day; {
			d = (d + 1) % 7
			r.days = append(r.days, d)
		}
		return
	}
	r.days = append(r.days, day)
}

// endClause keeps what was said of some days.
func (r *toldReader) endClause() {
	switch {
	case len(r.days) == 0 && len(r.times) == 0:
	case len(r.days) == 0 || r.closed == (len(r.times) > 0) || len(r.times)%2 != 0:
		r.lost = true
	default:
		told := toldDay{said: true}
		if !r.closed {
			told.from, told.to = r.times[0], r.times[len(r.times)-1]
		}
		for _, d := range r.days {
			r.week[d] = told
		}
	}
	r.days, r.times, r.closed = nil, nil, false
}

// toldTime reads "9", "20:30", "8.30 pm", "14h" as minutes of the day.
func toldTime(token string) (int, bool) {
	if token[0] < '0' || token[0] > '9' {
		return 0, false
	}
	token = strings.NewReplacer(".m", "m", " ", "").Replace(token)
	clock := strings.TrimRight(token, "apmh")
	h, m, _ := strings.Cut(strings.ReplaceAll(clock, ".", ":"), ":")
	hour, err := strconv.Atoi(h)
	minute, _ := strconv.Atoi("0" + m)
	if err != nil || hour > 24 || minute > 59 {
		return 0, false
	}
	if strings.HasSuffix(token, "pm") && hour < 12 {
		hour += 12
	}
	return 60*hour + minute, true
}
