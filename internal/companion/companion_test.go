package companion

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/internal/whisper"
)

// told is a hearing that says what it was asked.
func told(_ context.Context, samples []int16, r whisper.Request) (whisper.Heard, error) {
	text := fmt.Sprintf("%d %s %s %.1f", len(samples), r.Language, r.Prompt, r.Temperature)
	return whisper.Heard{Text: text, Language: "es", Segments: []whisper.Segment{{Text: text, AvgLogprob: -0.25, NoSpeechProb: 0.125, CompressionRatio: 1.5}}}, nil
}

func serve(t *testing.T, o Options, hear func(context.Context, []int16, whisper.Request) (whisper.Heard, error)) *httptest.Server {
	t.Helper()
	s := New(o)
	if hear != nil {
		s.SetHearing(Hearing{Name: "whisper-test", Hear: hear})
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server
}

func wav(t *testing.T, rate int, samples int) string {
	t.Helper()
	var b bytes.Buffer
	if err := audio.WriteWAV(&b, audio.Sound{Rate: rate, Samples: make([]int16, samples)}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sent is a form with a file and other fields, name by name.
func sent(t *testing.T, file string, fields ...string) (contentType string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if file != "" {
		part, err := w.CreateFormFile("file", "sound.wav")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, file)
	}
	for i := 0; i < len(fields); i += 2 {
		_ = w.WriteField(fields[i], fields[i+1])
	}
	_ = w.Close()
	return w.FormDataContentType(), b.Bytes()
}

func post(t *testing.T, address, contentType string, body []byte) (status int, header http.Header, answer string) {
	t.Helper()
	r, err := http.Post(address, contentType, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, r.Header, string(b)
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	second := func(rate int) string { return wav(t, rate, rate) }
	tests := map[string]struct {
		file   string
		fields []string
		want   int
		has    string
	}{
		"a second at 16 kHz":                {second(16000), nil, 200, `{"text":"16000   0.0"}`},
		"a second of a telephone":           {second(8000), []string{"language", "es"}, 200, `"16000 es`},
		"a second at the rate of a CD":      {second(44100), []string{"model", "whisper-1"}, 200, `"16000`},
		"a second at an odd rate":           {second(22051), nil, 200, `"16001`},
		"a language with its country":       {second(8000), []string{"language", "en-GB"}, 200, `"16000 en`},
		"words that are likely":             {second(8000), []string{"prompt", "cita"}, 200, ` cita `},
		"a temperature":                     {second(8000), []string{"temperature", "0.5"}, 200, `0.5"`},
		"plain text":                        {second(8000), []string{"response_format", "text"}, 200, "16000   0.0\n"},
		"all there is to say":               {second(8000), []string{"response_format", "verbose_json"}, 200, `"avg_logprob":-0.25,"compression_ratio":1.5,"no_speech_prob":0.125`},
		"its language by name":              {second(8000), []string{"response_format", "verbose_json"}, 200, `"duration":1,"language":"spanish"`},
		"fields that mean nothing here":     {second(8000), []string{"timestamp_granularities[]", "word"}, 200, `"16000`},
		"five minutes":                      {wav(t, 8000, 8000*300), nil, 200, `"4800000`},
		"more than five minutes":            {wav(t, 8000, 8000*300+1), nil, 400, `five minutes`},
		"no file":                           {"", []string{"language", "es"}, 400, `"param":"file"`},
		"a file that is no WAV":             {"ID3", nil, 400, `this is no WAV file`},
		"a WAV file that is cut off":        {second(8000)[:20], nil, 400, `"code":"file_invalid"`},
		"a rate that is too low":            {second(4000), nil, 400, `8,000 to 48,000`},
		"a rate that is too high":           {second(96000), nil, 400, `8,000 to 48,000`},
		"a language that is not heard":      {second(8000), []string{"language", "fr"}, 400, `"param":"language"`},
		"a form of answer that is not made": {second(8000), []string{"response_format", "srt"}, 400, `"param":"response_format"`},
		"a temperature that is no number":   {second(8000), []string{"temperature", "NaN"}, 400, `"param":"temperature"`},
		"a stream":                          {second(8000), []string{"stream", "true"}, 400, `"param":"stream"`},
		"a field that is too long":          {second(8000), []string{"prompt", strings.Repeat("a", mostField+1)}, 400, `"param":"prompt"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			contentType, body := sent(t, tt.file, tt.fields...)
			server := serve(t, Options{}, told)
			status, _, answer := post(t, server.URL+"/v1/audio/transcriptions", contentType, body)
			if status != tt.want || !strings.Contains(answer, tt.has) {
				t.Errorf("%d %s, want %d with %s", status, answer, tt.want, tt.has)
			}
			if status != 200 && !strings.Contains(answer, `"type":"invalid_request_error"`) {
				t.Errorf("not OpenAI's form of an error: %s", answer)
			}
		})
	}
}

func TestFilesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	server := serve(t, Options{}, told)
	contentType, body := sent(t, wav(t, 48000, mostFile/2))
	if status, _, answer := post(t, server.URL+"/v1/audio/transcriptions", contentType, body); status != 400 || !strings.Contains(answer, "25 MB") {
		t.Errorf("%d %s", status, answer)
	}
}

func TestThoseWhoWaitAreFew(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	s.SetHearing(Hearing{Name: "whisper-test", Hear: told})
	server := httptest.NewServer(s)
	defer server.Close()
	var leave func()
	for i := range heardAtOnce + waitToBeHeard {
		var ok bool
		if leave, ok = s.ears.enter(); !ok {
			t.Fatalf("there are %d places", i)
		}
	}
	contentType, body := sent(t, wav(t, 8000, 8000))
	status, header, answer := post(t, server.URL+"/v1/audio/transcriptions", contentType, body)
	if status != http.StatusTooManyRequests || header.Get("Retry-After") == "" || !strings.Contains(answer, "rate_limit") {
		t.Errorf("%d %v %s", status, header, answer)
	}
	leave()
	if status, _, answer := post(t, server.URL+"/v1/audio/transcriptions", contentType, body); status != http.StatusOK {
		t.Errorf("with a place: %d %s", status, answer)
	}
}

func TestWhoHasGoneIsNotHeard(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	s.SetHearing(Hearing{Name: "unused", Hear: told})
	done, err := s.ears.turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.ears.turn(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestBeforeTheModelIsLoaded(t *testing.T) {
	t.Parallel()
	server := serve(t, Options{}, nil)
	r, err := http.Get(server.URL + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	contentType, body := sent(t, wav(t, 8000, 8000))
	status, header, _ := post(t, server.URL+"/v1/audio/transcriptions", contentType, body)
	if r.StatusCode != 503 || status != 503 || header.Get("Retry-After") == "" {
		t.Errorf("healthz %d, transcriptions %d", r.StatusCode, status)
	}
}

func TestWhoIsServed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		key, host, bearer, origin, path string
		want                            int
	}{
		"this machine":                     {path: "/v1/models", want: 200},
		"this machine by name":             {host: "localhost:8090", path: "/v1/models", want: 200},
		"another name for this machine":    {host: "evil.example", path: "/v1/models", want: 403},
		"a key":                            {key: "s3cret", host: "speech.example", bearer: "s3cret", path: "/v1/models", want: 200},
		"a wrong key":                      {key: "s3cret", bearer: "guess", path: "/v1/models", want: 401},
		"no key":                           {key: "s3cret", path: "/v1/models", want: 401},
		"the health without a key":         {key: "s3cret", path: "/healthz", want: 200},
		"nothing":                          {path: "/v1/chat/completions", want: 404},
		"a web page of somebody else's":    {origin: "https://evil.example", path: "/v1/audio/speech", want: 403},
		"a request without what it is for": {path: "/v1/audio/speech", want: 400},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, Options{Key: tt.key}, told)
			method := http.MethodGet
			if tt.path == "/v1/audio/speech" {
				method = http.MethodPost
			}
			r, _ := http.NewRequest(method, server.URL+tt.path, nil)
			if tt.host != "" {
				r.Host = tt.host
			}
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			if tt.bearer != "" {
				r.Header.Set("Authorization", "Bearer "+tt.bearer)
			}
			got, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			got.Body.Close()
			if got.StatusCode != tt.want {
				t.Errorf("got %d, want %d", got.StatusCode, tt.want)
			}
		})
	}
}

func TestWhereItListens(t *testing.T) {
	t.Parallel()
	for listen, alone := range map[string]bool{
		"127.0.0.1:8090": true, "localhost:8090": true, "[::1]:8090": true, "127.8.9.1:1": true,
		":8090": false, "0.0.0.0:8090": false, "192.168.1.4:8090": false, "[::]:8090": false, "speech.example:8090": false,
	} {
		if err := checkListen(listen, ""); (err == nil) != alone {
			t.Errorf("%s without a key: %v", listen, err)
		}
		if err := checkListen(listen, "s3cret"); err != nil {
			t.Errorf("%s with a key: %v", listen, err)
		}
	}
}

func TestHowItIsStarted(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]int{
		"--help": 0, "--listen 0.0.0.0:1": 2, "--model large": 2, "--threads 0": 2, "extra": 2, "--unknown": 2,
		"--models /nowhere": 1,
	} {
		var said bytes.Buffer
		if got := Main(t.Context(), strings.Fields(args), &said, func(string) string { return "" }); got != want || said.Len() == 0 {
			t.Errorf("%s: %d, want %d: %s", args, got, want, said.String())
		}
	}
}

func TestSpeechThatIsRefused(t *testing.T) {
	t.Parallel()
	needEspeak(t)
	server := serve(t, Options{}, nil)
	for body, param := range map[string]string{
		`{"input":"","voice":"alloy"}`:                                         "input",
		`{"input":" \u0001\n","voice":"alloy"}`:                                "input",
		`{"input":"` + strings.Repeat("ñ", mostInput+1) + `","voice":"alloy"}`: "input",
		`{"input":"hola","voice":"nobody"}`:                                    "voice",
		`{"input":"hola","voice":"es+nobody"}`:                                 "voice",
		`{"input":"hola","voice":"--help"}`:                                    "voice",
		`{"input":"hola","voice":"../../etc/passwd"}`:                          "voice",
		`{"input":"hola","voice":"alloy","language":"fr"}`:                     "language",
		`{"input":"hola","voice":"alloy","response_format":"mp3"}`:             "response_format",
		`{"input":"hola","voice":"alloy","speed":5}`:                           "speed",
		`{"input":"hola","voice":"alloy","speed":0}`:                           "speed",
	} {
		status, _, answer := post(t, server.URL+"/v1/audio/speech", "application/json", []byte(body))
		if status != 400 || !strings.Contains(answer, `"param":"`+param+`"`) {
			t.Errorf("%.60s: %d %s", body, status, answer)
		}
	}
}

func needEspeak(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("espeak-ng"); err != nil {
		t.Skip("NOT COVERED: speaking. There is no espeak-ng here: apt-get install espeak-ng")
	}
}

func TestSpeech(t *testing.T) {
	t.Parallel()
	needEspeak(t)
	server := serve(t, Options{}, nil)
	speak := func(request string) (http.Header, []byte) {
		status, header, answer := post(t, server.URL+"/v1/audio/speech", "application/json", []byte(request))
		if status != 200 {
			t.Fatalf("%s: %d %s", request, status, answer)
		}
		return header, []byte(answer)
	}
	for _, voice := range []string{`"voice":"alloy","language":"es-MX"`, `"voice":"es+m3"`, `"voice":"en-gb"`, `"voice":"onyx","language":"es"`} {
		header, file := speak(`{"input":"Buenos días, ¿en qué puedo ayudarle?",` + voice + `}`)
		sound, err := audio.ReadWAV(bytes.NewReader(file), 1<<24)
		if err != nil || sound.Rate != speechRate || len(sound.Samples) < speechRate || header.Get("Content-Type") != "audio/wav" {
			t.Errorf("%s: %d samples at %d, %v", voice, len(sound.Samples), sound.Rate, err)
		}
	}
	header, slow := speak(`{"input":"Good morning.","voice":"nova","response_format":"pcm","speed":0.5}`)
	_, fast := speak(`{"input":"Good morning.","voice":"nova","response_format":"pcm","speed":2}`)
	if len(slow) < 2*len(fast) || header.Get("Content-Type") != "audio/pcm" {
		t.Errorf("slow speech has %d bytes, fast speech %d", len(slow), len(fast))
	}
	_, words := speak(`{"input":"[[h@'loU]] \u0001100S","voice":"nova","response_format":"pcm"}`)
	if len(words) == 0 {
		t.Error("a text with commands of espeak-ng is not spoken")
	}
}

func TestWithoutEspeak(t *testing.T) {
	t.Parallel()
	server := serve(t, Options{Espeak: "espeak-that-is-not-here"}, told)
	status, _, answer := post(t, server.URL+"/v1/audio/speech", "application/json", []byte(`{"input":"hola","voice":"alloy"}`))
	if status != 503 || !strings.Contains(answer, "apt-get install espeak-ng") {
		t.Errorf("%d %s", status, answer)
	}
}

func TestVoicesAreListed(t *testing.T) {
	t.Parallel()
	needEspeak(t)
	server := serve(t, Options{}, told)
	r, err := http.Get(server.URL + "/v1/voices")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var list struct {
		Voices []struct{ Name, Language string }
	}
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, v := range list.Voices {
		found[v.Name] = v.Language
	}
	for _, name := range []string{"alloy", "es", "es-419+f2", "en-us", "en-gb+m3"} {
		if _, ok := found[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
}

// FuzzForms: whatever a client sends is heard or refused, and never our fault.
func FuzzForms(f *testing.F) {
	s := New(Options{})
	s.SetHearing(Hearing{Name: "whisper-test", Hear: told})
	var b bytes.Buffer
	_ = audio.WriteWAV(&b, audio.Sound{Rate: 8000, Samples: make([]int16, 80)})
	f.Add("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\n" + b.String() + "\r\n--x\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\nes\r\n--x--\r\n")
	f.Add("--x--\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/v1/audio/transcriptions", strings.NewReader(body))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 200 && (w.Code < 400 || w.Code > 499) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
