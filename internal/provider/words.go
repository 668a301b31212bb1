package provider

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	// mostSpoken is how many characters a second has, for who speaks twice as fast as
	// anybody does; fewestSpoken may be in the shortest sound.
	mostSpoken   = 50
	fewestSpoken = 100
	// mostHeard is how many characters of an utterance are handed on.
	mostHeard = 1000
	// longestLoop is how many words a model repeats when it goes round in a circle.
	longestLoop = 30
	// sureOfLoop is how sure words are at most behind which a model began to repeat
	// itself: they are asked for again before a yes counts.
	sureOfLoop = .5
)

// plainWords is a text without what no voice says and what would make a terminal or a
// page show something else: control characters and those that turn the direction of
// writing.
func plainWords(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError, r == '\ufeff':
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// trim makes what was heard as long as it can be. A model that repeats itself is cut
// where it begins to; of words that nobody can have said in that time nothing is left.
func (h Heard) trim(sound audio.Sound) (Heard, error) {
	h.Text = plainWords(h.Text)
	length := time.Duration(0)
	if sound.Rate > 0 {
		length = audio.Length(sound.Rate, len(sound.Samples))
	}
	most := fewestSpoken + int(length.Seconds()*mostSpoken)
	if utf8.RuneCountInString(h.Text) > most {
		h.Text, h.Sure = cutLoop(h.Text), min(h.Sure, sureOfLoop)
	}
	if n := utf8.RuneCountInString(h.Text); n > most {
		return Heard{}, fmt.Errorf("%w: %d characters are said to have been spoken in %s", ErrBroken, n, length.Round(time.Millisecond))
	}
	h.Text = frontdesk.Clip(h.Text, mostHeard)
	return h, nil
}

// cutLoop cuts a text where its end is the same few words again and again, and leaves
// them once. The last word may be half of one: models stop anywhere.
func cutLoop(text string) string {
	words := strings.Fields(text)
	shortest := len(words)
	for _, end := range []int{len(words), len(words) - 1} {
		for size := 1; size <= longestLoop && 2*size < end; size++ {
			from := end - size
			for from > 0 && words[from-1] == words[from-1+size] {
				from--
			}
			if end-from > 2*size {
				shortest = min(shortest, from+size)
			}
		}
	}
	return strings.Join(words[:shortest], " ")
}
