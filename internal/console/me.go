package console

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// meScreen is what a person sees of themselves.
type meScreen struct{ *Console }

// me is the page about the person who asks.
type me struct {
	Name, Email, Language string
	Languages             []choice
	Field, Fault          string // what is wrong with the form, and where
	Sessions              []sessionLine
	Others                bool // there are sessions in other browsers
	Offered               bool // passkeys can be made here
	Passkeys              []passkeyLine
}

// sessionLine is a browser in which the person has entered.
type sessionLine struct {
	ID      frontdesk.ID
	Browser string
	Address string
	Seen    string
	Here    bool
}

// passkeyLine is one of the person's passkeys.
type passkeyLine struct {
	ID, Name    string
	Since, Used string
}

const meAddress = Path + "/me"

func (c meScreen) show(v *visit) (answer, error) {
	return c.page(v, http.StatusOK, me{Name: v.person.Name, Email: v.person.Email, Language: v.person.Language})
}

// page is the page with a form as it was typed.
func (c meScreen) page(v *visit, status int, m me) (answer, error) {
	v.zone = v.findZone()
	for _, code := range frontdesk.Languages {
		m.Languages = append(m.Languages, choice{v.say("language_" + code), code, code == m.Language})
	}
	sessions, err := c.people.Sessions(v.Context(), v.person)
	if err != nil {
		return answer{}, err
	}
	for _, s := range sessions {
		here := s.ID == v.session.ID
		m.Others = m.Others || !here
		m.Sessions = append(m.Sessions, sessionLine{s.ID, browserWords(v, s.Browser), s.Address, v.ago(s.SeenAt), here})
	}
	passkeys, err := c.passkeys.List(v.Context(), v.person)
	if err != nil {
		return answer{}, err
	}
	for _, k := range passkeys {
		line := passkeyLine{ID: base64.RawURLEncoding.EncodeToString(k.ID), Name: k.Name, Since: v.moment(k.CreatedAt.In(v.zone))}
		if !k.LastUsedAt.IsZero() {
			line.Used = v.ago(k.LastUsedAt)
		}
		m.Passkeys = append(m.Passkeys, line)
	}
	m.Offered = c.passkeys.Offered(v.http.Host)
	return v.render(status, "me", m)
}

// change changes what the person may change about themselves.
func (c meScreen) change(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	typed := me{Name: v.field("name"), Email: v.field("email"), Language: v.field("language")}
	_, err := c.changeSelf(v, v.person.Actor(), frontdesk.PersonChange{Name: &typed.Name, Email: &typed.Email, Language: &typed.Language})
	if field, text, ok := faultOf(v, err); ok {
		typed.Field, typed.Fault = field, text
		return c.page(v, http.StatusBadRequest, typed)
	}
	if err != nil {
		return answer{}, err
	}
	v.person.Language = typed.Language
	v.chooseLanguage()
	return v.done(meAddress, said{Text: v.say("me_saved")}), nil
}

// changeSelf changes the person who asks.
func (c *Console) changeSelf(v *visit, by frontdesk.Actor, change frontdesk.PersonChange) (frontdesk.Person, error) {
	if v.person.IsOperator() {
		return c.people.ChangeOperator(v.Context(), v.person.ID, change)
	}
	return c.people.Change(v.Context(), v.owner(), by, v.person.ID, change)
}

// endSession ends one of the person's sessions: this one, too.
func (c meScreen) endSession(v *visit) (answer, error) {
	id, err := v.pathID("session")
	if err != nil {
		return answer{}, err
	}
	if id == v.session.ID {
		return c.leave(v)
	}
	if err := c.people.EndSession(v.Context(), v.person, id); err != nil {
		return answer{}, err
	}
	return v.done(meAddress, said{Text: v.say("session_ended")}), nil
}

func (c meScreen) endOthers(v *visit) (answer, error) {
	if _, err := c.people.EndOtherSessions(v.Context(), v.person, v.session.ID); err != nil {
		return answer{}, err
	}
	return v.done(meAddress, said{Text: v.say("sessions_ended")}), nil
}

// beginPasskey asks the person's browser for a new passkey.
func (c meScreen) beginPasskey(v *visit) (answer, error) {
	if !c.passkeys.Offered(v.http.Host) {
		return noPasskeys(v), nil
	}
	options, state, err := c.passkeys.BeginRegister(v.Context(), v.person)
	if err != nil {
		return answer{}, err
	}
	keepChallenge(v, state)
	return inJSON(options), nil
}

// finishPasskey keeps the passkey, under the name of the browser until the person
// gives it another.
func (c meScreen) finishPasskey(v *visit) (answer, error) {
	if !c.passkeys.Offered(v.http.Host) {
		return noPasskeys(v), nil
	}
	_, err := c.passkeys.FinishRegister(v.Context(), v.person, takeChallenge(v), v.http.Body, browserWords(v, v.http.UserAgent()))
	if err != nil {
		return answer{}, err
	}
	v.done(meAddress, said{Text: v.say("passkey_added")}) // the script goes there
	v.header.Del("Location")
	return inJSON([]byte(`{}`)), nil
}

func passkeyID(v *visit) ([]byte, error) {
	id, err := base64.RawURLEncoding.DecodeString(v.http.PathValue("passkey"))
	if err != nil {
		return nil, frontdesk.NoSuch("passkey")
	}
	return id, nil
}

func (c meScreen) renamePasskey(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	id, err := passkeyID(v)
	if err != nil {
		return answer{}, err
	}
	if err := c.passkeys.Rename(v.Context(), v.person, id, v.field("name")); err != nil {
		return answer{}, err
	}
	return v.done(meAddress, said{Text: v.say("passkey_renamed")}), nil
}

func (c meScreen) removePasskey(v *visit) (answer, error) {
	id, err := passkeyID(v)
	if err != nil {
		return answer{}, err
	}
	if err := c.passkeys.Remove(v.Context(), v.person, id); err != nil {
		return answer{}, err
	}
	return v.done(meAddress, said{Text: v.say("passkey_removed")}), nil
}

// browserWords is what a browser says that it is, in a few words.
func browserWords(v *visit, agent string) string {
	first := func(all [][2]string) string {
		for _, one := range all {
			if strings.Contains(agent, one[0]) {
				return one[1]
			}
		}
		return ""
	}
	// The order matters: most browsers name those that they are like.
	program := first([][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"}, {"Firefox", "Firefox"}, {"FxiOS", "Firefox"}, {"CriOS", "Chrome"}, {"Chrome", "Chrome"}, {"Safari", "Safari"}})
	system := first([][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Macintosh", "Mac"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}})
	switch {
	case program != "" && system != "":
		return program + " · " + system
	default:
		return cmp.Or(program, system, v.say("browser_unknown"))
	}
}
