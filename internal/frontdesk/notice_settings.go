package frontdesk

import (
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nyaruka/phonenumbers"
)

// NoticeSettings say who is told what of an agent's book. The zero value tells
// nobody anything.
type NoticeSettings struct {
	Customer  []NoticeChannel              // the first for which the customer left an address; none: customers are not told
	Reminders []time.Duration              // before an appointment; nil: DefaultReminders; empty: none
	Quiet     *Period                      // in which nobody is reminded; nil: DefaultQuiet
	Owner     OwnerNotices                 // what the business is told
	Countries []string                     // beside the business's own, to whose mobiles text messages may go: FR
	ReplyTo   string                       // where customers' answers to a mail go; "": to the sender
	Words     map[string]map[string]string // the owner's own words by kind and language, in place of ours
}

// OwnerNotices say how a business is told of what comes in.
type OwnerNotices struct {
	Emails []string
	Phones []string // for text messages, in E.164
	Daily  bool     // once a day rather than each thing at once; what is urgent comes at once all the same
	At     int      // minute of the day of the summary; 0: DefaultSummaryAt
}

// The defaults of notices.
var (
	DefaultReminders = []time.Duration{24 * time.Hour, 2 * time.Hour}
	DefaultQuiet     = Period{From: 21 * 60, To: 9 * 60}
)

// DefaultSummaryAt is the minute of the day at which a business gets its summary.
const DefaultSummaryAt = 7*60 + 30

// Told says whether anybody is told anything.
func (s NoticeSettings) Told() bool {
	return len(s.Customer) > 0 || len(s.Owner.Emails) > 0 || len(s.Owner.Phones) > 0
}

// Wants says which channels the settings need.
func (s NoticeSettings) Wants() (mail, text bool) {
	return slices.Contains(s.Customer, ByEmail) || len(s.Owner.Emails) > 0, slices.Contains(s.Customer, ByText) || len(s.Owner.Phones) > 0
}

// Unreachable says whether somebody is to be told whom none of the channels that
// there are reaches.
func (s NoticeSettings) Unreachable(mail, text bool) bool {
	customers := slices.ContainsFunc(s.Customer, func(c NoticeChannel) bool { return c == ByEmail && mail || c == ByText && text })
	return len(s.Customer) > 0 && !customers || len(s.Owner.Emails) > 0 && !mail || len(s.Owner.Phones) > 0 && !text
}

// RemindersBefore are Reminders, or the default.
func (s NoticeSettings) RemindersBefore() []time.Duration {
	if s.Reminders == nil {
		return DefaultReminders
	}
	return s.Reminders
}

// QuietHours are Quiet, or the default.
func (s NoticeSettings) QuietHours() Period {
	if s.Quiet == nil {
		return DefaultQuiet
	}
	return *s.Quiet
}

// QuietAround are the quiet hours that an instant lies in, if it does.
func (s NoticeSettings) QuietAround(at time.Time, zone *time.Location) (since, until time.Time, quiet bool) {
	hours := s.QuietHours()
	if hours.From == hours.To {
		return since, until, false
	}
	today := DateOf(at.In(zone))
	for _, day := range []Date{today.AddDays(-1), today} {
		since, until = day.At(hours.From, zone), day.At(hours.End(), zone)
		if !at.Before(since) && at.Before(until) {
			return since, until, true
		}
	}
	return since, until, false
}

// SummaryAt is the minute of the day of the summary.
func (o OwnerNotices) SummaryAt() int {
	if o.At == 0 {
		return DefaultSummaryAt
	}
	return o.At
}

// The bounds of notices.
const (
	maxOwners    = 5
	maxReminders = 4
	maxReminder  = 14 * 24 * time.Hour
	minReminder  = 15 * time.Minute
	maxWords     = 1000
)

// ownWords are the kinds whose words an owner can replace.
var ownWords = []NoticeKind{NoticeConfirmation, NoticeChange, NoticeCancellation, NoticeReminder, NoticeWaiting, NoticePlaceFree}

// ownGaps are what is filled in in such words.
var ownGaps = []string{"name", "service", "when", "former", "code", "with", "business", "phone", "link", "until"}

var gapPattern = regexp.MustCompile(`\{[^{}]*\}`)

// e164 is a telephone number as carriers take it.
var e164 = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)

// Check holds the settings to their bounds.
func (s NoticeSettings) Check() error {
	for _, c := range s.Customer {
		if !slices.Contains(NoticeChannels, c) {
			return InvalidParam("notices.customer", "There is no channel %q; there are: email, text.", c)
		}
	}
	if len(s.Reminders) > maxReminders {
		return InvalidParam("notices.reminders", "There can be %d reminders at most.", maxReminders)
	}
	for _, before := range s.Reminders {
		if before < minReminder || before > maxReminder {
			return InvalidParam("notices.reminders", "A reminder is 15 minutes to 14 days before the appointment.")
		}
	}
	for _, c := range s.Countries {
		if !phonenumbers.GetSupportedRegions()[c] {
			return InvalidParam("notices.countries", "There is no country %q; expected codes of ISO 3166 such as FR.", c)
		}
	}
	if s.ReplyTo != "" && !IsEmail(s.ReplyTo) {
		return InvalidParam("notices.reply_to", "%q is no e-mail address.", s.ReplyTo)
	}
	if err := s.Owner.check(); err != nil {
		return err
	}
	return s.checkWords()
}

func (o OwnerNotices) check() error {
	if len(o.Emails) > maxOwners || len(o.Phones) > maxOwners {
		return InvalidParam("notices.owner", "The business can be told at %d e-mail addresses and %d telephones at most.", maxOwners, maxOwners)
	}
	for _, a := range o.Emails {
		if !IsEmail(a) {
			return InvalidParam("notices.owner.emails", "%q is no e-mail address.", a)
		}
	}
	for _, p := range o.Phones {
		if !e164.MatchString(p) {
			return InvalidParam("notices.owner.phones", "%q is no telephone number with its country, such as +34600111222.", p)
		}
	}
	if o.At < 0 || o.At >= dayMinutes {
		return InvalidParam("notices.owner.at", "The summary comes at a time of the day, such as 07:30.")
	}
	return nil
}

func (s NoticeSettings) checkWords() error {
	for kind, texts := range s.Words {
		if !slices.Contains(ownWords, NoticeKind(kind)) {
			return InvalidParam("notices.words", "There are no words of one's own for %q; there are for: confirmation, change, cancellation, reminder, waiting, place_free.", kind)
		}
		for language, text := range texts {
			if !slices.Contains(Languages, language) {
				return InvalidParam("notices.words."+kind, "There is no language %q; there are: es, en.", language)
			}
			for _, gap := range gapPattern.FindAllString(text, -1) {
				if !slices.Contains(ownGaps, strings.Trim(gap, "{}")) {
					return InvalidParam("notices.words."+kind, "There is no %s to fill in; there are: {%s}.", gap, strings.Join(ownGaps, "}, {"))
				}
			}
			if text == "" || len(text) > maxWords {
				return InvalidParam("notices.words."+kind, "The words must have 1 to %d characters.", maxWords)
			}
		}
	}
	return nil
}

// IsEmail says whether a text is an e-mail address and nothing else.
func IsEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && len(s) <= 254 && !strings.ContainsAny(s, "\r\n")
}

// Textable is a telephone number that a text message may go to: a mobile of the
// country that the zone suggests, or of one of those listed. Others cost what
// strangers choose.
func Textable(phone, zone string, countries []string) string {
	home := CountryOf(zone)
	number, err := phonenumbers.Parse(phone, home)
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return ""
	}
	if region := phonenumbers.GetRegionCodeForNumber(number); region != home && !slices.Contains(countries, region) {
		return ""
	}
	switch phonenumbers.GetNumberType(number) {
	case phonenumbers.MOBILE, phonenumbers.FIXED_LINE_OR_MOBILE:
		return phonenumbers.Format(number, phonenumbers.E164)
	}
	return ""
}

// spokenIn are the countries whose people are written to in a language.
var spokenIn = map[string]string{
	"es": "AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE",
	"en": "AG AU BB BM BS BZ CA DM GB GD GG GH GI GY IE IM IN JE JM KE KN KY LC MT NG NZ PH SG TT US VC VG VI ZA",
}

// LanguageOfPhone is the language of those listed that the country of a telephone
// number suggests; "" where it suggests none of them, or there is no choice.
func LanguageOfPhone(phone, zone string, languages []string) string {
	if len(languages) < 2 {
		return ""
	}
	number, err := phonenumbers.Parse(phone, CountryOf(zone))
	if err != nil {
		return ""
	}
	country := phonenumbers.GetRegionCodeForNumber(number)
	for _, l := range languages {
		if country != "" && slices.Contains(strings.Fields(spokenIn[l]), country) {
			return l
		}
	}
	return ""
}

// International is a telephone number in E.164, however it was written: without
// a country it is one of the country that the zone suggests. It is "" for what
// cannot be one.
func International(phone, zone string) string {
	number, err := phonenumbers.Parse(phone, CountryOf(zone))
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return ""
	}
	return phonenumbers.Format(number, phonenumbers.E164)
}
