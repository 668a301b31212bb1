package frontdesk

import "time"

// Answer is what the documents of a business have to say to a question.
type Answer struct {
	Question     string
	Answered     bool
	Text         string // in the document's own words; "" when it is not answered
	Language     string // of the text
	MatchPct     float64
	ThresholdPct int
	Confidence   string // none, low, medium, high
	Explanation  string
	Matched      []string    // words of the question that the best passage speaks of
	Missing      []string    // and those that it does not
	Hits         []AnswerHit // best first
	Took         time.Duration
}

// AnswerHit is a fragment that may answer a question.
type AnswerHit struct {
	Fragment Fragment
	Title    string
	Kind     DocumentKind
	MatchPct float64
	Used     bool
}

// MaxQuestion is how many characters a question has at most.
const MaxQuestion = 300

// Say is what the receptionist says to the question, in a language.
func (a Answer) Say(language string) string {
	if language == "es" {
		switch {
		case !a.Answered:
			return "No tengo esa información. ¿Quiere dejar su teléfono para que le llamen?"
		case a.Language == "en":
			return "Según nuestra información, en inglés: " + a.Text
		}
		return a.Text
	}
	switch {
	case !a.Answered:
		return "I don't have that information. Would you like to leave your number so that someone calls you back?"
	case a.Language == "es":
		return "Our information, in Spanish, says: " + a.Text
	}
	return a.Text
}
