package opening

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// datesNamed are the dates of a holiday in a region and year, as "07-04 07-03".
func datesNamed(t *testing.T, region, name string, year int) string {
	t.Helper()
	var found []string
	for _, h := range mustHolidays(t, region, year) {
		if h.Name == name {
			found = append(found, h.Date.String()[5:])
		}
	}
	return strings.Join(found, " ")
}

func mustHolidays(t *testing.T, region string, year int) []Holiday {
	t.Helper()
	all, err := Holidays(region, year)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// listHolidays are holidays as lines "04-23 aragon_day".
func listHolidays(all []Holiday) (lines []string) {
	for _, h := range all {
		lines = append(lines, h.Date.String()[5:]+" "+h.Name)
	}
	return lines
}

// restDaysOf counts the holidays that are no Sundays.
func restDaysOf(all []Holiday) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(h Holiday) bool { return h.Date.Weekday() == time.Sunday }))
}

// Days that move, from 2024 to 2033, written down from calendars and not computed.
func TestDaysThatMove(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		region, name, days string
	}{
		{"PT", "easter_sunday", "03-31 04-20 04-05 03-28 04-16 04-01 04-21 04-13 03-28 04-17"},
		{"ES", "good_friday", "03-29 04-18 04-03 03-26 04-14 03-30 04-19 04-11 03-26 04-15"},
		{"ES-AN", "maundy_thursday", "03-28 04-17 04-02 03-25 04-13 03-29 04-18 04-10 03-25 04-14"},
		{"IE", "easter_monday", "04-01 04-21 04-06 03-29 04-17 04-02 04-22 04-14 03-29 04-18"},
		{"AR", "carnival_tuesday", "02-13 03-04 02-17 02-09 02-29 02-13 03-05 02-25 02-10 03-01"},
		{"PT", "corpus_christi", "05-30 06-19 06-04 05-27 06-15 05-31 06-20 06-12 05-27 06-16"},
		{"FR", "ascension_day", "05-09 05-29 05-14 05-06 05-25 05-10 05-30 05-22 05-06 05-26"},
		{"FR", "whit_monday", "05-20 06-09 05-25 05-17 06-05 05-21 06-10 06-02 05-17 06-06"},
		// In 2030 it is Portugal Day.
		{"PT-20", "azores_day", "05-20 06-09 05-25 05-17 06-05 05-21 - 06-02 05-17 06-06"},
		{"GB", "early_may_bank_holiday", "05-06 05-05 05-04 05-03 05-01 05-07 05-06 05-05 05-03 05-02"},
		{"GB", "spring_bank_holiday", "05-27 05-26 05-25 05-31 05-29 05-28 05-27 05-26 05-31 05-30"},
		{"GB-ENG", "summer_bank_holiday", "08-26 08-25 08-31 08-30 08-28 08-27 08-26 08-25 08-30 08-29"},
		{"GB-SCT", "summer_bank_holiday", "08-05 08-04 08-03 08-02 08-07 08-06 08-05 08-04 08-02 08-01"},
		{"IE", "st_brigids_day", "02-05 02-03 02-02 02-01 02-07 02-05 02-01 02-03 02-02 02-07"},
		{"IE", "october_bank_holiday", "10-28 10-27 10-26 10-25 10-30 10-29 10-28 10-27 10-25 10-31"},
		{"US", "martin_luther_king_day", "01-15 01-20 01-19 01-18 01-17 01-15 01-21 01-20 01-19 01-17"},
		{"US", "memorial_day", "05-27 05-26 05-25 05-31 05-29 05-28 05-27 05-26 05-31 05-30"},
		{"US", "us_labor_day", "09-02 09-01 09-07 09-06 09-04 09-03 09-02 09-01 09-06 09-05"},
		{"US", "thanksgiving", "11-28 11-27 11-26 11-25 11-23 11-22 11-28 11-27 11-25 11-24"},
		{"MX", "mexico_constitution_day", "02-05 02-03 02-02 02-01 02-07 02-05 02-04 02-03 02-02 02-07"},
		{"MX", "benito_juarez_day", "03-18 03-17 03-16 03-15 03-20 03-19 03-18 03-17 03-15 03-21"},
		{"MX", "mexico_revolution_day", "11-18 11-17 11-16 11-15 11-20 11-19 11-18 11-17 11-15 11-21"},
		{"MX", "mexico_inauguration_day", "10-01 - - - - - 10-01 - - -"},
		// In 2033 the Monday after 17 June is Flag Day, so that it stays a Friday.
		{"AR", "guemes_day", "06-17 06-16 06-15 06-21 06-17 06-17 06-17 06-16 06-21 06-17"},
		{"AR", "san_martin_day", "08-17 08-17 08-17 08-16 08-21 08-20 08-17 08-17 08-16 08-15"},
		{"AR", "cultural_diversity_day", "10-12 10-10 10-12 10-11 10-16 10-15 10-12 10-12 10-11 10-10"},
		{"AR", "argentina_sovereignty_day", "11-18 11-24 11-23 11-20 11-20 11-19 11-18 11-24 11-20 11-20"},
		{"GB-SCT", "world_cup_bank_holiday", "- - 06-15 - - - - - - -"},
		{"PT-30", "madeira_autonomy_day", "- 04-02 04-02 04-02 04-02 04-02 04-02 04-02 04-02 04-02"},
	} {
		for i, want := range strings.Fields(tt.days) {
			if got := datesNamed(t, tt.region, tt.name, 2024+i); got != strings.Trim(want, "-") {
				t.Errorf("%s in %s, %d: %q, want %q", tt.name, tt.region, 2024+i, got, want)
			}
		}
	}
}

// The days off for holidays on weekends, from 2024 to 2033.
func TestDaysInPlaceOfWeekends(t *testing.T) {
	t.Parallel()
	for region, years := range map[string]map[int]string{
		"GB-ENG": {
			2026: "12-28 boxing_day", 2027: "12-27 christmas_day, 12-28 boxing_day", 2028: "01-03 new_years_day",
			2032: "12-27 christmas_day, 12-28 boxing_day", 2033: "01-03 new_years_day, 12-27 christmas_day",
		},
		"GB-SCT": {
			2024: "12-02 st_andrews_day", 2025: "12-01 st_andrews_day", 2026: "12-28 boxing_day",
			2027: "01-04 second_of_january, 12-27 christmas_day, 12-28 boxing_day",
			2028: "01-03 new_years_day, 01-04 second_of_january", 2030: "12-02 st_andrews_day", 2031: "12-01 st_andrews_day",
			2032: "12-27 christmas_day, 12-28 boxing_day",
			2033: "01-03 new_years_day, 01-04 second_of_january, 12-27 christmas_day",
		},
		"GB-NIR": {
			2024: "03-18 st_patricks_day", 2025: "07-14 battle_of_the_boyne", 2026: "07-13 battle_of_the_boyne, 12-28 boxing_day",
			2027: "12-27 christmas_day, 12-28 boxing_day", 2028: "01-03 new_years_day", 2029: "03-19 st_patricks_day",
			2030: "03-18 st_patricks_day", 2031: "07-14 battle_of_the_boyne", 2032: "12-27 christmas_day, 12-28 boxing_day",
			2033: "01-03 new_years_day, 12-27 christmas_day",
		},
		"US": {
			2026: "07-03 us_independence_day",
			2027: "06-18 juneteenth, 07-05 us_independence_day, 12-24 christmas_day, 12-31 new_years_day",
			2028: "11-10 veterans_day", 2029: "11-12 veterans_day",
			2032: "06-18 juneteenth, 07-05 us_independence_day, 12-24 christmas_day, 12-31 new_years_day",
			2033: "06-20 juneteenth, 12-26 christmas_day",
		},
		"ES-AN": {
			2024: "12-09 immaculate_conception", 2025: "10-13 spain_national_day", 2026: "11-02 all_saints_day, 12-07 spain_constitution_day",
			2027: "03-01 andalusia_day, 08-16 assumption_day", 2030: "01-07 epiphany, 12-09 immaculate_conception",
			2031: "10-13 spain_national_day", 2032: "08-16 assumption_day", 2033: "05-02 labour_day, 12-26 christmas_day",
		},
		"ES-AR": {
			2024: "12-09 immaculate_conception", 2025: "10-13 spain_national_day", 2026: "11-02 all_saints_day, 12-07 spain_constitution_day",
			2027: "08-16 assumption_day", 2028: "04-24 aragon_day", 2030: "01-07 epiphany, 12-09 immaculate_conception",
			2031: "10-13 spain_national_day", 2032: "08-16 assumption_day", 2033: "05-02 labour_day, 12-26 christmas_day",
		},
		"ES": {}, "IE": {}, "MX": {}, "PT": {}, "FR": {},
	} {
		for year := 2024; year <= 2033; year++ {
			var got []string
			for _, line := range listHolidays(mustHolidays(t, region, year)) {
				if name, moved := strings.CutSuffix(line, ".observed"); moved {
					got = append(got, name)
				}
			}
			if got := strings.Join(got, ", "); got != years[year] {
				t.Errorf("%s in %d: %q, want %q", region, year, got, years[year])
			}
		}
	}
}

// Whole years, so that no day too many is among them.
func TestWholeYears(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		region string
		year   int
		days   string
	}{
		{"ES", 2027, "01-01 01-06 03-26 05-01 08-15 10-12 11-01 12-06 12-08 12-25"},
		{"ES-MD", 2026, "01-01 01-06 04-02 04-03 05-01 05-02 08-15 10-12 11-01 11-02 12-06 12-07 12-08 12-25"},
		{"ES-CT", 2026, "01-01 01-06 04-03 04-06 05-01 06-24 08-15 09-11 10-12 11-01 12-06 12-08 12-25 12-26"},
		{"ES-CE", 2026, "01-01 01-06 03-20 04-02 04-03 05-01 05-27 06-13 08-05 08-15 09-02 10-12 11-01 12-06 12-08 12-25"},
		{"ES-GA", 2026, "01-01 01-06 03-19 04-02 04-03 05-01 05-17 06-24 07-25 08-15 10-12 11-01 12-06 12-08 12-25"},
		{"ES-PV", 2027, "01-01 01-06 03-19 03-25 03-26 03-29 05-01 08-15 10-12 11-01 12-06 12-08 12-25"},
		{"ES-VC", 2027, "01-01 01-06 03-19 03-26 03-29 05-01 06-24 08-15 10-09 10-12 11-01 12-06 12-08 12-25"},
		{"GB", 2026, "01-01 04-03 05-04 05-25 12-25 12-26 12-28"},
		{"GB-ENG", 2025, "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26"},
		{"GB-WLS", 2025, "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26"},
		{"GB-SCT", 2026, "01-01 01-02 04-03 05-04 05-25 06-15 08-03 11-30 12-25 12-26 12-28"},
		{"GB-NIR", 2027, "01-01 03-17 03-26 03-29 05-03 05-31 07-12 08-30 12-25 12-26 12-27 12-28"},
		{"IE", 2026, "01-01 02-02 03-17 04-06 05-04 06-01 08-03 10-26 12-25 12-26"},
		{"US", 2025, "01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25"},
		{"MX", 2026, "01-01 02-02 03-16 05-01 09-16 11-16 12-25"},
		{"AR", 2026, "01-01 02-16 02-17 03-24 04-02 04-03 05-01 05-25 06-15 06-20 07-09 08-17 10-12 11-23 12-08 12-25"},
		{"PT", 2026, "01-01 04-03 04-05 04-25 05-01 06-04 06-10 08-15 10-05 11-01 12-01 12-08 12-25"},
		{"PT-30", 2026, "01-01 04-02 04-03 04-05 04-25 05-01 06-04 06-10 07-01 08-15 10-05 11-01 12-01 12-08 12-25 12-26"},
		{"FR", 2026, "01-01 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25"},
		{"FR-67", 2026, "01-01 04-03 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25 12-26"},
	} {
		var got []string
		for _, h := range mustHolidays(t, tt.region, tt.year) {
			got = append(got, h.Date.String()[5:])
		}
		if got := strings.Join(got, " "); got != tt.days {
			t.Errorf("%s in %d:\n got %s\nwant %s", tt.region, tt.year, got, tt.days)
		}
	}
}

// Each region has its own days, in a year in which none of them is a Sunday.
func TestOwnDaysOfRegions(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{
		"ES-AN": "2028-02-28", "ES-AR": "2027-04-23", "ES-AS": "2027-09-08", "ES-CB": "2027-07-28 2027-09-15",
		"ES-CE": "2027-08-05", "ES-CL": "2027-04-23", "ES-CM": "2027-05-31 2027-05-27", "ES-CN": "2028-05-30",
		"ES-CT": "2026-06-24 2026-09-11 2026-12-26", "ES-EX": "2027-09-08", "ES-GA": "2027-05-17 2028-07-25",
		"ES-IB": "2027-03-01", "ES-MC": "2027-06-09 2027-03-19", "ES-MD": "2028-05-02", "ES-ML": "2026-05-27",
		"ES-NC": "2027-12-03", "ES-PV": "2027-03-29", "ES-RI": "2027-06-09", "ES-VC": "2027-10-09 2027-03-19",
		"GB-ENG": "2027-08-30", "GB-WLS": "2027-08-30", "GB-SCT": "2027-11-30", "GB-NIR": "2027-07-12",
		"PT-20": "2027-05-17", "PT-30": "2027-07-01 2027-12-26", "FR-57": "2027-03-26 2027-12-26",
		"FR-67": "2027-03-26 2027-12-26", "FR-68": "2027-03-26 2027-12-26", "FR-971": "2027-05-27",
		"FR-972": "2027-05-22", "FR-973": "2027-06-10", "FR-974": "2027-12-20", "FR-976": "2027-04-27",
	} {
		country, _, _ := strings.Cut(region, "-")
		for day := range strings.FieldsSeq(want) {
			at, err := time.Parse(time.DateOnly, day)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := HolidayOn(region, frontdesk.DateOf(at)); !ok {
				t.Errorf("%s is no holiday in %s", day, region)
			}
			if h, ok := HolidayOn(country, frontdesk.DateOf(at)); ok {
				t.Errorf("%s is %s in all of %s", day, h.Name, country)
			}
		}
	}
	if _, ok := HolidayOn("ES-PV", frontdesk.Date{Year: 2027, Month: time.October, Day: 25}); ok {
		t.Error("the Basque Country has no day of its own since 2014")
	}
	if got := datesNamed(t, "ES-CT", "maundy_thursday", 2027) + datesNamed(t, "ES-VC", "maundy_thursday", 2027); got != "" {
		t.Errorf("Maundy Thursday is kept on %s", got)
	}
}

// The law gives a community twelve days that are no Sundays.
func TestCommunitiesHaveTwelveDays(t *testing.T) {
	t.Parallel()
	other := map[string]int{
		// Thirteen where one is worked off on another day.
		"ES-CT 2024": 13, "ES-CT 2025": 13, "ES-VC 2024": 13, "ES-VC 2025": 13,
		// All fourteen of a city that is one town.
		"ES-CE 2025": 14, "ES-CE 2026": 14,
	}
	for _, region := range Regions() {
		if !strings.HasPrefix(region, "ES-") {
			continue
		}
		for year := 2024; year <= 2026; year++ {
			want := 12
			switch n, ok := other[fmt.Sprint(region, " ", year)]; {
			case ok:
				want = n
			case region == "ES-CN": // the twelfth is the island's
				want = 11
			case region == "ES-NC": // one is a local day for all
				want = 13
			}
			if got := restDaysOf(mustHolidays(t, region, year)); got != want {
				t.Errorf("%s has %d days in %d, want %d: %v", region, got, year, want, listHolidays(mustHolidays(t, region, year)))
			}
		}
		for year := 2027; year <= 2050; year++ {
			if got := restDaysOf(mustHolidays(t, region, year)); got < 10 || got > 14 {
				t.Errorf("%s has %d days in %d", region, got, year)
			}
		}
	}
}

// Without what was published, the default comes to the same for those who leave
// the law its way.
func TestDefaultIsWhatWasPublished(t *testing.T) {
	t.Parallel()
	unpublished := &holidayBook{byRegion: holidayRules().byRegion, room: holidayRules().room}
	for _, region := range []string{"ES-AN", "ES-AR", "ES-AS", "ES-CL", "ES-PV", "ES-RI"} {
		for year := 2024; year <= 2026; year++ {
			got, want := listHolidays(unpublished.fill(regionYear{region, year})), listHolidays(mustHolidays(t, region, year))
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s in %d:\n got %v\nwant %v", region, year, got, want)
			}
		}
	}
}

func TestHowManyDays(t *testing.T) {
	t.Parallel()
	// Days of one year alone, and two holidays on one day.
	once := map[string]int{"MX 2030": -1, "GB-SCT 2026": -1, "PT-20 2030": 1, "FR-972 2031": 1, "FR-973 2030": 1}
	for region, want := range map[string]int{
		"ES": 10, "GB": 6, "GB-ENG": 8, "GB-WLS": 8, "GB-SCT": 9, "GB-NIR": 10, "IE": 10, "US": 11, "MX": 7, "AR": 16,
		"PT": 13, "PT-20": 14, "PT-30": 16, "FR": 11, "FR-57": 13, "FR-67": 13, "FR-68": 13, "FR-971": 12, "FR-972": 12,
		"FR-973": 12, "FR-974": 12, "FR-976": 12,
	} {
		for year := 2025; year <= 2033; year++ {
			n := once[fmt.Sprint(region, " ", year)]
			for _, h := range mustHolidays(t, region, year) {
				if !strings.HasSuffix(h.Name, ".observed") {
					n++
				}
			}
			if n != want {
				t.Errorf("%s has %d holidays in %d, want %d", region, n, year, want)
			}
		}
	}
}

// Every day stands once, in its order and in its year, with a name in every language.
func TestEveryHolidayHasItsPlaceAndName(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, region := range Regions() {
		for year := firstHolidayYear; year <= lastHolidayYear; year++ {
			last := frontdesk.Date{Year: year - 1, Month: time.December, Day: 31}
			for _, h := range mustHolidays(t, region, year) {
				if !last.Before(h.Date) || h.Date.Year != year {
					t.Errorf("%s in %d: %s follows %s", region, year, h.Date, last)
				}
				last = h.Date
				used[h.Name] = true
				if got, ok := HolidayOn(region, h.Date); !ok || got != h {
					t.Errorf("%s: on %s there is %v, %v", region, h.Date, got, ok)
				}
			}
		}
	}
	for _, code := range language.Codes() {
		for name := range used {
			if language.Of(code).HolidayName(name) == "" {
				t.Errorf("%s has no name for %s", code, name)
			}
		}
		for _, line := range language.Of(code).Lines("holidays") {
			if key, _, _ := strings.Cut(line, ":"); key != ".observed" && !used[key] {
				t.Errorf("%s has a name for %s, which is nowhere a holiday", code, key)
			}
		}
	}
}

func TestRegions(t *testing.T) {
	t.Parallel()
	want := "AR ES ES-AN ES-AR ES-AS ES-CB ES-CE ES-CL ES-CM ES-CN ES-CT ES-EX ES-GA ES-IB ES-MC ES-MD ES-ML ES-NC ES-PV ES-RI ES-VC " +
		"FR FR-57 FR-67 FR-68 FR-971 FR-972 FR-973 FR-974 FR-976 GB GB-ENG GB-NIR GB-SCT GB-WLS IE MX PT PT-20 PT-30 US"
	if got := strings.Join(Regions(), " "); got != want {
		t.Errorf("the regions are %s", got)
	}
}

func TestUnknownRegionsAndYears(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		region string
		year   int
		want   string
	}{
		{"US-CA", 2026, `No holidays are known for "US-CA", only for US`},
		{"PT-11", 2026, `No holidays are known for "PT-11", only for PT, PT-20, PT-30`},
		{"ESP", 2026, `No holidays are known for "ESP": the nearest code that is known is ES`},
		{"", 2026, `No holidays are known for "": the nearest code that is known is`},
		{strings.Repeat("é", 1000), 2026, `No holidays are known for "` + strings.Repeat("É", 20) + `": the`},
		{"ES", 1999, "holidays are known from 2024 to 2099, not in 1999"},
		{"ES", 2100, "holidays are known from 2024 to 2099, not in 2100"},
	} {
		all, err := Holidays(tt.region, tt.year)
		if err == nil || !strings.Contains(err.Error(), tt.want) || all != nil {
			t.Errorf("%.20q in %d: %v, %v, want %s", tt.region, tt.year, all, err, tt.want)
		}
		if _, ok := HolidayOn(tt.region, frontdesk.Date{Year: tt.year, Month: time.January, Day: 1}); ok {
			t.Errorf("%.20q in %d has a new year", tt.region, tt.year)
		}
	}
	if got := listHolidays(mustHolidays(t, " es-md\n", 2026)); !slices.Equal(got, listHolidays(mustHolidays(t, "ES-MD", 2026))) {
		t.Errorf("in small letters there are %v", got)
	}
}

// What is handed out is the caller's: the next one finds it unchanged.
func TestHolidaysAreCopied(t *testing.T) {
	t.Parallel()
	mustHolidays(t, "IE", 2040)[0].Name = "doomsday"
	if got := mustHolidays(t, "IE", 2040)[0].Name; got != "new_years_day" {
		t.Errorf("the first day is %s", got)
	}
}

func TestRulesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"01-01 new_years_day":            "before the first section",
		"[XX]\n[XX]":                     "this section already",
		"[XX]\n01-01":                    "a day and a name",
		"[XX]\n01-someday-1 x":           "no weekday",
		"[XX]\nJan-01 x":                 "invalid syntax",
		"[XX]\neaster+x x":               "invalid syntax",
		"[XX]\n01-01 x sometimes":        `nothing is known of "sometimes"`,
		"[XX]\n01-01 x from":             `nothing is known of "from"`,
		"[XX]\n01-01 x in May":           "invalid syntax",
		"[XX]\nroom many":                "invalid syntax",
		"[XX]\n[XX 2026]\n01-01 x: YY":   "no region XX-YY",
		"[XX]\n[XX 2026]\n01-01: YY":     "a day and a name",
		"[XX]\n\n# a comment\n[XX many]": "line 4",
	} {
		if _, err := parseHolidayBook(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzRegion(f *testing.F) {
	for _, region := range append(Regions(), "", "-", "ES-", "es-md", "XX-YY", "\xff", strings.Repeat("ES-", 100)) {
		f.Add(region, 2026)
	}
	f.Fuzz(func(t *testing.T, region string, year int) {
		all, err := Holidays(region, year)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%q in %d: %v, %v", region, year, all, err)
		}
		if err != nil && len(err.Error()) > 500 {
			t.Errorf("the error has %d letters", len(err.Error()))
		}
		for _, h := range all {
			if got, ok := HolidayOn(region, h.Date); !ok || got != h {
				t.Errorf("%q: on %s there is %v, %v", region, h.Date, got, ok)
			}
		}
	})
}

func BenchmarkHolidayOn(b *testing.B) {
	day := frontdesk.Date{Year: 2026, Month: time.December, Day: 24}
	for b.Loop() {
		HolidayOn("ES-MD", day)
	}
}
