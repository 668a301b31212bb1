package wire

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// AnswerShape is the answer to a question of a test.
type AnswerShape struct {
	Question     string           `json:"question"`
	Livemode     bool             `json:"livemode"`
	Answered     bool             `json:"answered"`
	Answer       *string          `json:"answer"`
	MessageES    string           `json:"message_es"`
	MessageEN    string           `json:"message_en"`
	Sources      []sourceShape    `json:"sources"`
	Fragments    []fragmentAnswer `json:"fragments"`
	MatchPct     float64          `json:"match_pct"`
	ThresholdPct int              `json:"threshold_pct"`
	Confidence   string           `json:"confidence"`
	Explanation  string           `json:"explanation"`
	ElapsedMS    float64          `json:"elapsed_ms"`
}

type sourceShape struct {
	DocumentID frontdesk.ID `json:"document_id"`
	Title      string       `json:"title"`
	Kind       string       `json:"kind"`
	MatchPct   float64      `json:"match_pct"`
}

type fragmentAnswer struct {
	ID         frontdesk.ID `json:"id"`
	DocumentID frontdesk.ID `json:"document_id"`
	Title      string       `json:"title"`
	Text       string       `json:"text"`
	Position   int          `json:"position"`
	Page       *int         `json:"page"`
	MatchPct   float64      `json:"match_pct"`
	Used       bool         `json:"used"`
}

// Answer spells an answer.
func Answer(a frontdesk.Answer, live bool) AnswerShape {
	s := AnswerShape{
		Question: a.Question, Livemode: live, Answered: a.Answered, Answer: maybe(a.Text), MessageES: a.Say("es"), MessageEN: a.Say("en"),
		Sources: []sourceShape{}, Fragments: []fragmentAnswer{}, MatchPct: a.MatchPct, ThresholdPct: a.ThresholdPct,
		Confidence: a.Confidence, Explanation: a.Explanation, ElapsedMS: float64(a.Took.Microseconds()) / 1000,
	}
	for _, h := range a.Hits {
		s.Fragments = append(s.Fragments, fragmentAnswer{
			h.Fragment.ID, h.Fragment.DocumentID, h.Title, h.Fragment.Text, h.Fragment.Position, maybe(h.Fragment.Page), h.MatchPct, h.Used,
		})
		if h.Used && !slices.ContainsFunc(s.Sources, func(o sourceShape) bool { return o.DocumentID == h.Fragment.DocumentID }) {
			s.Sources = append(s.Sources, sourceShape{h.Fragment.DocumentID, h.Title, string(h.Kind), h.MatchPct})
		}
	}
	return s
}
