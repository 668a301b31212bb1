package blobtest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	algorithm = "AWS4-HMAC-SHA256"
	unsigned  = "UNSIGNED-PAYLOAD"
)

var (
	errUnsigned  = failure{403, "AccessDenied", "The request is not signed as it has to be."}
	errUser      = failure{403, "InvalidAccessKeyId", "The access key does not exist in our records."}
	errScope     = failure{400, "AuthorizationHeaderMalformed", "The credential is not one of this region and day."}
	errSkewed    = failure{403, "RequestTimeTooSkewed", "The request's time and the server's are too far apart."}
	errBody      = failure{400, "XAmzContentSHA256Mismatch", "The provided hash does not match what was computed."}
	errSignature = failure{403, "SignatureDoesNotMatch", "The request signature we calculated does not match the one you provided."}
)

// checkSignature holds a request to version 4 of the signature, in its header,
// with the hash of the whole body. A body that is not hashed is refused: over
// plain HTTP nothing else would tell that it was changed.
func checkSignature(r *http.Request, body []byte) error {
	fields, ok := strings.CutPrefix(r.Header.Get("Authorization"), algorithm+" ")
	if !ok {
		return errUnsigned
	}
	auth := map[string]string{}
	for field := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		auth[name] = value
	}
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil || time.Since(at).Abs() > 15*time.Minute {
		return errSkewed
	}
	user, scope, _ := strings.Cut(auth["Credential"], "/")
	if user != AccessKey.Reveal() {
		return errUser
	}
	if scope != at.Format("20060102")+"/"+Region+"/s3/aws4_request" {
		return errScope
	}
	if claimed := r.Header.Get("X-Amz-Content-Sha256"); claimed != hash(body) && (claimed != unsigned || len(body) > 0) {
		return errBody
	}
	signed := strings.Split(auth["SignedHeaders"], ";")
	for _, needed := range []string{"host", "x-amz-content-sha256", "x-amz-date"} {
		if !slices.Contains(signed, needed) {
			return errUnsigned
		}
	}
	want := sign(scope, algorithm+"\n"+r.Header.Get("X-Amz-Date")+"\n"+scope+"\n"+hash([]byte(canonical(r, signed))))
	if !hmac.Equal([]byte(want), []byte(auth["Signature"])) {
		return errSignature
	}
	return nil
}

// canonical is the request in the form that is signed.
func canonical(r *http.Request, signed []string) string {
	lines := []string{r.Method, r.URL.EscapedPath(), canonicalQuery(r.URL.Query())}
	for _, name := range signed {
		value := strings.Join(r.Header.Values(name), ",")
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = r.Header.Get("Content-Length")
		}
		lines = append(lines, name+":"+strings.TrimSpace(value))
	}
	lines = append(lines, "", strings.Join(signed, ";"), r.Header.Get("X-Amz-Content-Sha256"))
	return strings.Join(lines, "\n")
}

func canonicalQuery(q url.Values) string {
	return strings.ReplaceAll(q.Encode(), "+", "%20")
}

func sign(scope, text string) string {
	key := []byte("AWS4" + SecretKey.Reveal())
	for part := range strings.SplitSeq(scope, "/") {
		key = mac(key, part)
	}
	return hex.EncodeToString(mac(key, text))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func hash(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
