package audio

import (
	"testing"
	"time"
)

// BenchmarkCall is all the work of 20 ms of a call: both ways, with speech that is
// made at 24 kHz and with keys looked for in the sound. The goal is 100 µs.
func BenchmarkCall(b *testing.B) {
	r := random(1)
	in := PCMA.Encode(nil, mix(noise(r, Rate, 10*time.Second, -50), voice(r, Rate, 5*time.Second, -20), 2*Rate))
	said := voice(r, 24000, 10*time.Second, -20)
	jitter, listener, keys := NewJitter(JitterOptions{}), NewListener(ListenerOptions{}), NewKeyDetector(Rate)
	player := NewPlayer(PlayerOptions{})
	down, _ := NewResampler(24000, Rate)
	up, _ := NewResampler(Rate, 16000)
	var samples, wide, narrow []int16
	var codes []byte
	heard, frame := make([]int16, 160), make([]int16, 160)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		at := time.Duration(n) * FrameTime
		i := n % 500
		samples = PCMA.Decode(samples[:0], in[i*160:(i+1)*160])
		jitter.Put(Packet{Sequence: uint16(n), Timestamp: uint32(n * 160), Arrived: at, Samples: samples})
		jitter.Next(heard)
		listener.Hear(Frame{At: at, Samples: heard})
		keys.Hear(heard)
		wide = up.Write(wide[:0], heard)
		narrow = down.Write(narrow[:0], said[i*480:(i+1)*480])
		_ = player.Write("a", narrow)
		player.Next(frame)
		codes = PCMA.Encode(codes[:0], frame)
	}
}

func BenchmarkResample(b *testing.B) {
	for name, rates := range map[string][2]int{"8 to 16": {8000, 16000}, "24 to 8": {24000, 8000}, "48 to 8": {48000, 8000}, "48 to 16": {48000, 16000}} {
		b.Run(name, func(b *testing.B) {
			in := noise(random(1), rates[0], FrameTime, -20)
			r, _ := NewResampler(rates[0], rates[1])
			var out []int16
			for b.Loop() {
				out = r.Write(out[:0], in)
			}
		})
	}
}

func BenchmarkDetector(b *testing.B) {
	d, in := NewDetector(Rate, 0, 0), noise(random(1), Rate, FrameTime, -20)
	for b.Loop() {
		d.Hear(in)
	}
}

func BenchmarkKeyDetector(b *testing.B) {
	d, in := NewKeyDetector(Rate), noise(random(1), Rate, FrameTime, -20)
	for b.Loop() {
		d.Hear(in)
	}
}

func BenchmarkJitter(b *testing.B) {
	j, in := NewJitter(JitterOptions{}), noise(random(1), Rate, FrameTime, -20)
	frame := make([]int16, 160)
	for n := 0; b.Loop(); n++ {
		j.Put(Packet{Sequence: uint16(n), Timestamp: uint32(n * 160), Arrived: time.Duration(n) * FrameTime, Samples: in})
		j.Next(frame)
	}
}
