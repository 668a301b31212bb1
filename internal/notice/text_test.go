package notice_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
)

// carrier is a carrier's API that answers as it is told to, and keeps what it was
// asked.
func carrier(t *testing.T, status int, answer string, asked func(*http.Request, string)) *httptest.Server {
	t.Helper()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if asked != nil {
			asked(r, string(body))
		}
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s
}

func textTo(t *testing.T, s *httptest.Server, name, from string) frontdesk.SendResult {
	t.Helper()
	text, err := notice.NewText(notice.TextOptions{Carrier: name, Key: "secret", From: from, URL: s.URL + "/", Client: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return text.Send(ctx, notice.Message{To: "+34600111222", Short: "Hola, ¿qué tal?"})
}

func TestTwilio(t *testing.T) {
	t.Parallel()
	s := carrier(t, http.StatusCreated, `{"sid":"SM1","status":"queued"}`, func(r *http.Request, body string) {
		user, key, _ := r.BasicAuth()
		if r.Method != http.MethodPost || r.URL.Path != "/2010-04-01/Accounts/AC1/Messages.json" || user != "AC1" || key != "secret" {
			t.Errorf("%s %s by %s", r.Method, r.URL, user)
		}
		if want := "Body=Hola%2C+%C2%BFqu%C3%A9+tal%3F&From=%2B34900000000&To=%2B34600111222"; body != want {
			t.Errorf("body %s, want %s", body, want)
		}
	})
	if got := textTo(t, s, "twilio:AC1", "+34900000000"); got != (frontdesk.SendResult{Reference: "SM1"}) {
		t.Errorf("got %+v", got)
	}
	service := carrier(t, http.StatusCreated, `{"sid":"SM2"}`, func(_ *http.Request, body string) {
		if !strings.Contains(body, "MessagingServiceSid=MG1") || strings.Contains(body, "From=") {
			t.Errorf("body %s", body)
		}
	})
	if got := textTo(t, service, "twilio:AC1", "MG1"); got.Reference != "SM2" {
		t.Errorf("got %+v", got)
	}
}

func TestTelnyx(t *testing.T) {
	t.Parallel()
	s := carrier(t, http.StatusOK, `{"data":{"id":"b0c7"}}`, func(r *http.Request, body string) {
		var in map[string]string
		if err := json.Unmarshal([]byte(body), &in); err != nil || in["to"] != "+34600111222" || in["from"] != "+34900000000" || in["text"] != "Hola, ¿qué tal?" {
			t.Errorf("body %s, %v", body, err)
		}
		if r.URL.Path != "/v2/messages" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s by %s", r.URL, r.Header.Get("Authorization"))
		}
	})
	if got := textTo(t, s, "telnyx", "+34900000000"); got != (frontdesk.SendResult{Reference: "b0c7"}) {
		t.Errorf("got %+v", got)
	}
}

func TestWhatACarrierRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		carrier string
		status  int
		answer  string
		code    string
		forGood bool
		says    string
	}{
		"no such number, Twilio": {"twilio:AC1", 400, `{"code":21211,"message":"Invalid 'To' Phone Number"}`, frontdesk.NoticeRefused, true, "21211"},
		"no such number, Telnyx": {"telnyx", 422, `{"errors":[{"code":"40310","detail":"Invalid 'to' address"}]}`, frontdesk.NoticeRefused, true, "40310"},
		"a wrong key":            {"telnyx", 401, `{}`, frontdesk.NoticeRefused, false, "401"},
		"no mobile, Twilio": {
			"twilio:AC1", 400, `{"code":21614,"message":"'To' number is not a valid mobile number: +34600111222","more_info":"https://www.twilio.com/docs/errors/21614","status":400}`,
			frontdesk.NoticeRefused, true, "It says (21614): 'To' number is not a valid mobile number: the number",
		},
		"unsubscribed, Twilio": {
			"twilio:AC1", 400, `{"code":21610,"message":"Attempt to send to unsubscribed recipient","more_info":"https://www.twilio.com/docs/errors/21610","status":400}`,
			frontdesk.NoticeRefused, true, "The carrier answered 400. It says (21610): Attempt to send to unsubscribed recipient",
		},
		"a country that the account may not write to, Twilio": {
			"twilio:AC1", 403, `{"code":21408,"message":"Permission to send an SMS has not been enabled for the region","status":403}`,
			frontdesk.NoticeRefused, true, "(21408)",
		},
		"an account that is suspended, Twilio": {
			"twilio:AC1", 403, `{"code":20005,"message":"Account not active","status":403}`, frontdesk.NoticeRefused, false, "(20005): Account not active",
		},
		"a wrong key, Twilio": {"twilio:AC1", 401, `{"code":20003,"message":"Authenticate","status":401}`, frontdesk.NoticeRefused, false, "(20003)"},
		"unsubscribed, Telnyx": {
			"telnyx", 409, `{"errors":[{"code":"40300","title":"Blocked due to STOP message","detail":"Messages cannot be sent from +34900000000 to +34600111222 due to an existing block rule."}]}`,
			frontdesk.NoticeRefused, true, "It says (40300): Messages cannot be sent from +34900000000 to the number due to",
		},
		"unsubscribed, Telnyx, by 403": {"telnyx", 403, `{"errors":[{"code":"40300","title":"Blocked due to STOP message"}]}`, frontdesk.NoticeRefused, true, "(40300): Blocked"},
		"no mobile, Telnyx":            {"telnyx", 422, `{"errors":[{"code":"40001","title":"Not routable"}]}`, frontdesk.NoticeRefused, true, "(40001): Not routable"},
		"too many, Telnyx":             {"telnyx", 429, `{"errors":[{"code":"10011","title":"Too many requests"}]}`, frontdesk.NoticeNoRoom, false, ""},
		"too slow":                     {"telnyx", 408, `{"errors":[{"code":"10008","title":"Request timeout"}]}`, frontdesk.NoticeRefused, false, "408"},
		"broken, Twilio":               {"twilio:AC1", 500, `{"code":20500,"message":"Internal Server Error","status":500}`, frontdesk.HTTP5xx, false, "500"},
		"many words":                   {"twilio:AC1", 400, `{"code":1,"message":"` + strings.Repeat("x", 5000) + `"}`, frontdesk.NoticeRefused, true, "(1): xxx"},
		"too many":                     {"twilio:AC1", 429, ``, frontdesk.NoticeNoRoom, false, ""},
		"broken":                       {"telnyx", 503, `<html>`, frontdesk.HTTP5xx, false, "503"},
		"a redirect":                   {"telnyx", 302, ``, frontdesk.NoticeRefused, true, "302"},
		"an answer without sense":      {"telnyx", 400, `[[[`, frontdesk.NoticeRefused, true, "400"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := textTo(t, carrier(t, tt.status, tt.answer, nil), tt.carrier, "+34900000000")
			if got.ErrorCode != tt.code || got.ForGood != tt.forGood || !strings.Contains(got.Message, tt.says) {
				t.Errorf("got %+v", got)
			}
			if strings.Contains(got.Message, "600111222") || len(got.Message) > 400 {
				t.Errorf("it says %s", got.Message)
			}
		})
	}
	away := carrier(t, 200, "", nil)
	away.Close()
	if got := textTo(t, away, "telnyx", "+34900000000"); got.ErrorCode != frontdesk.ConnectFailed || got.ForGood {
		t.Errorf("when it is away: %+v", got)
	}
}

func TestCarriersThatThereAreNot(t *testing.T) {
	t.Parallel()
	for _, o := range []notice.TextOptions{
		{Carrier: "pigeon", Key: "k", From: "f"}, {Carrier: "twilio", Key: "k", From: "f"}, {Carrier: "telnyx", From: "f"}, {Carrier: "telnyx", Key: "k"},
	} {
		if _, err := notice.NewText(o); err == nil {
			t.Errorf("%s is taken", o.Carrier)
		}
	}
}
