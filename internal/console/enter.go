package console

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// entrance is the page on which somebody enters.
type entrance struct {
	Token   string
	Name    string // of the person whom a link lets in
	Tenant  string
	Invites bool
	Hurries bool   // a script presses the button: the link was made to be opened at once
	To      string // where they wanted to go
	Lost    bool   // the browser did not keep the session
	Passkey bool   // one can be used here
	Mail    bool   // a link can be mailed
	Asked   bool   // for one, just now
}

// The cookie of the session. Its prefix makes browsers keep it only over TLS and
// for this host alone; on the machine itself, without TLS, it has another name.
const (
	sessionCookie = "__Host-frontdesk"
	plainCookie   = "frontdesk_session"
)

func (v *visit) cookieName() string {
	if v.plain() {
		return plainCookie
	}
	return sessionCookie
}

// plain says whether the browser talks to this machine itself without TLS.
func (v *visit) plain() bool {
	if v.http.TLS != nil {
		return false
	}
	host := v.http.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	at, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && at.IsLoopback()
}

func (v *visit) sessionToken() string {
	cookie, err := v.http.Cookie(v.cookieName())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// home sends somebody who has entered to what they see first.
func (c *Console) home(v *visit) (answer, error) {
	if v.person.Role == frontdesk.RoleOperator {
		return v.redirect(Path + "/operator"), nil
	}
	agents, err := c.store.Agents(v.Context(), v.owner())
	if err != nil {
		return answer{}, err
	}
	slug := allAgents
	if len(agents) > 0 {
		slug = slices.MinFunc(agents, func(a, b frontdesk.Agent) int { return strings.Compare(string(a.ID), string(b.ID)) }).Slug
	}
	first := screens[slices.IndexFunc(screens, func(s screen) bool { return s.roles.let(v.person.Role) })]
	return v.redirect(v.place(slug) + first.name), nil
}

// showEntrance is the door for somebody without a link.
func (c *Console) showEntrance(v *visit) (answer, error) {
	query := v.http.URL.Query()
	return v.page("entrance", entrance{
		To: innerAddress(query.Get("to")), Lost: query.Has("lost"),
		Passkey: c.passkeys.Offered(v.http.Host), Mail: c.mailsLinks(v), Asked: query.Has("asked"),
	})
}

// innerAddress is an address of the console, or "".
func innerAddress(wish string) string {
	u, err := url.Parse(wish)
	if err != nil || u.IsAbs() || u.Host != "" || !Serves(u.Path) || strings.Contains(wish, "\\") || strings.Contains(u.Path, "//") {
		return ""
	}
	return wish
}

// showLink is the page behind a link. To look at it uses nothing up: mail
// programs open links too.
func (c *Console) showLink(v *visit) (answer, error) {
	if err := c.takeEntry(v); err != nil {
		return answer{}, err
	}
	token := v.http.PathValue("token")
	person, tenant, purpose, err := c.people.Inspect(v.Context(), token)
	if err != nil {
		return answer{}, err
	}
	if _, err := v.http.Cookie(languageCookie); err != nil && person.Language != "" { // nobody has chosen another in this browser
		v.lang = language.Of(person.Language)
	}
	return v.page("entrance", entrance{
		Token: token, Name: person.Name, Tenant: tenant.Name,
		Invites: purpose == frontdesk.LinkInvites, Hurries: purpose == frontdesk.LinkPrinted,
	})
}

// takeEntry bounds how often an address tries to enter.
func (c *Console) takeEntry(v *visit) error {
	if wait := c.entries.Take(exchange.Household(v.address), c.now()); wait > 0 {
		return &frontdesk.Error{
			Kind: frontdesk.RateLimited, Code: "rate_limited", Wait: wait,
			Message: "Too many attempts. Wait a minute and try again.",
		}
	}
	return nil
}

// useLink lets the person of a link in.
func (c *Console) useLink(v *visit) (answer, error) {
	if err := c.takeEntry(v); err != nil {
		return answer{}, err
	}
	who, token, err := c.people.Enter(v.Context(), v.http.PathValue("token"), browserOf(v.http), v.address.String())
	if err != nil {
		return answer{}, err
	}
	v.know(who)
	v.keepSession(token)
	return v.redirect(Path + "?entered"), nil
}

// keepSession gives the browser what proves who it is.
func (v *visit) keepSession(token frontdesk.Secret) {
	v.setCookie(&http.Cookie{Name: v.cookieName(), Value: token.Reveal(), MaxAge: int(frontdesk.SessionLasts.Seconds())})
}

// browserOf is what the browser says that it is, bounded.
func browserOf(r *http.Request) string {
	text := strings.ToValidUTF8(strings.ReplaceAll(r.UserAgent(), "\x00", ""), "")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200])
	}
	return text
}

// leave ends the session.
func (c *Console) leave(v *visit) (answer, error) {
	if err := c.people.Leave(v.Context(), v.sessionToken()); err != nil {
		return answer{}, err
	}
	v.setCookie(&http.Cookie{Name: v.cookieName(), MaxAge: -1})
	return v.redirect(Path + "/enter"), nil
}

// setLanguage keeps the language that somebody chose in their browser.
func (c *Console) setLanguage(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	code := v.field("language")
	if !slices.Contains(frontdesk.Languages, code) {
		return answer{}, frontdesk.InvalidParam("language", "There is no such language.")
	}
	v.setCookie(&http.Cookie{Name: languageCookie, Value: code, MaxAge: 365 * 24 * 60 * 60})
	if c.recognise(v) == nil && v.person.Language != "" { // which would count for more
		if _, err := c.changeSelf(v, frontdesk.Actor{}, frontdesk.PersonChange{Language: &code}); err != nil {
			return answer{}, err
		}
	}
	to := innerAddress(v.field("to"))
	if to == "" {
		to = Path
	}
	return v.redirect(to), nil
}

// more is the whole menu, on screens too small for it.
func (c *Console) more(v *visit) (answer, error) { return v.page("more", nil) }
