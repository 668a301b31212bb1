package frontdesk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Rules are a business's own for its calls. The first that fits counts.
type Rules []Rule

// Rule says what to do when something is so.
type Rule struct {
	When      RuleWhen
	Do        string            // one of RuleActions
	ServiceID string            // DoBook: what is booked; "": the caller chooses
	Say       map[string]string // by language; of DoSay what is said, of others what is said first
}

// What a rule can do.
const (
	DoMessage = "message" // take a message
	DoPerson  = "person"  // pass the caller on to a person
	DoBook    = "book"    // book the rule's service
	DoSay     = "say"     // say something, and go on
)

// RuleActions are all of them.
var RuleActions = []string{DoMessage, DoPerson, DoBook, DoSay}

// RuleWhen is when a rule fits: when all that is given is so. Nothing given
// always is.
type RuleWhen struct {
	Topic     string   // the call is about this
	Words     []string // the caller has said one of these
	PartyOver int      // more people than this come
	From, To  string   // the business's clock is in between, HH:MM; To at or before From is on the next day
	Days      []int    // it is one of these days: 0 is Monday
}

// Situation is what rules look at.
type Situation struct {
	Topic string
	Party int                      // people; 0: not known
	At    time.Time                // on the business's clock
	Said  func(phrase string) bool // whether the caller has said something like it; nil: nothing was said
}

// First is the first rule that fits.
func (rules Rules) First(s Situation) (Rule, bool) {
	for _, r := range rules {
		if r.When.fits(s) {
			return r, true
		}
	}
	return Rule{}, false
}

func (w RuleWhen) fits(s Situation) bool {
	switch {
	case w.Topic != "" && w.Topic != s.Topic:
		return false
	case w.PartyOver > 0 && s.Party <= w.PartyOver:
		return false
	case len(w.Words) > 0 && (s.Said == nil || !slices.ContainsFunc(w.Words, s.Said)):
		return false
	}
	return w.fitsClock(s.At)
}

// fitsClock says whether a moment is within the hours and days. After midnight
// it is still the day on which the hours began.
func (w RuleWhen) fitsClock(at time.Time) bool {
	clock, day := at.Format("15:04"), (int(at.Weekday())+6)%7
	from, to := cmp.Or(w.From, "00:00"), cmp.Or(w.To, "24:00")
	if from < to {
		return clock >= from && clock < to && w.onDay(day)
	}
	return clock >= from && w.onDay(day) || clock < to && w.onDay((day+6)%7)
}

func (w RuleWhen) onDay(day int) bool { return len(w.Days) == 0 || slices.Contains(w.Days, day) }

// The bounds of rules.
const (
	maxRules     = 100
	maxRuleTopic = 60   // characters
	maxRuleWords = 50   // of one rule
	maxRuleWord  = 100  // characters
	maxRuleSay   = 1000 // characters
	maxRuleID    = 200  // characters of a service's id
)

// Check holds the rules to their bounds. It names the place of a fault:
// rules[2].when.from.
func (rules Rules) Check() error {
	if len(rules) > maxRules {
		return InvalidParam("rules", "There can be %d rules at most.", maxRules)
	}
	for i, r := range rules {
		if err := r.check(fmt.Sprintf("rules[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

func (r Rule) check(at string) error {
	if !slices.Contains(RuleActions, r.Do) {
		return InvalidParam(at+".do", "%s.do must be one of %s.", at, strings.Join(RuleActions, ", "))
	}
	if r.ServiceID != "" && r.Do != DoBook {
		return InvalidParam(at+".service_id", "%s.service_id goes with do %q alone.", at, DoBook)
	}
	if utf8.RuneCountInString(r.ServiceID) > maxRuleID {
		return InvalidParam(at+".service_id", "%s.service_id can have %d characters at most.", at, maxRuleID)
	}
	if r.Do == DoSay && len(r.Say) == 0 {
		return InvalidParam(at+".say", "%s.say is missing: it is what do %q says.", at, DoSay)
	}
	for language, text := range r.Say {
		if !slices.Contains(Languages, language) {
			return InvalidParam(at+".say", "%s.say has no language %q; there are: %s.", at, language, strings.Join(Languages, ", "))
		}
		if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > maxRuleSay {
			return InvalidParam(at+".say."+language, "%s.say.%s must have 1 to %d characters.", at, language, maxRuleSay)
		}
	}
	return r.When.check(at + ".when")
}

func (w RuleWhen) check(at string) error {
	if utf8.RuneCountInString(w.Topic) > maxRuleTopic {
		return InvalidParam(at+".topic", "%s.topic can have %d characters at most.", at, maxRuleTopic)
	}
	if len(w.Words) > maxRuleWords {
		return InvalidParam(at+".words", "%s.words can have %d entries at most.", at, maxRuleWords)
	}
	for i, word := range w.Words {
		if strings.TrimSpace(word) == "" || utf8.RuneCountInString(word) > maxRuleWord {
			return InvalidParam(fmt.Sprintf("%s.words[%d]", at, i), "%s.words[%d] must have 1 to %d characters.", at, i, maxRuleWord)
		}
	}
	if w.PartyOver < 0 || w.PartyOver > maxCapacity {
		return InvalidParam(at+".party_over", "%s.party_over must be 1 to %d.", at, maxCapacity)
	}
	if w.From != "" && !isClock(w.From) {
		return InvalidParam(at+".from", "%s.from must be a time such as 09:30.", at)
	}
	if w.To != "" && !isClock(w.To) && w.To != "24:00" {
		return InvalidParam(at+".to", "%s.to must be a time such as 21:00, or 24:00.", at)
	}
	for i, day := range w.Days {
		if day < 0 || day > 6 {
			return InvalidParam(fmt.Sprintf("%s.days[%d]", at, i), "%s.days are 0 (Monday) to 6 (Sunday).", at)
		}
	}
	if len(w.Days) > 7 {
		return InvalidParam(at+".days", "%s.days can have 7 entries at most.", at)
	}
	return nil
}

// isClock says whether s is a time of the day, HH:MM.
func isClock(s string) bool {
	_, err := time.Parse("15:04", s)
	return err == nil && len(s) == len("15:04")
}
