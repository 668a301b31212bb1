package catalogue

import (
	"slices"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestContradicted(t *testing.T) {
	t.Parallel()
	morning, evening := frontdesk.Period{From: 600, To: 840}, frontdesk.Period{From: 1020, To: 1230}
	both := []frontdesk.Period{morning, evening}
	week := frontdesk.Week{both, both, both, both, both, {morning}, nil}
	for words, want := range map[string][]int{
		"De lunes a viernes de 10:00 a 14:00 y de 17:00 a 20:30, sábados de 10 a 14": nil,
		"Lunes a viernes 10-20:30; sábado 10-14; domingo cerrado":                    nil,
		"Monday to Friday 10am-8.30pm, Saturday 10 to 2, closed Sundays":             nil,
		"Monday–Friday 10 am – 8:30 pm":                                              nil,
		"De lunes a viernes de 9:00 a 20:30":                                         {0, 1, 2, 3, 4},
		"Lunes a sábado de 10 a 20:30":                                               {5},
		"Cerrado lunes y domingo. Martes a viernes de 10 a 20:30":                    {0},
		"Domingos de 10 a 14":                                                        {6},
		"Lunes cerrado, martes de 9 a 14":                                            {0, 1},
		"Monday closed":                                                              {0},
		"Closed on Mondays and Sundays":                                              {0},
		"Every day 10 to 14":                                                         {0, 1, 2, 3, 4, 6},
		"De martes a domingo, comidas y cenas":                                       nil, // not understood
		"Lunes a viernes de 9 a 20, salvo festivos":                                  nil,
		"":                     nil,
		"9 to 5":               nil,
		"Lunes a viernes de 9": nil,
	} {
		if got := Contradicted(words, week); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", words, got, want)
		}
	}
}

func FuzzContradicted(f *testing.F) {
	f.Add("De lunes a viernes de 9 a 14h y de 16:30 a 20.00; sábado cerrado")
	f.Add("Mon-Fri 9 a.m. – 5 p.m.")
	f.Fuzz(func(t *testing.T, words string) {
		for _, d := range Contradicted(words, frontdesk.Week{}) {
			if d < 0 || d > 6 {
				t.Errorf("%q: day %d", words, d)
			}
		}
	})
}
