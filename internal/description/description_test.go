package description_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func loaded(t *testing.T) *description.Description {
	t.Helper()
	d, err := description.Load()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// refused demands an error for the customer with a code and a place; "" is none.
func refused(t *testing.T, err error, code, param string) {
	t.Helper()
	var e *frontdesk.Error
	switch {
	case code == "" && err != nil:
		t.Errorf("refused: %v", err)
	case code != "" && (!errors.As(err, &e) || e.Code != code || e.Param != param):
		t.Errorf("got %v, want %s at %q", err, code, param)
	}
}

func TestEverybodyLoadsTheSame(t *testing.T) {
	t.Parallel()
	if first, second := loaded(t), loaded(t); first != second {
		t.Error("the document was read twice")
	}
	if !strings.HasPrefix(string(description.Text()), "{") {
		t.Error("the text is no document")
	}
}

func TestADocumentThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `[]`, `{`} {
		if _, err := description.Read([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestAChangeOfAnAgent(t *testing.T) {
	t.Parallel()
	d := loaded(t)
	tests := map[string]struct{ body, code, param string }{
		"the patch itself":                 {`{"policy":"x"}`, "", ""},
		"the patch wrapped":                {`{"config":{"policy":"x"}}`, "", ""},
		"no JSON":                          {`{"policy"`, "invalid_json", "policy"},
		"no body":                          {``, "invalid_json", ""},
		"an unknown property":              {`{"polcy":"x"}`, "parameter_unknown", "polcy"},
		"an unknown one, wrapped":          {`{"config":{"business":{"fax":"1"}}}`, "parameter_unknown", "config.business.fax"},
		"something beside config":          {`{"config":{},"policy":"x"}`, "parameter_unknown", "policy"},
		"a protected field":                {`{"slug":"x"}`, "protected_field", "slug"},
		"a protected one before all else":  {`{"config":{"hours":{"status":1},"x":1},"y":1}`, "protected_field", "config.hours.status"},
		"an entry of a list may have one":  {`{"listings":[{"title":"x","status":"sold"}]}`, "", ""},
		"a form that no Go type holds":     {`{"hours":{"0":[9.0,18]}}`, "parameter_invalid", "hours.0[0]"},
		"such a form, wrapped":             {`{"config":{"hours":{"0":[9,1e1]}}}`, "parameter_invalid", "config.hours.0[1]"},
		"what only the vocabulary refuses": {`{"business":{"website":"javascript:1"}}`, "parameter_invalid", "business.website"},
		"the least of several violations":  {`{"services":[{"price":"1"}],"b":1,"a":1}`, "parameter_unknown", "a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patch, err := d.AgentPatch([]byte(tt.body))
			refused(t, err, tt.code, tt.param)
			if strings.Contains(tt.body, `"policy":"x"`) && err == nil && (patch.Policy == nil || *patch.Policy != "x") {
				t.Errorf("got %+v", patch)
			}
		})
	}
}

// TestAConfigurationHasOneForm: a file has the configuration itself, never
// wrapped.
func TestAConfigurationHasOneForm(t *testing.T) {
	t.Parallel()
	d := loaded(t)
	patch, err := d.AgentConfig([]byte(`{"policy":"x"}`))
	if err != nil || patch.Policy == nil || *patch.Policy != "x" {
		t.Errorf("got %+v, %v", patch, err)
	}
	_, err = d.AgentConfig([]byte(`{"config":{"policy":"x"}}`))
	refused(t, err, "parameter_unknown", "config")
	_, err = d.AgentConfig([]byte(`[]`))
	refused(t, err, "invalid_json", "")
}

func TestABodyIsHeldToASchema(t *testing.T) {
	t.Parallel()
	d := loaded(t)
	tests := map[string]struct{ schema, body, code, param string }{
		"as it should be":        {"CapturePatch", `{"status":"confirmed"}`, "", ""},
		"none of the words":      {"CapturePatch", `{"status":"done"}`, "parameter_invalid", "status"},
		"something is missing":   {"CapturePatch", `{}`, "parameter_missing", "status"},
		"something is too much":  {"CapturePatch", `{"status":"done","x":1}`, "parameter_unknown", "x"},
		"nothing to change":      {"ConnectionPatch", `{}`, "empty_patch", ""},
		"a list, not an object":  {"CapturePatch", `["confirmed"]`, "invalid_json", ""},
		"a book of hours":        {"Calendar", `{"slot_minutes":15}`, "", ""},
		"a place in a calendar":  {"Calendar", `{"resources":[{"id":"a","name":"A","seats":"4"}]}`, "parameter_invalid", "resources[0].seats"},
		"a name twice in a body": {"Calendar", `{"capacity":1,"capacity":2}`, "invalid_json", "capacity"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused(t, d.CheckBody(tt.schema, []byte(tt.body)), tt.code, tt.param)
			var into map[string]any
			refused(t, d.Decode(tt.schema, []byte(tt.body), &into), tt.code, tt.param)
			if filled := into != nil; filled != (tt.code == "") {
				t.Errorf("decoded: %v", into)
			}
		})
	}
	if err := d.Check("Nothing", map[string]any{}); err == nil {
		t.Error("a schema that there is not holds nothing")
	}
}

// Nobody who sends a wrong form is answered with a regular expression.
func TestEveryPatternOfARequestHasWords(t *testing.T) {
	t.Parallel()
	var doc map[string]any
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(value any)
	walk = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok && !seen[ref] {
				seen[ref] = true
				walk(at(doc, ref))
			}
			if pattern, ok := v["pattern"].(string); ok && !description.HasForm(pattern) {
				t.Errorf("there are no words for %s", pattern)
			}
			for _, item := range v {
				walk(item)
			}
		}
	}
	for _, path := range doc["paths"].(map[string]any) {
		for _, operation := range path.(map[string]any) {
			if o, ok := operation.(map[string]any); ok {
				walk(o["parameters"])
				walk(o["requestBody"])
			}
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d references were followed", len(seen))
	}
}

// at is what a reference inside a document names.
func at(doc map[string]any, ref string) any {
	var value any = doc
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		value = value.(map[string]any)[name]
	}
	return value
}

func TestAQuery(t *testing.T) {
	t.Parallel()
	known, err := loaded(t).Parameters("GET", "/calls")
	if err != nil {
		t.Fatal(err)
	}
	if got := known["limit"].Default; got != 25 {
		t.Errorf("a page has %d by default", got)
	}
	tests := map[string]struct{ query, code, param string }{
		"nothing":                   {"", "", ""},
		"what the operation knows":  {"limit=5&outcome=booking", "", ""},
		"what it does not know":     {"limt=5", "parameter_unknown", "limt"},
		"twice the same":            {"limit=5&limit=5", "parameter_invalid", "limit"},
		"a number in another form":  {"limit=%2B5", "parameter_invalid", "limit"},
		"a number that is too high": {"limit=101", "parameter_invalid", "limit"},
		"none of the words":         {"outcome=sold", "parameter_invalid", "outcome"},
		"what no database holds":    {"outcome=%00", "parameter_invalid", "outcome"},
		"no query at all":           {"limit=%zz", "parameter_invalid", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, err := known.Read(tt.query)
			refused(t, err, tt.code, tt.param)
			if tt.query == "limit=5&outcome=booking" && (read["limit"] != 5 || read["outcome"] != "booking") {
				t.Errorf("got %v", read)
			}
		})
	}
	if _, err := loaded(t).Parameters("BREW", "/calls"); err == nil {
		t.Error("an operation that there is not has parameters")
	}
}
