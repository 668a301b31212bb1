package wire

import (
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// ReadSummary is the summary of a call, whatever form it was stored in.
func ReadSummary(c frontdesk.Call) (frontdesk.Summary, error) {
	told, ids := readSummary(c)
	var s summary
	if len(told) > 0 {
		if err := jsonv2.Unmarshal(told, &s); err != nil {
			return frontdesk.Summary{}, fmt.Errorf("reading the summary of the call %s: %w", c.ID, err)
		}
	}
	return frontdesk.Summary{
		Text: s.Text, Title: s.Title, Intent: s.Intent, Reason: s.Reason, Urgency: s.Urgency, Notes: s.Notes, KeyPoints: s.KeyPoints,
		UnansweredQuestions: s.UnansweredQuestions, CaptureIDs: ids, Handoff: (*frontdesk.HandoffNote)(s.Handoff),
	}, nil
}

// ReadTranscript is the transcript of a call that was read with it.
func ReadTranscript(c frontdesk.Call) (frontdesk.Transcript, error) {
	var t transcript
	if len(c.Transcript) > 0 {
		if err := jsonv2.Unmarshal(c.Transcript, &t); err != nil {
			return frontdesk.Transcript{}, fmt.Errorf("reading the transcript of the call %s: %w", c.ID, err)
		}
	}
	out := frontdesk.Transcript{Language: t.Language, Turns: make([]frontdesk.Turn, len(t.Turns))}
	for i, u := range t.Turns {
		out.Turns[i] = frontdesk.Turn{
			Role: u.Role, Text: u.Text, Name: u.Name, Arguments: u.Arguments, Result: u.Result, Language: u.Language, Interrupted: u.Interrupted,
			Start: time.Duration(u.StartMS) * time.Millisecond, End: time.Duration(u.EndMS) * time.Millisecond,
		}
	}
	return out, nil
}
