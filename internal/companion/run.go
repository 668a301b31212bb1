package companion

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/onnx"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/whisper"
)

// settings are what the program is started with.
type settings struct {
	listen, key, dir, model string
	threads                 int
}

const (
	usage = `Usage: frontdesk-speech [flags]

Hears and speaks on this machine, at the addresses of OpenAI's audio API:
POST /v1/audio/transcriptions and POST /v1/audio/speech. See docs/speech.md.

`
	// bestThreads: with more of them an utterance is not heard faster.
	bestThreads = 8
	stopWithin  = 10 * time.Second
)

// models that are looked for, the best first.
var modelNames = []string{"small", "base"}

// Main runs the program until ctx ends, and returns its exit code.
func Main(ctx context.Context, args []string, stderr io.Writer, getenv func(string) string) int {
	log := slog.New(slog.NewTextHandler(stderr, nil))
	o, err := parseSettings(args, stderr, getenv)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "frontdesk-speech:", err)
		return 2
	}
	if err := run(ctx, log, o); err != nil {
		log.Error("frontdesk-speech ends", "error", err)
		return 1
	}
	return 0
}

func parseSettings(args []string, stderr io.Writer, getenv func(string) string) (o settings, err error) {
	flags := flag.NewFlagSet("frontdesk-speech", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&o.listen, "listen", cmp.Or(getenv("FRONTDESK_SPEECH_LISTEN"), "127.0.0.1:8090"), "address to serve at (FRONTDESK_SPEECH_LISTEN)")
	flags.StringVar(&o.key, "key", "", "key that clients have to send as Authorization: Bearer (FRONTDESK_SPEECH_KEY, which other users of the machine cannot see)")
	flags.StringVar(&o.dir, "models", cmp.Or(getenv("FRONTDESK_SPEECH_MODELS"), defaultModels()), "folder that scripts/find-speech prints (FRONTDESK_SPEECH_MODELS)")
	flags.StringVar(&o.model, "model", getenv("FRONTDESK_SPEECH_MODEL"), "base or small; by default the best that is there (FRONTDESK_SPEECH_MODEL)")
	flags.IntVar(&o.threads, "threads", min(runtime.NumCPU(), bestThreads), "threads that hear")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.key = cmp.Or(o.key, getenv("FRONTDESK_SPEECH_KEY"))
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("what is %q? See frontdesk-speech --help", flags.Arg(0))
	case o.threads < 1:
		return o, errors.New("--threads: use one at least")
	case o.model != "" && o.model != "base" && o.model != "small":
		return o, errors.New("--model: use base or small")
	}
	return o, checkListen(o.listen, o.key)
}

// checkListen refuses to serve everybody who reaches this machine.
func checkListen(listen, key string) error {
	if key == "" && !loopback(listen) {
		return fmt.Errorf("--listen %s is not a loopback address: others could use this machine; set a key with --key or FRONTDESK_SPEECH_KEY, or listen at 127.0.0.1", listen)
	}
	return nil
}

// defaultModels is where scripts/find-speech puts models.
func defaultModels() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "frontdesk", "speech-1")
}

func run(ctx context.Context, log *slog.Logger, o settings) error {
	name, err := findModel(o.dir, o.model)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	s := New(Options{Log: log, Key: o.key})
	if err := s.speaker.find(); err != nil {
		log.Warn("there is no espeak-ng: texts are not spoken until it is installed (apt-get install espeak-ng)", "error", err)
	}
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: mostRequestLine, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := service.Go(log, "server", func() error { return server.Serve(listener) })
	log.Info("listening", "address", "http://"+listener.Addr().String(), "key", o.key != "")
	unload, err := s.load(log, o, name)
	if err == nil {
		select {
		case err = <-served:
		case <-ctx.Done():
		}
	}
	stopping, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	stopped := server.Shutdown(stopping)
	if stopped == nil { // else something still hears
		unload()
	}
	log.Info("stopped")
	return errors.Join(err, stopped)
}

// load loads the model and lets the server hear with it.
func (s *Server) load(log *slog.Logger, o settings, name string) (unload func(), err error) {
	began := time.Now()
	library, err := onnx.Open(filepath.Join(o.dir, "libonnxruntime.so"))
	if err != nil {
		return func() {}, err
	}
	model, err := whisper.Load(library, filepath.Join(o.dir, name), whisper.Options{Threads: o.threads})
	if err != nil {
		library.Close()
		return func() {}, err
	}
	debug.FreeOSMemory() // the bytes of the model's files
	s.SetHearing(Hearing{Name: name, Hear: model.Hear})
	log.Info("the model is loaded", "model", name, "threads", o.threads, "onnxruntime", library.Version(), "took", time.Since(began))
	return func() {
		model.Close()
		library.Close()
	}, nil
}

// findModel is the folder of a model in dir: that of the given one, or of the best
// that is there.
func findModel(dir, model string) (string, error) {
	wanted := modelNames
	if model != "" {
		wanted = []string{model}
	}
	if _, err := os.Stat(filepath.Join(dir, "libonnxruntime.so")); err == nil {
		for _, m := range wanted {
			if _, err := os.Stat(filepath.Join(dir, "whisper-"+m, "config.json")); err == nil {
				return "whisper-" + m, nil
			}
		}
	}
	return "", fmt.Errorf("there is no model %s in %q: fetch one with scripts/find-speech --install %s, or say with --models where it is", strings.Join(wanted, " or "), dir, wanted[0])
}
