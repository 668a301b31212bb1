package dates

// Part is a part of the day.
type Part int

// The parts of a day. Their hours come with the mention, for words differ: a
// tarde is longer than an afternoon.
const (
	NoPart Part = iota
	SmallHours
	Morning
	Midday
	Afternoon
	Evening
	Night
	EndOfDay
)

// period is a part of the day as a language bounds it.
type period struct {
	part     Part
	from, to int // hours
	noonIsAM bool
	today    bool
}

var (
	morning   = period{part: Morning, from: 6, to: 12}
	afternoon = period{part: Afternoon, from: 12, to: 18}
	evening   = period{part: Evening, from: 17, to: 22}
	night     = period{part: Night, from: 19, to: 24}
	manana    = period{part: Morning, from: 6, to: 13, noonIsAM: true}
	mediodia  = period{part: Midday, from: 12, to: 16}
	tarde     = period{part: Afternoon, from: 13, to: 21}
	noche     = period{part: Night, from: 20, to: 24}
	madrugada = period{part: SmallHours, from: 0, to: 6}
	endOfDay  = period{part: EndOfDay, from: 17, to: 24}
)

func (p period) between(from, to int) period {
	p.from, p.to = from, to
	return p
}

func (p period) now() period {
	p.today = true
	return p
}

// spokenParts may follow a clock: "five in the afternoon".
var spokenParts = sayings(map[string]period{
	"in the morning,in morning,of the morning,morning,in the mornings,mornings":                          morning,
	"early morning,in the early morning,early in the morning":                                            morning.between(6, 9),
	"in the afternoon,in afternoon,of the afternoon,afternoon,in the afternoons,afternoons":              afternoon,
	"in the evening,in evening,of the evening,evening,in the evenings,evenings":                          evening,
	"in the night,at night,in night,of the night,during the night,late at night":                         night,
	"de la manana,por la manana,en la manana,a la manana,por las mananas,de las mananas,por la mananita": manana,
	"de la tarde,por la tarde,en la tarde,a la tarde,por las tardes,de la tardecita":                     tarde,
	"de la noche,por la noche,en la noche,a la noche,por las noches":                                     noche,
	"de la madrugada,de madrugada,por la madrugada,en la madrugada":                                      madrugada,
	"del mediodia,de mediodia,del medio dia":                                                             mediodia,
})

// otherParts stand for themselves.
var otherParts = sayings(map[string]period{
	"this morning,later this morning":                               morning.now(),
	"this afternoon,later this afternoon":                           afternoon.now(),
	"this evening,later this evening":                               evening.now(),
	"tonight,this night,later tonight,tonite":                       night.between(18, 24).now(),
	"esta manana,esta misma manana,hoy por la manana":               manana.now(),
	"esta tarde,esta misma tarde":                                   tarde.now(),
	"esta noche,esta misma noche":                                   noche.now(),
	"esta madrugada":                                                madrugada.now(),
	"este mediodia":                                                 mediodia.now(),
	"late morning,late in the morning,in the late morning":          morning.between(10, 12),
	"mid morning,in the mid morning,midmorning":                     morning.between(9, 12),
	"early afternoon,early in the afternoon,in the early afternoon": afternoon.between(12, 15),
	"late afternoon,late in the afternoon,in the late afternoon":    afternoon.between(15, 18),
	"mid afternoon,midafternoon":                                    afternoon.between(14, 16),
	"early evening,early in the evening,in the early evening":       evening.between(17, 19),
	"late evening,late in the evening,in the late evening":          evening.between(20, 22),
	"first thing,first thing in the morning,a primera hora,a primera hora de la manana,primera hora,primera hora de la manana": manana.between(6, 10),
	"a primera hora de la tarde,primera hora de la tarde":                                                                      tarde.between(13, 17),
	"a ultima hora de la tarde,ultima hora de la tarde":                                                                        tarde.between(18, 21),
	"a ultima hora de la manana,ultima hora de la manana":                                                                      manana.between(11, 14),
	"a media manana,media manana":                                                                                              manana.between(10, 13),
	"a media tarde,media tarde":                                                                                                tarde.between(16, 19),
	"end of the day,the end of the day,at the end of the day,end of day,eod,the eod,a ultima hora,ultima hora,al final del dia,final del dia,fin de dia,fin del dia": endOfDay,
	"lunchtime,lunch time,at lunchtime,at lunch time,at lunch,around lunch":                                                                                          mediodia.between(12, 14),
	"a la hora de comer,hora de comer,a la hora del almuerzo,a la hora de la comida":                                                                                 mediodia.between(13, 16),

	"dinner time,dinnertime,at dinner time":   evening,
	"a la hora de cenar,a la hora de la cena": noche,
})

// afterDay are parts right behind a day: "viernes noche", "tomorrow night".
var afterDay = sayings(map[string]period{"night,nights": night, "noche": noche, "tarde": tarde, "manana": manana, "mediodia": mediodia, "madrugada": madrugada})

// articled are parts that need a "del" behind them: "la tarde del lunes".
var articled = sayings(map[string]period{"la manana": manana, "la tarde": tarde, "la noche": noche, "la madrugada": madrugada, "the night": night})

var dayEnds = sayings(map[string]bool{"end of,the end of,at the end of,al final de,al final del,final de,al fin de,al fin del,fin de,late on": true})

// part reads a part of the day that stands without a clock.
func part(r *reader, i int) (Mention, int) {
	best, end := spokenParts.at(r, i)
	if p, e := otherParts.at(r, i); e > end {
		best, end = p, e
	}
	if p, e := afterDay.at(r, i); e > end && r.followsDay(i) {
		best, end = p, e
	}
	if p, e := articled.at(r, i); e > end && (r.word(e) == "del" || r.word(e) == "de" || r.word(e) == "of" || r.word(i-1) == "para") {
		best, end = p, e
	}
	if _, e := dayEnds.at(r, i); e > end && r.soft(e) {
		if m, found := r.longest(e, relative, weekday); found > 0 && m.Kind == OneDay {
			best, end = endOfDay, e
		}
	}
	if end == 0 {
		return Mention{}, 0
	}
	return r.within(best), end
}

// followsDay says whether the mention before ends right before token i, and is
// a day.
func (r *reader) followsDay(i int) bool {
	if len(r.found) == 0 || !r.soft(i) {
		return false
	}
	last := r.found[len(r.found)-1]
	return last.tokens.to == i && (last.Kind == OneDay || last.Kind == Days)
}

func (r *reader) within(p period) Mention {
	m := Mention{Kind: InPart, Part: p.part, From: Clock{Hour: p.from}, To: Clock{Hour: p.to}, noonIsAM: p.noonIsAM}
	if p.today {
		m.Date = r.today
	}
	return m
}

// settle is the hour that an open clock means in a part of the day.
func (p period) settle(c Clock) (Clock, bool) {
	h := c.Hour % 12
	switch p.part {
	case SmallHours:
	case Morning:
		if h == 0 && p.noonIsAM {
			h = 12
		}
	case Midday:
		if h >= 5 && h <= 10 {
			return c, false
		}
		if h < 5 {
			h += 12
		}
	case Afternoon, EndOfDay:
		h += 12
	case Evening:
		if h > 0 {
			h += 12
		}
	case Night:
		if h > 4 {
			h += 12
		}
	default:
		return c, false
	}
	return Clock{h, c.Minute}, true
}

func (m Mention) period() period { return period{part: m.Part, noonIsAM: m.noonIsAM} }

// meals say the half of the day when nothing else does.
var meals = map[string]period{
	"cena": noche, "cenar": noche, "dinner": evening, "supper": evening,
	"almuerzo": mediodia, "almorzar": mediodia, "lunch": mediodia,
	"desayuno": morning, "desayunar": morning, "breakfast": morning, "brunch": morning,
}
