package console

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
)

// said is what the next page tells about what was just done, and how to take it
// back.
type said struct {
	Text   string      `json:"t"`
	Action string      `json:"a,omitempty"` // of the form that takes it back, below the place; "": it cannot be
	Fields [][2]string `json:"f,omitempty"`
}

const saidCookie = "frontdesk_said"

// done sends the browser on, to a page that says what was done.
func (v *visit) done(address string, s said) answer {
	text, err := json.Marshal(s)
	if err == nil && len(text) < 2900 { // more than a cookie holds is not said
		v.setCookie(&http.Cookie{Name: saidCookie, Value: base64.RawURLEncoding.EncodeToString(append(v.signature(text), text...)), MaxAge: 60})
	}
	return v.redirect(address)
}

// takeSaid is what was said for this page, once.
func (v *visit) takeSaid() *said {
	cookie, err := v.http.Cookie(saidCookie)
	if err != nil || v.htmx() || v.http.Method != get {
		return nil
	}
	v.setCookie(&http.Cookie{Name: saidCookie, MaxAge: -1})
	kept, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || len(kept) < sha256.Size || v.sessionToken() == "" {
		return nil
	}
	signature, text := kept[:sha256.Size], kept[sha256.Size:]
	var s said
	if !hmac.Equal(signature, v.signature(text)) || json.Unmarshal(text, &s) != nil || strings.Contains(s.Action, ":") || strings.Contains(s.Action, "..") || strings.HasPrefix(s.Action, "/") {
		return nil
	}
	return &s
}

// signature proves that this console said a text to this browser: a page on
// another name below the same domain can set the cookie, and does not know the
// secret of the session.
func (v *visit) signature(text []byte) []byte {
	mac := hmac.New(sha256.New, []byte(v.sessionToken()))
	mac.Write([]byte(saidCookie + "\n"))
	mac.Write(text)
	return mac.Sum(nil)
}

// setCookie sets a cookie of the console, which no script reads and no other
// site's page sends.
func (v *visit) setCookie(c *http.Cookie) {
	c.Path, c.HttpOnly, c.SameSite, c.Secure = "/", true, http.SameSiteLaxMode, !v.plain()
	v.header.Add("Set-Cookie", c.String())
}
