package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/api/apitest"
)

// trial is one request and the answer that a document promises for it.
type trial struct {
	why       string
	operation string // method and path with its parameters filled in
	body      string
	status    int
	code      string
	param     string
	file      file // for an upload
}

func (tr trial) broken() bool { return tr.status >= 400 }

func (tr trial) String() string {
	return fmt.Sprintf("%s (%s) %v\n\t%.300s", tr.operation, tr.why, tr.file.headers(), tr.body)
}

// trialsOf reads from the document which requests an operation takes and which
// it does not: each of its examples, every variation that its schemas allow, and
// every way to break one constraint at a time. fill gives the values that must
// exist: path parameters, and query parameters that name something.
func trialsOf(d *apitest.Document, method, template string, fill map[string]string) ([]trial, error) {
	e := &examiner{doc: d, fill: fill}
	e.pointer = "/paths/" + escapePointer(template) + "/" + strings.ToLower(method)
	operation, _ := e.lookUp(e.pointer)
	e.status = successOf(operation)
	e.operation = method + " " + e.path(template)
	e.require(operation)
	e.uploads = isUpload(operation)
	e.queries()
	e.bodies()
	e.files()
	return e.trials, e.err
}

// successOf is the one 2xx status of an operation.
func successOf(operation map[string]any) int {
	for status := range at(operation, "responses") {
		if strings.HasPrefix(status, "2") {
			n, _ := strconv.Atoi(status)
			return n
		}
	}
	return 0
}

// examiner writes the trials of one operation.
type examiner struct {
	doc       *apitest.Document
	fill      map[string]string
	pointer   string
	operation string
	status    int
	required  []string // name=value of each query parameter that must be there
	uploads   bool     // its body is a file
	validBody string
	validFile file
	trials    []trial
	err       error
}

func (e *examiner) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(e.operation+": "+format, args...)
	}
}

func (e *examiner) path(template string) string {
	for name, value := range e.fill {
		template = strings.ReplaceAll(template, "{"+name+"}", value)
	}
	return template
}

// lookUp returns what stands at a pointer, and where: references are followed.
func (e *examiner) lookUp(pointer string) (map[string]any, string) {
	for {
		var v any = e.doc.Root
		for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
			token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			switch inner := v.(type) {
			case map[string]any:
				v = inner[token]
			case []any:
				i, _ := strconv.Atoi(token)
				v = inner[i]
			}
		}
		found, ok := v.(map[string]any)
		if !ok {
			e.fail("nothing stands at %s", pointer)
			return nil, pointer
		}
		ref, ok := found["$ref"].(string)
		if !ok {
			return found, pointer
		}
		pointer = strings.TrimPrefix(ref, "#")
	}
}

func (e *examiner) fits(pointer string, value any) bool {
	s, err := e.doc.Schema(pointer)
	if err != nil {
		e.fail("%v", err)
		return false
	}
	return s.Validate(value) == nil
}

func (e *examiner) add(why, operation, body string, status int, code, param string) {
	e.trials = append(e.trials, trial{why: why, operation: operation, body: body, status: status, code: code, param: param})
}

// The query.

func (e *examiner) query(query, why string, status int, code, param string) {
	for _, pair := range e.required {
		if name, _, _ := strings.Cut(pair, "="); !strings.HasPrefix(query, name+"=") && !strings.Contains(query, "&"+name+"=") {
			query += "&" + pair
		}
	}
	e.add(why, e.operation+"?"+query, e.validBody, status, code, param)
	if tr := &e.trials[len(e.trials)-1]; e.uploads {
		tr.file = e.validFile
		if strings.HasPrefix(query, "filename=") || strings.Contains(query, "&filename=") {
			tr.file.name = "" // the header would win
		}
	}
}

// require notes which query parameters an operation cannot be asked without.
func (e *examiner) require(operation map[string]any) {
	list, _ := operation["parameters"].([]any)
	for i := range list {
		declared, _ := e.lookUp(fmt.Sprintf("%s/parameters/%d", e.pointer, i))
		if declared["in"] == "query" && declared["required"] == true {
			e.required = append(e.required, declared["name"].(string)+"="+url.QueryEscape(text(declared["example"])))
		}
	}
	for i, pair := range e.required {
		name, _, _ := strings.Cut(pair, "=")
		others := slices.Delete(slices.Clone(e.required), i, i+1)
		e.add(name+" is missing", e.operation+"?"+strings.Join(others, "&"), "", 400, "parameter_missing", name)
	}
}

func (e *examiner) queries() {
	operation, _ := e.lookUp(e.pointer)
	e.validBody, e.validFile = e.firstBody(), e.firstFile()
	list, _ := operation["parameters"].([]any)
	known := map[string]bool{}
	var all []string
	for i := range list {
		declared, pointer := e.lookUp(fmt.Sprintf("%s/parameters/%d", e.pointer, i))
		if declared["in"] != "query" {
			continue
		}
		name := declared["name"].(string)
		known[name] = true
		example := text(declared["example"])
		if value, ok := e.fill[name]; ok {
			example = value
		}
		all = append(all, url.QueryEscape(name)+"="+url.QueryEscape(example))
		e.parameter(name, example, pointer+"/schema")
	}
	if len(all) > 0 {
		e.query(strings.Join(all, "&"), "all parameters at once", e.status, "", "")
	}
	for _, name := range append(e.otherParameters(), "zz_unknown") {
		if !known[name] {
			e.query(name+"=1", name+" is not a parameter of this operation", 400, "parameter_unknown", name)
		}
	}
}

// otherParameters are the names of all query parameters of the document: one
// operation's are another one's typing errors.
func (e *examiner) otherParameters() []string {
	names := map[string]bool{}
	for _, p := range at(e.doc.Root, "components", "parameters") {
		if declared := p.(map[string]any); declared["in"] == "query" {
			names[declared["name"].(string)] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (e *examiner) parameter(name, example, pointer string) {
	good := func(value, why string) {
		e.query(name+"="+url.QueryEscape(value), name+": "+why, e.status, "", "")
	}
	bad := func(value, why string) {
		e.query(name+"="+url.QueryEscape(value), name+": "+why, 400, "parameter_invalid", name)
	}
	good(example, "its example")
	e.query(name+"="+url.QueryEscape(example)+"&"+name+"="+url.QueryEscape(example), name+": given twice", 400, "parameter_invalid", name)
	s, _ := e.lookUp(pointer)
	switch s["type"] {
	case "integer":
		for _, text := range []string{"", "ten", "1.5", "5.0", "+5", "05", " 5", "5 ", "5e0", "0x5", "null", "true", "99999999999999999999"} {
			bad(text, "no whole number: "+strconv.Quote(text))
		}
		if n, ok := number(s["minimum"]); ok {
			good(n.RatString(), "the minimum")
			bad(plus(n, -1), "below the minimum")
		}
		if n, ok := number(s["maximum"]); ok {
			good(n.RatString(), "the maximum")
			bad(plus(n, 1), "above the maximum")
		}
	case "boolean":
		good("true", "true")
		good("false", "false")
		for _, text := range []string{"", "1", "0", "yes", "TRUE", "True", "null", " true"} {
			bad(text, "neither true nor false: "+strconv.Quote(text))
		}
	case "string":
		bad("\x00", "a NUL")
		bad("\xff", "broken UTF-8")
		if values, ok := s["enum"].([]any); ok {
			for _, v := range values {
				good(v.(string), "one of the enum")
				bad(strings.ToUpper(v.(string)), "the enum in capitals")
			}
			bad("zz_unknown", "not in the enum")
			bad("", "empty, and not in the enum")
		}
		if n, ok := number(s["minLength"]); ok && n.Sign() > 0 {
			bad(strings.Repeat("x", whole(n)-1), "too short")
		}
		if n, ok := number(s["maxLength"]); ok {
			full := strings.Repeat("ñ", whole(n)-utf8.RuneCountInString(example)) + example
			good(full, "as long as it may be")
			bad("ñ"+full, "too long")
		}
		if s["format"] == "uuid" {
			for _, text := range []string{"", "42", strings.Repeat("z", 36), strings.ReplaceAll(example, "-", "")} {
				bad(text, "no UUID: "+strconv.Quote(text))
			}
			good(strings.ToUpper(example), "a UUID in capitals")
		}
	default:
		e.fail("a query parameter of type %v: teach this test", s["type"])
	}
}

// The body.

func (e *examiner) firstBody() string {
	if e.uploads {
		return e.firstText()
	}
	examples, _ := e.bodyExamples()
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		return encode(filled(at(examples, name)["value"], e.fill))
	}
	return ""
}

func (e *examiner) bodyExamples() (map[string]any, string) {
	operation, _ := e.lookUp(e.pointer)
	content := at(operation, "requestBody", "content", "application/json")
	if content == nil {
		return nil, ""
	}
	examples := at(content, "examples")
	if len(examples) == 0 {
		e.fail("its body has no examples to start from")
	}
	return examples, e.pointer + "/requestBody/content/application~1json/schema"
}

func (e *examiner) bodies() {
	examples, pointer := e.bodyExamples()
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		for form, value := range e.forms(filled(at(examples, name)["value"], e.fill)) {
			b := &breaker{examiner: e, whole: pointer, root: value, label: name + form}
			b.walk()
		}
	}
	operation, _ := e.lookUp(e.pointer)
	required, _ := at(operation, "requestBody")["required"].(bool)
	if examples != nil {
		for why, body := range map[string]string{
			"no body": "", "spaces alone": "  ", "an array": "[]", "null": "null", "a text": `"x"`, "a number": "1", "cut off": "{", "two objects": "{}{}", "more after it": "{} x",
		} {
			if strings.TrimSpace(body) == "" && !required {
				e.add(why, e.operation, body, e.status, "", "")
				continue
			}
			e.add(why, e.operation, body, 400, "invalid_json", "")
		}
	}
}

// forms are both forms of an agent's patch: bare, and inside config.
func (e *examiner) forms(value any) map[string]any {
	object, ok := value.(map[string]any)
	if !ok || !strings.HasPrefix(e.operation, "PATCH /agents/") {
		return map[string]any{"": value}
	}
	if inner, wrapped := object["config"]; wrapped {
		return map[string]any{" unwrapped": inner, "": value}
	}
	return map[string]any{"": value, " wrapped": map[string]any{"config": value}}
}

// breaker walks a valid body along its schema.
type breaker struct {
	*examiner
	whole  string // the schema of the body
	root   any    // the body
	label  string
	choice []any // the place of the oneOf that we are inside of
	inside bool
}

// keywords are those that the walk understands; another one in the schema of a
// body must be taught to it first.
var keywords = []string{
	"$ref", "type", "properties", "required", "additionalProperties", "items", "prefixItems", "minItems", "maxItems", "uniqueItems",
	"minimum", "maximum", "minLength", "maxLength", "minProperties", "enum", "const", "oneOf", "anyOf", "format", "pattern",
	"description", "title", "examples", "default", "deprecated", "x-addition",
}

func (b *breaker) walk() {
	if !b.fits(b.whole, b.root) {
		b.fail("the example %s does not fit its schema", b.label)
		return
	}
	b.good("as it stands", b.root)
	b.twice(b.root, nil)
	s, pointer := b.lookUp(b.whole)
	if branches, ok := s["oneOf"].([]any); ok { // at the root: whichever fits, its own faults are named
		for i := range branches {
			if branch := fmt.Sprintf("%s/oneOf/%d", pointer, i); b.fits(branch, b.root) {
				b.schema(branch, b.root, nil)
			}
		}
		return
	}
	b.schema(b.whole, b.root, nil)
}

// good expects a variation to be accepted.
func (b *breaker) good(why string, body any) {
	if !b.fits(b.whole, body) {
		return // the variation broke another constraint
	}
	b.add(b.label+": "+why, b.operation, encode(body), b.status, "", "")
}

// bad expects a variation to be refused at a place. What is wrong inside of a
// choice is wrong with the choice.
func (b *breaker) bad(why string, body any, code string, place []any) {
	if b.fits(b.whole, body) {
		return // another form of the body allows it
	}
	if b.inside {
		code, place = "parameter_invalid", b.choice
	}
	b.add(b.label+": "+why, b.operation, encode(body), 400, code, param(place))
}

func (b *breaker) schema(pointer string, value any, place []any) {
	s, pointer := b.lookUp(pointer)
	for keyword := range s {
		if !slices.Contains(keywords, keyword) {
			b.fail("%s has the keyword %s: teach this test", pointer, keyword)
		}
	}
	if b.err != nil {
		return
	}
	if len(place) > 0 {
		b.types(s, place)
	}
	if examples, ok := s["examples"].([]any); ok {
		for _, example := range examples {
			if name, ok := last(place).(string); ok && strings.HasSuffix(name, "_id") && b.fill[name] != "" {
				example = b.fill[name]
			}
			b.good("another example at "+param(place), with(b.root, place, example))
		}
	}
	if branches, ok := s["oneOf"].([]any); ok {
		b.oneOf(pointer, len(branches), value, place)
		return
	}
	switch v := value.(type) {
	case map[string]any:
		b.object(s, pointer, v, place)
	case []any:
		b.array(s, pointer, v, place)
	case string:
		b.string(s, place)
	case json.Number:
		b.number(s, place)
	}
}

// types puts a value of every other type at a place.
func (b *breaker) types(s map[string]any, place []any) {
	for kind, other := range map[string]any{
		"null": nil, "boolean": true, "integer": json.Number("7"), "number": json.Number("7.5"),
		"string": "seven", "array": []any{}, "object": map[string]any{},
	} {
		if s["type"] == kind {
			continue // of the right type, and perhaps wrong otherwise
		}
		if several, _ := s["type"].([]any); slices.Contains(several, any(kind)) {
			if kind == "string" && refers(place) {
				continue
			}
			b.good(fmt.Sprintf("%s is %s", param(place), encode(other)), with(b.root, place, other))
			continue
		}
		b.bad(fmt.Sprintf("%s is %s", param(place), encode(other)), with(b.root, place, other), "parameter_invalid", place)
	}
}

func (b *breaker) oneOf(pointer string, branches int, value any, place []any) {
	within := *b
	if !b.inside {
		within.inside, within.choice = true, place
	}
	for i := range branches {
		if branch := fmt.Sprintf("%s/oneOf/%d", pointer, i); b.fits(branch, value) {
			within.schema(branch, value, place)
		}
	}
}

func (b *breaker) object(s map[string]any, pointer string, v map[string]any, place []any) {
	required, _ := s["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		here := append(slices.Clone(place), name)
		if slices.Contains(required, any(name)) {
			b.bad(param(here)+" is missing", with(b.root, here, absent{}), "parameter_missing", here)
		} else {
			b.good("without "+param(here), with(b.root, here, absent{}))
		}
	}
	b.either(s, v, place)
	if least, ok := number(s["minProperties"]); ok && whole(least) > 0 {
		b.bad("no property at "+param(place), with(b.root, place, map[string]any{}), "empty_patch", place)
	} else if len(required) == 0 {
		b.good("no property at "+param(place), with(b.root, place, map[string]any{}))
	}
	unknown := append(slices.Clone(place), "zz_unknown")
	extra := with(b.root, unknown, "x")
	switch more := s["additionalProperties"].(type) {
	case bool:
		if more {
			b.good("with "+param(unknown), extra)
		} else {
			b.bad(param(unknown)+" is unknown", extra, "parameter_unknown", unknown)
		}
	case nil:
		b.good("with "+param(unknown), extra)
	}
	properties := at(s, "properties")
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		here, inner := append(slices.Clone(place), name), pointer+"/properties/"+escapePointer(name)
		if present, ok := v[name]; ok {
			b.schema(inner, present, here)
		} else {
			found, _ := b.lookUp(inner)
			b.types(found, here)
		}
	}
	if _, ok := s["additionalProperties"].(map[string]any); !ok {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if properties[name] == nil {
			b.schema(pointer+"/additionalProperties", v[name], append(slices.Clone(place), name))
		}
	}
}

// either leaves out the properties of which an object needs one: what is missing
// is named by the first of them.
func (b *breaker) either(s, v map[string]any, place []any) {
	branches, _ := s["anyOf"].([]any)
	without, first := b.root, ""
	for _, branch := range branches {
		for _, name := range texts(branch.(map[string]any)["required"]) {
			first = cmp.Or(first, name)
			if _, given := v[name]; given {
				without = with(without, append(slices.Clone(place), name), absent{})
			}
		}
	}
	if first != "" {
		b.bad("nothing of what "+param(place)+" needs", without, "parameter_missing", append(slices.Clone(place), first))
	}
}

// refers says whether a place holds the name of something that must exist: no
// other text will do, of whatever length.
func refers(place []any) bool {
	for _, step := range slices.Backward(place) {
		if name, ok := step.(string); ok {
			return strings.HasSuffix(name, "_id") || name == "agent" || name == "services"
		}
	}
	return false
}

func (b *breaker) array(s map[string]any, pointer string, v []any, place []any) {
	least, hasLeast := number(s["minItems"])
	if hasLeast && whole(least) > 0 {
		b.good("as few as there may be at "+param(place), with(b.root, place, v[:min(len(v), whole(least))]))
		b.bad("too few at "+param(place), with(b.root, place, v[:whole(least)-1]), "parameter_invalid", place)
	} else {
		b.good("nothing at "+param(place), with(b.root, place, []any{}))
	}
	if most, ok := number(s["maxItems"]); ok && len(v) > 0 {
		full := slices.Clone(v)
		for len(full) < whole(most) {
			full = append(full, v[len(v)-1])
		}
		b.good("as many as there may be at "+param(place), with(b.root, place, full))
		b.bad("too many at "+param(place), with(b.root, place, append(full, v[len(v)-1])), "parameter_invalid", place)
	}
	if unique, _ := s["uniqueItems"].(bool); unique && len(v) > 0 {
		b.bad("the same twice at "+param(place), with(b.root, place, append(slices.Clone(v), v[0])), "parameter_invalid", place)
	}
	first, _ := s["prefixItems"].([]any)
	for i, item := range v {
		here := append(slices.Clone(place), i)
		switch {
		case i < len(first):
			b.schema(fmt.Sprintf("%s/prefixItems/%d", pointer, i), item, here)
		case s["items"] != nil:
			b.schema(pointer+"/items", item, here)
		}
	}
}

func (b *breaker) string(s map[string]any, place []any) {
	put := func(text string) any { return with(b.root, place, text) }
	if values, ok := s["enum"].([]any); ok {
		for _, v := range values {
			b.good(param(place)+" is one of the enum", put(v.(string)))
		}
		b.bad(param(place)+" is not in the enum", put("zz_unknown"), "parameter_invalid", place)
	}
	if _, ok := s["const"]; ok {
		b.bad(param(place)+" is not the constant", put("zz_unknown"), "parameter_invalid", place)
	}
	if refers(place) && s["format"] == nil {
		return
	}
	if n, ok := number(s["minLength"]); ok && n.Sign() > 0 {
		b.good(param(place)+" is as short as it may be", put(strings.Repeat("ñ", whole(n))))
		b.bad(param(place)+" is too short", put(strings.Repeat("ñ", whole(n)-1)), "parameter_invalid", place)
	} else if s["enum"] == nil && s["const"] == nil {
		b.good(param(place)+" is empty", put(""))
	}
	if n, ok := number(s["maxLength"]); ok {
		b.good(param(place)+" is as long as it may be", put(strings.Repeat("ñ", whole(n))))
		b.bad(param(place)+" is too long", put(strings.Repeat("ñ", whole(n)+1)), "parameter_invalid", place)
	}
	if s["pattern"] != nil || s["format"] == "uri" || s["format"] == "uuid" {
		// Not every validator holds a value to its format: the API must.
		code := "parameter_invalid"
		if strings.Contains(fmt.Sprint(s["description"]), "`url_invalid`") {
			code = "url_invalid" // this address has rules, and codes, of its own
			for address, code := range addressFaults {
				b.add(b.label+": "+param(place)+" is not for us", b.operation, encode(put(address)), 400, code, param(place))
			}
		}
		b.add(b.label+": "+param(place)+" has another form", b.operation, encode(put("no such form")), 400, code, param(place))
	}
}

func (b *breaker) number(s map[string]any, place []any) {
	put := func(n string) any { return with(b.root, place, json.Number(n)) }
	if n, ok := number(s["minimum"]); ok {
		b.good(param(place)+" is the minimum", put(n.RatString()))
		b.bad(param(place)+" is below the minimum", put(plus(n, -1)), "parameter_invalid", place)
	}
	if n, ok := number(s["maximum"]); ok {
		b.good(param(place)+" is the maximum", put(n.RatString()))
		b.bad(param(place)+" is above the maximum", put(plus(n, 1)), "parameter_invalid", place)
	}
}

// addressFaults are addresses that the schema of a connection's url lets pass
// and its description forbids.
var addressFaults = map[string]string{
	"http://hooks.example.com/":                "url_invalid",
	"ftp://hooks.example.com/":                 "url_invalid",
	"https://hooks.example.com:8443/":          "url_invalid",
	"https://user:password@hooks.example.com/": "url_invalid",
	"https://hooks.example.com/#here":          "url_invalid",
	"//hooks.example.com/":                     "url_invalid",
	"/hooks":                                   "url_invalid",
	"https:///hooks":                           "url_invalid",
	"https://":                                 "url_invalid",
	"https://hooks.example.com/" + strings.Repeat("x", 2048): "url_invalid",
	"https://127.0.0.1/":                        "url_not_public",
	"https://2130706433/":                       "url_not_public",
	"https://0x7f.1/":                           "url_not_public",
	"https://[::1]/":                            "url_not_public",
	"https://[::ffff:10.0.0.1]/":                "url_not_public",
	"https://169.254.169.254/latest/meta-data/": "url_not_public",
	"https://168.63.129.16/":                    "url_not_public",
	"https://localhost/":                        "url_not_public",
	"https://crm/":                              "url_not_public",
	"https://crm.internal/":                     "url_not_public",
	"https://crm.local/":                        "url_not_public",
}

// twice gives every name of every object twice, also where no schema reaches.
func (b *breaker) twice(value any, place []any) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			here := append(slices.Clone(place), name)
			b.add(b.label+": "+param(here)+" is given twice", b.operation, encode(with(b.root, here, repeated{v[name]})), 400, "invalid_json", param(here))
			b.twice(v[name], here)
		}
	case []any:
		for i, item := range v {
			b.twice(item, append(slices.Clone(place), i))
		}
	}
}

// Values.

type (
	absent   struct{}            // in place of a value: leave it out
	repeated struct{ value any } // in place of a value: write it twice
)

// with is a value in which another one stands at a place; nothing of the old
// value changes.
func with(value any, place []any, inner any) any {
	if len(place) == 0 {
		return inner
	}
	switch step := place[0].(type) {
	case string:
		old, _ := value.(map[string]any)
		object := maps.Clone(old)
		changed := with(old[step], place[1:], inner)
		if _, gone := changed.(absent); gone {
			delete(object, step)
		} else {
			object[step] = changed
		}
		return object
	case int:
		array := slices.Clone(value.([]any))
		array[step] = with(array[step], place[1:], inner)
		return array
	}
	panic("no such step")
}

// filled is a body in which the ids that something must exist for are those of
// the house.
func filled(value any, fill map[string]string) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	object = maps.Clone(object)
	for name := range object {
		if id, ok := fill[name]; ok && (strings.HasSuffix(name, "_id") || name == "agent") {
			object[name] = id
		}
	}
	return object
}

func last(place []any) any {
	if len(place) == 0 {
		return nil
	}
	return place[len(place)-1]
}

// param writes a place as errors name it.
func param(place []any) string {
	at := ""
	for _, step := range place {
		switch s := step.(type) {
		case string:
			at = join(at, s)
		case int:
			at += "[" + strconv.Itoa(s) + "]"
		}
	}
	return at
}

// encode writes a value as JSON; repeated members come twice.
func encode(value any) string {
	switch v := value.(type) {
	case map[string]any:
		var members []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			key, _ := json.Marshal(name)
			inner := v[name]
			again, twice := inner.(repeated)
			if twice {
				inner = again.value
			}
			member := string(key) + ":" + encode(inner)
			members = append(members, member)
			if twice {
				members = append(members, member)
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = encode(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	b, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func text(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	return encode(value)
}

func number(value any) (*big.Rat, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetString(n.String())
}

func whole(n *big.Rat) int { return int(n.Num().Int64()) }

func plus(n *big.Rat, d int64) string { return new(big.Rat).Add(n, big.NewRat(d, 1)).RatString() }
