package turns

import (
	"cmp"
	"strings"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/spoken"
)

// Voice is how an agent speaks a language.
type Voice struct {
	Locale   string // such as es-ES
	language *language.Language
	region   string
	manner   string
}

// VoiceOf is how an agent speaks a language, or its own first where we speak none
// such.
func VoiceOf(agent frontdesk.Agent, code string) Voice {
	l := language.Of(code)
	if l == nil {
		l = language.Of(language.Codes()[0])
	}
	return Voice{language: l, Locale: LocaleOf(agent, l.Code), region: frontdesk.CountryOf(agent.Timezone), manner: conversation.Manner(agent)}
}

// Text is what is written, as it is said.
func (v Voice) Text(written string) string { return v.Says(written, spoken.Options{}) }

// Says is the same, said in a certain way.
func (v Voice) Says(written string, o spoken.Options) string {
	o.Region = v.region
	return spoken.Text(v.language, written, o)
}

// Words is a wording of the house, as it is said.
func (v Voice) Words(key string, pairs ...string) string {
	return v.Text(v.language.Say(key, v.manner, pairs...))
}

// LocaleOf is what a language is called as it is spoken where the business is.
func LocaleOf(agent frontdesk.Agent, code string) string {
	l := language.Of(code)
	if l == nil {
		return ""
	}
	locales := l.Pairs("locales")
	return cmp.Or(locales[strings.ToLower(frontdesk.CountryOf(agent.Timezone))], locales["any"])
}
