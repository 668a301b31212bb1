package conversation

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// trial holds a model's form against the caller's own words. Only what stands
// the test, and what the rules have not heard themselves, is added to Gist.
//
// A model's yes is never taken: what is written down on a yes is written down
// on one that the rules have heard.
type trial struct {
	Gist
	setting Setting
	menu    []catalogue.Service
	form    form
	earlier []string // what the caller said before, oldest first
}

func (t *trial) add() Gist {
	answered := answers(t.Gist, t.setting) // by the rules
	bare := len(t.Intents) == 0 && !answered
	wants := t.form.intents()
	if bare && slices.Contains(wants, Meddle) {
		t.Intents = []Intent{Meddle}
		return t.Gist // and nothing else from somebody who gives orders
	}
	t.addLanguage()
	if !answered {
		t.addAnswer()
	}
	t.addService()
	t.addWhen()
	t.addParty()
	t.addPerson()
	t.addCode()
	if bare {
		t.Intents = wants
	}
	t.addQuestion()
	return t.Gist
}

// addLanguage takes the model's word only for a sentence: a name or a number
// does not switch the language.
func (t *trial) addLanguage() {
	lang := t.form.text("language")
	if t.Language == "" && (lang == "es" || lang == "en") && len(foldedWords(t.Text)) >= 4 {
		t.Language = lang
	}
}

func (t *trial) addAnswer() {
	if t.form.text("answer") == "no" && len(t.Intents) == 0 {
		t.No = true
	}
	chooses := t.setting.Expect == SlotChoice || t.setting.Expect == SlotService
	if n := t.form.number("choice"); chooses && n >= 1 && n <= len(t.setting.Offered) {
		t.Choice, t.No = n, false
	}
}

// addService also settles which one is meant where the rules have heard several.
func (t *trial) addService() {
	id := t.form.text("service")
	among := t.menu
	if len(t.Services) > 0 {
		among = t.Services
	}
	i := slices.IndexFunc(among, func(s catalogue.Service) bool { return s.ID == id })
	if i >= 0 && len(t.Services) != 1 && quoted(t.form.text("service_said"), t.Text) {
		t.Services = []catalogue.Service{among[i]}
	}
}

func (t *trial) addWhen() {
	mentions := slices.Clone(t.When.Mentions)
	if _, heard := t.When.Day(); !heard {
		if d, ok := t.date(); ok {
			mentions = append(mentions, dates.Mention{Kind: dates.OneDay, Date: d, Counts: true})
		}
	}
	if _, heard := t.When.Time(); !heard {
		if c, ok := t.clock(); ok {
			mentions = append(mentions, dates.Mention{Kind: dates.AtClock, Clock: c, Counts: true})
		}
	}
	t.When.Mentions = mentions
}

// date is the model's, unless it lies behind us, years ahead, or is one that the
// caller has refused.
func (t *trial) date() (dates.Date, bool) {
	at, err := time.Parse(time.DateOnly, t.form.text("date"))
	if err != nil || !quoted(t.form.text("date_said"), t.Text) {
		return dates.Date{}, false
	}
	d, today := dates.DateOf(at), dates.DateOf(t.setting.Now)
	refused := slices.ContainsFunc(t.When.Mentions, func(m dates.Mention) bool { return m.Negated && m.Date == d })
	return d, !refused && !d.Before(today) && d.Before(today.AddDays(2*365))
}

func (t *trial) clock() (dates.Clock, bool) {
	at, err := time.Parse("15:04", t.form.text("time"))
	if err != nil || !quoted(t.form.text("time_said"), t.Text) {
		return dates.Clock{}, false
	}
	c := dates.Clock{Hour: at.Hour(), Minute: at.Minute()}
	refused := slices.ContainsFunc(t.When.Mentions, func(m dates.Mention) bool {
		return m.Negated && m.Kind == dates.AtClock && m.Clock.Hour%12 == c.Hour%12 && m.Clock.Minute == c.Minute
	})
	return c, !refused
}

func (t *trial) addParty() {
	const most = 200
	n := t.form.number("party_size")
	if t.Party == 0 && n >= 1 && n <= most && quoted(t.form.text("party_said"), t.When.Without(t.Text)) {
		t.Party = n
	}
}

// addPerson has the rules read each field as the answer to a question for it,
// and looks for what they read in the caller's words.
func (t *trial) addPerson() {
	if name := t.reread("name", SlotName).Name; t.Name == "" && name != "" && t.saidEach(foldedWords(name), SlotName) {
		t.Name = name
	}
	if phone := t.reread("phone", SlotPhone).Phone; t.Phone == "" && phone != "" && t.saidPhone(phone) {
		t.Phone, t.BadPhone = phone, ""
	}
	if email := t.reread("email", SlotEmail).Email; t.Email == "" && t.spelled(email) {
		t.Email = email
	}
}

func (t *trial) addCode() {
	if code := t.reread("code", SlotCode).Code; t.Code == "" && t.spelled(code) {
		t.Code = code
	}
}

// reread is what the rules hear in a field.
func (t *trial) reread(field string, asked Slot) Gist {
	text := t.form.text(field)
	if text == "" {
		return Gist{}
	}
	s := t.setting
	s.Expect, s.Offered = asked, nil
	return hearing.Hear(text, s).Gist()
}

// lines are those that may hold an answer to the question for a slot: this one,
// and when the slot is being asked for the ones before, in which the rules may
// have missed it.
func (t *trial) lines(slot Slot) []string {
	if t.setting.Expect == slot {
		return append(slices.Clone(t.earlier), t.Text)
	}
	return []string{t.Text}
}

func (t *trial) saidEach(words []string, slot Slot) bool {
	said := foldedWords(strings.Join(t.lines(slot), " "))
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(said, w) })
}

// saidPhone looks for the figures of a number. The code of the country may be
// missing only when it is that of the business.
func (t *trial) saidPhone(phone string) bool {
	said := figures(strings.Join(t.lines(SlotPhone), " "))
	if strings.Contains(said, figures(phone)) {
		return true
	}
	n, err := phonenumbers.Parse(phone, t.setting.Region)
	return err == nil && int(n.GetCountryCode()) == phonenumbers.GetCountryCodeForRegion(t.setting.Region) &&
		strings.Contains(said, phonenumbers.GetNationalSignificantNumber(n))
}

// spelled says whether the letters of a value stand in the caller's words, with
// whatever signs between them.
func (t *trial) spelled(value string) bool {
	letters := squeezed(value)
	return letters != "" && strings.Contains(squeezed(t.Text), letters)
}

// addQuestion keeps to the caller's words: a question is looked up and counted
// as it was asked.
func (t *trial) addQuestion() {
	q := t.form.text("question")
	switch {
	case t.Question != "":
		return
	case quoted(q, t.Text):
		t.Question = q
		if !t.Has(Ask) {
			t.Intents = append(slices.Clone(t.Intents), Ask)
		}
	case t.Has(Ask):
		t.Question = t.Text
	}
}

// quoted says whether words stand in a text, one after the other, and say
// something.
func quoted(words, text string) bool {
	quote, said := foldedWords(words), foldedWords(text)
	if !slices.ContainsFunc(quote, carries) {
		return false
	}
	for i := 0; i+len(quote) <= len(said); i++ {
		if slices.Equal(quote, said[i:i+len(quote)]) {
			return true
		}
	}
	return false
}

// carries says whether a word does more than hold a sentence together.
func carries(word string) bool {
	return !lexicon.Grammar(lexicon.Spanish, word) && !lexicon.Grammar(lexicon.English, word)
}

// foldedWords are the words of a text, folded, without signs.
func foldedWords(text string) []string {
	return strings.FieldsFunc(lexicon.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// squeezed is a text without its signs and without the words that callers say
// for signs: "ana punto ruiz arroba gmail punto com" and ana.ruiz@gmail.com are
// alike.
func squeezed(text string) string {
	return strings.Join(slices.DeleteFunc(foldedWords(text), func(w string) bool { return signs[w] }), "")
}

var signs = map[string]bool{
	"arroba": true, "at": true, "punto": true, "dot": true, "guion": true, "bajo": true, "medio": true,
	"dash": true, "hyphen": true, "underscore": true,
}

func figures(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
}
