package understanding

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// checker holds a model's claims against the caller's own words and the
// business's data. What stands in neither is no command.
type checker struct {
	setting    hearing.Setting
	background Background
	goods      goods
	text       string            // the caller's line
	rules      []hearing.Command // what the rules have heard in it
	earlier    []string          // what the caller said before, oldest first
}

// check are the claims that stand, as commands. Those of somebody who gives
// orders to the machine come to that alone.
func (c *checker) check(claims []claim) (all []hearing.Command) {
	for _, cl := range claims {
		if cl.do == hearing.DoMeddle {
			return []hearing.Command{{Do: hearing.DoMeddle}}
		}
		command, ok := c.command(cl, all)
		if ok {
			all = append(all, command)
		}
	}
	return all
}

// command is one claim as a command; before are the commands that stand already.
func (c *checker) command(cl claim, before []hearing.Command) (hearing.Command, bool) {
	at, quoted := c.find(cl.text)
	made := hearing.Command{Do: cl.do, Slot: cl.slot, Text: c.text[at[0]:at[1]], At: at}
	switch cl.do {
	case hearing.DoStart, hearing.DoAnother:
		made.Task, made.Text = tasks[cl.task], ""
		return made, quoted && made.Task != ""
	case hearing.DoSet, hearing.DoExclude:
		return c.value(cl, made, quoted)
	case hearing.DoRelate:
		return c.relation(cl, made, quoted, before)
	case hearing.DoItem:
		return c.item(cl)
	case hearing.DoAsk, hearing.DoNote, hearing.DoPerson:
		return made, quoted
	case hearing.DoMessage:
		made.Topic, made.Urgent = hearing.Topic(cl.topic), cl.urgency == "urgent"
		return made, quoted && slices.Contains(topics, made.Topic)
	case hearing.DoChoose:
		n, err := strconv.Atoi(cl.value)
		made.Value = cl.value
		return made, err == nil && (n == -1 || n >= 1 && n <= len(c.setting.Offered)) && len(c.setting.Offered) > 0
	case hearing.DoAny, hearing.DoUnknown:
		return made, cl.slot != hearing.SlotConfirm
	}
	return made, slices.Contains(bareVerbs, cl.do)
}

// value is a value for a slot, or one that is refused.
func (c *checker) value(cl claim, made hearing.Command, quoted bool) (hearing.Command, bool) {
	made.Value = cl.value
	switch cl.slot {
	case hearing.SlotService:
		s, ok := c.service(cl.value)
		made.Value, made.Services = s.ID, []catalogue.Service{s}
		return made, ok && quoted
	case hearing.SlotDate, hearing.SlotTime:
		when, ok := c.when(cl, made)
		made.When = when
		return made, ok && quoted
	case hearing.SlotPartySize:
		made.Value = strconv.Itoa(c.people(cl.value, made.Text))
		return made, quoted && made.Value != "0"
	case hearing.SlotName:
		made.Value = c.reread(cl.value, hearing.SlotName).Name
		return made, made.Value != "" && c.saidEach(made.Value)
	case hearing.SlotPhone:
		made.Value = c.reread(cl.value, hearing.SlotPhone).Phone
		return made, made.Value != "" && c.saidPhone(made.Value, made.Text)
	case hearing.SlotEmail:
		made.Value = c.reread(cl.value, hearing.SlotEmail).Email
		return made, c.spelled(made.Value)
	case hearing.SlotCode:
		made.Value = c.reread(cl.value, hearing.SlotCode).Code
		return made, c.spelled(made.Value)
	}
	return made, false
}

// service is one of the business's, by its id or its name.
func (c *checker) service(value string) (catalogue.Service, bool) {
	same := func(name string) bool { return name != "" && language.Fold(name) == language.Fold(value) }
	for _, s := range c.goods.services {
		if s.ID == value || slices.ContainsFunc(s.AllNames(), same) {
			return s, true
		}
	}
	return catalogue.Service{}, false
}

// item is something that the business sells. Its variant or wish has to be said
// in words of the caller's or of the business's.
func (c *checker) item(cl claim) (hearing.Command, bool) {
	const most = 99
	made := hearing.Command{Do: hearing.DoItem, Value: cl.value, Quantity: cl.quantity, Text: cl.text}
	if !c.saidEach(cl.text) {
		made.Text = ""
	}
	return made, slices.Contains(c.goods.items, cl.value) && cl.quantity >= 1 && cl.quantity <= most
}

// mostPeople is how many may come together.
const mostPeople = 200

// people is how many the quoted words say. Where they hold numbers, it has to be
// one of them, or their sum; where they hold none, it is the model's conclusion.
func (c *checker) people(value, quote string) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > mostPeople {
		return 0
	}
	var said []int
	sum := 0
	for _, t := range language.Tokenize(quote) {
		if p := c.reread(t.Word, hearing.SlotPartySize).Party; p > 0 {
			said, sum = append(said, p), sum+p
		}
	}
	read := c.reread(quote, hearing.SlotPartySize).Party
	switch {
	case len(said) == 0 && read == 0, slices.Contains(said, n), sum == n, read == n:
		return n
	}
	return read
}

// reread is what the rules hear in a field, as the answer to a question for it.
func (c *checker) reread(text string, asked hearing.Slot) hearing.Gist {
	if text == "" {
		return hearing.Gist{}
	}
	s := c.setting
	s.Expect, s.Offered = asked, nil
	return hearing.Hear(text, s).Gist()
}

// find looks for words in the caller's line, one after the other, that say
// something, and returns where they stand.
func (c *checker) find(words string) (at [2]int, ok bool) {
	quote, said := language.Tokenize(words), language.Tokenize(c.text)
	if len(quote) == 0 || len(quote) < len(said) && !slices.ContainsFunc(quote, carries) && c.setting.Expect == hearing.Nothing {
		return at, false
	}
	same := func(a, b language.Token) bool { return a.Word == b.Word || a.Word == c.stem(b) }
	for i := 0; i+len(quote) <= len(said); i++ {
		if slices.EqualFunc(quote, said[i:i+len(quote)], same) {
			return [2]int{said[i].Start, said[i+len(quote)-1].End}, true
		}
	}
	return at, false
}

// stem is a word of the line without what follows its apostrophe: the
// "thursday" of "thursday's".
func (c *checker) stem(t language.Token) string {
	word, _, _ := strings.Cut(strings.ReplaceAll(c.text[t.Start:t.End], "’", "'"), "'")
	return language.Fold(word)
}

// carries says whether a word does more than hold a sentence together.
func carries(t language.Token) bool {
	return !slices.ContainsFunc(language.Codes(), func(code string) bool { return lexicon.Grammar(code, t.Word) })
}

// lines are those that may hold an answer to the question for a slot: this one,
// and when the slot is being asked for the ones before, in which the rules may
// have missed it.
func (c *checker) lines(slot hearing.Slot) string {
	if c.setting.Expect == slot {
		return strings.Join(append(slices.Clone(c.earlier), c.text), " ")
	}
	return c.text
}

// saidEach says whether each word of a text was said, or spelled.
func (c *checker) saidEach(text string) bool {
	const shortest = 3 // letters that are not there by chance
	line := c.lines(hearing.SlotName)
	said := language.Tokenize(line)
	spelled := squeezed(line)
	for _, w := range language.Tokenize(text) {
		heard := slices.ContainsFunc(said, func(t language.Token) bool { return t.Word == w.Word })
		if !heard && (len(w.Word) < shortest || !strings.Contains(spelled, w.Word)) {
			return false
		}
	}
	return true
}

// saidPhone looks for the figures of a number. The code of the country may be
// missing when it is that of the business, or when words say it, "it's a Texas
// number", and there is such a number there.
func (c *checker) saidPhone(phone, quote string) bool {
	said := hearing.Figures(c.lines(hearing.SlotPhone))
	if strings.Contains(said, hearing.Figures(phone)) {
		return true
	}
	n, err := phonenumbers.Parse(phone, c.setting.Region)
	ours := int(n.GetCountryCode()) == phonenumbers.GetCountryCodeForRegion(c.setting.Region)
	worded := slices.ContainsFunc(language.Tokenize(quote), func(t language.Token) bool { return !t.Figures && carries(t) })
	return err == nil && (ours || worded && isNumber(phone)) && strings.Contains(said, phonenumbers.GetNationalSignificantNumber(n))
}

// isNumber says whether there can be such a telephone number.
func isNumber(phone string) bool {
	n, err := phonenumbers.Parse(phone, "ZZ")
	return err == nil && phonenumbers.IsValidNumber(n)
}

// spelled says whether the letters of a value stand in the caller's words, in
// their order, with signs and a word or two between them: "ana punto ruiz
// arroba example punto com".
func (c *checker) spelled(value string) bool {
	letters := squeezed(value)
	said := language.Tokenize(c.text)
	for i := range said {
		if letters != "" && spellsOut(letters, said[i:]) {
			return true
		}
	}
	return false
}

func spellsOut(letters string, said []language.Token) bool {
	const most = 2 // words between two pieces
	between := 0
	for _, t := range said {
		rest, ok := strings.CutPrefix(letters, t.Word)
		switch {
		case ok && rest == "":
			return true
		case ok:
			letters, between = rest, 0
		case between == most:
			return false
		default:
			between++
		}
	}
	return false
}

// language is the model's word for it, and only of a sentence: a name or a
// number does not switch the language.
func (c *checker) language(claims []claim) string {
	const sentence = 4 // words
	if len(claims) == 0 || !slices.Contains(language.Codes(), claims[0].language) || len(language.Tokenize(c.text)) < sentence {
		return ""
	}
	return claims[0].language
}

// squeezed is a text without what stands between its words.
func squeezed(text string) string {
	var b strings.Builder
	for _, t := range language.Tokenize(text) {
		b.WriteString(t.Word)
	}
	return b.String()
}
