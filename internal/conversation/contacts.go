package conversation

import (
	"errors"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// have asks who books, or waits, and how they are reached.
func (t contacts) have() bool {
	return t.haveName() && t.havePhone() && t.haveEmail() && t.haveAddress()
}

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
	case t.s.Expect == SlotEmail && (t.heard.No || t.heard.DontKnow || t.hasNoMail()), task.MailRefused && t.withholdsPhone():
		t.askPhoneAfterMail()
		return false
	case t.s.Expect == SlotEmail || t.withholdsPhone():
		t.arrangement().ask(SlotEmail, t.words("ask_email"), t.words("ask_email_again"))
		return false
	case task.Digits != "" && t.heard.BadPhone == task.Digits:
		t.sayText(t.words("which_country", "phone", task.Digits))
		t.expect(SlotPhone)
		return false
	}
	if t.offersOwnNumber() {
		return false
	}
	if bad := t.heard.BadPhone; bad != "" && t.s.Expect == SlotPhone {
		t.say("bad_phone", "phone", bad)
	}
	t.arrangement().ask(SlotPhone, t.withAddress(t.phoneQuestion()), t.words("ask_phone_again"))
	return false
}

// hasNoMail says whether the caller has told that there is no address.
func (t contacts) hasNoMail() bool {
	return t.mix.Phrases("without_mail").In(t.tokens(t.heard.Text))
}

// askPhoneAfterMail asks once more for the number of who has no address either: by now
// they may have found it.
func (t contacts) askPhoneAfterMail() {
	task := &t.s.Task
	if task.Tries[SlotPhone] >= maxTries || task.MailRefused {
		t.arrangement().stuck(SlotPhone)
		return
	}
	task.MailRefused = true
	t.arrangement().ask(SlotPhone, t.words("ask_phone_again"), t.words("ask_phone_again"))
}

// phoneQuestion asks for a number, and where the house confirms by mail for an
// address as well: one of them will do.
func (t contacts) phoneQuestion() string {
	if t.s.Task.Kind != Book || !t.wantsEmail() || t.wantsAddress() {
		return "ask_phone"
	}
	t.s.MailAsked = true
	return "ask_phone_mail"
}

// byMail says whether the house writes e-mails to its customers before anything else.
func (t contacts) byMail() bool {
	told := t.agent.Settings.Notices.Customer
	return len(told) > 0 && told[0] == frontdesk.ByEmail
}

// wantsEmail says whether an address is of use and was neither given nor asked for.
func (t contacts) wantsEmail() bool {
	if t.mix.Phrases("without_mail").In(t.tokens(t.heard.Text)) {
		t.s.MailAsked = true // who has none is not asked for it
	}
	return t.byMail() && t.s.Person.Email == "" && !t.s.MailAsked
}

// haveEmail asks once for an address where the number came without being asked for.
// Nobody is held up for want of one.
func (t contacts) haveEmail() bool {
	h := t.heard
	missed := t.s.Expect == SlotEmail && t.s.Person.Email == "" && !t.changed && !h.No && !h.DontKnow && t.s.Task.Tries[SlotEmail] < 2
	if !t.wantsEmail() && !missed {
		return true
	}
	t.s.MailAsked = true
	t.arrangement().ask(SlotEmail, t.words("ask_mail"), t.words("ask_email_again"))
	return false
}

// withholdsPhone says whether a number was asked for, and refused or not known. Who
// asks something first has not refused it.
func (t contacts) withholdsPhone() bool {
	h := t.heard
	onlyMail := t.s.MailAsked && t.mix.Phrases("without_mail").In(t.tokens(h.Text)) // of the two that were asked for
	return t.s.Expect == SlotPhone && t.offer != OfferNumber && (h.No || h.DontKnow) && h.BadPhone == "" && h.Question == "" && !t.replied && !onlyMail
}

// takeForeign takes a number that is none of this country: after one question
// for the country it is accepted as it was said.
func (t contacts) takeForeign() {
	const fewest, most = 6, 15 // digits of a number, wherever it is from
	h, task := t.heard, &t.s.Task
	switch {
	case t.s.Expect != SlotPhone || t.s.Person.Phone != "":
	case task.Digits != "" && h.Phone == "":
		t.s.Person.Phone = t.abroad(task.Digits, h.Text)
		task.Digits, t.changed = "", true
	case len(h.BadPhone) >= fewest && len(h.BadPhone) <= most:
		task.Digits = h.BadPhone
	}
}

// abroad is a number of the country that the caller names, one of this country where
// they only say it again and it may be one, or else as it was said.
func (t contacts) abroad(digits, text string) string {
	var countries []string
	for _, w := range language.Tokenize(text) {
		if country, ok := t.mix.Value("countries", w.Word); ok {
			countries = append(countries, country)
		}
	}
	if t.heard.BadPhone == digits {
		countries = append(countries, t.region)
	}
	for _, country := range countries {
		if n, err := phonenumbers.Parse(digits, country); err == nil && phonenumbers.IsPossibleNumber(n) {
			return phonenumbers.Format(n, phonenumbers.E164)
		}
	}
	return digits
}

// spokenContact is how the caller can be reached, as it is said.
func (t contacts) spokenContact() string {
	p, said := t.s.Person, []string{}
	if p.Phone != "" {
		said = append(said, t.words("by_phone", "phone", spokenPhone(p.Phone)))
	}
	if p.Email != "" {
		said = append(said, t.words("by_email", "email", p.Email))
	}
	return strings.Join(said, ", ")
}

// mostMails is how many addresses may be given afterwards in a conversation: to each
// of them a letter is sent.
const mostMails = 3

// mailAfterwards puts an address that is given when nothing is being arranged any more
// with what was written down last, so that its confirmation goes there.
func (t contacts) mailAfterwards() bool {
	i, h := t.s.lastWritten(), &t.heard
	if t.s.Task.Kind != "" || h.Email == "" || i < 0 {
		return false
	}
	e, done := t.s.Log[i], map[string]any{"kind": "address"}
	err := ErrAddressKept
	if t.s.Mails < mostMails {
		err = t.desk.Add(t.ctx, e.Capture, Addition{Email: h.Email})
	}
	if errors.Is(err, ErrAddressKept) {
		t.did("note", done, map[string]any{"error": "kept"})
		t.say("mail_kept")
		h.Messages, h.Yes, h.Email = nil, false, ""
		return false
	}
	if err != nil {
		t.did("note", done, map[string]any{"error": "unavailable"})
		return false
	}
	t.s.Mails++
	t.did("note", done, map[string]any{"added": 1})
	phrase := "mail_added"
	if !t.byMail() || e.Kind == Noted && e.Text != frontdesk.Waiting {
		phrase = "mail_noted"
	}
	t.say(phrase, "email", h.Email)
	t.s.Person.Email, h.Messages, h.Yes = h.Email, nil, false
	h.Intents = slices.DeleteFunc(h.Intents, func(i Intent) bool { return i == Leave || i == LookUp || i == Reschedule })
	return false // a question beside it is answered
}
