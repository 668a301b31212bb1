package dates_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/dates"
)

// A time that is told as a reason is not the one that is wished for.
func TestReadReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, text, want string }{
		{"es", "mañana a primera hora porque a las once tengo dentista", "2026-03-04 [6-10]"},
		{"es", "el sábado a las diez, que luego a las doce viene mi suegra", "2026-03-07 10:00?"},
		{"es", "la ceremonia es a las cinco, ponme a las tres", "03:00?"},
		{"es", "a las cinco me viene bien", "05:00?"},
		{"es", "el martes tengo clase el jueves a las seis", "2026-03-05 06:00?"},
		{"en", "friday at six because the show is at eight", "2026-03-06 06:00?"},
		{"en", "tomorrow at three, I've to collect the kids at four", "2026-03-04 03:00?"},
		{"en", "I'm working till five so saturday at ten", "2026-03-07 10:00?"},
	} {
		if got := show(dates.Read(c.text, tuesday, c.lang)); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}
