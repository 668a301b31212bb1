package voice

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/turns"
)

// floor is who has it: what is being played to the caller, and what they say. Frames
// and answers are handed to it, and what they mean comes out as events.
type floor struct {
	rate     int
	listener *audio.Listener
	player   *audio.Player
	patience time.Duration // pause that ends what the caller says

	saying  *saying
	told    bool // that the caller speaks
	pending int  // utterances that nobody has made words of yet
	events  []turns.Event
}

// saying is what we say now.
type saying struct {
	id      int  // of the turns.Say
	kept    bool // the caller does not cut it off by speaking
	parts   []part
	started bool
	over    bool // the caller has said something meanwhile
	starved int  // frames in a row for which there was no sound
}

// part is a sentence of it.
type part struct {
	text  string
	start int // samples from the beginning
	end   int // 0: it is not whole yet
}

// Pauses that end what a caller says, where nothing is known of what it is about. How
// long we then wait for more is decided by turns, which hears of it all the earlier.
const (
	usualPause   = 600 * time.Millisecond
	bargeInAfter = 240 * time.Millisecond
	// deadAir is how long the sound of what is not to be cut off may fail to come while
	// there is something of the caller's to be answered.
	deadAir = 3 * time.Second
)

func newFloor(rate int) *floor {
	return &floor{
		rate: rate, patience: usualPause,
		listener: audio.NewListener(audio.ListenerOptions{Rate: rate, BargeIn: bargeInAfter}),
		player:   audio.NewPlayer(audio.PlayerOptions{Rate: rate}),
	}
}

// take hands out what has happened since the last time.
func (f *floor) take() []turns.Event {
	events := f.events
	f.events = nil
	return events
}

func (f *floor) tell(e turns.Event) { f.events = append(f.events, e) }

// setPatience says what pause ends what the caller says.
func (f *floor) setPatience(d time.Duration) {
	if d <= 0 {
		d = usualPause
	}
	f.patience = d
	f.listener.SetPatience(d)
}

// begin begins to say something. What is being said is dropped: turns has moved on.
func (f *floor) begin(id int, kept bool) {
	f.player.Cut()
	f.saying = &saying{id: id, kept: kept}
}

// write adds sound of a sentence to what is said. It reports whether that is still
// wanted.
func (f *floor) write(id int, sentence string, samples []int16) bool {
	s := f.saying
	if s == nil || s.id != id {
		return false
	}
	if n := len(s.parts); n == 0 || s.parts[n-1].text != sentence || s.parts[n-1].end > 0 {
		start := 0
		if n > 0 {
			start = s.parts[n-1].end
		}
		s.parts = append(s.parts, part{text: sentence, start: start})
	}
	return f.player.Write(strconv.Itoa(id), samples) == nil
}

// endSentence says that a sentence is whole; it is reported when it was played.
func (f *floor) endSentence(id int, samples int) {
	s := f.saying
	if s == nil || s.id != id || len(s.parts) == 0 {
		return
	}
	last := &s.parts[len(s.parts)-1]
	last.end = last.start + samples
	f.player.Mark(last.text + " ")
}

// end says that nothing more of it comes.
func (f *floor) end(id int) {
	if s := f.saying; s != nil && s.id == id {
		f.player.End()
	}
}

// drop says that the rest of it could not be spoken: what was played so far is all that
// was heard.
func (f *floor) drop(id int) {
	s := f.saying
	if s == nil || s.id != id {
		return
	}
	at := f.player.Cut()
	f.saying = nil
	f.tell(turns.Event{Kind: turns.CutOff, Of: id, Text: s.since(at.Played)})
	f.tell(turns.Event{Kind: turns.WeStopped, Of: id})
}

// next fills the next frame to be sent.
func (f *floor) next(frame []int16) {
	played := f.player.Next(frame)
	s := f.saying
	if s == nil {
		return
	}
	if !played.Silent && !s.started {
		s.started = true
		f.tell(turns.Event{Kind: turns.WeSpeak, Of: s.id})
	}
	for _, text := range played.Marks {
		f.tell(turns.Event{Kind: turns.Played, Of: s.id, Text: text})
	}
	for _, id := range played.Ended {
		if id == strconv.Itoa(s.id) {
			f.saying = nil
			f.tell(turns.Event{Kind: turns.WeStopped, Of: s.id})
		}
	}
	if s.starved++; !played.Silent {
		s.starved = 0
	}
	if s.over && s.starved >= int(deadAir/audio.FrameTime) { // nobody listens to silence
		f.drop(s.id)
	}
}

// hear takes a frame of the caller's. What they have said comes back when they pause.
func (f *floor) hear(frame audio.Frame) *audio.Utterance {
	heard := f.listener.Hear(frame)
	if heard.Started {
		f.callerSpeaks()
	}
	if heard.Ended != nil {
		f.pending++
		// A short word is known to be one when it is over. After a long speech this says
		// that they have spoken until now: who waits for its words is not silent.
		f.told = true
		f.tell(turns.Event{Kind: turns.CallerSpeaks})
	}
	return heard.Ended
}

// rest is what the caller was saying when they went; nil: nothing.
func (f *floor) rest() *audio.Utterance {
	u := f.listener.Stop()
	if u != nil {
		f.pending++
	}
	return u
}

// callerSpeaks is told that they do, long enough to mean it.
func (f *floor) callerSpeaks() {
	f.told = true
	f.tell(turns.Event{Kind: turns.CallerSpeaks})
	f.cutOff()
}

// cutOff stops what we say, if it may be stopped.
func (f *floor) cutOff() {
	if s := f.saying; s != nil && !s.kept {
		f.drop(s.id)
	}
}

// spokenOver notes that the caller has said something that is to be answered.
func (f *floor) spokenOver() {
	if f.saying != nil {
		f.saying.over = true
	}
}

// since is what was played of the sentence in whose middle we are, by its share of the
// sound: whole words.
func (s *saying) since(played int) string {
	for _, p := range s.parts {
		if p.end > 0 && played >= p.end {
			continue // it was reported
		}
		length := p.end - p.start
		if p.end == 0 || length <= 0 {
			return "" // how long it is, is not known yet: it has hardly begun
		}
		n := len(p.text) * (played - p.start) / length
		for n > 0 && n < len(p.text) && !utf8.RuneStart(p.text[n]) {
			n--
		}
		return p.text[:strings.LastIndexByte(p.text[:n], ' ')+1]
	}
	return ""
}

// key is a key that the caller has pressed.
func (f *floor) key(digit byte) {
	f.cutOff()
	f.spokenOver()
	f.tell(turns.Event{Kind: turns.Key, Text: string(rune(digit))})
}

// wrote is what the caller has written instead.
func (f *floor) wrote(text string) {
	f.cutOff()
	f.spokenOver()
	f.tell(turns.Event{Kind: turns.Words, Text: text})
}

// understood is what was made of an utterance: words, or none.
func (f *floor) understood(words turns.Event) {
	f.pending--
	if words.Text != "" {
		f.spokenOver()
	}
	speaking := f.listener.Speaking() && f.told || f.pending > 0
	switch {
	case words.Kind == turns.Deaf || words.Text != "":
		f.tell(words)
		if speaking { // turns takes words to be the end of it
			f.tell(turns.Event{Kind: turns.CallerSpeaks})
		}
	case !speaking:
		f.tell(turns.Event{Kind: turns.CallerSilent})
	}
	f.told = speaking
}
