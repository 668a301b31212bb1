package table_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/table"
)

// TestColumnAskedFor: the column is told by what its heading means, not by its words alone.
func TestColumnAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		head  string // names of columns
		cells string
		ask   string
		want  string // the figures that are said, parted by spaces
	}{
		"a month in a season":                 {"Baja (oct-mar)|Media (abr-jun y sep)|Alta (jul-ago)", "10|20|30", "how much is the thing in August", "30"},
		"a season around the new year":        {"Baja (oct-mar)|Media (abr-jun y sep)|Alta (jul-ago)", "10|20|30", "¿cuánto vale thing en enero?", "10"},
		"a season by its name":                {"Baja (oct-mar)|Media (abr-jun y sep)|Alta (jul-ago)", "10|20|30", "¿cuánto vale thing en temporada alta?", "30"},
		"a month that no heading tells":       {"Low season|High season", "10|30", "how much is the thing in August", "10 30"},
		"two months are no range":             {"Mid (June and September)|High (July-August)", "10|30", "how much is the thing in August", "30"},
		"two days are no range":               {"Lunes y jueves|Martes y miércoles", "10|30", "how much is the thing on Wednesday", "30"},
		"between two months":                  {"Between June and September|October to May", "10|30", "how much is the thing in July", "10"},
		"an age by who is so old":             {"Child|Teen (13-17)|Adult|Over 65", "10|20|30|40", "¿cuánto vale thing para un jubilado?", "40"},
		"an age by a word in a range":         {"Under 12|12-64|65 and over", "10|20|30", "how much is the thing for a pensioner", "20 30"},
		"a fee by another word for it":        {"Price|Fianza", "£10|£30", "¿hay que dejar señal por thing?", "30"},
		"a feast":                             {"Jan-Nov|December", "10|30", "how much is the thing on New Year's Eve", "30"},
		"a day of the weekend":                {"Weekday|Weekend", "10|30", "how much is the thing on Sunday", "30"},
		"days in a range":                     {"Mon-Thu|Fri-Sun", "10|30", "how much is the thing on a Friday", "30"},
		"days by their letters":               {"Adulto L-J|Adulto V-D", "10|30", "¿cuánto vale thing un sábado?", "30"},
		"an hour of the night":                {"Laborable de 8 a 20 h|Noche de 20 a 8 h", "10|30", "¿cuánto vale thing a las once de la noche?", "30"},
		"a part of the day":                   {"Until 14:00|After 14:00", "10|30", "how much is the thing in the morning", "10"},
		"an age in a range":                   {"Adult|4-11|Under 4", "10|20|30", "how much is the thing for a child of six years", "20"},
		"an age above":                        {"Adult (12-64)|Over 65", "10|30", "mi madre tiene setenta años, how much is the thing", "30"},
		"a weight":                            {"hasta 5 kg|5-10 kg|más de 10 kg", "10|20|30", "how much is the thing for seven kilos", "20"},
		"more than a weight":                  {"hasta 5 kg|5-10 kg|más de 10 kg", "10|20|30", "how much is the thing for over thirty kilos", "30"},
		"a number of people":                  {"2 people|3 people|4 or more", "10|20|30", "how much is the thing for three people", "20"},
		"a quantity":                          {"100 uds|250 uds|500 uds", "10|20|30", "how much are 250 of the thing", "20"},
		"a length in other words":             {"30 min|45 min|60 min", "10|20|30", "how much is the thing for three quarters of an hour", "20"},
		"seven days are a week":               {"Day|Weekend|Week", "10.00|20.00|30.00", "how much is the thing for seven days", "30"},
		"a size in the other language":        {"Small dog|Medium dog|Large dog", "10|20|30", "¿cuánto vale thing para un perro grande?", "30"},
		"members":                             {"Member|Guest", "10|30", "I'm not a member, how much is the thing", "30"},
		"members of another language":         {"Member|Guest", "10|30", "soy socio, ¿cuánto vale thing?", "10"},
		"in a hurry":                          {"Normal (48 h)|Urgente (24 h)", "10|30", "how much is the thing if I need it urgently", "30"},
		"with the tax or without":             {"Ex VAT|Inc VAT", "10.00|30.00", "how much is the thing", "30"},
		"without the tax":                     {"Ex VAT|Inc VAT", "10.00|30.00", "what is the thing before VAT", "10"},
		"a minimum order is no price":         {"Price|Minimum order", "£10|£30", "how much is the thing", "10"},
		"a word that only one column has":     {"30 min|60 min|Voucher, 5 sessions", "10|20|30", "how much is the voucher for the thing", "30"},
		"two things that the question tells":  {"Member peak|Member off-peak|Guest peak|Guest off-peak", "£10|£20|£30|£40", "how much is the thing for a guest, off peak", "40"},
		"what all columns exclude":            {"Small|Medium|Large", "10|20|30", "how much is the extra large thing", "10 20 30"},
		"more than three are a range":         {"Mini|Small|Medium|Large", "10|20|30|40", "how much is the thing", "10 40"},
		"the same whichever it is":            {"Mini|Small|Medium|Large", "10|10|10|10", "how much is the thing", "10"},
		"a dash is nothing":                   {"Small|Large", "–|30", "how much is the thing", "30"},
		"a price for each, whatever the size": {"Small|Large", "10|30", "how much is a small thing a night", "10"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row := "Item: Thing"
			values := strings.Split(c.cells, "|")
			for i, head := range strings.Split(c.head, "|") {
				row += "; " + head + ": " + values[i]
			}
			tab := table.New(rows(t, row, strings.Replace(row, "Thing", "Other", 1)), "GBP")
			said, ok := tab.Read(inquiry(c.ask), []int{0}).Say("en", "en", 0)
			if got := figures(said, values); !ok || got != c.want {
				t.Errorf("said %q, %v: figures %q, want %q", said, ok, got, c.want)
			}
		})
	}
}

// figures are those of some values that a text has before its money.
func figures(said string, values []string) string {
	var all []string
	for _, v := range values {
		v = strings.TrimSuffix(strings.Trim(v, "£"), ".00")
		if strings.Contains(said, " "+v+" pounds") || strings.Contains(said, " "+v+" to ") {
			if len(all) == 0 || all[len(all)-1] != v {
				all = append(all, v)
			}
		}
	}
	return strings.Join(all, " ")
}

// TestNotes: what stands beside a table tells of its prices and seasons.
func TestNotes(t *testing.T) {
	t.Parallel()
	courts := []string{"Court: Clay; Peak: 12; Off-peak: 8", "Court: Grass; Peak: 14; Off-peak: 9"}
	for name, c := range map[string]struct{ note, ask, want string }{
		"the currency":                {"All prices in pounds.", "how much is clay at peak time", "Clay is 12 pounds (peak)."},
		"the tax":                     {"Prices in pounds plus VAT.", "how much is clay at peak time", "Clay is 12 pounds (peak), plus VAT."},
		"when a season is":            {"Prices in pounds. Peak is Monday to Friday after 5 pm and all weekend.", "how much is clay on a Saturday", "Clay is 12 pounds (peak)."},
		"an hour within a season":     {"Prices in pounds. Peak is Monday to Friday after 5 pm and all weekend.", "how much is clay on Tuesday at 7 pm", "Clay is 12 pounds (peak)."},
		"the rest":                    {"Prices in pounds. Peak is Monday to Friday after 5 pm and all weekend.", "how much is clay on Tuesday in the morning", "Clay is 8 pounds (off-peak)."},
		"months":                      {"Prices in pounds. July and August are peak, the rest of the year is off-peak.", "how much is clay in March", "Clay is 8 pounds (off-peak)."},
		"nothing tells: both":         {"Prices in pounds.", "how much is clay on a Saturday", "Clay is 12 pounds (peak) and 8 pounds (off-peak)."},
		"what a price is for each of": {"Prices in pounds are per hour.", "how much is clay at peak time", "Clay is 12 pounds an hour (peak)."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := table.New(rows(t, courts...), "EUR", c.note).Read(inquiry(c.ask), []int{0}).Say("en", "en", 0)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestRowAskedFor: of rows that a question may mean, what it says of days, numbers and of what
// it does without decides.
func TestRowAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		names []string
		ask   string
		want  string
	}{
		"a day":                {[]string{"Menu of the day (Monday to Friday)", "Menu of the weekend"}, "how much is the menu on Saturday", "Menu of the weekend"},
		"the fuller name":      {[]string{"Cone", "Cone, chocolate"}, "how much is a chocolate cone", "Cone, chocolate"},
		"to the word":          {[]string{"Cards one side", "Cards two sides"}, "how much are cards one side", "Cards one side"},
		"the larger number":    {[]string{"Tower 3.5 m", "Tower 6 m"}, "how much is the taller tower", "Tower 6 m"},
		"the smaller number":   {[]string{"Tower 3.5 m", "Tower 6 m"}, "how much is the smaller tower", "Tower 3.5 m"},
		"an age":               {[]string{"Entry adult", "Entry child (4-11)", "Entry child (0-3)"}, "how much is entry for a child of six years", "Entry child (4-11)"},
		"hours around a night": {[]string{"Call 8:00 to 20:00", "Call 20:00 to 8:00"}, "how much is a call at 23:00", "Call 20:00 to 8:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var lines []string
			beside := make([]int, len(c.names))
			for i, n := range c.names {
				beside[i] = i
				lines = append(lines, "Item: "+n+"; Price: £5")
			}
			tab := table.New(rows(t, lines...), "")
			picked, _ := tab.Pick(inquiry(c.ask), 0, beside)
			if len(picked) != 1 || c.names[picked[0]] != c.want {
				t.Errorf("picked %v", picked)
			}
		})
	}
}

func TestWithout(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a heated pen, no garden view": "garden view", "una parcela sin luz, por favor": "luz", "a non-electric bike": "electric bike", "a pen with a view": "",
	} {
		var got []string
		for _, s := range table.Without(text) {
			got = append(got, text[s.Start:s.End])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q does without %q", text, got)
		}
	}
}

// TestLists: lines of a list of prices are rows.
func TestLists(t *testing.T) {
	t.Parallel()
	notes := "Half portion / portion. Prices in pounds."
	lines := []string{
		"- Croquettes — 7.50 / 13", "Stew — 14 (for two)", "Fish — POA", "Cone: small (1 scoop) 2.60 · large (3 scoops) 4.60", "Manicure · 40 min · 26", "Cut: from £15",
	}
	var all []table.Row
	for _, line := range lines {
		row, _, ok := table.ParseLine(line)
		if !ok {
			t.Fatalf("%q is no line of a list", line)
		}
		all = append(all, row)
	}
	for i, c := range []struct{ ask, want string }{
		{"how much is a full portion of croquettes", "Croquettes are 13 pounds (portion)."},
		{"how much is the stew", "Stew is 14 pounds (for two)."},
		{"how much is the fish", "Fish: POA."},
		{"how much is a large cone", "Cone is 4.60 pounds (large, 3 scoops)."},
		{"how much is a manicure", "Manicure is 26 pounds."},
		{"how much is a cut", "Cut is from 15 pounds."},
	} {
		got, _ := table.NewList(all, "", notes).Read(inquiry(c.ask), []int{i}).Say("en", "en", 0)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.ask, got, c.want)
		}
	}
	for _, line := range []string{"Open: 9:00-14:00", "Telephone: 912345678", "Massage: 30 min", "We are closed on Mondays", "Discount: 10 %"} {
		if _, firm, _ := table.ParseLine(line); firm {
			t.Errorf("%q is taken for a price", line)
		}
	}
	if tab := table.NewList([]table.Row{{Listed: true, Cells: []table.Cell{{Value: "Rooms"}, {Value: "12"}}}}, "EUR"); tab != nil {
		t.Error("numbers are taken for prices where nothing tells of money")
	}
}
