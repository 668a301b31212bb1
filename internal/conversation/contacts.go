package conversation

import (
	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

func (t contacts) haveName() bool {
	if t.s.Person.Name != "" {
		return true
	}
	t.arrangement().ask(SlotName, t.withAddress("ask_name"), t.words("ask_name_again"))
	return false
}

// havePhone asks for a number, or where there is none for an e-mail address.
func (t contacts) havePhone() bool {
	task := &t.s.Task
	t.takeForeign()
	switch {
	case t.s.Person.Phone != "" || t.s.Person.Email != "" && task.Tries[SlotPhone] > 0:
		return true
	case t.s.Expect == SlotEmail && (t.heard.No || t.heard.DontKnow):
		t.arrangement().stuck(SlotPhone)
		return false
	case t.s.Expect == SlotEmail || t.withholdsPhone():
		t.arrangement().ask(SlotEmail, t.words("ask_email"), t.words("ask_email_again"))
		return false
	case task.Digits != "" && t.heard.BadPhone == task.Digits:
		t.sayText(t.words("which_country", "phone", task.Digits))
		t.expect(SlotPhone)
		return false
	}
	if bad := t.heard.BadPhone; bad != "" && t.s.Expect == SlotPhone {
		t.say("bad_phone", "phone", bad)
	}
	t.arrangement().ask(SlotPhone, t.withAddress(t.phoneQuestion()), t.words("ask_phone_again"))
	return false
}

// phoneQuestion asks for a number, and where the house confirms by mail for an
// address as well: one of them will do.
func (t contacts) phoneQuestion() string {
	told := t.agent.Settings.Notices.Customer
	if t.s.Task.Kind == Book && len(told) > 0 && told[0] == frontdesk.ByEmail && t.s.Person.Email == "" && !t.wantsAddress() {
		return "ask_phone_mail"
	}
	return "ask_phone"
}

// withholdsPhone says whether a number was asked for, and refused or not known. Who
// asks something first has not refused it.
func (t contacts) withholdsPhone() bool {
	h := t.heard
	return t.s.Expect == SlotPhone && (h.No || h.DontKnow) && h.BadPhone == "" && h.Question == "" && !t.replied
}

// takeForeign takes a number that is none of this country: after one question
// for the country it is accepted as it was said.
func (t contacts) takeForeign() {
	const fewest = 6 // digits of a number, wherever it is from
	h, task := t.heard, &t.s.Task
	switch {
	case t.s.Expect != SlotPhone || t.s.Person.Phone != "":
	case task.Digits != "" && h.Phone == "":
		t.s.Person.Phone = t.abroad(task.Digits, h.Text)
		task.Digits, t.changed = "", true
	case len(h.BadPhone) >= fewest:
		task.Digits = h.BadPhone
	}
}

// abroad is a number of the country that the caller names, or as it was said.
func (t contacts) abroad(digits, text string) string {
	for _, w := range language.Tokenize(text) {
		country, ok := t.mix.Value("countries", w.Word)
		if !ok {
			continue
		}
		if n, err := phonenumbers.Parse(digits, country); err == nil && phonenumbers.IsPossibleNumber(n) {
			return phonenumbers.Format(n, phonenumbers.E164)
		}
	}
	return digits
}

// spokenContact is how the caller can be reached, as it is said.
func (t contacts) spokenContact() string {
	if t.s.Person.Phone == "" {
		return t.s.Person.Email
	}
	return spokenPhone(t.s.Person.Phone)
}
