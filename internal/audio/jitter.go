package audio

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Packet is sound as it arrived. Timestamps count samples.
type Packet struct {
	Sequence  uint16
	Timestamp uint32
	Arrived   time.Duration // since the call began
	Samples   []int16
}

// JitterOptions bound how late a Jitter makes things. The zero value is good for a
// telephone.
type JitterOptions struct {
	Rate     int           // of the samples and of timestamps; 0: 8000
	Shortest time.Duration // it waits for a packet; 0: 20 ms
	Longest  time.Duration // it waits for a packet; 0: 120 ms
}

// Limits of what is kept, whoever sends it.
const (
	jitterPackets = 64                     // at once
	jitterPacket  = 120 * time.Millisecond // in one
	jitterAhead   = 500 * time.Millisecond // of the sound that is being played
	jitterLate    = 25                     // packets in a row that are a little too late mean that the sender's clock was set
	jitterWindow  = 25                     // frames after which the wait is looked at again
	jitterHurry   = 5                      // the same, with more at hand than we would ever wait for
	concealFrames = 3                      // that a sound takes to fade away
)

// Jitter makes of packets that come irregularly, in any order, twice or not at all
// a frame every 20 ms.
//
// It waits as long as packets have lately been late, between the two bounds. To
// wait longer it puts in a frame, to wait less it merges two into one. What is
// missing is the last frame again, fading.
type Jitter struct {
	o    JitterOptions
	size int // of a frame

	packets []stored // in the order of their timestamps
	free    [][]int16
	began   bool
	newest  int64 // timestamp, as is position: without wraps

	playing  bool
	position int64  // of the next sample to play
	sequence uint16 // of the packet that was played last
	waited   int    // frames, since there was something to play
	stalled  int    // frames, since there was nothing left

	last    []int16 // the frame that was played last
	missing int     // frames in a row that were made up

	fastest time.Duration // the shortest way a packet took, relative to its timestamp
	late    time.Duration // how much longer others took lately
	ahead   int64         // the most that was waiting, in this window
	frames  int           // in this window
	tooLate int           // packets in a row
	tooFar  int           // packets in a row

	Count JitterCount
}

type stored struct {
	at       int64
	sequence uint16
	samples  []int16
}

func (s stored) end() int64 { return s.at + int64(len(s.samples)) }

// JitterCount is what happened, for a call's record.
type JitterCount struct {
	Packets   int // that were taken
	Late      int // and therefore dropped
	Twice     int // and therefore dropped
	Refused   int // empty, too long or too many
	Concealed int // frames that were made up, in part or whole
	Stretched int // frames that were put in to wait longer
	Merged    int // frames that were taken out to wait less
	Restarts  int // the sender's clock was set, or it was silent for long
}

// FrameKind is where a frame of a Jitter comes from.
type FrameKind int

// Kinds of frames.
const (
	Silent    FrameKind = iota // nothing was sent
	Received                   // all of it, or some
	Concealed                  // none of it
)

// NewJitter returns an empty Jitter.
func NewJitter(o JitterOptions) *Jitter {
	o.Rate = cmp.Or(o.Rate, Rate)
	o.Shortest = max(cmp.Or(o.Shortest, FrameTime), FrameTime)
	o.Longest = min(max(cmp.Or(o.Longest, 120*time.Millisecond), o.Shortest), jitterAhead/2)
	return &Jitter{o: o, size: FrameSize(o.Rate), last: make([]int16, FrameSize(o.Rate)), position: math.MinInt64}
}

// Wait is how long it means to wait for packets now.
func (j *Jitter) Wait() time.Duration {
	up := (j.late + FrameTime - 1) / FrameTime * FrameTime
	return max(j.o.Shortest, min(up, j.o.Longest))
}

// Put takes a packet, and keeps a copy of its samples. It reports whether they will
// be played.
func (j *Jitter) Put(p Packet) bool {
	if len(p.Samples) == 0 || len(p.Samples) > Count(j.o.Rate, jitterPacket) {
		j.Count.Refused++
		return false
	}
	at := j.unwrap(p.Timestamp)
	j.measure(at, p.Arrived)
	if j.isLate(at+int64(len(p.Samples))) || j.isFar(at) {
		return false
	}
	where, twice := slices.BinarySearchFunc(j.packets, at, func(s stored, at int64) int { return cmp.Compare(s.at, at) })
	if twice {
		j.Count.Twice++
		return false
	}
	if len(j.packets) == jitterPackets {
		j.Count.Refused++
		return false
	}
	j.packets = slices.Insert(j.packets, where, stored{at, p.Sequence, append(j.buffer(), p.Samples...)})
	j.newest = max(j.newest, at)
	j.Count.Packets++
	return true
}

// unwrap makes a timestamp one that does not begin again at zero.
func (j *Jitter) unwrap(timestamp uint32) int64 {
	if !j.began {
		j.began, j.newest = true, int64(timestamp)
	}
	return j.newest + int64(int32(timestamp-uint32(j.newest)))
}

// measure learns how late packets are, compared with the fastest. That one counts
// for less with time, since two clocks never run alike.
func (j *Jitter) measure(at int64, arrived time.Duration) {
	took := arrived - Length(j.o.Rate, int(at))
	if j.Count.Packets == 0 || took < j.fastest || took > j.fastest+2*time.Second {
		j.fastest = took
	}
	j.late = min(max(took-j.fastest, j.late-j.late/250), j.o.Longest)
	j.fastest += 20 * time.Microsecond
}

// isLate reports whether what ends at end was due before now, and begins anew when
// that is so of everything.
func (j *Jitter) isLate(end int64) bool {
	if end > j.position {
		j.tooLate = 0
		return false
	}
	j.Count.Late++
	j.tooLate++
	if j.position-end > int64(2*j.o.Rate) {
		j.tooLate += 4 // no network is that slow
	}
	if j.tooLate < jitterLate {
		return true
	}
	j.newest, j.position = end, math.MinInt64
	j.restart()
	return false
}

// isFar reports whether at is further ahead than anything can be. When the next
// packet is so too, the sender has set its clock, and we begin anew.
func (j *Jitter) isFar(at int64) bool {
	if !j.playing || at <= j.position+int64(Count(j.o.Rate, jitterAhead)) {
		j.tooFar = 0
		return false
	}
	j.tooFar++
	if j.tooFar == 1 {
		j.Count.Refused++
		return true
	}
	j.restart()
	return false
}

// restart forgets what is kept, and waits for what comes.
func (j *Jitter) restart() {
	for len(j.packets) > 0 {
		j.drop()
	}
	j.playing, j.waited, j.stalled, j.tooLate, j.tooFar = false, 0, 0, 0, 0
	j.Count.Restarts++
}

func (j *Jitter) drop() {
	j.free = append(j.free, j.packets[0].samples[:0])
	j.packets = slices.Delete(j.packets, 0, 1)
}

func (j *Jitter) buffer() []int16 {
	if n := len(j.free); n > 0 {
		b := j.free[n-1]
		j.free = j.free[:n-1]
		return b
	}
	return nil
}

// Next fills frame, which is to have 20 ms, with what is due. Call it every 20 ms.
func (j *Jitter) Next(frame []int16) FrameKind {
	frame = frame[:j.size]
	if !j.playing && !j.begin() {
		clear(frame)
		return j.played(frame, Silent)
	}
	if j.underrun() {
		return j.played(frame, j.conceal(frame))
	}
	switch j.correction() {
	case +1:
		j.Count.Stretched++
		return j.played(frame, j.conceal(frame))
	case -1:
		return j.played(frame, j.merge(frame))
	}
	return j.played(frame, j.take(frame))
}

// begin reports whether enough is there to begin with.
func (j *Jitter) begin() bool {
	if len(j.packets) == 0 {
		return false
	}
	j.waited++
	end := j.packets[len(j.packets)-1].end()
	for end-j.packets[0].end() >= int64(Count(j.o.Rate, j.o.Longest)) {
		j.drop() // an outage is over, and what was held up in it is stale
		j.Count.Late++
	}
	first := j.packets[0]
	enough := end-first.at >= int64(Count(j.o.Rate, j.Wait()))
	if !enough && time.Duration(j.waited)*FrameTime <= j.Wait() {
		return false
	}
	j.playing, j.position, j.sequence = true, max(first.at, j.position), first.sequence-1
	j.waited, j.stalled, j.frames, j.ahead = 0, 0, 0, 0
	return true
}

// underrun reports whether nothing is there. Time then stands still for as long as
// we would wait at most, so that what comes late is played nevertheless; after that
// we begin anew.
func (j *Jitter) underrun() bool {
	if len(j.packets) > 0 {
		j.stalled = 0
		return false
	}
	j.stalled++
	if time.Duration(j.stalled)*FrameTime > j.o.Longest {
		j.restart()
	}
	return true
}

// correction says whether to put in a frame (+1) or to take one out (-1): at the
// end of a window, by the most that was waiting in it.
func (j *Jitter) correction() int {
	j.ahead = max(j.ahead, j.packets[len(j.packets)-1].end()-j.position)
	j.frames++
	window := jitterWindow
	if j.ahead > int64(Count(j.o.Rate, j.o.Longest+FrameTime)) {
		window = jitterHurry
	}
	if j.frames < window {
		return 0
	}
	waiting, want := Length(j.o.Rate, int(j.ahead)), j.Wait()
	j.frames, j.ahead = 0, 0
	switch {
	case waiting < want:
		return +1
	case waiting > want+FrameTime && j.packets[0].at <= j.position:
		return -1
	}
	return 0
}

// take fills frame with the samples that are due.
func (j *Jitter) take(frame []int16) FrameKind {
	var received, lost bool
	for at := 0; at < len(frame); {
		n := len(frame) - at
		if len(j.packets) > 0 && j.packets[0].at <= j.position {
			first := j.packets[0]
			n = copy(frame[at:], first.samples[j.position-first.at:])
			j.sequence, received = first.sequence, true
		} else {
			if len(j.packets) > 0 {
				n = int(min(int64(n), j.packets[0].at-j.position))
			}
			lost = j.fill(frame[at:at+n], at) || lost
		}
		at += n
		j.position += int64(n)
		for len(j.packets) > 0 && j.packets[0].end() <= j.position {
			j.drop()
		}
	}
	switch {
	case lost:
		j.Count.Concealed++
		if received {
			return Received
		}
		j.missing++
		return Concealed
	case received:
		return Received
	}
	return Silent
}

// fill makes up what is missing of a frame, and reports whether it was lost. When
// the next packet follows the last one it was not: the sender was silent.
func (j *Jitter) fill(dst []int16, at int) bool {
	if len(j.packets) > 0 && j.packets[0].sequence-j.sequence == 1 {
		clear(dst)
		return false
	}
	for i := range dst {
		dst[i] = j.faded(at + i)
	}
	return true
}

// faded is a sample of the last frame, as loud as it still is.
func (j *Jitter) faded(i int) int16 {
	whole := concealFrames * j.size
	left := whole - j.missing*j.size - i
	if left <= 0 {
		return 0
	}
	return int16(int(j.last[i]) * left / whole)
}

// conceal fills all of frame with what was last, and does not go on.
func (j *Jitter) conceal(frame []int16) FrameKind {
	for i := range frame {
		frame[i] = j.faded(i)
	}
	j.missing++
	j.Count.Concealed++
	return Concealed
}

// merge makes one frame of two, the first of which fades into the second.
func (j *Jitter) merge(frame []int16) FrameKind {
	first := append(j.buffer(), frame...)
	kind := j.take(first)
	if second := j.take(frame); kind != Received {
		kind = second
	}
	for i := range frame {
		a, b := int(first[i]), int(frame[i])
		frame[i] = int16((a*(j.size-i) + b*i) / j.size)
	}
	j.free = append(j.free, first[:0])
	j.Count.Merged++
	return kind
}

// played remembers a frame for those that will be missing.
func (j *Jitter) played(frame []int16, kind FrameKind) FrameKind {
	if kind != Concealed {
		copy(j.last, frame)
		j.missing = 0
	}
	return kind
}
