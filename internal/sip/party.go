package sip

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	gosip "github.com/emiago/sipgo/sip"
)

// Party is who calls, as the network says.
type Party struct {
	User      string // a telephone number, or a name within the peer's system
	Display   string
	Anonymous bool // the number is withheld; the rest is empty then
}

// mostHeaders bounds how many values of a header are looked at.
const mostHeaders = 16

// caller reads who calls: what the network asserts before what the caller's own
// device says.
func caller(req *gosip.Request) Party {
	if withheld(req) {
		return Party{Anonymous: true}
	}
	from := strings.TrimPrefix(headerValue(req, "From", "f"), " ")
	_, claimed := identity(from)
	for _, h := range values(req, "P-Asserted-Identity") {
		if user, display := identity(h); user != "" {
			return Party{User: user, Display: orElse(display, claimed)}
		}
	}
	user, display := identity(from)
	if strings.EqualFold(user, "anonymous") || user == "" {
		return Party{Anonymous: true}
	}
	return Party{User: user, Display: display}
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// withheld says whether the caller asked not to be known.
func withheld(req *gosip.Request) bool {
	if from := req.From(); from != nil && strings.EqualFold(from.Address.Host, "anonymous.invalid") {
		return true
	}
	for _, h := range values(req, "Privacy") {
		for part := range strings.FieldsFuncSeq(strings.ToLower(h), func(r rune) bool { return r == ';' || r == ',' || r == ' ' }) {
			if part == "id" || part == "user" || part == "header" {
				return true
			}
		}
	}
	return false
}

// called are the numbers that may have been called, the most trusted first: what
// the network says was called, whom the caller meant, whom the request is for, and
// from whom it was diverted.
func called(req *gosip.Request) []string {
	var all []string
	add := func(texts ...string) {
		for _, t := range texts {
			if user, _ := identity(t); user != "" && !slices.Contains(all, user) {
				all = append(all, user)
			}
		}
	}
	add(values(req, "P-Called-Party-ID")...)
	add(headerValue(req, "To", "t"), req.Recipient.String())
	add(values(req, "Diversion")...)
	add(values(req, "History-Info")...)
	return all
}

// identity takes the user's part and the display name out of an address, such as
// "Ana" <sip:+34600111222@host;user=phone> or tel:+34600111222. It is made for
// what is really sent, not for all that is allowed.
func identity(text string) (user, display string) {
	if len(text) > 1024 {
		return "", ""
	}
	display, uri := splitName(text)
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok {
		return "", ""
	}
	switch strings.ToLower(strings.TrimSpace(scheme)) {
	case "tel":
		user = rest
	case "sip", "sips":
		if user, _, ok = strings.Cut(rest, "@"); !ok {
			return "", clean(display)
		}
	}
	user, _, _ = strings.Cut(user, ";")
	user, _, _ = strings.Cut(user, "?")
	user, _, _ = strings.Cut(user, ":") // a password
	if plain, err := url.PathUnescape(user); err == nil {
		user = plain
	}
	return clean(user), clean(display)
}

// splitName parts the display name from the address.
func splitName(text string) (display, uri string) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, `"`) {
		var name strings.Builder
		for i := 1; i < len(text); i++ {
			switch c := text[i]; {
			case c == '\\' && i+1 < len(text):
				i++
				name.WriteByte(text[i])
			case c == '"':
				_, uri = splitName(text[i+1:])
				return strings.TrimSpace(name.String()), uri
			default:
				name.WriteByte(c)
			}
		}
		return "", ""
	}
	before, after, ok := strings.Cut(text, "<")
	if !ok {
		before, _, _ = strings.Cut(text, ",")
		return "", before
	}
	uri, _, _ = strings.Cut(after, ">")
	return strings.TrimSpace(before), uri
}

// clean takes out what a name or number cannot have, and bounds it.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "")
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if len(s) > 128 {
		s = strings.ToValidUTF8(s[:128], "")
	}
	return strings.TrimSpace(s)
}

// headerValue is the value of the first header of a name or its short form.
func headerValue(msg gosip.Message, names ...string) string {
	for _, name := range names {
		if all := msg.GetHeaders(name); len(all) > 0 {
			return all[0].Value()
		}
	}
	return ""
}

// values are those of all headers of a name.
func values(msg gosip.Message, name string) (all []string) {
	for _, h := range msg.GetHeaders(name) {
		if len(all) < mostHeaders {
			all = append(all, h.Value())
		}
	}
	return all
}

// lists says whether one of the headers, which are lists of words, has a word.
func lists(msg gosip.Message, word string, names ...string) bool {
	for _, name := range names {
		for _, value := range values(msg, name) {
			for part := range strings.SplitSeq(value, ",") {
				if strings.EqualFold(strings.TrimSpace(part), word) {
					return true
				}
			}
		}
	}
	return false
}

// sourceOf is where a message came from.
func sourceOf(msg gosip.Message) netip.AddrPort {
	ap, err := netip.ParseAddrPort(msg.Source())
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(ap.Addr().Unmap().WithZone(""), ap.Port())
}

func callID(msg gosip.Message) string {
	if h := msg.CallID(); h != nil {
		return h.Value()
	}
	return ""
}

// tag is that of a From or To header, "" if there is none.
func tag[H interface {
	*gosip.FromHeader | *gosip.ToHeader
}](h H,
) string {
	var params gosip.HeaderParams
	switch h := any(h).(type) {
	case *gosip.FromHeader:
		if h != nil {
			params = h.Params
		}
	case *gosip.ToHeader:
		if h != nil {
			params = h.Params
		}
	}
	t, _ := params.Get("tag")
	return t
}
