package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// entryField is a field of an entry that forms show. All else that an entry has
// stays as it was sent.
type entryField struct {
	name string // as the entry has it; name+ is the name in the agent's second language
	kind string
	yes  bool // what a box means that was never set
}

// entryFields are those of each list of entries.
var entryFields = map[string][]entryField{
	"services": {
		{"name", "text", false},
		{"name+", "text", false},
		{"price", "price", false},
		{"duration_minutes", "number", false},
		{"buffer_minutes", "number", false},
		{"bookable", "check", true},
		{"aliases", "list", false},
		{"description", "area", false},
	},
	"menu": {
		{"name", "text", false},
		{"name+", "text", false},
		{"price", "price", false},
		{"description", "area", false},
		{"available", "check", true},
		{"allergens", "list", false},
		{"dietary", "list", false},
		{"aliases", "list", false},
	},
	"products": {
		{"name", "text", false},
		{"name+", "text", false},
		{"price", "price", false},
		{"stock", "number", false},
		{"sku", "text", false},
		{"variants", "list", false},
		{"aliases", "list", false},
		{"description", "area", false},
	},
	"listings": {
		{"title", "text", false},
		{"title+", "text", false},
		{"ref", "text", false},
		{"operation", "select", false},
		{"price", "price", false},
		{"bedrooms", "number", false},
		{"area_m2", "number", false},
		{"city", "text", false},
		{"status", "text", false},
		{"url", "text", false},
		{"description", "area", false},
	},
}

// grouped says whether the entries of a list stand under headings.
func grouped(section string) bool { return section == "menu" || section == "products" }

// entryGroup is a heading and what stands under it. A list without headings is one
// group.
type entryGroup struct {
	name    string
	entries []json.RawMessage
}

// groupsOf are the entries of a list.
func groupsOf(a frontdesk.Agent, section string) ([]entryGroup, error) {
	c := a.Config
	text := map[string]json.RawMessage{"services": c.Services, "listings": c.Listings, "menu": c.Menu, "products": c.Products}[section]
	if !grouped(section) {
		g := entryGroup{}
		if len(text) == 0 {
			return []entryGroup{g}, nil
		}
		err := json.Unmarshal(text, &g.entries)
		return []entryGroup{g}, err
	}
	members, err := frontdesk.ReadMembers(text)
	if err != nil {
		return nil, err
	}
	all := make([]entryGroup, len(members))
	for i, m := range members {
		all[i].name = m.Name
		if err := json.Unmarshal(m.Value, &all[i].entries); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// withGroups is an agent with other entries in a list, if the API would take them.
func withGroups(a frontdesk.Agent, section string, groups []entryGroup) (frontdesk.Agent, error) {
	value := json.RawMessage(nil)
	if grouped(section) {
		var members frontdesk.Members
		for _, g := range groups {
			members = append(members, frontdesk.Member{Name: g.name, Value: entriesJSON(g.entries)})
		}
		value = members.JSON()
	} else {
		value = entriesJSON(groups[0].entries)
	}
	return patched(a, frontdesk.Members{{Name: section, Value: value}})
}

func entriesJSON(entries []json.RawMessage) json.RawMessage {
	b := []byte{'['}
	for i, one := range entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, one...)
	}
	return append(b, ']')
}

func flatEntries(a frontdesk.Agent, section string) (all []json.RawMessage) {
	groups, err := groupsOf(a, section)
	if err != nil {
		return nil // entries that cannot be read are not counted
	}
	for _, g := range groups {
		all = append(all, g.entries...)
	}
	return all
}

// entryList is a list of entries as a page shows it.
type entryList struct {
	Section string
	Grouped bool
	Groups  []shownGroup
	Empty   bool
}

type shownGroup struct {
	Index int
	Name  string
	Rows  []entryRow
	First bool
	Last  bool
}

// entryRow is one entry in a list.
type entryRow struct {
	Place string // in the list: 3, or 1-3 under a heading
	Key   string
	Name  string
	What  string
	Off   string // why callers do not get it
	First bool
	Last  bool
}

// newEntryList is the list of a part of the business that is one.
func newEntryList(v *visit, section string, a frontdesk.Agent) (entryList, bool) {
	list := entryList{Section: section, Grouped: grouped(section)}
	switch {
	case section == "rules":
		list.Groups = []shownGroup{{Rows: ruleRows(v, a)}}
	case section == "people":
		list.Groups = []shownGroup{{Rows: personRows(v, a)}}
	case entryFields[section] == nil:
		return list, false
	default:
		groups, err := groupsOf(a, section)
		if err != nil {
			return list, false
		}
		for i, g := range groups {
			list.Groups = append(list.Groups, shownGroup{Index: i, Name: g.name, Rows: entryRows(v, a, section, i, g.entries)})
		}
	}
	list.Empty = !slices.ContainsFunc(list.Groups, func(g shownGroup) bool { return len(g.Rows) > 0 })
	for i := range list.Groups {
		g := &list.Groups[i]
		g.First, g.Last = i == 0, i == len(list.Groups)-1
		if n := len(g.Rows); n > 0 {
			g.Rows[0].First, g.Rows[n-1].Last = true, true
		}
	}
	return list, true
}

func entryRows(v *visit, a frontdesk.Agent, section string, group int, entries []json.RawMessage) (rows []entryRow) {
	for i, entry := range entries {
		members, err := frontdesk.ReadMembers(entry)
		if err != nil {
			members = nil // shown without a name, and can be taken away
		}
		row := entryRow{Place: strconv.Itoa(i), Key: frontdesk.EntryKey(entry), Name: members.Text("name") + members.Text("title")}
		if grouped(section) {
			row.Place = strconv.Itoa(group) + "-" + row.Place
		}
		var what []string
		if price := moneyText(v, members, a.Currency()); price != "" {
			what = append(what, price)
		}
		if minutes := plainText(members, "duration_minutes"); minutes != "" {
			what = append(what, v.say("minutes_short", "n", minutes))
		}
		if stock := plainText(members, "stock"); stock != "" {
			what = append(what, v.say("in_stock", "n", stock))
		}
		for _, name := range []string{"ref", "city"} {
			if text := members.Text(name); text != "" {
				what = append(what, text)
			}
		}
		row.What = strings.Join(what, " · ")
		for _, name := range []string{"bookable", "available"} {
			if plainText(members, name) == "false" {
				row.Off = v.say("off_" + name)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// plainText is a member as a form shows it: a text, a number, a yes or a no.
func plainText(m frontdesk.Members, name string) string {
	value, there := m.Get(name)
	if !there || string(value) == "null" {
		return ""
	}
	if text := m.Text(name); text != "" || len(value) > 0 && value[0] == '"' {
		return text
	}
	if value[0] == '{' || value[0] == '[' {
		return ""
	}
	return string(value)
}

// priceText is a price as a form shows it: 12,5, "desde 30 €", 55 EUR.
func priceText(v *visit, m frontdesk.Members) string {
	value, _ := m.Get("price")
	var money struct {
		Amount   json.Number
		Currency string
	}
	if len(value) > 0 && value[0] == '{' && json.Unmarshal(value, &money) == nil {
		return decimal(v, money.Amount.String()) + " " + money.Currency
	}
	if text := plainText(m, "price"); len(value) > 0 && value[0] != '"' {
		return decimal(v, text)
	}
	return plainText(m, "price")
}

// decimal is a number with the decimal sign of the language.
func decimal(v *visit, number string) string {
	return strings.ReplaceAll(number, ".", v.say("decimal"))
}

// moneyText is a price as people read it in a list: 9,50 €.
func moneyText(v *visit, m frontdesk.Members, currency string) string {
	text := strings.ReplaceAll(priceText(v, m), ",", ".")
	if code := withCode.FindStringSubmatch(text); code != nil {
		text, currency = code[1], code[2]
	}
	amount, err := strconv.ParseFloat(text, 64)
	if err != nil || !bareAmount.MatchString(text) {
		return priceText(v, m)
	}
	places := 2
	if amount == float64(int(amount)) {
		places = 0
	}
	whole, rest, _ := strings.Cut(strconv.FormatFloat(amount, 'f', places, 64), ".")
	if n, err := strconv.Atoi(whole); err == nil {
		whole = v.figure(n)
	}
	if rest != "" {
		whole += v.say("decimal") + rest
	}
	return v.say("money", "amount", whole, "sign", cmp.Or(currencySigns[currency], currency))
}

// currencySigns are those that everybody knows.
var currencySigns = map[string]string{"EUR": "€", "GBP": "£", "USD": "$"}

var (
	bareAmount = regexp.MustCompile(`^\d+([.,]\d{1,2})?$`)
	withCode   = regexp.MustCompile(`^(\d+(?:[.,]\d{1,2})?) ?([A-Z]{3})$`)
)

// priceJSON is a price as the API has it, in the form that it had before where it
// can be: an amount with its currency keeps that.
func priceJSON(text string, before json.RawMessage) json.RawMessage {
	amount := strings.ReplaceAll(text, ",", ".")
	if code := withCode.FindStringSubmatch(text); code != nil {
		return json.RawMessage(`{"amount":` + strings.ReplaceAll(code[1], ",", ".") + `,"currency":"` + code[2] + `"}`)
	}
	if !bareAmount.MatchString(text) {
		return quoted(text)
	}
	amount = strings.TrimLeft(amount, "0")
	if amount == "" || amount[0] == '.' {
		amount = "0" + amount
	}
	var money struct{ Currency string }
	if len(before) > 0 && before[0] == '{' && json.Unmarshal(before, &money) == nil && money.Currency != "" {
		return json.RawMessage(`{"amount":` + amount + `,"currency":` + string(quoted(money.Currency)) + `}`)
	}
	return json.RawMessage(amount)
}

// listText is a list of texts as a form shows it; false: there is more in it than
// texts.
func listText(m frontdesk.Members, name string) (string, bool) {
	value, there := m.Get(name)
	if !there || string(value) == "null" {
		return "", true
	}
	var all []string
	if json.Unmarshal(value, &all) != nil {
		return m.Text(name), len(value) > 0 && value[0] == '"'
	}
	between := ", "
	if slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, ",") }) {
		between = "\n"
	}
	return strings.Join(all, between), true
}

func listJSON(text string) json.RawMessage {
	between := ","
	if strings.Contains(text, "\n") {
		between = "\n"
	}
	all := []string{}
	for one := range strings.SplitSeq(text, between) {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	out, _ := json.Marshal(all) // of strings: it always can
	return out
}

// secondLanguage is the one that an agent speaks beside its first; "": none.
func secondLanguage(a frontdesk.Agent) string {
	if len(a.Languages) < 2 {
		return ""
	}
	return a.Languages[1]
}

// fieldsOf are the fields of an entry's form.
func fieldsOf(v *visit, section string, a frontdesk.Agent, m frontdesk.Members) (all []field) {
	for _, spec := range entryFields[section] {
		f := field{Name: spec.name, Path: spec.name, Kind: spec.kind}
		if base, second := strings.CutSuffix(spec.name, "+"); second {
			code := secondLanguage(a)
			if code == "" {
				continue
			}
			f.Name, f.Path = base+"_"+code, base+"_"+code
		}
		shows := true
		switch spec.kind {
		case "price":
			f.Value = priceText(v, m)
			f.Hint = v.say("hint_price_in", "currency", a.Currency())
		case "list":
			f.Value, shows = listText(m, f.Name)
			if f.Name == "dietary" { // the whole house has a text of that name
				f.Label, f.Hint = v.say("field_dietary_list"), v.say("hint_aliases")
			}
		case "check":
			f.Value = "no"
			if text := plainText(m, f.Name); text == "true" || text == "" && spec.yes {
				f.Value = "yes"
			}
		case "select":
			f.Value = plainText(m, f.Name)
			f.Options = operationChoices(v, f.Value)
		default:
			f.Value = plainText(m, f.Name)
		}
		if shows {
			all = append(all, f)
		}
	}
	return all
}

// operationChoices are what can be done with a listing.
func operationChoices(v *visit, chosen string) []choice {
	all := []choice{{v.say("operation_none"), "", chosen == ""}}
	for _, value := range []string{"sale", "rent"} {
		all = append(all, choice{v.say("operation_" + value), value, chosen == value})
	}
	if chosen != "" && chosen != "sale" && chosen != "rent" {
		all = append(all, choice{chosen, chosen, true})
	}
	return all
}

// errGone is for an entry that somebody else has taken away meanwhile.
var errGone = errors.New("taken away meanwhile")

// newPlace is where a form for a new entry is.
const newPlace = "new"

// place is where an entry stands.
type place struct{ group, index int }

// readPlace reads 3, or 1-3.
func readPlace(section, text string) (p place, ok bool) {
	index := text
	if grouped(section) {
		group, rest, found := strings.Cut(text, "-")
		n, err := strconv.Atoi(group)
		if !found || err != nil {
			return p, false
		}
		p.group, index = n, rest
	}
	n, err := strconv.Atoi(index)
	p.index = n
	return p, err == nil
}

// writePlace is a place as readPlace reads it.
func writePlace(section string, p place) string {
	if grouped(section) {
		return strconv.Itoa(p.group) + "-" + strconv.Itoa(p.index)
	}
	return strconv.Itoa(p.index)
}

// locate finds an entry by its place, and by its key where others have moved it
// meanwhile. Without a key its place counts.
func locate(groups []entryGroup, p place, key string, keyOf func(json.RawMessage) string) (place, bool) {
	in := func(p place) bool {
		return p.group >= 0 && p.group < len(groups) && p.index >= 0 && p.index < len(groups[p.group].entries)
	}
	if in(p) && (key == "" || keyOf(groups[p.group].entries[p.index]) == key) {
		return p, true
	}
	for i, g := range groups {
		for k, entry := range g.entries {
			if key != "" && keyOf(entry) == key {
				return place{i, k}, true
			}
		}
	}
	return p, false
}

// newEntryForm is the form of an entry of a list.
func newEntryForm(v *visit, section, entry, key string, a frontdesk.Agent) (form, error) {
	groups, err := groupsOf(a, section)
	if err != nil {
		return form{}, err
	}
	f := form{section: section, entry: entry, key: key}
	at, gone := place{group: -1}, false
	var members frontdesk.Members
	heading := v.field("group")
	if entry != newPlace {
		p, ok := readPlace(section, entry)
		if !ok {
			return form{}, frontdesk.Missing("entry")
		}
		if at, ok = locate(groups, p, key, frontdesk.EntryKey); ok {
			raw := groups[at.group].entries[at.index]
			if members, err = frontdesk.ReadMembers(raw); err != nil {
				return form{}, err
			}
			f.key, f.title, heading = frontdesk.EntryKey(raw), members.Text("name")+members.Text("title"), groups[at.group].name
		} else if key == "" {
			return form{}, frontdesk.Missing("entry")
		} else {
			at, gone, f.entry = place{group: -1}, true, newPlace
		}
	}
	f.fields = fieldsOf(v, section, a, members)
	if grouped(section) {
		f.fields = append(f.fields, groupField(groups, heading, v.say("group_first_"+section)))
	}
	f.apply = func(a frontdesk.Agent, changed map[string]string) (frontdesk.Agent, error) {
		return applyEntry(a, section, groups, at, members, f.fields, changed)
	}
	if gone {
		return f, errGone
	}
	return f, nil
}

// groupField is under which heading an entry stands.
func groupField(groups []entryGroup, chosen, first string) field {
	f := field{Name: "group", Path: "group", Kind: "select", Value: chosen}
	if len(groups) == 0 {
		f.Value, f.Options = first, []choice{{first, first, true}}
		return f
	}
	if !slices.ContainsFunc(groups, func(g entryGroup) bool { return g.name == chosen }) {
		f.Value = groups[0].name
	}
	for _, g := range groups {
		f.Options = append(f.Options, choice{g.name, g.name, g.name == f.Value})
	}
	return f
}

// applyEntry is an agent with an entry changed, or added.
func applyEntry(a frontdesk.Agent, section string, groups []entryGroup, at place, members frontdesk.Members, fields []field, changed map[string]string) (frontdesk.Agent, error) {
	heading := ""
	for _, f := range fields {
		value, touched := changed[f.Name]
		if f.Name == "group" {
			heading = f.Value
			if touched {
				heading = value
			}
			continue
		}
		if !touched {
			continue
		}
		raw, err := memberJSON(f, value, members)
		if err != nil {
			return a, err
		}
		members = members.Set(f.Name, raw)
	}
	if at.group < 0 && section == "services" && members.Text("id") == "" {
		if id := freeID(slugOf(members.Text("name")), serviceChoices(a)); id != "" {
			members = append(frontdesk.Members{{Name: "id", Value: quoted(id)}}, members...)
		}
	}
	return withGroups(a, section, putEntry(groups, at, heading, members.JSON()))
}

// memberJSON is what a form sent for a field, as the entry has it; nil takes it
// away.
func memberJSON(f field, value string, before frontdesk.Members) (json.RawMessage, error) {
	switch {
	case f.Kind == "check":
		return json.RawMessage(strconv.FormatBool(value == "yes")), nil
	case value == "" && f.Name != "name" && f.Name != "title":
		return nil, nil
	case f.Kind == "price":
		old, _ := before.Get("price")
		return priceJSON(value, old), nil
	case f.Kind == "number":
		number := strings.ReplaceAll(value, ",", ".")
		if !bareAmount.MatchString(number) || !json.Valid([]byte(number)) {
			return nil, frontdesk.InvalidParam(f.Name, "%s must be a number.", f.Name)
		}
		return json.RawMessage(number), nil
	case f.Kind == "list":
		return listJSON(value), nil
	}
	return quoted(value), nil
}

// putEntry puts an entry where it stood, or under another heading, or at the end.
func putEntry(groups []entryGroup, at place, heading string, entry json.RawMessage) []entryGroup {
	groups = slices.Clone(groups)
	if at.group >= 0 && groups[at.group].name == heading {
		g := &groups[at.group]
		g.entries = slices.Clone(g.entries)
		g.entries[at.index] = entry
		return groups
	}
	if at.group >= 0 {
		g := &groups[at.group]
		g.entries = slices.Delete(slices.Clone(g.entries), at.index, at.index+1)
	}
	to := slices.IndexFunc(groups, func(g entryGroup) bool { return g.name == heading })
	if to < 0 {
		groups, to = append(groups, entryGroup{name: heading}), len(groups)
	}
	groups[to].entries = append(slices.Clone(groups[to].entries), entry)
	return groups
}

// serviceChoices are the services of an agent by their ids.
func serviceChoices(a frontdesk.Agent) (all []choice) {
	for _, s := range catalogue.Read(a).Services {
		all = append(all, choice{Name: s.Name, Value: s.ID})
	}
	return all
}

// slugOf is a name as an id: without accents, blanks and capitals.
func slugOf(name string) string {
	words := strings.FieldsFunc(language.Fold(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}

// freeID is an id that nothing has yet.
func freeID(id string, taken []choice) string {
	if len(id) > 60 {
		id = id[:60]
	}
	for n := 1; ; n++ {
		try := id
		if n > 1 || id == "" {
			try = strings.Trim(id+"-"+strconv.Itoa(n), "-")
		}
		if !slices.ContainsFunc(taken, func(c choice) bool { return c.Value == try }) {
			return try
		}
	}
}
