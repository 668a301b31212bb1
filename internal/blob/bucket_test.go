package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/blob/blobtest"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	small = 1000
	large = 2*blob.PartSize + 1000
)

func TestFaultsThatPass(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		kind  string
		fault blobtest.Fault
		size  int
	}{
		"a busy server":                     {"PUT object", blobtest.Busy, blob.PartSize - 1},
		"a busy server, in the middle":      {"PUT part", blobtest.Busy, large},
		"a connection cut":                  {"PUT object", blobtest.Reset, blob.PartSize - 1},
		"a connection cut, in the middle":   {"PUT part", blobtest.Reset, large},
		"an answer lost":                    {"PUT object", blobtest.Lost, small},
		"an answer lost, in the middle":     {"PUT part", blobtest.Lost, large},
		"a gateway that is down":            {"PUT part", blobtest.Garbled, large},
		"a beginning that fails":            {"POST uploads", blobtest.Busy, large},
		"an end that fails":                 {"POST upload", blobtest.Busy, large},
		"an end that says 200 and means no": {"POST upload", blobtest.Belated, large},
		"a busy server when reading":        {"GET object", blobtest.Busy, small},
		"a connection cut when reading":     {"GET object", blobtest.Reset, small},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := blobtest.NewServer(t)
			s := open(t, server.Place(""))
			server.FailFirst(2, tt.kind, tt.fault)
			want := random(tt.size)
			if _, err := s.Put(t.Context(), key, bytes.NewReader(want)); err != nil {
				t.Fatal(err)
			}
			if got := get(t, s, key); !bytes.Equal(got, want) {
				t.Errorf("got %d other bytes", len(got))
			}
			if server.Uploads() != 0 {
				t.Errorf("%d uploads are left", server.Uploads())
			}
		})
	}
}

func TestFaultsThatStay(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		kind  string
		fault blobtest.Fault
		size  int
		want  string
	}{
		"a busy server":                 {"PUT object", blobtest.Busy, small, "SlowDown"},
		"a busy server, in the middle":  {"PUT part", blobtest.Busy, large, "SlowDown"},
		"one that denies":               {"PUT object", blobtest.Denied, small, "AccessDenied"},
		"one that denies, in the end":   {"POST upload", blobtest.Denied, large, "AccessDenied"},
		"one that denies the beginning": {"POST uploads", blobtest.Denied, large, "AccessDenied"},
		"a connection cut":              {"PUT object", blobtest.Reset, small, "closed"},
		"a gateway that is down":        {"PUT part", blobtest.Garbled, large, "502"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := blobtest.NewServer(t)
			s := open(t, server.Place(""))
			server.FailAll(tt.kind, tt.fault)
			_, err := s.Put(t.Context(), key, bytes.NewReader(random(tt.size)))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
			discreet(t, err)
			if len(server.Keys()) != 0 || server.Uploads() != 0 {
				t.Errorf("left behind: %v and %d uploads", server.Keys(), server.Uploads())
			}
		})
	}
}

// TestTheLastAnswerIsLost is the one case in which an error leaves a blob: the
// upload is complete, and every further question finds it gone.
func TestTheLastAnswerIsLost(t *testing.T) {
	t.Parallel()
	server := blobtest.NewServer(t)
	s := open(t, server.Place(""))
	server.FailFirst(1, "POST upload", blobtest.Lost)
	if _, err := s.Put(t.Context(), key, bytes.NewReader(random(large))); err == nil || !strings.Contains(err.Error(), "NoSuchUpload") {
		t.Errorf("%v", err)
	}
	if got := keys(t, s, time.Time{}); !slices.Equal(got, []string{key}) {
		t.Errorf("there is %v to be swept", got)
	}
}

func TestReadingIsNeverSilentlyShort(t *testing.T) {
	t.Parallel()
	server := blobtest.NewServer(t)
	s := open(t, server.Place(""))
	put(t, s, key, strings.Repeat("all or nothing ", 10000))
	server.FailAll("GET object", blobtest.Truncated)
	r, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := io.Copy(io.Discard, r); err == nil {
		t.Errorf("%d bytes and no error", n)
	}
}

// The way to a bucket is open for its own server and, of what is not public, for
// no other that this one may send us to.
func TestABucketThatSendsUsElsewhere(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	t.Cleanup(inside.Close)
	bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inside.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(bucket.Close)
	s, err := blob.Open("s3://bucket?endpoint="+bucket.URL, blob.Options{AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), key, strings.NewReader("secret prices")); err == nil || reached.Load() {
		t.Errorf("%v, reached: %t", err, reached.Load())
	}
	if _, err := s.Get(t.Context(), key); err == nil || reached.Load() {
		t.Errorf("%v, reached: %t", err, reached.Load())
	}
}

func TestASilentServerIsGivenUp(t *testing.T) {
	t.Parallel()
	server := blobtest.NewServer(t)
	put(t, open(t, server.Place("")), key, strings.Repeat("x", 1<<20))
	transport, err := blob.NewTransport(server.URL, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	s, err := blob.Open(server.Place(""), blob.Options{
		AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey, Transport: transport,
	})
	if err != nil {
		t.Fatal(err)
	}

	server.FailAll("GET object", blobtest.Stalled)
	r, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var timeout net.Error
	if _, err := io.Copy(io.Discard, r); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("in the middle: %v", err)
	}

	server.FailAll("GET object", blobtest.Hung)
	if _, err := s.Get(t.Context(), key); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("from the start: %v", err)
	}
}

func TestTheCallerIsHeardWhileAServerHangs(t *testing.T) {
	t.Parallel()
	server := blobtest.NewServer(t)
	s := open(t, server.Place(""))
	ctx, cancel := context.WithCancel(t.Context())
	server.Fail(func(r *http.Request) blobtest.Fault {
		cancel()
		return blobtest.Hung
	})
	if err := s.Check(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestUploadsThatWereCutOffAreSwept(t *testing.T) {
	t.Parallel()
	server := blobtest.NewServer(t)
	server.Page(2)
	ours, other := open(t, server.Place("ours")), open(t, server.Place("ours-not"))
	server.FailAll("DELETE upload", blobtest.Denied)
	for _, s := range []*blob.Store{ours, ours, ours, ours, ours, other} {
		if _, err := s.Put(t.Context(), key, broken()["in the second part"].r); !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
	}
	if n, err := ours.Sweep(t.Context(), time.Now().Add(time.Hour)); err == nil || n != 0 {
		t.Errorf("swept %d where it is denied: %v", n, err)
	}
	server.Fail(nil)
	if n, err := ours.Sweep(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("swept %d that are fresh: %v", n, err)
	}
	if n, err := ours.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 5 || err != nil || server.Uploads() != 1 {
		t.Errorf("swept %d of 5, %d are left: %v", n, server.Uploads(), err)
	}
}

func TestSmallBlobsAreOneRequest(t *testing.T) {
	t.Parallel()
	server := blobtest.NewServer(t)
	s := open(t, server.Place(""))
	put(t, s, key, "small")
	get(t, s, key)
	if got := server.Requests(); !slices.Equal(got, []string{"PUT object", "GET object"}) {
		t.Errorf("%v", got)
	}
}

func TestWhatIsWrongWithABucketIsSaid(t *testing.T) {
	t.Parallel()
	server := blobtest.NewServer(t)
	good := blob.S3Options{Bucket: blobtest.Bucket, Endpoint: server.URL, Region: blobtest.Region, AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey}
	tests := map[string]struct {
		change func(*blob.S3Options)
		want   string
	}{
		"nothing":              {func(*blob.S3Options) {}, ""},
		"another secret key":   {func(o *blob.S3Options) { o.SecretKey += "x" }, "SignatureDoesNotMatch"},
		"another access key":   {func(o *blob.S3Options) { o.AccessKey += "x" }, "InvalidAccessKeyId"},
		"another region":       {func(o *blob.S3Options) { o.Region = "us-east-1" }, "AuthorizationHeaderMalformed"},
		"another bucket":       {func(o *blob.S3Options) { o.Bucket = "elsewhere" }, "NoSuchBucket"},
		"nobody there":         {func(o *blob.S3Options) { o.Endpoint = "http://" + deadAddress(t) }, "refused"},
		"http where TLS is":    {func(o *blob.S3Options) { o.Endpoint = strings.Replace(server.URL, "http", "https", 1) }, "HTTPS client"},
		"a name no bucket has": {func(o *blob.S3Options) { o.Bucket = "x" }, "ucket name"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := good
			tt.change(&o)
			s, err := blob.OpenS3(o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if tt.want == "" {
				if err := errors.Join(s.Check(t.Context()), s.Probe(t.Context())); err != nil {
					t.Error(err)
				}
				return
			}
			var all sync.WaitGroup
			for _, do := range everything(t.Context(), s) {
				all.Go(func() {
					err := do()
					if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, blob.ErrNotFound) {
						t.Errorf("%v", err)
					}
					discreet(t, err)
				})
			}
			all.Wait()
		})
	}
}

// everything is each thing that can be asked of a store.
func everything(ctx context.Context, s *blob.Store) []func() error {
	return []func() error{
		func() error { _, err := s.Put(ctx, key, strings.NewReader("x")); return err },
		func() error { _, err := s.Get(ctx, key); return err },
		func() error { return s.Delete(ctx, key) },
		func() error { return s.Each(ctx, time.Time{}, func(string, time.Time) error { return nil }) },
		func() error { _, err := s.Sweep(ctx, time.Now()); return err },
		func() error { return s.Check(ctx) },
		func() error { return s.Probe(ctx) },
	}
}

// deadAddress is one that nobody listens at.
func deadAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func discreet(t *testing.T, err error) {
	t.Helper()
	for _, secret := range []frontdesk.Secret{blobtest.AccessKey, blobtest.SecretKey} {
		if err != nil && strings.Contains(err.Error(), secret.Reveal()) {
			t.Errorf("credentials are told: %v", err)
		}
	}
}

// BenchmarkPut says what a Put of 64 MiB of unknown length allocates; the
// server, which keeps it all, is left out by answering without reading.
func BenchmarkPut(b *testing.B) {
	for name, size := range map[string]int64{"10KiB": 10 << 10, "64MiB": 64 << 20} {
		b.Run(name, func(b *testing.B) {
			s, err := blob.Open("s3://documents?endpoint=http://bucket.invalid", blob.Options{AccessKey: "a", SecretKey: "b", Transport: sink{}})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(size)
			b.ReportAllocs()
			var peak, now runtime.MemStats
			for b.Loop() {
				if _, err := s.Put(b.Context(), key, io.LimitReader(zeroes{}, size)); err != nil {
					b.Fatal(err)
				}
				runtime.ReadMemStats(&now)
				peak.HeapInuse = max(peak.HeapInuse, now.HeapInuse)
			}
			b.ReportMetric(float64(peak.HeapInuse)/(1<<20), "MiB-heap")
		})
	}
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// sink takes every request and keeps nothing.
type sink struct{}

func (sink) RoundTrip(r *http.Request) (*http.Response, error) {
	body := "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"
	if r.URL.Query().Has("uploadId") {
		body = "<CompleteMultipartUploadResult><Bucket>documents</Bucket></CompleteMultipartUploadResult>"
	}
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Etag": {`"0"`}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}
