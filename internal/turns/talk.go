package turns

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/spoken"
)

// Talk decides who speaks when on one line: what of a caller's words belongs
// together, when it is our turn, what was heard of what we said. It has no clock and
// no socket: everything comes in with the time, and what is to be done comes out.
type Talk struct {
	habits Habits
	agent  frontdesk.Agent
	begun  reception.OnLine

	language string            // that was switched to last
	voices   map[string]Voice  // by language
	expect   conversation.Slot // what was asked for
	said     *utterance        // the last thing said; nil: nothing yet
	saidID   int               // of it, from 1
	menu     []string          // what keys stand for now, from 1
	waits    bool              // the caller has asked for a moment

	reports   bool      // the carrier tells what was played
	talking   bool      // the caller speaks
	talkingAt time.Time // since when, or since when they did last
	onset     time.Time // when they first did since the last of their words
	noises    int       // times that they did without a word
	words     []string  // what they have said and nobody has heard yet
	doubtful  bool      // who made words of it was not sure
	wordsAt   time.Time // when they began to
	hearAt    time.Time // when it counts as all; zero: not yet
	keys      string
	keysFrom  time.Time // when the first was pressed
	keysAt    time.Time // when they count as all

	version  int64     // of the last reply that was said
	hearing  bool      // the receptionist thinks
	silences int       // of the caller, in a row
	quietAt  time.Time // since when nobody speaks
	repeatAt time.Time // when what a noise has cut off is said again; zero: not
	faults   int       // turns in a row that could not be taken
	faultAt  time.Time // when the last of them was
	unheard  bool      // and what was answered in the last of them was not heard to its end
	endAt    time.Time // when the line is ended at the latest; zero: not yet
	ending   *End
	ended    bool
}

// utterance is something that we say.
type utterance struct {
	written, spoken string
	kept            bool // not to be cut off by a word: a read-back, a code, who we are
	sent            time.Time
	length          time.Duration // as long as it takes, about
	started         time.Time     // zero: nobody has told us that it is being played
	played          string        // as far as it was reported
	ended           time.Time     // zero: it goes on
	cut             bool          // and not to its end
	heard           string        // what of the written text was heard, when it was cut
	again           bool          // it was said before, and cut off by a noise
}

// Patience, by what was asked.
const (
	patienceYes      = 600 * time.Millisecond
	patienceUsual    = 800 * time.Millisecond
	patienceDictated = 1500 * time.Millisecond
	patienceOpen     = 2 * time.Second // after a word that another must follow
	patienceKeys     = 2 * time.Second
	patienceFullKeys = 1200 * time.Millisecond // for a number that may be whole
)

// Silence of the caller, each counted from the end of our own speech.
var silences = []time.Duration{6 * time.Second, 6 * time.Second, 8 * time.Second}

const (
	silenceAsked = 30 * time.Second // of who has asked for a moment
	// overlap is how long before our last word somebody may begin to answer.
	overlap = 700 * time.Millisecond
	// joinWithin is how soon after the beginning of our answer somebody speaks who had
	// not done speaking.
	joinWithin = 1500 * time.Millisecond
	// hardlyHeard is how many letters of an answer nobody has listened to it by.
	hardlyHeard = 12
	// repeatAfter is how long after a noise that cut us off we go on.
	repeatAfter = 2 * time.Second
	// heardLittle is the share below which something that ended without a word of
	// the caller's was not heard.
	heardLittle = .35
	// heardAll is the share from which on something that ended by itself was heard to
	// its end: carriers may leave the last word out of what they report.
	heardAll = .9
	// longestEnd is how long a goodbye may take.
	longestEnd = 15 * time.Second
	mostFaults = 3
	// maxToken bounds what is reported as played beyond what was said.
	maxToken = 256
)

// voice is how the agent speaks a language. It is asked for with every answer.
func (t *Talk) voice(code string) Voice {
	if v, known := t.voices[code]; known {
		return v
	}
	if t.voices == nil {
		t.voices = map[string]Voice{}
	}
	t.voices[code] = VoiceOf(t.agent, code)
	return t.voices[code]
}

// begin says the first thing on a relay: the greeting, or where we were.
func (t *Talk) begin(now time.Time) []Act {
	r := t.begun.Reply
	if t.begun.Begun && !t.begun.Unsaid && r.Text != "" {
		v := t.voice(r.Language)
		r.Text = v.language.Join([]string{v.language.Say("line_back", v.manner), r.Text})
	}
	return t.answer(r, now, !t.begun.Begun)
}

// Reply says what the receptionist answers.
func (t *Talk) Reply(r reception.Reply, now time.Time) []Act {
	t.hearing, t.faults, t.unheard = false, 0, false
	if t.ended || t.ending != nil {
		return nil // we have said goodbye meanwhile
	}
	t.waits = r.Waits
	final := r.Ended || r.Capture != nil || r.Transfer != nil || r.Expect == conversation.SlotConfirm
	if len(t.words) > 0 && !final { // they went on talking: the answer is to half of it
		t.said = &utterance{written: r.Text, cut: true, sent: now, ended: now}
		t.expect, t.version = r.Expect, r.Version
		return nil
	}
	return t.answer(r, now, false)
}

// answer says something.
func (t *Talk) answer(r reception.Reply, now time.Time, greeting bool) []Act {
	var acts []Act
	v := t.voice(r.Language)
	if v.language.Code != t.language && t.language != "" {
		acts = append(acts, Act{Switch: v.Locale})
	}
	t.language, t.expect, t.menu, t.version = v.language.Code, r.Expect, nil, r.Version
	text := v.Says(r.Text, spoken.Options{Code: r.Code, Slow: r.Slow})
	if menu := t.menuOf(v, r); menu != "" {
		text = strings.TrimSpace(text + " " + menu)
	}
	if text != "" {
		kept := greeting || r.Expect == conversation.SlotConfirm || r.Code != "" || r.Ended || r.Transfer != nil
		said := t.say(&utterance{written: r.Text, spoken: text, kept: kept}, v, now)
		said[0].Say.Reply, said[0].Say.Pause = &r, pauseAt(r.Expect)
		acts = append(acts, said...)
	} else {
		t.quietAt = now
	}
	if r.Ended || r.Transfer != nil {
		acts = append(acts, t.end(&End{Transfer: r.Transfer != nil}, now)...)
	}
	return acts
}

// pauseAt is how long a pause is within an answer to what was asked.
func pauseAt(expect conversation.Slot) time.Duration {
	switch expect {
	case conversation.SlotConfirm:
		return 500 * time.Millisecond
	case conversation.SlotPhone, conversation.SlotEmail, conversation.SlotCode, conversation.SlotName:
		return time.Second
	}
	return 0
}

// menuOf offers keys to who was not understood twice.
func (t *Talk) menuOf(v Voice, r reception.Reply) string {
	const fewest, most = 2, 3
	if r.Misses < fewest || len(r.QuickReplies) == 0 || r.Ended || t.habits.Keyless {
		return ""
	}
	var said []string
	for i, choice := range r.QuickReplies[:min(most, len(r.QuickReplies))] {
		t.menu = append(t.menu, choice)
		said = append(said, v.Words("press_key", "what", choice, "key", strconv.Itoa(i+1)))
	}
	return v.language.Join(said)
}

func (t *Talk) say(u *utterance, v Voice, now time.Time) []Act {
	u.sent, u.length = now, spoken.Duration(u.spoken)
	t.said, t.repeatAt, t.quietAt = u, time.Time{}, time.Time{}
	t.saidID++
	return []Act{{Say: &Say{ID: t.saidID, Text: u.spoken, Written: u.written, Locale: v.Locale, Kept: u.kept}}}
}

// end ends the relay, after what is being said where the carrier does not see to that.
func (t *Talk) end(end *End, now time.Time) []Act {
	if !t.habits.EndsAtOnce || t.said == nil || t.over(now) {
		t.ended = true
		return []Act{{End: end}}
	}
	t.ending, t.endAt = end, now.Add(min(t.said.length+2*time.Second, longestEnd))
	return nil
}

// Failed is a turn that could not be taken: the caller is asked to say it again, and
// let go when that does not help.
func (t *Talk) Failed(now time.Time) []Act {
	t.hearing = false
	if t.ended || t.ending != nil {
		return nil
	}
	t.faults, t.faultAt = t.faults+1, now
	v := t.voice(t.language)
	if t.faults < mostFaults {
		return t.say(&utterance{written: v.language.Say("line_fault", v.manner), spoken: v.Words("line_fault")}, v, now)
	}
	return t.bye("line_lost", now)
}

// TimeUp ends a call that has lasted too long.
func (t *Talk) TimeUp(now time.Time) []Act { return t.bye("line_long", now) }

// bye says why a call ends, and ends it.
func (t *Talk) bye(why string, now time.Time) []Act {
	if t.ended || t.ending != nil {
		return nil
	}
	if t.habits.Writes {
		why += "_write"
	}
	v := t.voice(t.language)
	acts := t.say(&utterance{written: v.language.Say(why, v.manner), spoken: v.Words(why), kept: true}, v, now)
	return append(acts, t.end(&End{Over: true}, now)...)
}

// Saying is what is being said, and what of it was reported as played; "": nothing is.
func (t *Talk) Saying() (text, played string) {
	if t.said == nil || !t.said.ended.IsZero() {
		return "", ""
	}
	return t.said.spoken, t.said.played
}

// Version is that of the last reply that was said.
func (t *Talk) Version() int64 { return t.version }

// Take takes what is told of the line.
func (t *Talk) Take(e Event, now time.Time) []Act {
	if t.ended {
		return nil
	}
	if e.Of != 0 && e.Of != t.saidID {
		return t.Tick(now) // it is about what was said before: nothing of this was heard by it
	}
	switch e.Kind {
	case Ready:
		if t.said == nil {
			return t.begin(now)
		}
	case Words:
		return t.takeWords(e, now)
	case Key:
		return t.key(e.Text, now)
	case CutOff:
		t.interrupted(e.Text, now)
	case CallerSpeaks, CallerSilent:
		t.callerSpeaks(e.Kind == CallerSpeaks, now)
	case Deaf:
		t.talking = false
		// Else there is an answer on its way, or they were asked to say this, too, again.
		if asked := e.Began.Before(t.faultAt) && !e.Began.IsZero(); !t.hearing && !asked {
			return t.Failed(now)
		}
	case WeSpeak, WeStopped, Played:
		t.reports = true
		if t.said != nil {
			t.ownSpeech(e, now)
		}
	}
	return t.Tick(now)
}

// ownSpeech is told what becomes of what we say.
func (t *Talk) ownSpeech(e Event, now time.Time) {
	switch e.Kind {
	case WeSpeak:
		if t.said.started.IsZero() {
			t.said.started = now
		}
	case WeStopped:
		t.stopped(now)
	case Played:
		if len(t.said.played)+len(e.Text) > 2*len(t.said.spoken)+maxToken {
			return // that is not what we say
		}
		t.said.played += e.Text
		if t.said.share() >= 1 {
			t.done(now)
		}
	}
}

// callerSpeaks is told that the caller speaks, or does no more. A noise that no word
// follows puts off the question whether they are there only a few times.
func (t *Talk) callerSpeaks(speaks bool, now time.Time) {
	const most = 5
	if t.talking = speaks; !speaks {
		if t.noises++; len(t.words) == 0 && t.noises <= most {
			t.quietAt = now
		}
		return
	}
	t.talkingAt, t.repeatAt = now, time.Time{}
	if t.onset.IsZero() || now.Sub(t.onset) > longestTalk {
		t.onset = now
	}
}

// share is how much of an utterance was reported as played.
func (u *utterance) share() float64 {
	whole := letters(u.spoken)
	if whole == 0 {
		return 1
	}
	return float64(letters(u.played)) / float64(whole)
}

func letters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// done notes that an utterance was played to its end.
func (t *Talk) done(now time.Time) {
	if u := t.said; u != nil && u.ended.IsZero() {
		u.ended, t.quietAt = now, now
	}
}

// stopped is told that we do not speak any more. Where little of it was played, a
// noise has cut it off, and where not all was, it does not count as heard.
func (t *Talk) stopped(now time.Time) {
	u := t.said
	if !u.ended.IsZero() || u.started.IsZero() {
		return // that was the one before
	}
	share := float64(now.Sub(u.started)) / float64(max(u.length, 1))
	if u.played != "" {
		share = u.share()
	}
	switch {
	case share < heardLittle:
		t.cut(u.played, now)
	case u.played != "" && share < heardAll:
		t.cut(u.played, now)
		t.repeatAt = time.Time{}
	default:
		t.done(now)
	}
}

// interrupted is told that the caller has cut us off. What was reported as played
// clause by clause comes before what is told now.
func (t *Talk) interrupted(until string, now time.Time) {
	u := t.said
	if u == nil || !u.ended.IsZero() && !u.cut {
		return
	}
	played := u.played
	if !strings.HasSuffix(played, until) {
		played += until
	}
	t.cut(played, now)
}

// cut notes that what we say was cut off. Unless the caller says something, it is
// said once more.
func (t *Talk) cut(played string, now time.Time) {
	u := t.said
	u.cut, u.ended, u.played = true, now, played
	u.heard = spoken.Heard(u.written, u.spoken, played)
	t.quietAt = now
	if !u.again && t.ending == nil {
		t.repeatAt = now.Add(repeatAfter)
	}
}

// over says whether we have done speaking. Where the carrier tells nothing, it takes
// as long as it takes; where it does and has not, nobody knows what was heard.
func (t *Talk) over(now time.Time) bool {
	u := t.said
	if u == nil || !u.ended.IsZero() {
		return true
	}
	if now.Before(t.presumedEnd()) {
		return false
	}
	if at := t.presumedEnd(); t.reports { // then it would have told us
		t.cut(u.played, at)
		t.repeatAt = time.Time{}
	} else {
		t.done(at)
	}
	return true
}

// presumedEnd is when an utterance must be over of which nobody tells us: later,
// where its beginning was told and its end is only late.
func (t *Talk) presumedEnd() time.Time {
	u := t.said
	if u.started.IsZero() {
		return u.sent.Add(u.length + 2*time.Second)
	}
	return u.started.Add(2*u.length + 5*time.Second)
}

// takeWords is told something that the caller has said, or a part of it.
func (t *Talk) takeWords(e Event, now time.Time) []Act {
	text := strings.TrimSpace(e.Text)
	if e.Part {
		if !t.talking && text != "" {
			t.callerSpeaks(true, now)
		}
		t.repeatAt = time.Time{}
		return nil
	}
	began := t.onset
	switch {
	case !e.Began.IsZero():
		began = e.Began
	case began.IsZero() || now.Sub(began) > longestTalk:
		began = now // nobody told when
	}
	t.talking, t.onset, t.noises = false, time.Time{}, 0
	if text = t.room(text); text == "" || t.ending != nil {
		return nil
	}
	t.speaks(now)
	if len(t.words) == 0 {
		t.wordsAt = began
	}
	t.words = append(t.words, text)
	t.doubtful = t.doubtful || e.Doubtful
	t.hearAt = now.Add(t.patience(text))
	if !e.Ended.IsZero() { // it took a while to make words of it, in which they said nothing more
		t.hearAt = later(now, e.Ended.Add(t.patience(text)))
	}
	return t.Tick(now)
}

// mostWords is how much of what somebody says at once is kept: more than is heard of
// it.
const mostWords = 4000

// keep keeps words that nobody has heard yet.
func (t *Talk) keep(text string) {
	if text = t.room(text); text != "" {
		t.words = append(t.words, text)
	}
}

// room is as much of a text as is kept beside what waits.
func (t *Talk) room(text string) string {
	if left := mostWords - t.waiting(); len(text) > left {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:max(left, 0)], ""))
	}
	return text
}

// waiting is how much was said that nobody has heard yet.
func (t *Talk) waiting() (n int) {
	for _, words := range t.words {
		n += len(words)
	}
	return n
}

// speaks notes that the caller speaks, maybe while we do. What is not to be cut off is
// played on: then we hear what was said.
func (t *Talk) speaks(now time.Time) {
	t.repeatAt = time.Time{}
	if u := t.said; u != nil && !u.kept && !t.over(now) {
		t.cut(u.played, now)
		t.repeatAt = time.Time{}
	}
}

// patience is how long we wait whether more is said.
func (t *Talk) patience(text string) time.Duration {
	finished := strings.ContainsAny(text[len(text)-1:], ".?!")
	switch t.expect {
	case conversation.SlotPhone, conversation.SlotEmail, conversation.SlotCode:
		if asks := strings.HasSuffix(text, "?"); !asks && len(digitsOf(strings.Join(t.words, " "))) < wholeNumber {
			return patienceDictated // a pause within a number is no end
		}
	case conversation.SlotName:
		if !finished || t.habits.Splits {
			return patienceDictated
		}
	case conversation.SlotConfirm:
		if t.habits.Splits || !finished {
			return patienceYes
		}
	}
	switch {
	case finished && !t.habits.Splits:
		return 0 // the carrier has waited, and heard a sentence
	case !finished && t.endsOpen(text):
		return patienceOpen
	}
	return patienceUsual
}

// endsOpen says whether something ends in a word that another must follow: "a room
// from the".
func (t *Talk) endsOpen(text string) bool {
	words := language.Tokenize(text)
	return len(words) > 0 && lexicon.Grammar(t.language, words[len(words)-1].Word)
}

// wholeNumber is how many figures a telephone number has at least.
const wholeNumber = 9

func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// key is a key that the caller has pressed.
func (t *Talk) key(digit string, now time.Time) []Act {
	if t.ending != nil || len(digit) != 1 || !strings.Contains("0123456789*#", digit) {
		return nil
	}
	collects := t.expect == conversation.SlotPhone || t.expect == conversation.SlotCode
	switch {
	case digit == "#" && t.keys == "": // the end of what was keyed before
		return nil
	case digit == "#":
		t.keysAt = now
		return t.Tick(now)
	case digit == "*":
		t.keys, t.keysAt = "", time.Time{}
		return nil
	}
	t.speaks(now)
	if t.keys == "" {
		t.keysFrom = now
	}
	t.keys += digit
	if len(t.keys) > 20 {
		t.keys = t.keys[:20]
	}
	t.keysAt = now
	if collects {
		t.keysAt = now.Add(patienceKeys)
		if len(t.keys) >= wholeNumber {
			t.keysAt = now.Add(patienceFullKeys)
		}
	}
	return t.Tick(now)
}

// Tick does what the time has come for.
func (t *Talk) Tick(now time.Time) []Act {
	switch {
	case t.ended:
		return nil
	case t.ending != nil:
		return t.tickEnding(now)
	case t.hearing:
		return nil
	case t.keys != "" && !now.Before(t.keysAt) && t.maySpeak(now):
		return t.hearKeys()
	case len(t.words) > 0 && !now.Before(t.hearAt) && t.maySpeak(now) && !t.goingOn(now):
		in := conversation.Input{Kind: conversation.Text, Text: strings.Join(t.words, " "), Doubtful: t.doubtful}
		t.words, t.hearAt, t.doubtful = nil, time.Time{}, false
		return t.hear(in, t.wordsAt)
	case len(t.words) > 0 || t.keys != "" || t.talking && now.Sub(t.talkingAt) < longestTalk:
		return nil
	case !t.repeatAt.IsZero() && !now.Before(t.repeatAt):
		return t.sayAgain(now)
	case t.silent(now):
		t.silences++
		return t.hear(conversation.Input{Kind: conversation.Silence}, now)
	}
	return nil
}

// goingOn says whether the caller speaks again, where that is known for certain: what
// they said before waits for it.
func (t *Talk) goingOn(now time.Time) bool {
	return t.habits.Exact && t.talking && now.Sub(t.talkingAt) < longestTalk
}

// longestTalk is how long somebody is taken to be speaking of whom no word comes.
const longestTalk = 20 * time.Second

// maySpeak says whether what was said may be heard now: not in the middle of what is
// played on.
func (t *Talk) maySpeak(now time.Time) bool { return t.said == nil || !t.said.kept || t.over(now) }

func (t *Talk) tickEnding(now time.Time) []Act {
	if !t.over(now) && now.Before(t.endAt) {
		return nil
	}
	t.ended = true
	return []Act{{End: t.ending}}
}

func (t *Talk) hearKeys() []Act {
	keys := t.keys
	t.keys, t.keysAt = "", time.Time{}
	if n, err := strconv.Atoi(keys); err == nil && len(keys) == 1 && n >= 1 && n <= len(t.menu) {
		return t.hear(conversation.Input{Kind: conversation.Text, Text: t.menu[n-1]}, t.keysFrom)
	}
	return t.hear(conversation.Input{Kind: conversation.Keys, Text: keys}, t.keysFrom)
}

// hear hands something that was begun at a time to the receptionist, with what was
// heard of what we said.
func (t *Talk) hear(in conversation.Input, began time.Time) []Act {
	t.hearing, t.waits = true, false
	if in.Kind != conversation.Silence {
		t.silences = 0
	}
	switch u := t.said; {
	case t.unheard: // what we said since was only that it be said again
		in.Cut = true
	case u != nil && u.cut:
		in.Cut, in.Heard = true, u.heard
	case u != nil:
		in.Early = u.kept && began.Before(u.ended.Add(-overlap))
	}
	t.unheard = in.Cut || in.Early
	return []Act{{Hear: &in, Joins: in.Kind == conversation.Text && t.goesOn(began)}}
}

// goesOn says whether what was begun at a time goes on with what was said before: the
// answer to that had hardly begun, and was spoken over. Read-backs are played on, and
// made anew.
func (t *Talk) goesOn(began time.Time) bool {
	u := t.said
	if u == nil || u.again || !began.Before(u.sent.Add(joinWithin)) {
		return false
	}
	return u.cut && letters(u.played) < hardlyHeard || u.kept && began.Before(u.ended)
}

// sayAgain says once more what a noise has cut off.
func (t *Talk) sayAgain(now time.Time) []Act {
	u := *t.said
	v := t.voice(t.language)
	return t.say(&utterance{written: u.written, spoken: u.spoken, kept: u.kept, again: true}, v, now)
}

// silent says whether the caller has been silent for too long since we have done.
func (t *Talk) silent(now time.Time) bool {
	at := t.silentAt()
	return t.over(now) && !at.IsZero() && !now.Before(at)
}

func (t *Talk) silentAt() time.Time {
	if t.quietAt.IsZero() || t.said == nil {
		return time.Time{}
	}
	wait := silences[min(t.silences, len(silences)-1)]
	if t.waits {
		wait = silenceAsked
	}
	return t.quietAt.Add(wait)
}

// Deadline is when Tick has something to do at the latest; zero: nothing is waited
// for.
func (t *Talk) Deadline() (at time.Time) {
	u := t.said
	playing := u != nil && u.ended.IsZero()
	switch {
	case t.ended:
		return at
	case t.ending != nil:
		at = t.endAt
	case t.hearing || u == nil && len(t.words) == 0 && t.keys == "":
		return at
	case t.keys != "":
		at = t.keysAt
	case len(t.words) > 0:
		at = t.hearAt
	case playing:
		at = t.presumedEnd()
	case !t.repeatAt.IsZero():
		at = t.repeatAt
	default:
		at = t.silentAt()
	}
	if playing && u.kept && t.ending == nil { // what was said meanwhile is held until it is over
		at = later(at, t.presumedEnd())
	}
	if t.talking && t.keys == "" && (len(t.words) == 0 || t.habits.Exact) && t.ending == nil {
		at = later(at, t.talkingAt.Add(longestTalk))
	}
	return at
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
