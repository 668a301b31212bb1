package spoken

import (
	"time"
	"unicode"
)

// How long voices take, on the telephone and at their usual pace.
const (
	perLetter = 66 * time.Millisecond // about 15 letters, spaces included, a second
	perFigure = 300 * time.Millisecond
	perPause  = 150 * time.Millisecond
	perStop   = 350 * time.Millisecond
)

// Duration estimates how long a voice takes for a spoken text. It serves to guess
// when playback ends where nobody reports it.
func Duration(text string) time.Duration {
	var d time.Duration
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			d += perFigure
		case r == ',' || r == ';' || r == ':':
			d += perPause
		case r == '.' || r == '!' || r == '?':
			d += perStop
		default:
			d += perLetter
		}
	}
	return d
}
