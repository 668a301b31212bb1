package console

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/notice"
)

// Mailer sends one mail now.
type Mailer interface {
	Send(context.Context, notice.Message) frontdesk.SendResult
}

// doorScreen is where people enter without a link in their hands.
type doorScreen struct{ *Console }

// linkWish is somebody who asks for a link by mail. Whether they are anybody is
// found out after they have their answer.
type linkWish struct {
	email    string
	origin   string
	language string // of the page that they asked on
}

// mailsLinks says whether a link can be mailed. The address in it must not be what
// a stranger's browser says, or it would lead people to the stranger.
func (c *Console) mailsLinks(v *visit) bool { return c.mail != nil && (c.publicly != "" || v.plain()) }

// askForLink notes that somebody asks for a link. The answer is the same for
// everybody, and takes no longer for those who are known.
func (c doorScreen) askForLink(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	if !c.mailsLinks(v) {
		return answer{}, frontdesk.Missing("page")
	}
	if err := c.takeEntry(v); err != nil {
		return answer{}, err
	}
	email := frontdesk.EmailKey(v.field("email"))
	if frontdesk.IsEmail(email) && c.letters.Take(email, c.now()) {
		select {
		case c.asked <- linkWish{email, origin(v), v.lang.Code}:
		default:
			c.log.Warn("too many ask for a link at once: one was not mailed")
		}
	}
	return v.redirect(Path + "/enter?asked"), nil
}

// Run mails links to people who asked for one, until ctx ends.
func (c *Console) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case w := <-c.asked:
			if err := c.mailLinks(ctx, w); err != nil {
				c.log.Error("mailing a link failed", "error", err)
			}
		}
	}
}

// mailLinks writes to everybody with an address: a person may work for several
// businesses.
func (c *Console) mailLinks(ctx context.Context, w linkWish) error {
	const most = 10
	all, err := c.people.ByEmail(ctx, w.email)
	if err != nil {
		return err
	}
	for _, p := range all[:min(len(all), most)] {
		tenant, err := c.tenantName(ctx, p)
		if err != nil {
			return err
		}
		token, err := c.people.Link(ctx, p, frontdesk.LinkMailed)
		if err != nil {
			return err
		}
		m := linkMail(p, tenant, frontdesk.LinkMailed, w.origin+Path+"/enter/"+token.Reveal(), cmp.Or(p.Language, w.language), c.now())
		if result := c.sendPatiently(ctx, m); result.ErrorCode != "" {
			c.log.Warn("a link to enter could not be mailed", "person", p.ID, "code", result.ErrorCode, "message", result.Message)
		}
	}
	return nil
}

func (c *Console) tenantName(ctx context.Context, p frontdesk.Person) (string, error) {
	if p.IsOperator() {
		return "", nil
	}
	t, err := c.store.Tenant(ctx, frontdesk.Owner{TenantID: p.TenantID, Live: true})
	return t.Name, err
}

// How often a mail that somebody waits for is tried, and how long apart.
const (
	mailAttempts = 3
	mailPause    = 3 * time.Second
	mailPatience = 8 * time.Second // of somebody who looks at a page
)

// sendPatiently sends a mail, and tries again where that may help.
func (c *Console) sendPatiently(ctx context.Context, m notice.Message) (result frontdesk.SendResult) {
	for attempt := range mailAttempts {
		if result = c.mail.Send(ctx, m); result.ErrorCode == "" || result.ForGood || attempt == mailAttempts-1 {
			return result
		}
		pause := time.NewTimer(mailPause)
		select {
		case <-ctx.Done():
			pause.Stop()
			return result
		case <-pause.C:
		}
	}
	return result
}

// linkMail is the mail with a link that lets a person in.
func linkMail(p frontdesk.Person, tenant string, purpose frontdesk.LinkPurpose, address, code string, now time.Time) notice.Message {
	l := language.Of(cmp.Or(code, frontdesk.Languages[0]))
	whose := cmp.Or(tenant, l.SayIn("console", "mail_server"))
	say := func(key string) string {
		return l.SayIn("console", "mail_"+string(purpose)+"_"+key, "name", p.Name, "tenant", whose)
	}
	return notice.NewMessage(cmp.Or(tenant, "frontdesk"), p.Email, notice.Words{
		Language: l.Code, Subject: say("subject"), Lead: l.SayIn("console", "mail_hello", "name", p.Name) + "\n" + say("lead"),
		Action: say("action"), Link: address, Foot: say("foot"),
	}, now)
}

// origin is where the world reaches the console: as the settings say, or else as
// the browser of who asks does.
func origin(v *visit) string {
	switch {
	case v.console.publicly != "":
		return v.console.publicly
	case v.plain():
		return "http://" + v.http.Host
	}
	return "https://" + v.http.Host
}

// handed is a link that was made for somebody, to be shown once.
type handed struct {
	Name, Email string
	Link        string
	Failed      string // why it could not be mailed
	Back        string
}

// mailOrHand mails a link to a person, or says what to show to who made it.
func (c *Console) mailOrHand(v *visit, p frontdesk.Person, tenant string, purpose frontdesk.LinkPurpose, token frontdesk.Secret) (h handed, sent bool) {
	h = handed{Name: p.Name, Email: p.Email, Link: origin(v) + Path + "/enter/" + token.Reveal()}
	if c.mail == nil || p.Email == "" {
		return h, false
	}
	ctx, cancel := context.WithTimeout(v.Context(), mailPatience)
	defer cancel()
	result := c.mail.Send(ctx, linkMail(p, tenant, purpose, h.Link, cmp.Or(p.Language, v.lang.Code), c.now()))
	if result.ErrorCode == "" {
		return h, true
	}
	c.log.Warn("an invitation could not be mailed", "person", p.ID, "code", result.ErrorCode, "message", result.Message)
	h.Failed = result.Message
	return h, false
}

// beginPasskey asks the browser for a passkey that it has.
func (c doorScreen) beginPasskey(v *visit) (answer, error) {
	if !c.passkeys.Offered(v.http.Host) {
		return noPasskeys(v), nil
	}
	if err := c.takeEntry(v); err != nil {
		return answer{}, err
	}
	options, state, err := c.passkeys.BeginEntry()
	if err != nil {
		return answer{}, err
	}
	keepChallenge(v, state)
	return inJSON(options), nil
}

// finishPasskey lets in who has answered with a passkey.
func (c doorScreen) finishPasskey(v *visit) (answer, error) {
	if !c.passkeys.Offered(v.http.Host) {
		return noPasskeys(v), nil
	}
	if err := c.takeEntry(v); err != nil {
		return answer{}, err
	}
	who, token, err := c.passkeys.FinishEntry(v.Context(), takeChallenge(v), v.http.Body, browserOf(v.http), v.address.String())
	if err != nil {
		return answer{}, err
	}
	v.know(who)
	v.keepSession(token)
	return inJSON([]byte(`{}`)), nil
}

// noPasskeys is the answer to a script where passkeys cannot be used.
func noPasskeys(v *visit) answer {
	e := account.NoPasskeys()
	status, body := exchange.Envelope(e, v.id)
	return answer{status: status, contentType: exchange.JSON, body: body, code: e.Code}
}

func inJSON(body []byte) answer {
	return answer{status: http.StatusOK, contentType: "application/json", body: body}
}

// faultOf is what is wrong with a form, at the field where it is; ok is false for
// an error that is about something else.
func faultOf(v *visit, err error) (field, text string, ok bool) {
	e := exchange.Domain(err)
	if e == nil || e.Param == "" || e.Kind != frontdesk.Invalid && e.Kind != frontdesk.Conflict {
		return "", "", false
	}
	if text := v.say("fault_" + e.Code + "_" + e.Param); text != "" {
		return e.Param, text, true
	}
	return e.Param, v.explain(e), true
}
