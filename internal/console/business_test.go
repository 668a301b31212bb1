package console

import (
	"context"
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	desk "frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

var (
	formPart   = regexp.MustCompile(`(?s)<form[^>]* id="sheet".*?</form>`)
	inputPart  = regexp.MustCompile(`<input ([^>]*)>`)
	areaPart   = regexp.MustCompile(`(?s)<textarea ([^>]*)>(.*?)</textarea>`)
	selectPart = regexp.MustCompile(`(?s)<select ([^>]*)>(.*?)</select>`)
	chosenPart = regexp.MustCompile(`<option value="([^"]*)" selected`)
)

// sheet is the form of a page as a browser would send it back.
func sheet(t *testing.T, page string) url.Values {
	t.Helper()
	text := formPart.FindString(page)
	if text == "" {
		t.Fatalf("there is no form in %s", page)
	}
	values := url.Values{}
	for _, m := range inputPart.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], `type="checkbox"`) || strings.Contains(m[1], " checked") {
			values.Add(attribute(m[1], "name"), attribute(m[1], "value"))
		}
	}
	for _, m := range areaPart.FindAllStringSubmatch(text, -1) {
		values.Add(attribute(m[1], "name"), strings.ReplaceAll(html.UnescapeString(m[2]), "\n", "\r\n"))
	}
	for _, m := range selectPart.FindAllStringSubmatch(text, -1) {
		chosen := ""
		if c := chosenPart.FindStringSubmatch(m[2]); c != nil {
			chosen = html.UnescapeString(c[1])
		}
		values.Add(attribute(m[1], "name"), chosen)
	}
	return values
}

func attribute(tag, name string) string {
	_, rest, found := strings.Cut(" "+tag, " "+name+`="`)
	if !found {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return html.UnescapeString(value)
}

// fill opens a form of the business, and returns it with other values.
func (b *browser) fill(path string, pairs ...string) url.Values {
	b.o.t.Helper()
	values := sheet(b.o.t, b.open(path))
	for i := 0; i < len(pairs); i += 2 {
		if !values.Has(pairs[i]) && pairs[i+1] != "yes" {
			b.o.t.Fatalf("%s has no field %s: %v", path, pairs[i], slices.Sorted(maps.Keys(values)))
		}
		values.Set(pairs[i], pairs[i+1])
	}
	return values
}

// now is the office's agent as it is published.
func (o *office) now() frontdesk.Agent {
	o.t.Helper()
	a, err := o.store.AgentBySlug(context.Background(), o.owner(), o.agent.Slug)
	if err != nil {
		o.t.Fatal(err)
	}
	return a
}

// change changes the office's agent as somebody else would by the API.
func (o *office) change(change func(*frontdesk.Agent)) {
	o.t.Helper()
	_, err := o.store.ChangeAgent(context.Background(), o.owner(), o.agent.Slug, store.AgentChange{
		By: frontdesk.Actor{Kind: frontdesk.ByKey, Name: "shop"}, Now: o.Now(), Fields: wire.AgentFields,
		Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
			change(&a)
			return a, nil
		},
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

func has(t *testing.T, page string, parts ...string) {
	t.Helper()
	page = html.UnescapeString(page)
	for _, part := range parts {
		if !strings.Contains(page, part) {
			t.Errorf("%q is not in the page: %s", part, page[max(0, strings.Index(page, "<main")):])
		}
	}
}

func hasNot(t *testing.T, page string, parts ...string) {
	t.Helper()
	page = html.UnescapeString(page)
	for _, part := range parts {
		if strings.Contains(page, part) {
			t.Errorf("%q is in the page: %s", part, page[max(0, strings.Index(page, "<main")):])
		}
	}
}

func TestADraftIsPublishedAndTakenBack(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	page := b.send("business/texts", b.fill("business/texts", "specials", "Mondays: half price"))
	has(t, page, "Saved to the draft", "1 change not published", "Eva owner")
	if got := o.now().Config.Specials; got != "" {
		t.Fatalf("the draft is heard by callers: %q", got)
	}
	has(t, b.open("business/draft"), "Specials and offers", "Mondays: half price")
	page = b.send("business/draft", b.publishing())
	has(t, page, "Published", "Undo")
	hasNot(t, page, "not published")
	if got := o.now().Config.Specials; got != "Mondays: half price" {
		t.Fatalf("published: %q", got)
	}
	has(t, b.open("business/history"), "Eva owner", "Specials and offers", "current")
	undo := regexp.MustCompile(`business/history/[^"]*/restore`).FindString(page)
	seen := url.Values{"back": {"business"}, "seen": {attribute(regexp.MustCompile(`name="seen" value="[^"]*"`).FindString(page), "value")}}
	o.change(func(a *frontdesk.Agent) { a.Config.Policy = "Theirs" })
	if got := b.post(b.at(undo), seen); got.status != http.StatusConflict || o.now().Config.Policy != "Theirs" {
		t.Errorf("an undo took back what somebody else has changed since: %d", got.status)
	}
	seen.Set("seen", string(o.now().Revision))
	has(t, b.send(undo, seen), "in force again", "Undo")
	if got := o.now().Config.Specials; got != "" {
		t.Errorf("taken back: %q", got)
	}
}

func TestADiscardedDraftIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	b.send("business/texts", b.fill("business/texts", "policy", "No dogs"))
	page := b.send("business/draft/discard", nil)
	has(t, page, "Draft discarded", "Undo")
	hasNot(t, page, "not published")
	has(t, b.send("business/draft/discard", url.Values{"again": {"yes"}}), "1 change not published")
	b.send("business/draft/discard", nil)
	b.send("business/texts", b.fill("business/texts", "dietary", "Nuts everywhere"))
	page = b.open("business/draft")
	has(t, page, "Nuts everywhere")
	hasNot(t, page, "No dogs") // what was discarded does not come back with the next change
}

// publishing is the form that publishes the draft as it is shown now.
func (b *browser) publishing(more ...string) url.Values {
	b.o.t.Helper()
	_, rest, found := strings.Cut(b.open("business/draft"), `name="seen" value="`)
	seen, _, _ := strings.Cut(rest, `"`)
	if !found || seen == "" {
		b.o.t.Fatal("the draft has no form that publishes it")
	}
	form := url.Values{"seen": {seen}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// TestWhatWasNotSeenIsNotPublished: a colleague who changes the draft, or
// publishes, between the look at a draft and the press of its button is seen first.
func TestWhatWasNotSeenIsNotPublished(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ana, eva := o.enter(frontdesk.RoleOwner), o.enter(frontdesk.RoleOwner)
	ana.send("business/texts", ana.fill("business/texts", "specials", "Soup"))
	seen := ana.publishing()
	eva.send("business/texts", eva.fill("business/texts", "policy", "No smoking"))
	for name, form := range map[string]url.Values{"an older draft": seen, "no draft named": nil} {
		got := ana.post(ana.at("business/draft"), form)
		if got.status != http.StatusConflict {
			t.Errorf("%s: %d", name, got.status)
		}
		has(t, got.body, "Somebody else has changed it meanwhile", "Soup", "No smoking")
	}
	if a := o.now(); a.Config.Specials != "" || a.Config.Policy != "" {
		t.Fatalf("published unseen: %+v", a.Config)
	}
	seen = ana.publishing()
	o.change(func(a *frontdesk.Agent) { a.Config.Dietary = "No nuts" })
	if got := ana.post(ana.at("business/draft"), seen); got.status != http.StatusConflict {
		t.Errorf("over another version: %d", got.status)
	}
	ana.send("business/draft", ana.publishing())
	if a := o.now(); a.Config.Specials != "Soup" || a.Config.Policy != "No smoking" || a.Config.Dietary != "No nuts" {
		t.Errorf("published: %+v", a.Config)
	}
}

func TestTwoPeopleFillInTheSameForm(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ana, eva := o.enter(frontdesk.RoleOwner), o.enter(frontdesk.RoleOwner)
	first := ana.fill("business/texts", "specials", "Soup")
	other := eva.fill("business/texts", "policy", "No smoking")
	same := eva.fill("business/texts", "specials", "Salad")
	ana.send("business/texts", first)
	eva.send("business/texts", other) // another field: both stay
	has(t, eva.open("business/draft"), "Soup", "No smoking")

	got := eva.post(eva.at("business/texts"), same)
	if got.status != http.StatusConflict {
		t.Fatalf("the same field: %d", got.status)
	}
	has(t, got.body, "Somebody else has changed this", "It says now:", "Soup", "Salad")
	has(t, eva.open("business/draft"), "Soup") // nothing was written
	eva.send("business/texts", sheet(t, got.body))
	has(t, eva.open("business/draft"), "Salad", "No smoking") // now it was meant
}

func TestTwoPeopleChangeTheSameEntry(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ana, eva := o.enter(frontdesk.RoleOwner), o.enter(frontdesk.RoleOwner)
	price, name := ana.fill("business/services/0", "price", "22"), eva.fill("business/services/0", "name", "Corte y lavado")
	ana.send("business/services/1/move", url.Values{"key": {"colour"}, "to": {"up"}}) // it stands elsewhere now
	ana.send("business/services/0", price)
	eva.send("business/services/0", name)
	has(t, eva.open("business/draft"), "22", "Corte y lavado")
	late := eva.fill("business/services/1", "price", "25")
	ana.send("business/services/1/remove", url.Values{"key": {"cut"}})
	got := eva.post(eva.at("business/services/1"), late)
	if got.status != http.StatusConflict {
		t.Fatalf("one that is gone: %d %s", got.status, got.body)
	}
	has(t, got.body, "Somebody else has removed", "Corte y lavado", `value="25"`)
	eva.send("business/services/new", sheet(t, got.body))
	has(t, eva.open("business/services"), "Corte y lavado", "€25")
}

func TestSomebodyPublishesMeanwhile(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	b.send("business/texts", b.fill("business/texts", "specials", "Soup", "policy", "No smoking"))
	b.send("business/services/1", b.fill("business/services/1", "price", "60"))
	o.change(func(a *frontdesk.Agent) {
		a.Config.Policy, a.Config.Dietary = "Cash only", "No nuts"
		a.Config.Services = json.RawMessage(strings.Replace(string(a.Config.Services), `"price":20`, `"price":21`, 1))
	})
	has(t, b.open("business"), "Somebody else has published")
	got := b.post(b.at("business/draft"), b.publishing())
	if got.status != http.StatusConflict {
		t.Fatalf("published over somebody: %d", got.status)
	}
	has(t, got.body, "shop has published", "No smoking", "Cash only", "side.config.policy")
	hasNot(t, got.body, "side.config.specials", "side.config.services") // changed by one alone
	if a := o.now(); a.Config.Policy != "Cash only" || a.Config.Specials != "" {
		t.Fatalf("something was written: %+v", a.Config)
	}
	b.send("business/draft", b.publishing("side.config.policy", "theirs"))
	a := o.now()
	if a.Config.Policy != "Cash only" || a.Config.Specials != "Soup" || a.Config.Dietary != "No nuts" {
		t.Errorf("texts: %+v", a.Config)
	}
	if services := string(a.Config.Services); !strings.Contains(services, `"price":21`) || !strings.Contains(services, `"price":60`) {
		t.Errorf("services: %s", services)
	}
}

func TestWhatNoFormShowsStaysAsItWas(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.change(func(a *frontdesk.Agent) {
		a.Config.Services = json.RawMessage(`[{"x_internal":{"a":[1.50]},"id":"cut","name":"Corte","price":{"amount":20.00,"currency":"EUR"},"capacity":2}]`)
	})
	b := o.enter(frontdesk.RoleOwner)
	b.send("business/services/0", b.fill("business/services/0", "price", "25,50", "aliases", "pelo, haircut"))
	b.send("business/draft", b.publishing())
	want := `[{"x_internal":{"a":[1.50]},"id":"cut","name":"Corte","price":{"amount":25.50,"currency":"EUR"},"capacity":2,"aliases":["pelo","haircut"]}]`
	if got := string(o.now().Config.Services); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestFaultsStandAtTheirFields(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.change(func(a *frontdesk.Agent) { a.Config.Menu = json.RawMessage(`{"Mains":[{"name":"Stew"}]}`) })
	b := o.enter(frontdesk.RoleOwner)
	tests := map[string]struct {
		path  string
		pairs []string
		at    string
	}{
		"a website":           {"business/about", []string{"business.website", "example"}, "f-business-website-fault"},
		"a number of minutes": {"business/booking", []string{"slot_minutes", "3"}, "f-slot_minutes-fault"},
		"letters":             {"business/booking", []string{"capacity", "many"}, "f-capacity-fault"},
		"no name":             {"business/services/0", []string{"name", ""}, "f-name-fault"},
		"a dish without one":  {"business/menu/0-0", []string{"name", ""}, "f-name-fault"},
		"a length":            {"business/services/0", []string{"duration_minutes", "long"}, "f-duration_minutes-fault"},
		"a time":              {"business/hours", []string{"openings.1.to", "25:00"}, "f-openings-1-fault"},
		"a rule's time":       {"business/rules/new", []string{"when.from", "9"}, "f-when-from-fault"},
		"nothing to say":      {"business/rules/new", []string{"action", "say"}, "f-say-es-fault"},
		"nobody":              {"business/people/new", []string{"name", ""}, "f-name-fault"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			values := b.fill(tt.path, tt.pairs...)
			for _, language := range []string{"en", "es"} {
				b.language = language
				got := b.post(b.at(tt.path), values)
				if got.status != http.StatusUnprocessableEntity {
					t.Fatalf("%d %s", got.status, got.body)
				}
				if !regexp.MustCompile(`id="` + tt.at + `"[^>]*>[^<]`).MatchString(got.body) {
					t.Errorf("nothing is said at %s: %s", tt.at, formPart.FindString(got.body))
				}
				if again := sheet(t, got.body).Get(tt.pairs[0]); again != tt.pairs[1] {
					t.Errorf("what was typed is lost: %q", again)
				}
			}
			b.language = "en"
			check := b.request(http.MethodPost, b.at("business/check"), strings.NewReader(values.Encode()))
			check.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			check.Header.Set("HX-Request", "true")
			check.Header.Set("HX-Trigger-Name", tt.pairs[0])
			if got := b.do(check); got.status != http.StatusOK || got.body == "" && tt.pairs[0] != "action" {
				t.Errorf("checked as typed: %d %q", got.status, got.body)
			}
		})
	}
	hasNot(t, b.open("business"), "not published") // nothing of it was saved
}

func TestHoursWithSplitDays(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	values := b.fill("business/hours")
	values.Set("do", "add.0")
	got := b.post(b.at("business/hours"), values)
	if got.status != http.StatusOK || strings.Count(got.body, `name="openings.0.from"`) != 2 {
		t.Fatalf("a second period: %d", got.status)
	}
	values = sheet(t, got.body)
	values["openings.0.from"], values["openings.0.to"] = []string{"10:00", "17:00"}, []string{"14:00", "20:30"}
	values.Set("do", "drop.5.0")
	got = b.post(b.at("business/hours"), values)
	b.send("business/hours", sheet(t, got.body))
	has(t, b.open("business/draft"), "Hours: Monday", "10:00-14:00 17:00-20:30", "Hours: Saturday", "closed")
	values = b.fill("business/hours")
	values.Set("do", "copy")
	b.send("business/hours", sheet(t, b.post(b.at("business/hours"), values).body))
	b.send("business/draft", b.publishing())
	week := o.now().Settings.Calendar.Openings
	want := []frontdesk.Period{{From: 600, To: 840}, {From: 1020, To: 1230}}
	if week == nil || !slices.Equal(week[0], want) || !slices.Equal(week[6], want) {
		t.Fatalf("got %v", week)
	}
	if hull := o.now().Config.Hours[0]; hull != (frontdesk.Shift{Open: 10, Close: 21}) {
		t.Errorf("the hull: %v", hull)
	}
}

func TestWhatWasRemovedIsPutBack(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.everything()
	b := o.enter(frontdesk.RoleOwner)
	for path, name := range map[string]string{"services/0": "Corte", "menu/0-0": "Sopa", "rules/1": "weather", "people/0": "Ana"} {
		section, _, _ := strings.Cut(path, "/")
		page := b.send("business/"+path+"/remove", nil)
		has(t, page, "Removed in the draft", "Undo")
		if list, _, _ := strings.Cut(page[strings.Index(page, `class="beside`):], "</main>"); strings.Contains(list, `<b>`+name) {
			t.Errorf("%s is still there", name)
		}
		values := url.Values{}
		for _, field := range []string{"group", "raw"} {
			values.Set(field, attribute(regexp.MustCompile(`name="`+field+`" value="[^"]*"`).FindString(page), "value"))
		}
		has(t, b.send("business/"+path+"/back", values), "Back in the draft", name)
		if got := b.post(b.at("business/"+path+"/back"), url.Values{"raw": {`{"name":`}}); got.status != http.StatusNotFound {
			t.Errorf("what is no entry, into %s: %d", section, got.status)
		}
	}
	hasNot(t, b.open("business"), "not published") // all is as it was
}

func TestRulesAreAddedOrderedAndRemoved(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	has(t, b.open("business/rules"), "There are no rules")
	b.send("business/rules/new", b.fill("business/rules/new", "when.topic", "complaint", "action", "person"))
	values := b.fill("business/rules/new", "when.words", "wedding, boda", "when.party_over", "8", "when.from", "10:00", "when.to", "18:00",
		"action", "book", "service_id", "cut", "say.en", "Lovely!")
	values["when.days"] = []string{"0", "4"}
	page := b.send("business/rules/new", values)
	has(t, page, "If the call is about a complaint", "pass on to a person", "wedding, boda", "Monday, Friday", "book: Corte", "Lovely!")
	mark := attribute(regexp.MustCompile(`business/rules/1/move.*?name="key"[^>]*`).FindString(page), "value")
	b.send("business/rules/1/move", url.Values{"key": {mark}, "to": {"up"}})
	b.send("business/rules/0", b.fill("business/rules/0", "action", "message"))
	got := b.post(b.at("business/rules/0"), url.Values{"key": {mark}, "action": {"say"}, "was.action": {"book"}}) // it has been changed
	if got.status != http.StatusConflict {
		t.Errorf("a rule that somebody has changed: %d", got.status)
	}
	b.send("business/rules/1/remove", nil)
	b.send("business/draft", b.publishing())
	rules := o.now().Settings.Rules
	if len(rules) != 1 || rules[0].Do != frontdesk.DoMessage || rules[0].ServiceID != "" || rules[0].When.PartyOver != 8 || rules[0].Say["en"] != "Lovely!" || !slices.Equal(rules[0].When.Days, []int{0, 4}) {
		t.Errorf("got %+v", rules)
	}
}

func TestPeopleAndRooms(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	has(t, b.open("business/people"), "nobody in particular")
	b.send("business/people/new", b.fill("business/people/new", "name", "Inés Peña"))
	values := b.fill("business/people/0", "own", "yes")
	values.Del("all")
	values["services"] = []string{"cut"}
	values["openings.0.from"], values["openings.0.to"] = []string{"10:00"}, []string{"13:00"}
	has(t, b.send("business/people/0", values), "Inés Peña", "Corte")
	b.send("business/services/0/remove", url.Values{"key": {"cut"}}) // nobody can be booked for it any more
	b.send("business/draft", b.publishing())
	all := o.now().Settings.Calendar.Resources
	if len(all) != 1 || all[0].ID != "ines-pena" || all[0].Services == nil || len(all[0].Services) != 0 || all[0].Openings == nil || len(all[0].Openings[0]) != 1 {
		t.Errorf("got %+v", all)
	}
}

func TestMenusHaveHeadings(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	b.send("business/menu/new", b.fill("business/menu/new", "name", "Stew", "price", "from £9", "available", "yes"))
	b.send("business/menu/groups", url.Values{"do": {"add"}, "name": {"Desserts"}})
	b.send("business/menu/groups", url.Values{"do": {"up"}, "group": {"Desserts"}})
	b.send("business/menu/1-0", b.fill("business/menu/1-0", "group", "Desserts"))
	b.send("business/menu/groups", url.Values{"do": {"rename"}, "group": {"Dishes"}, "name": {"Mains"}})
	if got := b.post(b.at("business/menu/groups"), url.Values{"do": {"rename"}, "group": {"Mains"}, "name": {"Desserts"}}); got.status != http.StatusBadRequest {
		t.Errorf("two headings of one name: %d", got.status)
	}
	has(t, b.open("business/menu"), "Stew", "from £9", "There is nothing here yet")
	b.send("business/draft", b.publishing())
	if got := string(o.now().Config.Menu); got != `{"Desserts":[{"name":"Stew","price":"from £9"}],"Mains":[]}` {
		t.Errorf("got %s", got)
	}
	b.send("business/menu/groups", url.Values{"do": {"remove"}, "group": {"Mains"}})
	has(t, b.open("business/draft"), "1 change not published", "Menu · Mains")
}

// everything is an agent in which every part of a business has something.
func (o *office) everything() {
	o.change(func(a *frontdesk.Agent) {
		a.Config.Business = frontdesk.Business{Name: "Lola", Address: "Calle 1"}
		a.Config.Menu = json.RawMessage(`{"Platos":[{"name":"Sopa","price":9.5,"available":false,"allergens":["apio"]}]}`)
		a.Config.Products = json.RawMessage(`{"Todo":[{"name":"Miel","sku":"M1","price":1150,"stock":3,"variants":[{"name":"1 kg"}]}]}`)
		a.Config.Listings = json.RawMessage(`[{"title":"Piso","ref":"A1","operation":"swap","price":{"amount":268000,"currency":"EUR"},"city":"Madrid"}]`)
		a.Settings.Rules = frontdesk.Rules{{Do: frontdesk.DoMessage}, {When: frontdesk.RuleWhen{Topic: "weather"}, Do: frontdesk.DoPerson}}
		a.Settings.Calendar.Resources = []frontdesk.Resource{{ID: "ana", Name: "Ana", Kind: "person"}, {ID: "sala", Name: "Sala", Kind: "room", Services: []string{}, Seats: 4}}
	})
}

func TestEveryPartOfTheBusinessInBothLanguages(t *testing.T) {
	t.Parallel()
	o := newOffice(t, func(options *Options) {
		options.Sessions = desk.NewSessions(desk.SessionOptions{Store: options.Store, Now: options.Now})
	})
	o.everything()
	b, staff := o.enter(frontdesk.RoleOwner), o.enter(frontdesk.RoleStaff)
	pages := []string{"business", "business/draft", "business/history", "business/talk"}
	for _, section := range sections {
		pages = append(pages, "business/"+section)
	}
	for _, section := range []string{"services", "listings", "rules", "people"} {
		pages = append(pages, "business/"+section+"/0", "business/"+section+"/new")
	}
	pages = append(pages, "business/menu/0-0", "business/menu/new", "business/products/0-0", "business/products/new")
	for _, language := range []string{"en", "es"} {
		b.language, staff.language = language, language
		for _, path := range pages {
			b.open(path)
			if page := staff.open(path); strings.Contains(page, `action="business/draft"`) || strings.Contains(page, `class="main">`+"Save") {
				t.Errorf("%s lets staff change it", path)
			}
		}
	}
	b.language = "es"
	has(t, b.open("business/menu"), "9,50 €", "agotado")
	has(t, b.open("business/products"), "1.150 €", "3 en almacén")
	has(t, b.open("business/listings"), "268.000 €", "Madrid")
	has(t, b.open("business"), "Horario", "Carta", "2 reglas")
	hasNot(t, b.open("business/products/0-0"), "Tamaños") // there is more in it than a form shows
	for _, path := range []string{"business/none", "business/services/9", "business/services/x", "business/menu/7", "business/about/0", "business/rules/7", "business/people/7"} {
		if got := b.get(b.at(path)); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

func TestTheBusinessIsNotChangedFromTestMode(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	page := b.get("/console/test/desk/business/texts")
	has(t, page.body, "it is changed in live", "<fieldset class=\"form\" disabled>")
	for _, path := range []string{"texts", "services/0/remove", "draft", "draft/discard", "menu/groups"} {
		got := b.post("/console/test/desk/business/"+path, url.Values{"specials": {"Soup"}, "do": {""}})
		if got.status != http.StatusForbidden {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if got := o.enter(frontdesk.RoleStaff).post(b.at("business/texts"), nil); got.status != http.StatusForbidden {
		t.Errorf("staff: %d", got.status)
	}
}

func TestHistoryShowsDifferencesAndGoesBack(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	has(t, b.open("business/history"), "Nothing has been changed yet")
	o.everything()
	o.change(func(a *frontdesk.Agent) { a.Config.Business.Address = "Calle 2" })
	page := b.open("business/history")
	links := regexp.MustCompile(`business/history/[0-9a-f-]{30,}`).FindAllString(page, -1)
	if len(links) != 3 {
		t.Fatalf("three versions, not %v", links)
	}
	has(t, b.open(links[0]), "Address", "Calle 1", "Calle 2", "the same as what is in force", links[1]+`/restore" class="acts">`, "Undo this change")
	page = b.open(links[1])
	has(t, page, "Sopa · 9.5", "Ana", "Rules", "Go back to this version", "Calle 2")
	has(t, b.open(links[2]), "the first version")
	restore := func(shown string) url.Values {
		form := url.Values{"seen": {attribute(regexp.MustCompile(`name="seen" value="[^"]*"`).FindString(shown), "value")}}
		if form.Get("seen") != string(o.now().Revision) {
			t.Errorf("the page was made of %q", form.Get("seen"))
		}
		return form
	}
	restore(b.open(links[0]))
	seen := restore(page)
	o.change(func(a *frontdesk.Agent) { a.Config.Policy = "Theirs" })
	for name, form := range map[string]url.Values{"since it was looked at": seen, "and nothing was looked at": nil} {
		if got := b.post(b.at(links[1]+"/restore"), form); got.status != http.StatusConflict || o.now().Config.Policy != "Theirs" {
			t.Errorf("somebody has published %s: %d", name, got.status)
		}
	}
	has(t, b.send(links[1]+"/restore", restore(b.open(links[1]))), "in force again", "Undo")
	if got := o.now().Config.Business.Address; got != "Calle 1" {
		t.Errorf("restored: %q", got)
	}
	other := o.hire(o.tenant, "other")
	if got := b.get("/console/live/" + other.Slug + "/" + links[0]); got.status != http.StatusNotFound {
		t.Errorf("a version of another agent: %d", got.status)
	}
}

func TestTheDraftIsTalkedTo(t *testing.T) {
	t.Parallel()
	o := newOffice(t, func(options *Options) {
		options.Sessions = desk.NewSessions(desk.SessionOptions{Store: options.Store, Now: options.Now})
	})
	b := o.enter(frontdesk.RoleOwner)
	b.send("business/receptionist", b.fill("business/receptionist", "assistant.greeting", "Hola, soy el borrador."))
	b.send("business/services/0", b.fill("business/services/0", "price", "23"))
	got := b.post(b.at("business/talk"), nil)
	has(t, got.body, "Hola, soy el borrador.", "nothing is booked and nobody is told")
	values := url.Values{}
	for _, name := range []string{"conversation", "token"} {
		values.Set(name, attribute(regexp.MustCompile(`name="`+name+`" value="[^"]*"`).FindString(got.body), "value"))
	}
	values.Set("text", "¿Cuánto cuesta el corte?")
	has(t, b.post(b.at("business/talk"), values).body, "¿Cuánto cuesta el corte?", "23 €")
	part := b.request(http.MethodPost, b.at("business/talk"), strings.NewReader(values.Encode()))
	part.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	part.Header.Set("HX-Request", "true")
	if got := b.do(part); !strings.HasPrefix(strings.TrimSpace(got.body), `<div class="chat"`) {
		t.Errorf("in a page: %s", got.body)
	}
	values.Set("token", "wrong")
	has(t, b.post(b.at("business/talk"), values).body, "The trial call is over")
	calls, err := o.store.Calls(context.Background(), o.owner(), frontdesk.CallFilter{}, frontdesk.Page{})
	if err != nil || len(calls.Items) != 0 {
		t.Errorf("it became a call: %v, %v", calls, err)
	}
}
