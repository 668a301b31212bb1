package console

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// developersScreen is for who connects other systems: keys, connections, what was
// delivered to them, events, requests, and how to begin. Everything is of the mode of its
// address alone.
//
// A secret is shown once, on the page that answers the form which made it. It is
// in no cookie, no redirect and no log.
type developersScreen struct{ *Console }

// mostRows is how much a list shows at a time.
const mostRows = 25

// devStart is the page that says how to begin.
type devStart struct {
	BaseURL     string
	Placeholder string // that stands for a key of this mode
}

func (c developersScreen) start(v *visit) (answer, error) {
	return v.page("dev_start", devStart{BaseURL: origin(v) + "/v1", Placeholder: keyPlaceholder(v)})
}

func keyPlaceholder(v *visit) string { return "svc_" + v.mode.name + "_…" }

// devSecret is the page that shows a secret, once.
type devSecret struct {
	Tab    string // keys or connections
	Name   string
	Secret string
	OldEnd string // until when the secret before works on, in words; "": there was none
	Again  bool   // the form was sent before: its secret is not shown any more
	Back   string
	Base   string // where the API is
}

// showSecret is the page with a secret.
func showSecret(v *visit, d devSecret) (answer, error) {
	d.Base = origin(v) + "/v1"
	return v.page("dev_secret", d)
}

// formLasts is how long a form that made a secret is remembered.
const formLasts = 30 * 24 * time.Hour

// once lets the form that was sent make a secret, if it has made none: who loads
// the page with a secret anew sends the form again, and must get no second key.
// make's page is the answer.
func (c developersScreen) once(v *visit, again devSecret, make func() (answer, error)) (answer, error) {
	form, ok := frontdesk.ParseID(v.field("form"))
	if !ok {
		return answer{}, frontdesk.InvalidParam("form", "Open the page again and send its form.")
	}
	key, now := "console form "+string(form), c.now()
	until := now.Add(formLasts).Truncate(time.Microsecond)
	_, first, err := c.store.ClaimAnswer(v.Context(), v.owner(), key, []byte(v.route.pattern), now, until, until)
	if err != nil {
		return answer{}, err
	}
	if !first {
		again.Again = true
		return v.render(http.StatusConflict, "dev_secret", again)
	}
	a, err := make()
	if err != nil {
		// Nothing was made: the same form can be sent again.
		if released := c.store.ReleaseAnswer(v.Context(), v.owner(), key, until); released != nil {
			c.log.Error("a form could not be released", "error", released)
		}
	}
	return a, err
}

// newForm names a form that may be sent once.
func newForm(v *visit) frontdesk.ID { return frontdesk.NewID(v.now) }

// devFault is what is wrong with a form: at a field, or with all of it.
type devFault struct {
	Field string
	Text  string
}

// At is what is wrong with a field.
func (f devFault) At(field string) string {
	if f.Field != field {
		return ""
	}
	return f.Text
}

// devFaultOf is what is wrong with a form, if that is why it was refused.
func devFaultOf(v *visit, err error, fields ...string) (devFault, bool) {
	e := exchange.Domain(err)
	if e == nil || e.Kind != frontdesk.Invalid {
		return devFault{}, false
	}
	f := devFault{Text: cmp.Or(v.say("error_"+e.Code), e.Message)}
	for _, field := range fields {
		if name, _, _ := strings.Cut(e.Param, "["); strings.HasPrefix(name, field) {
			f.Field = field
			if strings.HasPrefix(e.Code, "parameter_") {
				f.Text = cmp.Or(v.say("dev_fault_"+field), e.Message)
			}
		}
	}
	return f, true
}

// told sends the browser to a page that says why something was refused; what is
// not a refusal stays an error.
func told(v *visit, address string, err error) (answer, error) {
	e := exchange.Domain(err)
	if e == nil || e.Kind != frontdesk.Invalid && e.Kind != frontdesk.Conflict && e.Kind != frontdesk.RateLimited {
		return answer{}, err
	}
	return v.done(v.base()+address, said{Text: v.explain(e)}), nil
}

// graces are how long an old secret can work on, by the names of the form.
var graces = []struct {
	name string
	time.Duration
}{{"day", 24 * time.Hour}, {"week", 7 * 24 * time.Hour}, {"hour", time.Hour}, {"none", 0}}

// graceChoices are the graces to choose from.
func graceChoices(v *visit) (all []choice) {
	for _, g := range graces {
		all = append(all, choice{Name: v.say("dev_grace_" + g.name), Value: g.name})
	}
	return all
}

func readGrace(v *visit) (time.Duration, error) {
	for _, g := range graces {
		if g.name == v.field("grace") {
			return g.Duration, nil
		}
	}
	return 0, frontdesk.InvalidParam("grace", "There is no such grace.")
}

// startingAfter is the page of a list that was asked for.
func startingAfter(v *visit) (frontdesk.Page, error) {
	p := frontdesk.Page{Limit: mostRows}
	if text := v.field("after"); text != "" {
		id, ok := frontdesk.ParseID(text)
		if !ok {
			return p, frontdesk.InvalidParam("after", "There is no such page.")
		}
		p.StartingAfter = id
	}
	return p, nil
}

// older is the address of the page of a list that follows; "": none does.
func older(address string, more bool, last frontdesk.ID, query ...string) string {
	if !more {
		return ""
	}
	values := url.Values{"after": {string(last)}}
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			values.Set(query[i], query[i+1])
		}
	}
	return address + "?" + values.Encode()
}

// momentOf is an instant in words; "" where there is none.
func momentOf(v *visit, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return v.moment(at.In(v.zone))
}
