package dates

import "time"

// feast is a day that has a name. Easter moves, and some others with it.
type feast struct {
	month time.Month
	day   int
	// of those that move:
	afterEaster int
	easter      bool
	nth         int // Thursday or Monday of the month
	weekday     time.Weekday
}

var feasts = sayings(map[string]feast{
	"christmas,christmas day,xmas,navidad,dia de navidad":                             {month: 12, day: 25},
	"christmas eve,xmas eve,nochebuena":                                               {month: 12, day: 24},
	"boxing day,san esteban":                                                          {month: 12, day: 26},
	"new year s eve,new years eve,nochevieja,fin de ano,fin de este ano":              {month: 12, day: 31},
	"new year,new year day,new years day,new year s day,new year s,ano nuevo":         {month: 1, day: 1},
	"valentine s day,valentines day,valentine day,san valentin,dia de los enamorados": {month: 2, day: 14},
	"halloween":                              {month: 10, day: 31},
	"dia de reyes,dia de los reyes,epiphany": {month: 1, day: 6},
	"noche de reyes":                         {month: 1, day: 5},
	"dia del trabajador,dia del trabajo,dia de los trabajadores,labour day,may day,dia internacional de los trabajadores,dia internacional del trabajo": {month: 5, day: 1},
	"independence day": {month: 7, day: 4},
	"dia de todos los santos,todos los santos,all saints,all saints day":      {month: 11, day: 1},
	"dia de los muertos,dia de muertos":                                       {month: 11, day: 2},
	"dia de la hispanidad,dia del pilar":                                      {month: 10, day: 12},
	"dia de la constitucion":                                                  {month: 12, day: 6},
	"dia de la inmaculada,la inmaculada":                                      {month: 12, day: 8},
	"dia de san jose,dia del padre":                                           {month: 3, day: 19},
	"noche de san juan":                                                       {month: 6, day: 23},
	"dia de san juan":                                                         {month: 6, day: 24},
	"st patrick s day,st patricks day,saint patrick s day,saint patricks day": {month: 3, day: 17},
	"easter,easter sunday,semana santa,domingo de pascua,domingo de resurreccion,pascua": {easter: true},
	"good friday,viernes santo":     {easter: true, afterEaster: -2},
	"jueves santo,maundy thursday":  {easter: true, afterEaster: -3},
	"easter monday,lunes de pascua": {easter: true, afterEaster: 1},
	"thanksgiving,thanksgiving day": {month: 11, nth: 4, weekday: time.Thursday},
	"labor day":                     {month: 9, nth: 1, weekday: time.Monday},
})

func holiday(r *reader, i int) (Mention, int) {
	k := r.skip(i, "next", "following", "proximo", "proxima", "this")
	f, end := feasts.at(r, k)
	if end == 0 {
		return Mention{}, 0
	}
	at := end
	if r.near(at) {
		at = r.skip(at, "de", "del", "of")
	}
	if y := r.year(at); y.ok() && r.near(at) {
		return on(f.in(y.value)), y.end
	}
	d := f.in(r.today.Year)
	if d.Before(r.today) {
		d = f.in(r.today.Year + 1)
	}
	return on(d), end
}

func (f feast) in(year int) Date {
	switch {
	case f.easter:
		return easter(year).AddDays(f.afterEaster)
	case f.nth > 0:
		return Date{year, f.month, 1}.AddDays(-1).next(f.weekday).AddDays(7 * (f.nth - 1))
	}
	return Date{year, f.month, f.day}
}

// easter is the Sunday after the first full moon of spring, as the Gregorian
// calendar reckons the moon.
func easter(year int) Date {
	century := year / 100
	golden := year % 19
	epact := (19*golden + century - century/4 - (century-(century+8)/25+1)/3 + 15) % 30
	toSunday := (32 + 2*(century%4) + 2*(year%100/4) - epact - year%100%4) % 7
	late := (golden + 11*epact + 22*toSunday) / 451
	n := epact + toSunday - 7*late + 114
	return Date{year, time.Month(n / 31), n%31 + 1}
}
