package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

func TestTypesAreThoseOfTheDescription(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(root, description))
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate(source)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if string(got) != want {
			t.Errorf("%s is not what the description gives (run: go run ./cmd/sdktypes)", name)
		}
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	const source = `{
		"paths": {"/cups": {"get": {"operationId": "listCups", "parameters": [
			{"name": "made_from", "in": "query", "schema": {"type": "string", "format": "date-time"}},
			{"name": "X-Other", "in": "header", "schema": {"type": "string"}}
		]}}},
		"components": {"parameters": {}, "schemas": {
			"Cup": {"type": "object", "required": ["id", "size", "owner"], "properties": {
				"id": {"type": "string"},
				"size": {"type": "string", "enum": ["small", "very_large"]},
				"owner": {"type": ["string", "null"]},
				"notes": {"type": "string"}
			}},
			"CupChange": {"type": "object", "minProperties": 1, "properties": {
				"owner": {"type": ["string", "null"]},
				"notes": {"type": "string"}
			}}
		}}
	}`
	files, err := generate([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for name, lines := range map[string][]string{
		"sdk/typescript/src/types.ts": {
			`  | "very_large"`, `  | (string & {});`, `  owner: string | null;`, `  notes?: string;`,
			`  made_from?: string | Date | undefined;`,
		},
		"sdk/python/src/frontdesk/types.py": {
			`        "very_large",`, `    str,`, `class Cup(_Cup, total=False):`, `    owner: Optional[str]`,
		},
		"sdk/go/types.go": {
			"CupSizeVeryLarge CupSize = \"very_large\"", "Owner *string `json:\"owner\"`", "Notes string `json:\"notes,omitzero\"`",
			"Owner Optional[string] `json:\"owner,omitzero\"`", "Notes *string `json:\"notes,omitzero\"`",
			`addTo(q, "made_from", p.MadeFrom)`,
		},
	} {
		text := strings.Join(strings.Fields(files[name]), " ")
		for _, line := range lines {
			if !strings.Contains(text, strings.Join(strings.Fields(line), " ")) {
				t.Errorf("%s does not have %q:\n%s", name, line, files[name])
			}
		}
		if strings.Contains(text, "X-Other") {
			t.Errorf("%s takes a header for a parameter of the query", name)
		}
	}
}

func TestQueryName(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"listCalls": "CallListParams", "listDeliveries": "DeliveryListParams", "listAgentHistory": "AgentHistoryListParams",
		"getAgenda": "AgendaParams", "updateAgent": "AgentUpdateParams", "uploadDocument": "DocumentUploadParams",
	} {
		if got := queryName(id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}
