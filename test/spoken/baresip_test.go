package spoken

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/sip/siptest"
	"frontdesk.dev/frontdesk/test/freeport"
	"frontdesk.dev/frontdesk/test/speech"
)

// telephone is baresip in a call. It plays files, and writes both directions down.
type telephone struct {
	testing.TB
	companion *speech.Companion
	language  string
	dir       string
	commands  net.Conn
	said      int // files
	read      int // samples of what it hears
}

// thenSilence follows each sentence: what plays a file to its end sends nothing then.
const thenSilence = 2 * time.Minute

// dial calls a number from a telephone of its own.
func dial(t testing.TB, c *speech.Companion, language, to string) *telephone {
	t.Helper()
	p := &telephone{TB: t, companion: c, language: language, dir: t.TempDir()}
	p.write("silence.wav", nil)
	control := freeport.Address(t)
	program := siptest.Baresip(t, p.dir, "<sip:612345678@127.0.0.1>;regint=0;audio_codecs=PCMA,PCMU;ptime=20", "silence.wav",
		"module ctrl_tcp.so", "ctrl_tcp_listen "+control)
	speech.Run(t, nil, program, "-f", p.dir, "-e", "/dial "+to)
	p.connect(control)
	return p
}

// connect reaches for what takes commands.
func (p *telephone) connect(address string) {
	p.Helper()
	late := time.After(time.Minute)
	tick := time.NewTicker(audio.FrameTime)
	defer tick.Stop()
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			p.commands = conn
			p.Cleanup(func() { conn.Close() })
			return
		}
		select {
		case <-tick.C:
		case <-late:
			p.Fatal(err)
		}
	}
}

// command has it do something.
func (p *telephone) command(name, params string) {
	p.Helper()
	text, err := json.Marshal(map[string]string{"command": name, "params": params})
	if err == nil {
		_, err = fmt.Fprintf(p.commands, "%d:%s,", len(text), text)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// write writes what is to be played.
func (p *telephone) write(name string, samples []int16) {
	p.Helper()
	f, err := os.Create(filepath.Join(p.dir, name))
	if err != nil {
		p.Fatal(err)
	}
	defer f.Close()
	all := append(samples, make([]int16, audio.Count(audio.Rate, thenSilence))...)
	if err := audio.WriteWAV(f, audio.Sound{Rate: audio.Rate, Samples: all}); err != nil {
		p.Fatal(err)
	}
}

// Say speaks.
func (p *telephone) Say(text string) {
	p.Helper()
	p.said++
	name := fmt.Sprintf("said-%d.wav", p.said)
	p.write(name, p.companion.Speak(p.language, text, audio.Rate).Samples)
	p.read = len(p.heard())
	p.command("ausrc", "aufile,"+filepath.Join(p.dir, name))
}

// header is the length of what stands before the samples in what baresip writes.
const header = 44

// heard is all that came over the line.
func (p *telephone) heard() []int16 {
	p.Helper()
	files, err := filepath.Glob(filepath.Join(p.dir, "dump-*-dec.wav"))
	if err != nil || len(files) == 0 {
		return nil
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		p.Fatal(err)
	}
	return audio.DecodePCM(nil, b[min(header, len(b)):])
}

// Listen waits until we have spoken, and returns what the caller has understood.
func (p *telephone) Listen() string {
	p.Helper()
	late := time.After(time.Minute)
	tick := time.NewTicker(audio.FrameTime)
	defer tick.Stop()
	length, since := 0, time.Now()
	for {
		all := p.heard()
		if len(all) != length {
			length, since = len(all), time.Now()
		}
		heard := all[min(p.read, len(all)):]
		loud, quiet := measure(heard)
		if loud > 300*time.Millisecond && quiet+time.Since(since) > 1200*time.Millisecond {
			p.read = len(all)
			return p.companion.Understand(p.language, audio.Sound{Rate: audio.Rate, Samples: heard})
		}
		select {
		case <-tick.C:
		case <-late:
			p.Fatal("nobody speaks")
		}
	}
}

// measure says how much of a sound is loud, and how long it has been quiet.
func measure(samples []int16) (loud, quiet time.Duration) {
	frame := audio.Count(audio.Rate, audio.FrameTime)
	for i := 0; i+frame <= len(samples); i += frame {
		if quiet += audio.FrameTime; audible(samples[i : i+frame]) {
			loud, quiet = loud+audio.FrameTime, 0
		}
	}
	return loud, quiet
}

func audible(samples []int16) bool {
	for _, s := range samples {
		if s > 500 || s < -500 {
			return true
		}
	}
	return false
}
