package frontdesk

import "time"

// Answer is what the documents of a business have to say to a question.
type Answer struct {
	Question     string
	Answered     bool
	Text         string            // in the document's own words; "" when it is not answered
	Language     string            // of the text
	Worded       map[string]string // the best passage in each language in which we can word it, also when it is not likely enough: rows of tables
	Leads        map[string]string // what of the text we can word ourselves, before it is quoted in another language: yes or no, a price, a time
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
	if worded := a.Worded[language]; a.Answered && worded != "" {
		return worded
	}
	if language == "es" {
		switch {
		case !a.Answered:
			return "No tengo esa información. ¿Quiere dejar su teléfono para que le llamen?"
		case a.Language == "en":
			return a.lead(language) + "Según nuestra información, en inglés: " + a.Text
		}
		return a.Text
	}
	switch {
	case !a.Answered:
		return "I don't have that information. Would you like to leave your number so that someone calls you back?"
	case a.Language == "es":
		return a.lead(language) + "Our information, in Spanish, says: " + a.Text
	}
	return a.Text
}

func (a Answer) lead(language string) string {
	if lead := a.Leads[language]; lead != "" {
		return lead + " "
	}
	return ""
}
