package notice

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
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
	refusal(body []byte) refusal
}

// refusal is what a carrier says when it does not take a message.
type refusal struct {
	code  string
	words string
	// number says whether it is about the number written to, which nobody here
	// can mend: no mobile, or its owner has unsubscribed.
	number bool
}

// say is the refusal for people, shortened and without the number: it is logged.
func (r refusal) say(number string) string {
	if r.code == "" && r.words == "" {
		return ""
	}
	words := r.words
	for _, spelled := range []string{number, strings.TrimPrefix(number, "+")} {
		if spelled != "" {
			words = strings.ReplaceAll(words, spelled, "the number")
		}
	}
	return "It says (" + clip(r.code) + "): " + clip(plain(words))
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
		no := t.carrier.refusal(body)
		return frontdesk.SendResult{
			ErrorCode: frontdesk.NoticeRefused, ForGood: no.number || !mayBeMended(code), RetryAfter: retryAfter(answer.Header),
			Message: strings.TrimSpace(fmt.Sprintf("The carrier answered %d. %s", code, no.say(message.To))),
		}
	}
}

// mayBeMended says whether a carrier's answer may be another one later, although
// the message is the same: the key is mended by the operator, and some answers
// only say that it was too slow, or too soon.
func mayBeMended(code int) bool {
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusPaymentRequired, http.StatusRequestTimeout, http.StatusTooEarly:
		return true
	}
	return false
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

// aboutNumber are Twilio's codes that are about the number written to.
var aboutNumber = []int{21211, 21408, 21610, 21612, 21614, 21635}

func (twilio) refusal(body []byte) refusal {
	var answer struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Code == 0 {
		return refusal{}
	}
	return refusal{code: strconv.Itoa(answer.Code), words: answer.Message, number: slices.Contains(aboutNumber, answer.Code)}
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

// notToNumber are Telnyx's codes that are about the number written to.
var notToNumber = []string{"10002", "10016", "40001", "40012", "40300", "40310"}

func (telnyx) refusal(body []byte) refusal {
	var answer struct {
		Errors []struct {
			Code   string `json:"code"`
			Title  string `json:"title"`
			Detail string `json:"detail"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &answer) != nil || len(answer.Errors) == 0 {
		return refusal{}
	}
	first := answer.Errors[0]
	return refusal{code: first.Code, words: cmp.Or(first.Detail, first.Title), number: slices.Contains(notToNumber, first.Code)}
}

// clip bounds what is kept of a carrier's words.
func clip(s string) string {
	const most = 300
	if len(s) > most {
		s = s[:most]
	}
	return strings.ToValidUTF8(s, "")
}
