package notice

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Mail sends messages through a mail relay.
type Mail struct {
	relay   string
	options []gomail.Option
	from    mail.Address
	domain  string
}

// MailOptions say which relay takes mails, and who they are from.
type MailOptions struct {
	// Relay is its address: smtp://user@mail.example.com:587 with STARTTLS, which
	// is insisted on; smtps://user@mail.example.com:465 with TLS from the first
	// byte; smtp+plain://127.0.0.1:25 without either.
	Relay    string
	Password frontdesk.Secret
	From     string      // Frontdesk <desk@example.com>
	TLS      *tls.Config // nil: the system's authorities
}

// mailTime bounds one step of talking to a relay.
const mailTime = 15 * time.Second

// NewMail returns a sender. It talks to nobody yet.
func NewMail(o MailOptions) (*Mail, error) {
	from, err := mail.ParseAddress(o.From)
	if err != nil {
		return nil, fmt.Errorf("FRONTDESK_MAIL_FROM is %q: expected an address such as Frontdesk <desk@example.com>", o.From)
	}
	u, err := url.Parse(o.Relay)
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("FRONTDESK_SMTP: expected an address such as smtp://user@mail.example.com:587 or smtps://user@mail.example.com:465")
	}
	m := &Mail{relay: u.Hostname(), from: *from, domain: domainOf(from.Address)}
	port, options := 587, []gomail.Option{gomail.WithTLSPolicy(gomail.TLSMandatory)}
	switch u.Scheme {
	case "smtp":
	case "smtps":
		port, options = 465, []gomail.Option{gomail.WithSSL()}
	case "smtp+plain":
		port, options = 25, []gomail.Option{gomail.WithTLSPolicy(gomail.NoTLS)}
	default:
		return nil, fmt.Errorf("FRONTDESK_SMTP begins with %q: expected smtp, smtps or smtp+plain", u.Scheme)
	}
	if p, err := strconv.Atoi(u.Port()); err == nil {
		port = p
	}
	options = append(options, gomail.WithPort(port), gomail.WithTimeout(mailTime), gomail.WithHELO(m.domain))
	if o.TLS != nil {
		config := o.TLS.Clone()
		config.ServerName = u.Hostname()
		options = append(options, gomail.WithTLSConfig(config))
	}
	if user := u.User.Username(); user != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(user), gomail.WithPassword(o.Password.Reveal()))
	}
	m.options = options
	_, err = gomail.NewClient(m.relay, m.options...)
	return m, err
}

func domainOf(address string) string {
	for i := len(address) - 1; i >= 0; i-- {
		if address[i] == '@' {
			return address[i+1:]
		}
	}
	return address
}

// Send hands a message to the relay.
func (m *Mail) Send(ctx context.Context, message Message) frontdesk.SendResult {
	mail, err := m.compose(message)
	if err != nil {
		return frontdesk.SendResult{ErrorCode: frontdesk.NoticeRefused, ForGood: true, Message: "The mail cannot be written: " + err.Error()}
	}
	client, err := gomail.NewClient(m.relay, m.options...)
	if err != nil {
		return frontdesk.SendResult{ErrorCode: frontdesk.ConnectFailed, Message: err.Error()}
	}
	err = client.DialAndSendWithContext(ctx, mail)
	if err == nil || mail.IsDelivered() { // the relay has it, whatever became of the goodbye
		return frontdesk.SendResult{}
	}
	return mailFailure(err)
}

// mailFailure says what an error of the relay means. What it refuses for good is
// not tried again.
func mailFailure(err error) frontdesk.SendResult {
	var failure *gomail.SendError
	if errors.As(err, &failure) {
		code := failure.ErrorCode()
		text := "The mail relay broke off."
		if code != 0 {
			text = strings.TrimSpace(fmt.Sprintf("The mail relay answered %d. %s", code, relayWords(failure)))
		}
		return frontdesk.SendResult{ErrorCode: frontdesk.NoticeRefused, ForGood: code >= 500 && !failure.IsTemp(), Message: text}
	}
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &dns):
		return frontdesk.SendResult{ErrorCode: frontdesk.DNSFailed, Message: "The name of the mail relay is not known."}
	case errors.As(err, &certificate):
		return frontdesk.SendResult{ErrorCode: frontdesk.TLSFailed, Message: "The certificate of the mail relay is not trusted."}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), isTimeout(err):
		return frontdesk.SendResult{ErrorCode: frontdesk.TimedOut, Message: "The mail relay did not answer in time."}
	}
	return frontdesk.SendResult{ErrorCode: frontdesk.ConnectFailed, Message: "The mail relay could not be talked to."}
}

func isTimeout(err error) bool {
	var wait net.Error
	return errors.As(err, &wait) && wait.Timeout() || strings.Contains(err.Error(), "i/o timeout")
}

// relayWords are the relay's own, without whom they are about.
func relayWords(failure *gomail.SendError) string {
	words, _, _ := strings.Cut(failure.Error(), ", affected ")
	_, words, _ = strings.Cut(words, ": ")
	if words = clip(plain(words)); words == "" {
		return ""
	}
	return "It says: " + words
}

// compose writes the mail, the same at every attempt.
func (m *Mail) compose(message Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&mail.Address{Name: message.From, Address: m.from.Address})
	if err := msg.To(message.To); err != nil {
		return nil, err
	}
	if message.ReplyTo != "" {
		if err := msg.ReplyTo(message.ReplyTo); err != nil {
			return nil, err
		}
	}
	msg.Subject(message.Subject)
	msg.SetMessageIDWithValue(string(message.ID) + "@" + m.domain)
	msg.SetDateWithValue(message.Date)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader(gomail.HeaderXAutoResponseSuppress, "All")
	msg.SetGenHeader(gomail.HeaderContentLang, message.Language)
	if message.Stop != "" {
		msg.SetListUnsubscribe(message.Stop)
		msg.SetListUnsubscribePost()
	}
	msg.SetBodyString(gomail.TypeTextPlain, message.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, message.HTML)
	if len(message.Calendar) > 0 {
		if err := msg.AttachReader(message.CalendarName, bytes.NewReader(message.Calendar),
			gomail.WithFileContentType("text/calendar; charset=utf-8; method=PUBLISH")); err != nil {
			return nil, err
		}
	}
	return msg, nil
}
