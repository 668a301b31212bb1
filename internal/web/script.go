package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"strings"
)

// The scripts that page and sites run: the widget, what it loads for who speaks, and
// what of that runs beside the page. They are served as they are written: there is no
// step between the two.
var (
	//go:embed widget.js
	widget []byte
	//go:embed voice.js
	voiceScript []byte
	//go:embed voice-sound.js
	soundScript []byte

	scripts = map[string]*script{
		"/widget.js":      newScript(widget),
		"/voice.js":       newScript(voiceScript),
		"/voice-sound.js": newScript(soundScript),
	}
)

// script is a file that browsers run.
type script struct {
	text, packed []byte
	tag          string
}

func newScript(text []byte) *script { return &script{text, pack(text), tagOf(text)} }

// serve serves a script. Sites load the widget with every page of theirs, so it is kept
// by browsers for a while and then asked for by its tag.
func (s *script) serve(v *visit) (answer, error) {
	v.header.Set("Cache-Control", "public, max-age=300")
	v.header.Set("ETag", s.tag)
	v.header.Set("Vary", "Accept-Encoding")
	v.header.Set("Access-Control-Allow-Origin", "*")
	v.header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if tagged(v.http.Header.Get("If-None-Match"), s.tag) {
		return answer{status: http.StatusNotModified}, nil
	}
	a := answer{status: http.StatusOK, contentType: "text/javascript; charset=utf-8", body: s.text}
	if takesGzip(v.http.Header.Get("Accept-Encoding")) {
		v.header.Set("Content-Encoding", "gzip")
		a.body = s.packed
	}
	return a, nil
}

// tagOf is a weak tag: packed or not, the script is the same.
func tagOf(text []byte) string {
	sum := sha256.Sum256(text)
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// tagged says whether a tag is among those that a browser has.
func tagged(header, tag string) bool {
	for have := range strings.SplitSeq(header, ",") {
		have = strings.TrimSpace(have)
		if have == "*" || have != "" && strings.TrimPrefix(have, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

func takesGzip(header string) bool {
	for coding := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q := strings.TrimRight(strings.TrimPrefix(strings.ReplaceAll(quality, " ", ""), "q="), "0.")
			return quality == "" || q != ""
		}
	}
	return false
}

func pack(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one that there is
	w.Write(text)
	w.Close()
	return b.Bytes()
}
