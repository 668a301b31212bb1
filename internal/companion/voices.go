package companion

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/whisper"
)

// speaker runs espeak-ng.
type speaker struct {
	program string
	now     func() time.Time

	mu        sync.Mutex
	languages []string // that it speaks, as "es-419"
	variants  []string // of its voices, as "f2"
	read      time.Time
}

func newSpeaker(program string, now func() time.Time) *speaker {
	if program == "" {
		program = "espeak-ng"
	}
	return &speaker{program: program, now: now}
}

// openAIVoices are espeak-ng's variants for the names that clients of OpenAI know.
var openAIVoices = map[string]string{
	"alloy": "f4", "ash": "m1", "ballad": "m4", "cedar": "m6", "coral": "f3", "echo": "m3", "fable": "m2",
	"marin": "f5", "nova": "f2", "onyx": "m7", "sage": "f5", "shimmer": "f1", "verse": "m5",
}

// accents are espeak-ng's names of the languages that clients may ask for.
var accents = map[string]string{
	"es": "es", "es-es": "es", "es-mx": "es-419", "es-419": "es-419", "es-us": "es-419", "es-ar": "es-419", "es-co": "es-419",
	"en": "en-us", "en-us": "en-us", "en-gb": "en-gb",
}

var voiceName = regexp.MustCompile(`^[a-z0-9+-]+$`)

// errNoEspeak is the answer where there is nothing to speak with.
func errNoEspeak(cause error) error {
	return &frontdesk.Error{Kind: frontdesk.Unavailable, Code: "espeak_missing", Message: "There is no espeak-ng on this machine. Install it (apt-get install espeak-ng); the server need not be started again.", Cause: cause}
}

// find looks for the program.
func (p *speaker) find() error {
	_, err := exec.LookPath(p.program)
	return err
}

// voice is the name by which espeak-ng knows a voice. language may be empty: then
// the voice's own is spoken, or English if it has none.
func (p *speaker) voice(ctx context.Context, name, language string) (string, error) {
	languages, variants, err := p.list(ctx)
	if err != nil {
		return "", err
	}
	name = strings.ToLower(name)
	if variant := openAIVoices[name]; variant != "" || name == "" {
		name = "en-us+" + cmp.Or(variant, openAIVoices["alloy"])
	}
	if !voiceName.MatchString(name) {
		return "", frontdesk.InvalidParam("voice", "There is no such voice. GET /v1/voices lists them.")
	}
	own, variant, varied := strings.Cut(name, "+")
	if alias := accents[own]; alias != "" {
		own = alias
	}
	if !slices.Contains(languages, own) || varied && !slices.Contains(variants, variant) {
		return "", frontdesk.InvalidParam("voice", "There is no voice %s. GET /v1/voices lists them.", name)
	}
	if language != "" {
		asked := accents[strings.ToLower(language)]
		if asked == "" || !slices.Contains(languages, asked) {
			return "", frontdesk.InvalidParam("language", "Use es, es-ES, es-MX, en, en-US or en-GB, or leave it out.")
		}
		own = asked
	}
	if !varied {
		return own, nil
	}
	return own + "+" + variant, nil
}

// list asks espeak-ng for its voices, now and then.
func (p *speaker) list(ctx context.Context) (languages, variants []string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.find(); err != nil {
		return nil, nil, errNoEspeak(err)
	}
	if p.languages != nil && p.now().Sub(p.read) < mostVoiceAge {
		return p.languages, p.variants, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	languages, err = p.column(ctx, "--voices", func(fields []string) string { return fields[1] })
	if err == nil {
		variants, err = p.column(ctx, "--voices=variant", func(fields []string) string { return strings.TrimPrefix(fields[4], "!v/") })
	}
	if err != nil {
		return nil, nil, fmt.Errorf("asking espeak-ng for its voices: %w", err)
	}
	p.languages, p.variants, p.read = languages, variants, p.now()
	return languages, variants, nil
}

// column is one column of espeak-ng's lists:
//
//	Pty Language       Age/Gender VoiceName          File                 Other Languages
//	 5  es-419          --/M      Spanish_(Latin_America) roa/es-419           (es-mx 6)(es 6)
func (p *speaker) column(ctx context.Context, list string, of func(fields []string) string) (names []string, err error) {
	out, err := p.command(ctx, list).Output()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 5 || fields[0] == "Pty" {
			continue
		}
		if name := of(fields); voiceName.MatchString(name) && !strings.Contains(name, "+") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("espeak-ng lists no voices")
	}
	return names, nil
}

// command is espeak-ng with nothing of our environment that it does not need.
func (p *speaker) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, p.program, args...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=/nonexistent"}
	c.WaitDelay = time.Second
	return c
}

// wordsPerMinute of espeak-ng at the speed 1, and the slowest and the fastest it
// can do.
const (
	wordsPerMinute = 160
	slowest        = 80
	fastest        = 450
)

// start has a text spoken. The sound is a WAV file; wait is called at its end, and
// says what went wrong. The process is killed when ctx ends.
func (p *speaker) start(ctx context.Context, text, voice string, speed float64) (sound io.Reader, wait func() error, err error) {
	pace := min(max(int(math.Round(wordsPerMinute*speed)), slowest), fastest)
	c := p.command(ctx, "-v", voice, "-s", strconv.Itoa(pace), "-b", "1", "--stdin", "--stdout")
	c.Stdin = strings.NewReader(text)
	var said bytes.Buffer
	c.Stderr = &said
	if sound, err = c.StdoutPipe(); err != nil {
		return nil, nil, err
	}
	if err := c.Start(); err != nil {
		return nil, nil, errNoEspeak(err)
	}
	return sound, func() error {
		if err := c.Wait(); err != nil {
			return fmt.Errorf("espeak-ng: %w: %s", err, bytes.TrimSpace(said.Bytes()))
		}
		return nil
	}, nil
}

func (s *Server) voices(w http.ResponseWriter, r *http.Request) error {
	type voice struct {
		Name     string `json:"name"`
		Language string `json:"language"`
	}
	languages, variants, err := s.speaker.list(r.Context())
	if err != nil {
		return err
	}
	voices := []voice{}
	for _, name := range slices.Sorted(maps.Keys(openAIVoices)) {
		voices = append(voices, voice{Name: name}) // speaks any
	}
	for _, l := range languages {
		if language, _, _ := strings.Cut(l, "-"); !slices.Contains(whisper.Languages, language) {
			continue
		}
		voices = append(voices, voice{Name: l, Language: l})
		for _, v := range variants {
			voices = append(voices, voice{Name: l + "+" + v, Language: l})
		}
	}
	answer(w, http.StatusOK, map[string]any{"voices": voices})
	return nil
}
