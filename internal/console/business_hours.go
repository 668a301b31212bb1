package console

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// weekdayNames are those of the page's language, Monday first.
func weekdayNames(v *visit) []string {
	days := strings.Fields(v.lang.Say("weekdays", ""))
	return append(slices.Clone(days[1:]), days[0])
}

// dayFields are the fields of a week, one a day.
func dayFields(v *visit, week frontdesk.Week) (all []field) {
	for i, name := range weekdayNames(v) {
		all = append(all, field{Name: "openings." + strconv.Itoa(i), Path: "openings." + strconv.Itoa(i), Kind: "day", Label: capital(name), Value: periodText(week[i]), Index: i})
	}
	return all
}

func capital(s string) string {
	for i, r := range s {
		if i > 0 {
			return strings.ToUpper(s[:i]) + s[i:]
		}
		_ = r
	}
	return strings.ToUpper(s)
}

// periodText is a day's periods in one text: 10:00-14:00 17:00-20:00.
func periodText(periods []frontdesk.Period) string {
	all := make([]string, len(periods))
	for i, p := range periods {
		all[i] = p.String()
	}
	return strings.Join(all, " ")
}

// periodsIn are the beginnings and ends in a text of periodText.
func periodsIn(text string) (all [][2]string) {
	for one := range strings.FieldsSeq(text) {
		from, to, _ := strings.Cut(one, "-")
		all = append(all, [2]string{from, to})
	}
	return all
}

// sentPeriods are periods as a form sends them; one that was left empty is none.
func sentPeriods(from, to []string) string {
	var all []string
	for i := range min(len(from), len(to)) {
		begins, ends := sentClock(from[i]), sentClock(to[i])
		if begins != "" || ends != "" {
			all = append(all, begins+"-"+ends)
		}
	}
	return strings.Join(all, " ")
}

// sentClock is a time without blanks, which stand between periods.
func sentClock(s string) string { return strings.Join(strings.Fields(s), "") }

// weekJSON are the days as the API has them.
func weekJSON(days map[string]string) json.RawMessage {
	week := map[string][][2]string{}
	for name, text := range days {
		if periods := periodsIn(text); len(periods) > 0 {
			for i := range periods {
				if periods[i][1] == "00:00" { // as a clock shows the end of a day
					periods[i][1] = "24:00"
				}
			}
			week[strings.TrimPrefix(name, "openings.")] = periods
		}
	}
	text, _ := json.Marshal(week) // of strings: it always can
	return text
}

// weekOf are the openings of an agent that are in force.
func weekOf(a frontdesk.Agent) (w frontdesk.Week) {
	switch {
	case a.Settings.Calendar.Openings != nil:
		w = *a.Settings.Calendar.Openings
	case a.Config.Hours != nil:
		w = frontdesk.WeekOf(*a.Config.Hours)
	}
	return w
}

func newHoursForm(v *visit, a frontdesk.Agent) form {
	f := form{section: "hours", fields: dayFields(v, weekOf(a))}
	f.apply = func(a frontdesk.Agent, changed map[string]string) (frontdesk.Agent, error) {
		return rebooked(a, frontdesk.Members{{Name: "openings", Value: weekJSON(mergedDays(f.fields, changed))}})
	}
	return f
}

// mergedDays are the days of a form with those that were changed.
func mergedDays(fields []field, changed map[string]string) map[string]string {
	days := map[string]string{}
	for _, one := range fields {
		if one.Kind != "day" {
			continue
		}
		days[one.Name] = one.Value
		if value, touched := changed[one.Name]; touched {
			days[one.Name] = value
		}
	}
	return days
}

// changePeriods changes which inputs a form shows: add.3 puts another period to
// Thursday, drop.3.1 takes its second away, copy gives all days Monday's.
func changePeriods(v *visit, s *shownForm, do string) {
	verb, rest, _ := strings.Cut(do, ".")
	day, nth, _ := strings.Cut(rest, ".")
	monday := slices.IndexFunc(s.Fields, func(f field) bool { return f.Kind == "day" && f.Index == 0 })
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Kind != "day" {
			continue
		}
		switch {
		case verb == "copy" && monday >= 0:
			f.Value = s.Fields[monday].Value
			f.prepare(v)
		case verb == "add" && day == strconv.Itoa(f.Index):
			f.Periods = append(f.Periods, [2]string{})
		case verb == "drop" && day == strconv.Itoa(f.Index):
			if n, err := strconv.Atoi(nth); err == nil && n >= 0 && n < len(f.Periods) {
				f.Periods = slices.Delete(f.Periods, n, n+1)
			}
		}
	}
}
