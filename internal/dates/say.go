package dates

import (
	"fmt"
	"strconv"
	"time"
)

var (
	weekdaysES = [7]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}
	monthsES   = [13]string{"", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}
	hoursES    = [13]string{"doce", "una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce"}
	numbersES  = [30]string{
		"", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece", "catorce", "quince",
		"dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós", "veintitrés", "veinticuatro", "veinticinco",
		"veintiséis", "veintisiete", "veintiocho", "veintinueve",
	}
	tensES = [6]string{"", "", "", "treinta", "cuarenta", "cincuenta"}
)

// SayDate says a date so that it can be mistaken for no other: always with its
// weekday, today and tomorrow by name as well, and with the year when the date
// is more than ten months away. Spanish comes with its article ("el martes 3 de
// marzo"), which is all that a sentence needs; English is "Tuesday, March 3rd".
func SayDate(d Date, lang string, now time.Time) string {
	today := DateOf(now)
	far := d.Before(today) || today.addMonths(10).Before(d)
	if lang == "es" {
		return sayDateES(d, today, far)
	}
	said := fmt.Sprintf("%s, %s %s", d.Weekday(), d.Month, nth(d.Day))
	if far {
		said += ", " + strconv.Itoa(d.Year)
	}
	switch d {
	case today:
		return "today, " + said
	case today.AddDays(1):
		return "tomorrow, " + said
	}
	return said
}

func sayDateES(d, today Date, far bool) string {
	said := fmt.Sprintf("%s %d de %s", weekdaysES[d.Weekday()], d.Day, monthsES[d.Month])
	if far {
		said += " de " + strconv.Itoa(d.Year)
	}
	switch d {
	case today:
		return "hoy, " + said
	case today.AddDays(1):
		return "mañana, " + said
	}
	return "el " + said
}

func nth(n int) string {
	end := "th"
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
}

// SayTime says a time with its part of the day. Spanish is in words, as a voice
// reads figures badly, with "a las": "a las cinco y media de la tarde". English
// is "5:30 pm", which voices read well and every caller understands, with noon
// and midnight by name; the "at" is the sentence's.
func SayTime(c Clock, lang string) string {
	if lang == "es" {
		return sayTimeES(c)
	}
	if c.Minute == 0 && c.Hour%12 == 0 {
		if c.Hour == 12 {
			return "12 noon"
		}
		return "12 midnight"
	}
	hour, half := (c.Hour+11)%12+1, "am"
	if c.Hour%24 >= 12 {
		half = "pm"
	}
	if c.Minute == 0 {
		return fmt.Sprintf("%d %s", hour, half)
	}
	return fmt.Sprintf("%d:%02d %s", hour, c.Minute, half)
}

func sayTimeES(c Clock) string {
	hour, rest := c.Hour%24, ""
	switch m := c.Minute; {
	case m == 0:
	case m == 15:
		rest = " y cuarto"
	case m == 30:
		rest = " y media"
	case m == 45:
		hour, rest = hour+1, " menos cuarto"
	case m > 30 && m%5 == 0:
		hour, rest = hour+1, " menos "+sayNumberES(60-m)
	default:
		rest = " y " + sayNumberES(m)
	}
	article := "a las "
	if hour%12 == 1 {
		article = "a la "
	}
	return article + hoursES[hour%12] + rest + partES(c.Hour%24)
}

func sayNumberES(n int) string {
	switch {
	case n < 30:
		return numbersES[n]
	case n%10 == 0:
		return tensES[n/10]
	}
	return tensES[n/10] + " y " + numbersES[n%10]
}

// partES is the part of the day that Spaniards say with an hour.
func partES(hour int) string {
	switch {
	case hour == 0 || hour >= 21:
		return " de la noche"
	case hour < 6:
		return " de la madrugada"
	case hour < 12:
		return " de la mañana"
	case hour == 12:
		return " del mediodía"
	}
	return " de la tarde"
}
