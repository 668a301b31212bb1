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

// widget is the script that page and sites run. It is served as it is written:
// there is no step between the two.
//
//go:embed widget.js
var widget []byte

var (
	widgetPacked = pack(widget)
	widgetTag    = tagOf(widget)
)

// script serves the widget. Sites load it with every page of theirs, so it is
// kept by browsers for a while and then asked for by its tag.
func (s *Web) script(v *visit) (answer, error) {
	v.header.Set("Cache-Control", "public, max-age=300")
	v.header.Set("ETag", widgetTag)
	v.header.Set("Vary", "Accept-Encoding")
	v.header.Set("Access-Control-Allow-Origin", "*")
	v.header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if tagged(v.http.Header.Get("If-None-Match"), widgetTag) {
		return answer{status: http.StatusNotModified}, nil
	}
	a := answer{status: http.StatusOK, contentType: "text/javascript; charset=utf-8", body: widget}
	if takesGzip(v.http.Header.Get("Accept-Encoding")) {
		v.header.Set("Content-Encoding", "gzip")
		a.body = widgetPacked
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
