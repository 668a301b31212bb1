package console

import (
	"encoding/base64"
	"net/http"
)

// challengeCookie holds a passkey's challenge between the question and the answer.
const challengeCookie = "frontdesk_challenge"

// keepChallenge gives the browser the state of a question to a passkey, for the
// five minutes that it has to answer.
func keepChallenge(v *visit, state []byte) {
	setChallenge(v, base64.RawURLEncoding.EncodeToString(state), 5*60)
}

// takeChallenge is the state that the browser kept, once; nil where there is none.
func takeChallenge(v *visit) []byte {
	cookie, err := v.http.Cookie(challengeCookie)
	if err != nil {
		return nil
	}
	setChallenge(v, "", -1)
	state, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return nil
	}
	return state
}

func setChallenge(v *visit, value string, age int) {
	cookie := http.Cookie{
		Name: challengeCookie, Value: value, MaxAge: age, Path: Path, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: !v.plain(),
	}
	v.header.Add("Set-Cookie", cookie.String())
}
