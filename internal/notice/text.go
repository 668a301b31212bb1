package notice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Text sends text messages through a carrier.
type Text struct {
	carrier carrier
	client  *http.Client
}

// TextOptions say which carrier takes text messages, and who they are from.
type TextOptions struct {
	Carrier string           // telnyx, or twilio:ACCOUNT
	Key     frontdesk.Secret // its API key or token
	From    string           // the number or name that messages come from
	URL     string           // "": the carrier's own
	Client  *http.Client     // guarded
}

// carrier is what differs from one to the next: the request, and what its answer
// means.
type carrier interface {
	request(ctx context.Context, to, text string) (*http.Request, error)
	reference(body []byte) string
	failure(body []byte) string
}

// maxReply is how much of a carrier's answer is read.
const maxReply = 64 << 10

// NewText returns a sender. It talks to nobody yet.
func NewText(o TextOptions) (*Text, error) {
	if o.From == "" || o.Key == "" {
		return nil, errors.New("FRONTDESK_TEXT needs FRONTDESK_TEXT_KEY and FRONTDESK_TEXT_FROM as well")
	}
	name, account, _ := strings.Cut(o.Carrier, ":")
	switch {
	case name == "twilio" && account != "":
		return &Text{twilio{base: base(o.URL, "https://api.twilio.com"), account: account, key: o.Key, from: o.From}, o.Client}, nil
	case name == "telnyx" && account == "":
		return &Text{telnyx{base: base(o.URL, "https://api.telnyx.com"), key: o.Key, from: o.From}, o.Client}, nil
	}
	return nil, fmt.Errorf("FRONTDESK_TEXT is %q: expected telnyx, or twilio: and the account's SID", o.Carrier)
}

func base(set, own string) string {
	if set == "" {
		return own
	}
	return strings.TrimSuffix(set, "/")
}

// Send hands a message to the carrier.
func (t *Text) Send(ctx context.Context, message Message) frontdesk.SendResult {
	request, err := t.carrier.request(ctx, message.To, message.Short)
	if err != nil {
		return frontdesk.SendResult{ErrorCode: frontdesk.NoticeBadAnswer, ForGood: true, Message: "The text message cannot be written."}
	}
	answer, err := t.client.Do(request)
	if err != nil {
		return textFailure(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxReply))
	switch code := answer.StatusCode; {
	case err != nil:
		return textFailure(err)
	case code >= 200 && code < 300:
		return frontdesk.SendResult{Reference: t.carrier.reference(body)}
	case code == http.StatusTooManyRequests:
		return frontdesk.SendResult{ErrorCode: frontdesk.NoticeNoRoom, RetryAfter: retryAfter(answer.Header), Message: "The carrier takes no more messages for now."}
	case code >= 500:
		return frontdesk.SendResult{ErrorCode: frontdesk.HTTP5xx, RetryAfter: retryAfter(answer.Header), Message: fmt.Sprintf("The carrier answered %d.", code)}
	default:
		// 401 and 403 may be mended by the operator; the others stay as they are.
		own := code == http.StatusUnauthorized || code == http.StatusForbidden
		return frontdesk.SendResult{ErrorCode: frontdesk.NoticeRefused, ForGood: !own, Message: strings.TrimSpace(fmt.Sprintf("The carrier answered %d. %s", code, t.carrier.failure(body)))}
	}
}

func textFailure(err error) frontdesk.SendResult {
	var dns *net.DNSError
	var wait net.Error
	switch {
	case errors.As(err, &dns):
		return frontdesk.SendResult{ErrorCode: frontdesk.DNSFailed, Message: "The carrier's name is not known."}
	case errors.As(err, &wait) && wait.Timeout():
		return frontdesk.SendResult{ErrorCode: frontdesk.TimedOut, Message: "The carrier did not answer in time."}
	}
	return frontdesk.SendResult{ErrorCode: frontdesk.ConnectFailed, Message: "The carrier could not be talked to."}
}

func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

type twilio struct {
	base, account, from string
	key                 frontdesk.Secret
}

func (t twilio) request(ctx context.Context, to, text string) (*http.Request, error) {
	form := url.Values{"To": {to}, "Body": {text}}
	if strings.HasPrefix(t.from, "MG") { // a messaging service has numbers of its own
		form.Set("MessagingServiceSid", t.from)
	} else {
		form.Set("From", t.from)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base+"/2010-04-01/Accounts/"+url.PathEscape(t.account)+"/Messages.json", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(t.account, t.key.Reveal())
	return r, nil
}

func (twilio) reference(body []byte) string {
	var answer struct {
		SID string `json:"sid"`
	}
	_ = json.Unmarshal(body, &answer) // without a reference it is sent all the same
	return clip(answer.SID)
}

func (twilio) failure(body []byte) string {
	var answer struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Code == 0 {
		return ""
	}
	return clip(fmt.Sprintf("It says (%d): %s", answer.Code, answer.Message))
}

type telnyx struct {
	base, from string
	key        frontdesk.Secret
}

func (t telnyx) request(ctx context.Context, to, text string) (*http.Request, error) {
	body, err := json.Marshal(map[string]string{"from": t.from, "to": to, "text": text})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base+"/v2/messages", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+t.key.Reveal())
	return r, nil
}

func (telnyx) reference(body []byte) string {
	var answer struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	_ = json.Unmarshal(body, &answer) // without a reference it is sent all the same
	return clip(answer.Data.ID)
}

func (telnyx) failure(body []byte) string {
	var answer struct {
		Errors []struct {
			Code   string `json:"code"`
			Detail string `json:"detail"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &answer) != nil || len(answer.Errors) == 0 {
		return ""
	}
	return clip("It says (" + answer.Errors[0].Code + "): " + answer.Errors[0].Detail)
}

// clip bounds what is kept of a carrier's words.
func clip(s string) string {
	const most = 300
	if len(s) > most {
		s = s[:most]
	}
	return strings.ToValidUTF8(s, "")
}
