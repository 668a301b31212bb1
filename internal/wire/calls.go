package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// CallList spells a page of calls.
func CallList(l frontdesk.List[frontdesk.Call]) []byte {
	size := 128
	for _, c := range l.Items {
		size += len(c.Summary) + 512
	}
	id := func(c frontdesk.Call) frontdesk.ID { return c.ID }
	return appendList(make([]byte, 0, size), l, id, appendCall)
}

// CallEnvelope spells one call with its transcript.
func CallEnvelope(c frontdesk.Call) []byte {
	b := make([]byte, 0, len(c.Summary)+len(c.Transcript)+512)
	b = append(b, `{"call":`...)
	b = appendCall(b, c)
	b = append(b[:len(b)-1], `,"transcript":`...)
	if c.Transcript == nil {
		return append(b, `null}}`...) // it was kept long enough
	}
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
	b = append(b, `,"counted":`...)
	b = strconv.AppendBool(b, !c.Uncounted)
	b = appendNullable(b, `,"agent_id":`, string(c.AgentID))
	b = appendNullable(b, `,"caller":`, c.Caller)
	b = appendNullable(b, `,"number":`, c.Number)
	told, ids := readSummary(c)
	b = append(b, `,"capture_ids":`...)
	b = appendIDs(b, ids)
	b = append(b, `,"summary":`...)
	b = append(b, told...)
	return append(b, '}')
}

func appendIDs(b []byte, ids []frontdesk.ID) []byte {
	b = append(b, '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, string(id))
	}
	return append(b, ']')
}

type summary struct {
	Text                string         `json:"text"`
	Title               string         `json:"title"`
	Intent              string         `json:"intent"`
	Reason              string         `json:"reason,omitzero"`
	Urgency             string         `json:"urgency"`
	Notes               string         `json:"notes,omitzero"`
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
		Text: s.Text, Title: s.Title, Intent: s.Intent, Reason: s.Reason, Urgency: cmp.Or(s.Urgency, frontdesk.Normal), Notes: s.Notes,
		KeyPoints: s.KeyPoints, UnansweredQuestions: s.UnansweredQuestions, CaptureIDs: s.CaptureIDs, Handoff: (*handoff)(s.Handoff),
	})
}

// urgencyKey stands in every summary of today and in none from before: inside a
// text its quotation marks would be escaped.
var urgencyKey = []byte(`"urgency":"`)

// readSummary is the summary of a call as it is shown, and what the call brought
// in. One that was stored in an earlier form is spelled anew.
func readSummary(c frontdesk.Call) (json.RawMessage, []frontdesk.ID) {
	if c.CaptureIDs != nil && bytes.Contains(c.Summary, urgencyKey) {
		return c.Summary, c.CaptureIDs
	}
	var s summary
	if err := jsonv2.Unmarshal(c.Summary, &s); err != nil { // show what there is
		return c.Summary, c.CaptureIDs
	}
	ids := c.CaptureIDs
	if ids == nil {
		ids = s.CaptureIDs
	}
	s.Urgency = cmp.Or(s.Urgency, frontdesk.Normal)
	if s.Handoff != nil {
		s.Handoff.Result = handoffResult(s.Handoff.Result)
	}
	told, err := encode(s)
	if err != nil {
		return c.Summary, ids
	}
	return told, ids
}

// handoffResult is one of today's results for one of any time: it used to be a
// word of its own, and in sample calls a sentence.
func handoffResult(result string) string {
	switch {
	case slices.Contains(frontdesk.HandoffResults, result):
		return result
	case result == "callback":
		return frontdesk.MessageTaken
	case result == "none":
		return frontdesk.NotPassedOn
	case strings.HasPrefix(result, "No answer"), strings.HasPrefix(result, "Nadie"):
		return frontdesk.MessageTaken
	}
	return frontdesk.Transferred
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
