package audio

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// stream sends packets of 20 ms that each hold their number, and plays what comes
// out.
type stream struct {
	j        *Jitter
	arrivals []Packet // in the order in which they arrive
}

const firstSequence, firstTimestamp = 65500, 0xFFFFFFFF - 8000 // both wrap soon

func numbered(n int, arrived time.Duration) Packet {
	return Packet{
		Sequence:  uint16(firstSequence + n),
		Timestamp: uint32((firstTimestamp + n*160) & 0xFFFFFFFF),
		Arrived:   arrived,
		Samples:   ones(160, int16(n+1)),
	}
}

// played is a frame that came out.
type played struct {
	kind     FrameKind
	from, to int64 // positions before and after
	merged   bool
	first    int16
	waiting  time.Duration // in the buffer, before
}

func (l *stream) run(t *testing.T, length time.Duration) []played {
	t.Helper()
	slices.SortStableFunc(l.arrivals, func(a, b Packet) int { return int(a.Arrived - b.Arrived) })
	var out []played
	next := 0
	for now := time.Duration(0); now < length; now += FrameTime {
		for next < len(l.arrivals) && l.arrivals[next].Arrived <= now {
			l.j.Put(l.arrivals[next])
			next++
		}
		frame := make([]int16, 160)
		merged := l.j.Count.Merged
		p := played{from: l.j.position}
		if n := len(l.j.packets); n > 0 && l.j.playing {
			p.waiting = Length(Rate, int(l.j.packets[n-1].end()-l.j.position))
		}
		p.kind = l.j.Next(frame)
		p.to, p.merged, p.first = l.j.position, l.j.Count.Merged > merged, frame[0]
		out = append(out, p)
		if len(l.j.packets) > jitterPackets || len(l.j.free) > jitterPackets+2 {
			t.Fatalf("%d packets and %d buffers are kept", len(l.j.packets), len(l.j.free))
		}
	}
	return out
}

func TestARegularStreamComesOutWhole(t *testing.T) {
	t.Parallel()
	l := stream{j: NewJitter(JitterOptions{})}
	for n := range 500 {
		l.arrivals = append(l.arrivals, numbered(n, time.Duration(n)*FrameTime+3*time.Millisecond))
	}
	out := l.run(t, 10*time.Second)
	want := int16(1)
	for i, p := range out[3:] {
		if p.kind != Received {
			t.Fatalf("frame %d is of kind %d", i, p.kind)
		}
		if want == 1 {
			want = p.first
		}
		if p.first != want {
			t.Fatalf("frame %d is %d, want %d", i, p.first, want)
		}
		want++
	}
	if c := l.j.Count; c.Late+c.Twice+c.Refused+c.Concealed+c.Merged+c.Restarts > 0 || l.j.Wait() != FrameTime {
		t.Errorf("%+v, wait %v", c, l.j.Wait())
	}
}

// network says what becomes of packets on their way.
type network struct {
	loss, twice float64
	jitter      time.Duration // the most
	spike       time.Duration // now and then
}

func (n network) send(r *rand.Rand, packets int) []Packet {
	var out []Packet
	for i := range packets {
		sent := time.Duration(i) * FrameTime
		delay := 10*time.Millisecond + time.Duration(r.Float64()*float64(n.jitter))
		if n.spike > 0 && r.IntN(100) == 0 {
			delay += n.spike
		}
		if r.Float64() >= n.loss {
			out = append(out, numbered(i, sent+delay))
		}
		if r.Float64() < n.twice {
			out = append(out, numbered(i, sent+delay+time.Duration(r.IntN(60))*time.Millisecond))
		}
	}
	return out
}

// TestAnyNetwork: a frame every 20 ms, in order, never the same twice.
func TestAnyNetwork(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		network network
		least   float64 // share of what was sent that comes out
	}{
		"fine":                   {network{}, 0.99},
		"a little jitter":        {network{jitter: 15 * time.Millisecond}, 0.98},
		"jitter and reordering":  {network{jitter: 60 * time.Millisecond}, 0.95},
		"more than we wait for":  {network{jitter: 200 * time.Millisecond}, 0.5},
		"loss":                   {network{loss: 0.1}, 0.85},
		"everything twice":       {network{twice: 1, jitter: 30 * time.Millisecond}, 0.95},
		"spikes":                 {network{jitter: 10 * time.Millisecond, spike: 100 * time.Millisecond}, 0.95},
		"all of it":              {network{loss: 0.05, twice: 0.1, jitter: 80 * time.Millisecond, spike: 150 * time.Millisecond}, 0.75},
		"hardly anything at all": {network{loss: 0.9, jitter: 50 * time.Millisecond}, 0.02},
	}
	for name, tt := range tests {
		for seed := range uint64(20) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				t.Parallel()
				const packets = 1500
				l := stream{j: NewJitter(JitterOptions{}), arrivals: tt.network.send(random(seed), packets)}
				out := l.run(t, packets*FrameTime)
				received, last := checkOrder(t, out)
				if share := float64(received) / packets; share < tt.least {
					t.Errorf("%.3f of the packets were played: %+v", share, l.j.Count)
				}
				if last > packets {
					t.Errorf("packet %d was never sent", last)
				}
				if w := l.j.Wait(); w < FrameTime || w > 120*time.Millisecond {
					t.Errorf("it waits %v", w)
				}
			})
		}
	}
}

// checkOrder returns how many frames hold a packet's samples, and the last number.
func checkOrder(t *testing.T, out []played) (received int, last int16) {
	t.Helper()
	var until int64
	for i, p := range out {
		if p.kind != Received {
			continue
		}
		if p.to < until {
			t.Fatalf("frame %d goes back from %d to %d", i, until, p.to)
		}
		until = p.to
		received++
		if p.merged { // two packets, of which the first is heard at the beginning
			received++
		}
		if p.first <= last {
			t.Fatalf("frame %d holds %d after %d", i, p.first, last)
		}
		last = p.first
	}
	return received, last
}

func TestTheWaitFollowsTheNetwork(t *testing.T) {
	t.Parallel()
	r := random(1)
	bad := network{jitter: 90 * time.Millisecond}.send(r, 500)
	for n := 500; n < 3000; n++ {
		bad = append(bad, numbered(n, time.Duration(n)*FrameTime+10*time.Millisecond))
	}
	l := stream{j: NewJitter(JitterOptions{}), arrivals: bad}
	l.run(t, 10*time.Second)
	if w := l.j.Wait(); w < 80*time.Millisecond {
		t.Errorf("over a bad network it waits %v", w)
	}
	l.arrivals = slices.DeleteFunc(l.arrivals, func(p Packet) bool { return p.Arrived < 10*time.Second })
	for i := range l.arrivals {
		l.arrivals[i].Arrived -= 10 * time.Second
	}
	l.j.fastest -= 10 * time.Second
	l.run(t, 50*time.Second)
	ahead := Length(Rate, int(l.j.packets[len(l.j.packets)-1].end()-l.j.position))
	if w := l.j.Wait(); w > 20*time.Millisecond || ahead > 60*time.Millisecond || l.j.Count.Merged == 0 {
		t.Errorf("over a good network it waits %v with %v at hand, %+v", w, ahead, l.j.Count)
	}
}

func TestWhatIsMissingFades(t *testing.T) {
	t.Parallel()
	j := NewJitter(JitterOptions{Shortest: 60 * time.Millisecond, Longest: 240 * time.Millisecond})
	frame := make([]int16, 160)
	for n := range 10 {
		p := numbered(n, time.Duration(n)*FrameTime)
		p.Samples = ones(160, 9000)
		if n < 3 || n > 7 {
			j.Put(p)
		}
	}
	var got []int16
	for range 10 {
		j.Next(frame)
		got = append(got, frame[0])
	}
	if want := []int16{9000, 9000, 9000, 9000, 6000, 3000, 0, 0, 9000, 9000}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestASenderThatIsSilentOrSetsItsClock(t *testing.T) {
	t.Parallel()
	tests := map[string]func(n int, p *Packet){
		"silence is not sent": func(n int, p *Packet) {
			p.Timestamp += uint32(n/100) * 8000 * 2
			p.Arrived += time.Duration(n/100) * 2 * time.Second
		},
		"the clock is set forward":    func(n int, p *Packet) { p.Timestamp += uint32(n/100) * 80000000 },
		"the clock is set back":       func(n int, p *Packet) { p.Timestamp -= uint32(n/100) * 80000000 },
		"a new stream":                func(n int, p *Packet) { p.Timestamp += uint32(n/100) * 12345678; p.Sequence += uint16(n/100) * 3333 },
		"a stray packet now and then": func(n int, p *Packet) { p.Timestamp += uint32(n % 100 / 99 * 50000000) },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := stream{j: NewJitter(JitterOptions{})}
			for n := range 400 {
				p := numbered(n, time.Duration(n)*FrameTime)
				change(n, &p)
				l.arrivals = append(l.arrivals, p)
			}
			received := 0
			for _, p := range l.run(t, 15*time.Second) {
				if p.kind == Received {
					received++
				}
			}
			if received < 310 {
				t.Errorf("of 400 packets %d were played: %+v", received, l.j.Count)
			}
		})
	}
}

func TestPacketsOfOtherLengths(t *testing.T) {
	t.Parallel()
	for _, size := range []int{80, 240, 320, 480} {
		l := stream{j: NewJitter(JitterOptions{Shortest: 60 * time.Millisecond})}
		var sent []int16
		for n := 0; n*size < 16000; n++ {
			samples := noise(random(uint64(n)), Rate, Length(Rate, size), -20)
			sent = append(sent, samples...)
			l.arrivals = append(l.arrivals, Packet{uint16(n), uint32(n * size), Length(Rate, (n+1)*size), samples})
		}
		var got []int16
		next := 0
		for now := time.Duration(0); now < 2*time.Second; now += FrameTime {
			for next < len(l.arrivals) && l.arrivals[next].Arrived <= now {
				l.j.Put(l.arrivals[next])
				next++
			}
			frame := make([]int16, 160)
			if l.j.Next(frame) == Received {
				got = append(got, frame...)
			}
		}
		if len(got) < 12000 || !slices.Equal(got, sent[:len(got)]) {
			t.Errorf("packets of %d: %d samples came out, %+v", size, len(got), l.j.Count)
		}
	}
	j := NewJitter(JitterOptions{})
	if j.Put(Packet{}) || j.Put(Packet{Samples: make([]int16, 8000)}) || j.Count.Refused != 2 {
		t.Error("a packet without samples, or one of a second, was taken")
	}
}

func FuzzJitter(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		j := NewJitter(JitterOptions{})
		frame := make([]int16, 160)
		for i := 0; i+4 <= len(data); i += 4 {
			j.Put(Packet{
				Sequence:  uint16(data[i]),
				Timestamp: uint32(data[i])<<24 | uint32(data[i+1])*160,
				Arrived:   time.Duration(data[i+2]) * time.Millisecond * 100,
				Samples:   frame[:min(int(data[i+3]), 160)],
			})
			if data[i+3]%2 == 0 {
				j.Next(frame)
			}
			if len(j.packets) > jitterPackets {
				t.Fatal("too many packets are kept")
			}
		}
	})
}

// TestClocksThatRunApart: over ten minutes the sender's clock gains or loses 0.3 s.
func TestClocksThatRunApart(t *testing.T) {
	t.Parallel()
	for _, faster := range []float64{-0.0005, 0.0005} {
		l := stream{j: NewJitter(JitterOptions{})}
		const packets = 30000
		for n := range packets {
			sent := time.Duration(float64(n) * float64(FrameTime) * (1 - faster))
			l.arrivals = append(l.arrivals, numbered(n, sent+time.Duration(random(uint64(n)).IntN(8))*time.Millisecond))
		}
		received, most := 0, time.Duration(0)
		for _, p := range l.run(t, packets*FrameTime) {
			if p.kind == Received {
				received++
			}
			most = max(most, p.waiting)
		}
		if c := l.j.Count; received < packets-100 || most > 80*time.Millisecond || c.Late > 0 {
			t.Errorf("%v: %d frames were played, %v waited at most, %+v", faster, received, most, c)
		}
	}
}

// TestAfterAnOutage: what was held up comes all at once, and soon we are as near to
// the caller as before.
func TestAfterAnOutage(t *testing.T) {
	t.Parallel()
	for _, outage := range []time.Duration{100 * time.Millisecond, 300 * time.Millisecond, time.Second, 5 * time.Second} {
		l := stream{j: NewJitter(JitterOptions{})}
		for n := range 1000 {
			at := time.Duration(n) * FrameTime
			if at > 2*time.Second && at < 2*time.Second+outage {
				at = 2*time.Second + outage
			}
			l.arrivals = append(l.arrivals, numbered(n, at))
		}
		out := l.run(t, 20*time.Second)
		received, _ := checkOrder(t, out)
		if lost := 1000 - received; lost > int(outage/FrameTime)+10 {
			t.Errorf("%v: %d frames were lost, %+v", outage, lost, l.j.Count)
		}
		for i, p := range out[(4*time.Second+outage)/FrameTime:] {
			if p.waiting > 160*time.Millisecond || p.kind == Silent {
				t.Fatalf("%v: frame %d after it is of kind %d with %v waiting", outage, i, p.kind, p.waiting)
			}
		}
	}
}
