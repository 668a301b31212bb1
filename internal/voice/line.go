package voice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/spoken"
	"frontdesk.dev/frontdesk/internal/turns"
)

// Habits are those of our own lines.
var Habits = turns.Habits{Splits: true, EndsAtOnce: true, Exact: true}

// Socket carries sound, 20 ms at a time.
type Socket interface {
	// Read waits for what comes next. io.EOF says that the caller has gone.
	Read(ctx context.Context) (In, error)
	// Write sends a frame. It is called every 20 ms.
	Write(frame []int16) error
	// Rate is that of both, in samples a second.
	Rate() int
}

// In is what comes from a caller: one of these.
type In struct {
	Frame audio.Frame
	Key   byte   // of a telephone; 0: none
	Text  string // that was written instead of said; "": none
}

// LineOptions say whom a line serves. The first four are needed.
type LineOptions struct {
	Socket Socket
	Studio *Studio
	Agent  frontdesk.Agent
	Hints  string // words that callers are likely to use, separated by commas

	// Share names who shares the hearing of a few utterances at once with other lines of
	// the same name; "": nobody does.
	Share string
	// Heard and Said show what is said to who reads along; nil: nobody does.
	Heard func(text string)
	Said  func(turns.Say)
	// State tells what the line is doing; nil: nobody is told.
	State func(State)
	Now   func() time.Time // time.Now; the clock of who takes the turns
	Log   *slog.Logger     // slog.Default()
	Watch Watch            // nothing is counted
}

// Watch counts what happens. Each may be nil.
type Watch struct {
	Understood func(took time.Duration, err error) // an utterance was made words of
	Spoken     func(took time.Duration, err error) // from something to be said to its first sound
}

// State is what a line is doing.
type State string

// The states.
const (
	Listens State = "listening"
	Hears   State = "hearing" // the caller speaks
	Thinks  State = "thinking"
	Speaks  State = "speaking"
)

// Line is a caller whom we hear and speak to ourselves.
type Line struct {
	o LineOptions

	says   chan *turns.Say
	spoken chan spokenPart
	words  chan turns.Event
	heard  chan *utterance
	over   chan struct{} // closed when we end it
	once   sync.Once

	mu       sync.Mutex
	language string // that is spoken
	begun    bool   // the caller has said something
	settled  bool   // and was answered: that is their language
}

// utterance is something the caller said, and when.
type utterance struct {
	sound        audio.Sound
	began, ended time.Time // by the clock of who takes the turns
	late         time.Time // when the caller has waited for long enough, by this process's
}

// spokenPart is sound for something that we say.
type spokenPart struct {
	id       int // of the turns.Say
	sentence string
	samples  []int16
	whole    int // the sentence is: so many samples
	last     bool
	err      error
}

const (
	// mostUtterances wait to be made words of; what is said beyond is not heard.
	mostUtterances = 8
	// mostLate is how many frames are sent at once after this process had no time.
	mostLate = 5
	// lastWait is how long it may take to make words of what was said as the caller
	// went.
	lastWait = 10 * time.Second
)

// NewLine returns a line. It is silent until turns.Call listens to it.
func NewLine(o LineOptions) *Line {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Hints != "" { // hearing writes in the manner of what it is shown: as a sentence
		o.Hints = strings.ReplaceAll(o.Hints, ",", ", ") + "."
	}
	return &Line{
		o: o, language: cmp.Or(o.Agent.Languages...),
		says: make(chan *turns.Say, 4), spoken: make(chan spokenPart), words: make(chan turns.Event, mostUtterances),
		heard: make(chan *utterance, mostUtterances), over: make(chan struct{}),
	}
}

// Do says something, switches the language or ends the line.
func (l *Line) Do(ctx context.Context, a turns.Act) error {
	switch {
	case a.End != nil:
		l.Close()
		return nil
	case a.Switch != "":
		l.mu.Lock()
		l.language = languageOf(a.Switch)
		l.mu.Unlock()
		return nil
	case a.Say == nil:
		return nil
	}
	select {
	case l.says <- a.Say:
		return nil
	case <-l.over:
		return errors.New("the line is over")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the line. The socket is left open: whoever opened it goes on with it.
func (l *Line) Close() { l.once.Do(func() { close(l.over) }) }

// Listen hears and speaks until the caller goes, or the line is ended.
func (l *Line) Listen(ctx context.Context, tell func(turns.Event)) error {
	ctx, cancel := context.WithCancel(ctx)
	in, read := make(chan In), make(chan struct{})
	reading := service.Go(l.o.Log, "sound of a line", func() error {
		defer close(read)
		return l.read(ctx, in)
	})
	understanding := service.Go(l.o.Log, "hearing of a line", func() error { return l.understandAll(ctx) })
	err := l.loop(ctx, in, reading, tell)
	cancel()
	<-understanding
	<-read // the socket is free for who goes on with it
	return err
}

func (l *Line) read(ctx context.Context, in chan<- In) error {
	for {
		got, err := l.o.Socket.Read(ctx)
		if err != nil {
			return err
		}
		select {
		case in <- got:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// desk is what one run of the loop holds.
type desk struct {
	*Line
	ctx   context.Context
	floor *floor
	tell  func(turns.Event)
	frame []int16

	asked time.Time // when the last was to be said
	mute  bool      // its sound has not begun
	stop  context.CancelFunc
	state State
}

func (l *Line) loop(ctx context.Context, in <-chan In, reading <-chan error, tell func(turns.Event)) error {
	rate := l.o.Socket.Rate()
	d := &desk{Line: l, ctx: ctx, floor: newFloor(rate), tell: tell, frame: make([]int16, audio.FrameSize(rate)), stop: func() {}}
	defer func() { d.stop() }()
	tell(turns.Event{Kind: turns.Ready})
	ticker := time.NewTicker(audio.FrameTime)
	defer ticker.Stop()
	due := time.Now()
	for {
		select {
		case got := <-in:
			d.takeIn(got)
		case <-ticker.C:
			n, err := d.send(due)
			if err != nil {
				return err
			}
			due = due.Add(time.Duration(n) * audio.FrameTime)
		case s := <-l.says:
			d.say(s)
		case p := <-l.spoken:
			d.play(p)
		case w := <-l.words:
			d.floor.understood(w)
		case err := <-reading:
			if errors.Is(err, io.EOF) {
				d.lastWords()
				return nil
			}
			return fmt.Errorf("reading sound: %w", err)
		case <-l.over:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
		d.report()
	}
}

// lastWords hears what was said before the caller went: it counts as much as what was
// said before.
func (d *desk) lastWords() {
	if u := d.floor.rest(); u != nil {
		d.understand(u)
	}
	late := time.After(lastWait)
	for d.floor.pending > 0 {
		select {
		case w := <-d.words:
			d.floor.understood(w)
			d.report()
		case <-late:
			d.o.Log.Warn("what a caller said before they went could not be heard in time")
			return
		case <-d.ctx.Done():
			return
		}
	}
}

// send sends the frames that are due, and says how many that is in time, which after a
// pause of this process is more than are sent.
func (d *desk) send(due time.Time) (frames int, err error) {
	late := int(time.Since(due)/audio.FrameTime) + 1
	for range min(late, mostLate) {
		d.floor.next(d.frame)
		if err := d.o.Socket.Write(d.frame); err != nil {
			return 0, fmt.Errorf("sending sound: %w", err)
		}
	}
	return max(late, 0), nil
}

// report tells what has happened.
func (d *desk) report() {
	for _, e := range d.floor.take() {
		d.note(e)
		d.tell(e)
	}
}

// note keeps what the line is doing.
func (d *desk) note(e turns.Event) {
	state := d.state
	switch e.Kind {
	case turns.WeSpeak:
		state = Speaks
		if d.mute && d.o.Watch.Spoken != nil {
			d.o.Watch.Spoken(time.Since(d.asked), nil)
		}
		d.mute = false
	case turns.CallerSpeaks:
		state = Hears
	case turns.Words:
		state = Thinks
	case turns.WeStopped:
		if state == Speaks { // else the caller has cut us off, or was answered meanwhile
			state = Listens
		}
	case turns.CallerSilent, turns.Deaf:
		state = Listens
	}
	if state != d.state && d.o.State != nil {
		d.o.State(state)
	}
	d.state = state
}

func (d *desk) takeIn(got In) {
	switch {
	case got.Key != 0:
		d.floor.key(got.Key)
	case got.Text != "":
		d.floor.wrote(got.Text)
	default:
		u := d.floor.hear(got.Frame)
		if u != nil {
			d.understand(u)
		}
	}
}

// understand has an utterance made words of, after those before it.
func (d *desk) understand(u *audio.Utterance) {
	const kept = 400 * time.Millisecond // of silence around what was said, about
	ended := d.o.Now().Add(-d.floor.patience)
	length := max(0, audio.Length(d.floor.rate, len(u.Samples))-kept)
	said := &utterance{
		sound: audio.Sound{Rate: d.floor.rate, Samples: u.Samples}, began: ended.Add(-length), ended: ended,
		late: time.Now().Add(d.o.Studio.o.HearWithin + length/4), // who has said much waits a little longer
	}
	select {
	case d.heard <- said:
	default:
		d.o.Log.Warn("a caller says more than can be heard: the hearing endpoint is too slow")
		d.floor.understood(said.unheard())
	}
}

// say begins to say something.
func (d *desk) say(s *turns.Say) {
	d.stop()
	ctx, cancel := context.WithCancel(d.ctx)
	d.stop = cancel
	id := s.ID
	d.floor.begin(id, s.Kept)
	d.floor.setPatience(s.Pause)
	d.mu.Lock()
	d.language, d.settled = languageOf(s.Locale), d.begun
	d.mu.Unlock()
	d.asked, d.mute = time.Now(), true
	if d.o.Said != nil {
		d.o.Said(*s)
	}
	service.Go(d.o.Log, "speech of a line", func() error {
		err := d.speak(ctx, id, s)
		if err != nil && ctx.Err() == nil {
			d.o.Log.Error("what is to be said cannot be spoken: is the speech endpoint there, and does it know the voice? FRONTDESK_SPEECH_URL, FRONTDESK_VOICES", "error", err)
		}
		return d.hand(ctx, spokenPart{id: id, last: true, err: err})
	})
}

// speak makes sound of something, sentence by sentence.
func (l *Line) speak(ctx context.Context, id int, s *turns.Say) error {
	voice := l.o.Agent.VoiceFor(languageOf(s.Locale))
	for _, sentence := range spoken.Sentences(s.Text) {
		whole := 0
		t := take{voice: voice, locale: s.Locale, text: sentence, rate: l.o.Socket.Rate()}
		err := l.o.Studio.speak(ctx, t, func(samples []int16) error {
			whole += len(samples)
			return l.hand(ctx, spokenPart{id: id, sentence: sentence, samples: samples})
		})
		if err != nil {
			return err
		}
		if err := l.hand(ctx, spokenPart{id: id, sentence: sentence, whole: whole}); err != nil {
			return err
		}
	}
	return nil
}

// hand gives sound to the loop.
func (l *Line) hand(ctx context.Context, p spokenPart) error {
	select {
	case l.spoken <- p:
		return nil
	case <-l.over:
		return context.Canceled
	case <-ctx.Done():
		return ctx.Err()
	}
}

// play takes sound that was made.
func (d *desk) play(p spokenPart) {
	switch {
	case p.last && p.err != nil:
		if d.o.Watch.Spoken != nil && !errors.Is(p.err, context.Canceled) {
			d.o.Watch.Spoken(time.Since(d.asked), p.err)
		}
		d.floor.drop(p.id)
	case p.last:
		d.floor.end(p.id)
	case p.whole > 0:
		d.floor.endSentence(p.id, p.whole)
	default:
		d.floor.write(p.id, p.sentence, p.samples)
	}
}

// understandAll makes words of what is said, one utterance after another.
func (l *Line) understandAll(ctx context.Context) error {
	for {
		select {
		case u := <-l.heard:
			select {
			case l.words <- l.wordsOf(ctx, u):
			case <-ctx.Done():
				return nil
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// How sure hearing must be: below unsure somebody is asked again before a yes counts;
// below noise, with nobody likely to speak, it is none.
const (
	unsure    = .62
	noise     = .4
	nobodyIs  = .6
	nobodyFor = .85 // however sure of its words
)

// unheard tells that something was said of which there are no words.
func (u *utterance) unheard() turns.Event {
	return turns.Event{Kind: turns.Deaf, Began: u.began, Ended: u.ended}
}

// wordsOf makes words of an utterance, or says that it could not be heard in the time
// that a caller waits.
func (l *Line) wordsOf(ctx context.Context, u *utterance) turns.Event {
	began := time.Now()
	inTime, cancel := context.WithDeadline(ctx, u.late)
	defer cancel()
	heard, err := l.hearSound(inTime, u.sound)
	if l.o.Watch.Understood != nil {
		l.o.Watch.Understood(time.Since(began), err)
	}
	if err != nil {
		if ctx.Err() == nil {
			l.o.Log.Error("what a caller said could not be heard: is the hearing endpoint there, and fast enough? FRONTDESK_HEARING_URL", "error", err)
		}
		return u.unheard()
	}
	if isNoise(heard) {
		return turns.Event{Kind: turns.Words}
	}
	l.mu.Lock()
	l.begun = true
	l.mu.Unlock()
	if l.o.Heard != nil {
		l.o.Heard(heard.Text)
	}
	return turns.Event{Kind: turns.Words, Text: heard.Text, Began: u.began, Ended: u.ended, Doubtful: heard.Sure < unsure}
}

// hearSound makes words of sound, in the language that is spoken. What is not sure in
// that one is tried in the others that the business speaks: the caller may have changed
// it, or not been heard yet.
func (l *Line) hearSound(ctx context.Context, sound audio.Sound) (provider.Heard, error) {
	l.mu.Lock()
	language, settled := l.language, l.settled
	l.mu.Unlock()
	languages := l.o.Agent.Languages
	q := provider.Question{Sound: sound, Language: language, Hints: l.o.Hints}
	if !settled && len(languages) > 1 {
		q.Language = "" // they may speak another than we did
	}
	heard, err := l.o.Studio.hear(ctx, l.o.Share, q)
	if err != nil || heard.Sure >= unsure || isNoise(heard) {
		return heard, err
	}
	for _, other := range languages {
		if other == q.Language || len(languages) == 1 {
			continue
		}
		again, err := l.o.Studio.hear(ctx, l.o.Share, provider.Question{Sound: sound, Language: other, Hints: l.o.Hints})
		if err == nil && again.Sure > heard.Sure {
			heard = again
		}
	}
	return heard, nil
}

func isNoise(h provider.Heard) bool {
	return h.Text == "" || h.NoSpeech > nobodyIs && h.Sure < noise || h.NoSpeech > nobodyFor
}

// languageOf is the language of a locale.
func languageOf(locale string) string {
	for i := range len(locale) {
		if locale[i] == '-' {
			return locale[:i]
		}
	}
	return locale
}
