package blobtest

import (
	"cmp"
	"encoding/xml"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

type listed struct {
	Key          string
	LastModified string
	ETag         string
	Size         int
}

// list is ListObjectsV2 without a delimiter. The token is the last key given.
func (s *Server) list(w http.ResponseWriter, q url.Values) {
	answer := struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		Name                  string
		Prefix                string
		MaxKeys               int
		KeyCount              int
		IsTruncated           bool
		NextContinuationToken string `xml:",omitempty"`
		EncodingType          string `xml:",omitempty"`
		Contents              []listed
	}{Name: Bucket, Prefix: q.Get("prefix"), MaxKeys: s.pageOf(q.Get("max-keys")), EncodingType: q.Get("encoding-type")}
	after := cmp.Or(q.Get("continuation-token"), q.Get("start-after"))
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if key <= after || !strings.HasPrefix(key, answer.Prefix) {
			continue
		}
		if answer.KeyCount == answer.MaxKeys {
			answer.IsTruncated = true
			answer.NextContinuationToken = after
			break
		}
		o := s.objects[key]
		answer.Contents = append(answer.Contents, listed{url.QueryEscape(key), stamp(o.at), o.etag, len(o.data)})
		answer.KeyCount++
		after = key
	}
	reply(w, answer)
}

type listedUpload struct {
	Key       string
	UploadID  string `xml:"UploadId"`
	Initiated string
}

func (s *Server) listUploads(w http.ResponseWriter, q url.Values) {
	answer := struct {
		XMLName            xml.Name `xml:"ListMultipartUploadsResult"`
		Bucket             string
		NextKeyMarker      string
		NextUploadIDMarker string `xml:"NextUploadIdMarker"`
		IsTruncated        bool
		Upload             []listedUpload
	}{Bucket: Bucket}
	after := listedUpload{Key: q.Get("key-marker"), UploadID: q.Get("upload-id-marker")}
	for _, u := range s.sortedUploads() {
		if !strings.HasPrefix(u.Key, q.Get("prefix")) || byKey(u, after) <= 0 {
			continue
		}
		if len(answer.Upload) == s.pageOf(q.Get("max-uploads")) {
			answer.IsTruncated = true
			answer.NextKeyMarker, answer.NextUploadIDMarker = after.Key, after.UploadID
			break
		}
		answer.Upload = append(answer.Upload, u)
		after = u
	}
	reply(w, answer)
}

func (s *Server) sortedUploads() (all []listedUpload) {
	for id, u := range s.uploads {
		all = append(all, listedUpload{u.key, id, stamp(u.at)})
	}
	slices.SortFunc(all, byKey)
	return all
}

func byKey(a, b listedUpload) int {
	return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.UploadID, b.UploadID))
}

func (s *Server) pageOf(asked string) int {
	if n, err := strconv.Atoi(asked); err == nil && n > 0 {
		return min(n, s.page)
	}
	return s.page
}

// stamp is a time in the form of lists, which has whole seconds.
func stamp(t time.Time) string {
	return t.UTC().Truncate(time.Second).Format("2006-01-02T15:04:05.000Z")
}
