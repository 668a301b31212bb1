package wire

import (
	"encoding/json"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// CallList spells a page of calls.
func CallList(l frontdesk.List[frontdesk.Call]) []byte {
	size := 128
	for _, c := range l.Items {
		size += len(c.Summary) + 256
	}
	id := func(c frontdesk.Call) frontdesk.ID { return c.ID }
	return appendList(make([]byte, 0, size), l, id, appendCall)
}

// CallEnvelope spells one call with its transcript.
func CallEnvelope(c frontdesk.Call) []byte {
	b := make([]byte, 0, len(c.Summary)+len(c.Transcript)+320)
	b = append(b, `{"call":`...)
	b = appendCall(b, c)
	b = append(b[:len(b)-1], `,"transcript":`...)
	b = append(b, c.Transcript...)
	return append(b, `}}`...)
}

// Call spells a call as events carry it: without its transcript.
func Call(c frontdesk.Call) []byte { return appendCall(nil, c) }

func appendCall(b []byte, c frontdesk.Call) []byte {
	b = append(b, `{"id":"`...)
	b = append(b, c.ID...)
	b = append(b, `","object":"call","started_at":"`...)
	b = appendTime(b, c.StartedAt)
	b = append(b, `","duration_seconds":`...)
	b = strconv.AppendInt(b, int64(c.Duration), 10)
	b = append(b, `,"language":`...)
	b = appendString(b, c.Language)
	b = append(b, `,"outcome":`...)
	b = appendString(b, string(c.Outcome))
	b = append(b, `,"channel":`...)
	b = appendString(b, string(c.Channel))
	b = append(b, `,"summary":`...)
	b = append(b, c.Summary...)
	return append(b, '}')
}

type summary struct {
	Text                string         `json:"text"`
	Title               string         `json:"title"`
	Intent              string         `json:"intent"`
	KeyPoints           []string       `json:"key_points"`
	UnansweredQuestions []string       `json:"unanswered_questions"`
	CaptureIDs          []frontdesk.ID `json:"capture_ids"`
	Handoff             *handoff       `json:"handoff"`
}

type handoff struct {
	Reason string `json:"reason"`
	Result string `json:"result"`
}

// Summary spells a summary; this is the form it is stored in.
func Summary(s frontdesk.Summary) (json.RawMessage, error) {
	return encode(summary{
		Text: s.Text, Title: s.Title, Intent: s.Intent, KeyPoints: s.KeyPoints,
		UnansweredQuestions: s.UnansweredQuestions, CaptureIDs: s.CaptureIDs, Handoff: (*handoff)(s.Handoff),
	})
}

type transcript struct {
	Language string `json:"language"`
	Turns    []turn `json:"turns"`
}

type turn struct {
	Index       int            `json:"index"`
	Role        string         `json:"role"`
	Text        string         `json:"text"`
	Name        string         `json:"name,omitzero"`
	Arguments   map[string]any `json:"arguments,omitzero"`
	Result      map[string]any `json:"result,omitzero"`
	StartMS     int64          `json:"start_ms"`
	EndMS       int64          `json:"end_ms"`
	Language    string         `json:"language"`
	Interrupted bool           `json:"interrupted"`
}

// Transcript spells a transcript; this is the form it is stored in.
func Transcript(t frontdesk.Transcript) (json.RawMessage, error) {
	out := transcript{Language: t.Language, Turns: make([]turn, len(t.Turns))}
	for i, u := range t.Turns {
		out.Turns[i] = turn{
			Index: i, Role: u.Role, Text: u.Text, Name: u.Name, Arguments: u.Arguments, Result: u.Result,
			StartMS: u.Start.Milliseconds(), EndMS: u.End.Milliseconds(), Language: u.Language, Interrupted: u.Interrupted,
		}
	}
	return encode(out)
}

// encode mends text that is not UTF-8: what a vendor heard wrong must not cost
// the call.
func encode(v any) (json.RawMessage, error) {
	return jsonv2.Marshal(v, jsonv2.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}
