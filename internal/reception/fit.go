package reception

import (
	"encoding/json"
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// An event is frontdesk.MaxEventBody at most and holds what GET returns, so what
// is written down is kept within this from the start.
const maxSummary = 16 << 10 // bytes, encoded

// fitSummary encodes a summary, shortened as often as it takes to fit.
func fitSummary(s frontdesk.Summary) (json.RawMessage, error) {
	if h := s.Handoff; h != nil && !slices.Contains(frontdesk.HandoffResults, h.Result) {
		s.Handoff = &frontdesk.HandoffNote{Reason: h.Reason, Result: frontdesk.NotPassedOn}
	}
	for {
		text, err := wire.Summary(s)
		if err != nil || len(text) <= maxSummary {
			return text, err
		}
		s = shorter(s)
	}
}

// shorter is a summary of about half the length. What is said first stays.
func shorter(s frontdesk.Summary) frontdesk.Summary {
	s.Text, s.Title, s.Intent = half(s.Text), half(s.Title), half(s.Intent)
	s.Reason, s.Notes = half(s.Reason), half(s.Notes)
	s.KeyPoints, s.UnansweredQuestions = halves(s.KeyPoints), halves(s.UnansweredQuestions)
	s.CaptureIDs = s.CaptureIDs[:len(s.CaptureIDs)/2]
	if s.Handoff != nil {
		s.Handoff = &frontdesk.HandoffNote{Reason: half(s.Handoff.Reason), Result: s.Handoff.Result}
	}
	return s
}

// halves shortens the items, and drops the last ones of many.
func halves(items []string) []string {
	kept := make([]string, 0, len(items))
	for i, item := range items {
		if i < 4 || i < len(items)/2 {
			kept = append(kept, half(item))
		}
	}
	return kept
}

func half(s string) string { return frontdesk.Clip(s, len([]rune(s))/2) }
