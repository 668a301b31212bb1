package blobtest

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// The one user of every server, and its one bucket.
const (
	AccessKey frontdesk.Secret = "AKTESTRECEPTION00001"
	SecretKey frontdesk.Secret = "3GkTq0zUeVn1xWcR7yLbJp5sDh9aFm2oKiEtXuNw"
	Bucket                     = "documents"
	Region                     = "eu-test-1"
)

const leastPart = 5 << 20

// Server is an S3 server with one bucket, in memory.
type Server struct {
	URL string

	mu      sync.Mutex
	objects map[string]object
	uploads map[string]*upload
	made    int // uploads, ever
	page    int
	fault   func(*http.Request) Fault
	seen    []string
}

type object struct {
	data []byte
	etag string
	at   time.Time
}

type upload struct {
	key   string
	at    time.Time
	parts map[int]object
}

// NewServer starts a server that goes with the test.
func NewServer(t testing.TB) *Server {
	t.Helper()
	s := &Server{objects: map[string]object{}, uploads: map[string]*upload{}, page: 1000}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Place is the server's bucket, as blob.Open takes it.
func (s *Server) Place(prefix string) string {
	u := url.URL{Scheme: "s3", Host: Bucket, Path: "/" + prefix}
	u.RawQuery = url.Values{"endpoint": {s.URL}, "region": {Region}}.Encode()
	return u.String()
}

// Page sets how many entries a page of a list has.
func (s *Server) Page(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.page = n
}

// Keys are those of all objects, in order.
func (s *Server) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects))
}

// Uploads is how many uploads are neither completed nor aborted.
func (s *Server) Uploads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.uploads)
}

// Requests are those that came so far: "PUT part", "GET object".
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// ServeHTTP answers as S3 does, unless a fault is due.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := s.note(r)
	if fault.before(w, r) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away in the middle
	}
	answer := httptest.NewRecorder()
	if err := checkSignature(r, body); err != nil {
		refuse(answer, err)
	} else {
		s.answer(answer, r, body)
	}
	fault.after(w, r, answer)
}

func (s *Server) note(r *http.Request) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, Kind(r))
	if s.fault == nil {
		return None
	}
	return s.fault(r)
}

// Kind says what a request is about: its method, and object, part, upload,
// uploads or list.
func Kind(r *http.Request) string {
	q := r.URL.Query()
	_, key := split(r)
	what := "object"
	switch {
	case q.Has("partNumber"):
		what = "part"
	case q.Has("uploadId"):
		what = "upload"
	case q.Has("uploads"):
		what = "uploads"
	case key == "":
		what = "list"
	}
	return r.Method + " " + what
}

func split(r *http.Request) (bucket, key string) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return bucket, key
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bucket, key := split(r)
	if bucket != Bucket {
		refuse(w, failure{404, "NoSuchBucket", "The specified bucket does not exist"})
		return
	}
	q := r.URL.Query()
	var err error
	switch Kind(r) {
	case "PUT object":
		s.objects[key] = newObject(body)
		w.Header().Set("ETag", s.objects[key].etag)
	case "GET object", "HEAD object":
		err = s.read(w, r, key)
	case "DELETE object":
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case "GET list":
		s.list(w, q)
	case "POST uploads":
		s.begin(w, key)
	case "PUT part":
		err = s.part(w, q, key, body)
	case "POST upload":
		err = s.complete(w, q, key, body)
	case "DELETE upload":
		err = s.abort(w, q, key)
	case "GET uploads":
		s.listUploads(w, q)
	default:
		err = failure{501, "NotImplemented", "There is no such request here"}
	}
	if err != nil {
		refuse(w, err)
	}
}

func newObject(data []byte) object {
	sum := md5.Sum(data)
	return object{data, `"` + hex.EncodeToString(sum[:]) + `"`, time.Now()}
}

func (s *Server) read(w http.ResponseWriter, r *http.Request, key string) error {
	o, ok := s.objects[key]
	if !ok {
		return failure{404, "NoSuchKey", "The specified key does not exist."}
	}
	w.Header().Set("ETag", o.etag)
	w.Header().Set("Last-Modified", o.at.UTC().Format(http.TimeFormat))
	w.Header().Set("Content-Length", strconv.Itoa(len(o.data)))
	w.Header().Set("Content-Type", "application/octet-stream")
	if r.Method == http.MethodGet {
		w.Write(o.data)
	}
	return nil
}

func (s *Server) begin(w http.ResponseWriter, key string) {
	s.made++
	id := fmt.Sprintf("upload-%06d", s.made)
	s.uploads[id] = &upload{key, time.Now(), map[int]object{}}
	reply(w, struct {
		XMLName  xml.Name `xml:"InitiateMultipartUploadResult"`
		Bucket   string
		Key      string
		UploadID string `xml:"UploadId"`
	}{Bucket: Bucket, Key: key, UploadID: id})
}

func (s *Server) find(q url.Values, key string) (*upload, error) {
	u, ok := s.uploads[q.Get("uploadId")]
	if !ok || u.key != key {
		return nil, failure{404, "NoSuchUpload", "The specified upload does not exist."}
	}
	return u, nil
}

func (s *Server) part(w http.ResponseWriter, q url.Values, key string, body []byte) error {
	u, err := s.find(q, key)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(q.Get("partNumber"))
	if err != nil || n < 1 || n > 10000 {
		return failure{400, "InvalidArgument", "Part number must be an integer between 1 and 10000"}
	}
	u.parts[n] = newObject(body)
	w.Header().Set("ETag", u.parts[n].etag)
	return nil
}

func (s *Server) complete(w http.ResponseWriter, q url.Values, key string, body []byte) error {
	u, err := s.find(q, key)
	if err != nil {
		return err
	}
	var asked struct {
		Part []struct {
			PartNumber int
			ETag       string
		}
	}
	if err := xml.Unmarshal(body, &asked); err != nil || len(asked.Part) == 0 {
		return failure{400, "MalformedXML", "The XML you provided was not well-formed"}
	}
	var whole []byte
	last := 0
	for i, p := range asked.Part {
		part, ok := u.parts[p.PartNumber]
		switch {
		case p.PartNumber <= last:
			return failure{400, "InvalidPartOrder", "The list of parts was not in ascending order."}
		case !ok || strings.Trim(p.ETag, `"`) != strings.Trim(part.etag, `"`):
			return failure{400, "InvalidPart", "One or more of the specified parts could not be found."}
		case i < len(asked.Part)-1 && len(part.data) < leastPart:
			return failure{400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size"}
		}
		last = p.PartNumber
		whole = append(whole, part.data...)
	}
	s.objects[key] = newObject(whole)
	delete(s.uploads, q.Get("uploadId"))
	reply(w, struct {
		XMLName xml.Name `xml:"CompleteMultipartUploadResult"`
		Bucket  string
		Key     string
		ETag    string
	}{Bucket: Bucket, Key: key, ETag: s.objects[key].etag})
	return nil
}

func (s *Server) abort(w http.ResponseWriter, q url.Values, key string) error {
	if _, err := s.find(q, key); err != nil {
		return err
	}
	delete(s.uploads, q.Get("uploadId"))
	w.WriteHeader(http.StatusNoContent)
	return nil
}
