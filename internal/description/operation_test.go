package description_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/description"
)

func TestAnOperation(t *testing.T) {
	t.Parallel()
	d := loaded(t)
	o, err := d.Operation("POST", "/captures/{capture_id}/change")
	if err != nil {
		t.Fatal(err)
	}
	names := func() (all []string) {
		for _, f := range o.Parameters {
			all = append(all, f.In+" "+f.Name)
		}
		return all
	}
	if got := names(); !slices.Equal(got, []string{"path capture_id", "header If-Match", "header Idempotency-Key"}) || !o.Parameters[0].Required || o.Parameters[1].Required {
		t.Errorf("it takes %v", got)
	}
	if o.Scope != "captures:write" || !o.LiveOnly || o.Summary == "" {
		t.Errorf("it needs %+v", o)
	}
	body, _ := o.Body["properties"].(map[string]any)
	if len(body) == 0 || o.Answer["type"] != "object" {
		t.Errorf("its body is %v, its answer %v", o.Body, o.Answer)
	}
	if description, _ := o.Parameters[0].Schema["description"].(string); description == "" {
		t.Error("a parameter has lost its description")
	}
}

// The schemas of an operation refer to nothing, hold nothing that only documents,
// and belong to who asked.
func TestSchemasStandAlone(t *testing.T) {
	t.Parallel()
	d := loaded(t)
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(description.Text(), &document); err != nil {
		t.Fatal(err)
	}
	for path, operations := range document.Paths {
		for method := range operations {
			o, err := d.Operation(strings.ToUpper(method), path)
			if err != nil {
				t.Errorf("%s %s: %v", method, path, err)
				continue
			}
			text, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range []string{`"$ref"`, `"examples":[`, `"x-addition"`} {
				if strings.Contains(string(text), word) {
					t.Errorf("%s %s has %s", method, path, word)
				}
			}
			clear(o.Answer)
			clear(o.Body)
		}
	}
	if again, err := d.Operation("GET", "/calls"); err != nil || again.Answer["type"] != "object" {
		t.Errorf("what one caller did to it, the next one sees: %v %v", again.Answer, err)
	}
	if _, err := d.Operation("GET", "/nothing"); err == nil {
		t.Error("what is not described was described")
	}
}
