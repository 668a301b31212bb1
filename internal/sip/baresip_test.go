package sip

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/sip/siptest"
)

// baresip calls from a directory with its settings, says fiveTone, and writes what
// it hears to a file there.
func baresip(t *testing.T, account, to string) (dir string, wait func() string) {
	t.Helper()
	dir = t.TempDir()
	program := siptest.Baresip(t, dir, account, "said.wav")
	f, err := os.Create(filepath.Join(dir, "said.wav"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := audio.WriteWAV(f, audio.Sound{Rate: audio.Rate, Samples: repeat(fiveTone, 20)}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-f", dir, "-e", "/dial "+to, "-t", "20")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return dir, func() string {
		_ = cmd.Process.Signal(os.Interrupt) // it closes its files then
		_ = cmd.Wait()
		return out.String()
	}
}

func repeat(samples []int16, n int) (all []int16) {
	for range n {
		all = append(all, samples...)
	}
	return all
}

func TestBaresipCalls(t *testing.T) {
	t.Parallel()
	for name, account := range map[string]string{
		"plain sound":     "<sip:ana@127.0.0.1>;regint=0;audio_codecs=PCMA,PCMU;ptime=20",
		"encrypted sound": "<sip:ana@127.0.0.1>;regint=0;audio_codecs=PCMU;mediaenc=srtp-mand",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			installed(t, "baresip")
			heard, ended := make(chan byte, 1), make(chan struct{})
			s := serve(t, Options{Answer: func(ctx context.Context, c *Call) {
				defer close(ended)
				if err := c.Answer(ctx); err != nil {
					t.Error(err)
					return
				}
				found, nine := keyIn('5'), repeat(audio.KeyTone(audio.Rate, '9', time.Second), 2)
				listening := true
				for i := 0; i+frameSize <= len(nine); {
					in, err := c.Read(ctx)
					if err != nil {
						return
					}
					if in.Key != 0 {
						continue
					}
					if listening && found(in.Frame.Samples) {
						listening = false
						heard <- '5'
					}
					_ = c.Write(nine[i : i+frameSize])
					i += frameSize
				}
			}})
			dir, wait := baresip(t, account, "sip:desk@"+s.at("udp"))
			select {
			case <-ended:
			case <-time.After(longest):
			}
			out := wait()
			select {
			case <-heard:
			default:
				t.Errorf("baresip was not heard:\n%s\n%s", out, s.log)
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*dec.wav"))
			if len(files) != 1 {
				t.Fatalf("baresip wrote %v\n%s", files, out)
			}
			f, err := os.Open(files[0])
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			sound, err := audio.ReadWAV(f, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			found := keyIn('9')
			for i := 0; i+frameSize <= len(sound.Samples); i += frameSize {
				if found(sound.Samples[i : i+frameSize]) {
					return
				}
			}
			t.Errorf("baresip did not hear us:\n%s", out)
		})
	}
}
