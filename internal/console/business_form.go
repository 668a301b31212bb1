package console

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// form is one form of the business: its fields with the values that the draft has,
// and what to make of those that come back.
//
// With each field the browser sends what it was shown. So a field that somebody
// else has changed meanwhile is known from one that the sender has changed, and
// nobody's words are lost.
type form struct {
	section string
	entry   string // of a list: its place; "new"; "": the form is of no list
	key     string // what tells the entry from the others
	title   string
	fields  []field
	apply   func(a frontdesk.Agent, changed map[string]string) (frontdesk.Agent, error)
}

// field is one field of a form.
type field struct {
	Name    string // in the form
	Path    string // as the API names it in its errors
	Kind    string // text, area, number, price, list, check, select, choices, day, days, time
	Label   string
	Hint    string
	Options []choice
	Value   string
	Was     string      // as the sender was shown it
	Theirs  *string     // what somebody else has written meanwhile
	Fault   string      // what is wrong with it
	Periods [][2]string // of a day
	Index   int         // of a day
	Action  string      // of its form
}

// ID is the field's in the page.
func (f field) ID() string { return "f-" + strings.NewReplacer(".", "-", " ", "-").Replace(f.Name) }

// Yes says whether the box is ticked.
func (f field) Yes() bool { return f.Value == "yes" }

// TheirText is what somebody else has written meanwhile.
func (f field) TheirText() string {
	if f.Theirs == nil {
		return ""
	}
	return *f.Theirs
}

// shownForm is a form as a page shows it.
type shownForm struct {
	Section string
	Entry   string
	Key     string
	Title   string
	Action  string
	Fields  []field
	Fault   string // of no field in particular
	Clash   bool   // somebody else has changed it meanwhile
	Gone    bool   // somebody else has taken the entry away meanwhile
	Greets  []sample
}

func (f form) shown(v *visit) shownForm {
	s := shownForm{Section: f.section, Entry: f.entry, Key: f.key, Title: f.title, Action: "business/" + f.section, Fields: slices.Clone(f.fields)}
	if f.entry != "" {
		s.Action += "/" + f.entry
	}
	for i := range s.Fields {
		s.Fields[i].prepare(v)
		s.Fields[i].Was, s.Fields[i].Action = s.Fields[i].Value, s.Action
	}
	if f.section == "receptionist" {
		s.Greets = samples(v)
	}
	return s
}

// prepare gives a field its words.
func (f *field) prepare(v *visit) {
	key := strings.ReplaceAll(f.Name, ".", "_")
	if f.Label == "" {
		f.Label = v.say("field_" + key)
	}
	if f.Hint == "" {
		f.Hint = v.say("hint_" + key)
	}
	if f.Kind == "day" {
		f.Periods = periodsIn(f.Value)
	}
}

// find is the field that an error is about; nil: none of them. Within a list, the
// fields of its entries are named without their place: services[2].price is price.
func (s *shownForm) find(param string) *field {
	places := []string{param}
	if _, within, inList := strings.Cut(param, "]."); inList {
		places = append(places, within)
	}
	for i := range s.Fields {
		if slices.ContainsFunc(places, s.Fields[i].isAt) {
			return &s.Fields[i]
		}
	}
	return nil
}

// isAt says whether an error at a place is about the field: about it, something in
// it, or what it is a part of.
func (f field) isAt(place string) bool {
	return place != "" && (place == f.Path || place == f.Name || strings.HasPrefix(place, f.Path+"[") ||
		strings.HasPrefix(place, f.Path+".") || strings.HasPrefix(f.Path, place+"."))
}

// blame puts an error at its field, in the words of the page.
func (s *shownForm) blame(v *visit, e *frontdesk.Error) {
	if f := s.find(e.Param); f != nil {
		f.Fault = faultText(v, *f, e)
		return
	}
	s.Fault = v.explain(e)
}

func faultText(v *visit, f field, e *frontdesk.Error) string {
	key := strings.ReplaceAll(f.Name, ".", "_")
	for _, name := range []string{"fault_" + key, "fault_" + f.Kind} {
		if text := v.say(name); text != "" && e.Code != "parameter_missing" {
			return text
		}
	}
	if f.Value == "" {
		if text := v.say("fault_empty"); text != "" {
			return text
		}
	}
	return e.Message
}

// sent are the values of a form that came back.
type sent struct {
	values map[string]string
	was    map[string]string
}

// takeSent reads what came back for the fields of a form.
func takeSent(v *visit, fields []field) sent {
	s := sent{map[string]string{}, map[string]string{}}
	for _, f := range fields {
		s.values[f.Name] = sentValue(v, f)
		s.was[f.Name] = newlines(v.raw("was." + f.Name))
	}
	return s
}

func newlines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func sentValue(v *visit, f field) string {
	values := v.http.PostForm[f.Name]
	switch f.Kind {
	case "check":
		if len(values) > 0 {
			return "yes"
		}
		return "no"
	case "choices", "days":
		return strings.Join(values, "\n")
	case "day":
		return sentPeriods(v.http.PostForm[f.Name+".from"], v.http.PostForm[f.Name+".to"])
	}
	return strings.TrimSpace(newlines(v.raw(f.Name)))
}

// errClash is for a form some of whose fields somebody else has changed meanwhile.
var errClash = errors.New("changed meanwhile")

// compare tells what the sender has changed. A field that somebody else has changed
// meanwhile in another way is a clash.
func (f form) compare(s sent) (changed map[string]string, err error) {
	changed = map[string]string{}
	for _, one := range f.fields {
		value, was := s.values[one.Name], s.was[one.Name]
		switch {
		case value == was || value == one.Value:
		case one.Value == was:
			changed[one.Name] = value
		default:
			err = errClash
		}
	}
	return changed, err
}

// showSent is a form with what came back in it, so that nothing that was typed is
// lost, and what somebody else wrote meanwhile beside it.
func (f form) showSent(v *visit, s sent) shownForm {
	shown := f.shown(v)
	for i := range shown.Fields {
		one := &shown.Fields[i]
		value, was, theirs := s.values[one.Name], s.was[one.Name], one.Value
		if value == was { // the sender has not touched it
			continue
		}
		if theirs != was && theirs != value {
			one.Theirs, shown.Clash = &theirs, true
		}
		one.Value, one.Was = value, theirs
		one.prepare(v)
	}
	return shown
}

// save takes a form and writes it into the draft.
func (c businessScreen) save(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	section, entry := v.http.PathValue("section"), v.http.PathValue("entry")
	if v.raw("do") != "" {
		return c.redraw(v, section, entry)
	}
	var f form
	var values sent
	err := c.edit(v, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		var err error
		f, err = findForm(v, section, entry, v.raw("key"), a)
		values = takeSent(v, f.fields)
		if errors.Is(err, errGone) {
			values.was, f.key = map[string]string{}, "" // all of it is new
		}
		if err != nil {
			return a, err
		}
		changed, err := f.compare(values)
		if err != nil {
			return a, err
		}
		return f.apply(a, changed)
	})
	if err == nil {
		return v.done(v.base()+savedAddress(f), said{Text: v.say("saved_draft")}), nil
	}
	return c.refuseForm(v, f, values, err)
}

// savedAddress is where a form that was saved leads.
func savedAddress(f form) string {
	if f.entry == "" {
		return "business"
	}
	return "business/" + f.section
}

// refuseForm shows a form again that could not be saved, with what was typed.
func (c businessScreen) refuseForm(v *visit, f form, values sent, err error) (answer, error) {
	e := exchange.Domain(err)
	gone := errors.Is(err, errGone)
	if f.section == "" || !gone && !errors.Is(err, errClash) && (e == nil || e.Kind != frontdesk.Invalid) {
		return answer{}, err
	}
	shown, status := f.showSent(v, values), http.StatusUnprocessableEntity
	switch {
	case gone:
		shown.Gone, status = true, http.StatusConflict
	case errors.Is(err, errClash):
		shown.Clash, status = true, http.StatusConflict
	default:
		shown.blame(v, e)
	}
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	return v.render(status, "business_form", c.newPage(v, b, f.section, shown))
}

// redraw shows a form with another period in a day, or without one: nothing is
// saved.
func (c businessScreen) redraw(v *visit, section, entry string) (answer, error) {
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	f, err := findForm(v, section, entry, v.raw("key"), b.edited)
	if err != nil && !errors.Is(err, errGone) {
		return answer{}, err
	}
	values := takeSent(v, f.fields)
	shown := f.showSent(v, values)
	shown.Clash = false
	changePeriods(v, &shown, v.raw("do"))
	return v.page("business_form", c.newPage(v, b, section, shown))
}

// check says what is wrong with a field while somebody fills in its form: nothing
// is saved.
func (c businessScreen) check(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	f, err := findForm(v, v.raw("section"), v.raw("entry"), v.raw("key"), b.edited)
	if err != nil && !errors.Is(err, errGone) {
		return answer{}, err
	}
	values := takeSent(v, f.fields)
	shown := f.showSent(v, values)
	if changed, err := f.compare(values); err == nil {
		if _, err := f.apply(b.edited, changed); exchange.Domain(err) != nil {
			shown.blame(v, exchange.Domain(err))
		}
	}
	name := v.http.Header.Get("HX-Trigger-Name")
	for _, one := range shown.Fields {
		if one.Name == name || one.Kind == "day" && one.Name == dayInput.ReplaceAllString(name, "") {
			return v.page("business_fault", one)
		}
	}
	return v.page("business_fault", field{})
}

// dayInput is what the inputs of a day have behind the name of its field.
var dayInput = regexp.MustCompile(`\.(from|to)$`)
