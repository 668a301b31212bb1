package sdk

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/signature"
)

var update = flag.Bool("update", false, "write docs/sdk.md anew from the tasks")

const tasksPage = "../../docs/sdk.md"

// tasks are the programs of the page, by the language of its code.
var tasks = map[string]string{"js": "tasks/tasks.mjs", "python": "tasks/tasks.py", "go": "tasks/main.go"}

// expected is what each program prints, a pattern for a task.
var expected = []string{
	`1: key of demo, live: [Tt]rue`,
	`2: [1-9][0-9]* bookings in a week`,
	`3: (agent|caller): .+`,
	`4: booked Limpieza dental, code [A-Z0-9]{6}`,
	`5: the appointment is cancelled`,
	`6: config.specials would be Hoy: arroz con bogavante\n6: now Hoy: arroz con bogavante`,
	`7: answered: [Tt]rue, from parking`,
	`8: keep the secret whsec_.{4}…`,
	`9: Lucía left a appointment`,
	`10: not there: not_found`,
}

func TestTasks(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, l := range languages(t) {
		c := l.command(t, "tasks")
		if c == nil {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			// As it was, so that there is something to change.
			var agent any
			s.do(t, http.MethodPatch, "/agents/casa-lola", map[string]string{"specials": "Gazpacho"}, &agent)
			c.Env = append(c.Environ(), "FRONTDESK_BASE_URL="+s.url, "FRONTDESK_API_KEY="+s.key, "TASKS_WEBHOOK="+delivery(t))
			var said bytes.Buffer
			c.Stderr = &said
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, &said)
			}
			for _, pattern := range expected {
				if !regexp.MustCompile(`(?m)^` + pattern + `$`).Match(out) {
					t.Errorf("it did not print %s:\n%s", pattern, out)
				}
			}
		})
	}
}

// delivery writes a webhook as it is received.
func delivery(t *testing.T) string {
	t.Helper()
	const body = `{"id":"01a1cf42-4ce8-7250-9e38-9491c542872f","object":"event","type":"capture.created","api_version":"1.0.0",` +
		`"timestamp":"2026-11-12T10:16:31.208Z","livemode":true,"tenant":{"id":"019cad8f-ac00-7141-a16d-adb928ae5432","slug":"demo"},` +
		`"agent":null,"data":{"object":{"id":"01a1cf42-4ce8-73d6-85a3-a72be55533f4","object":"capture","kind":"appointment","customer_name":"Lucía"}}}`
	now, old := time.Now(), secret('o')
	text, err := signature.Sign(old, "evt_1", now, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(map[string]any{
		"body": body, "secrets": []string{secret('n'), old}, "headers": map[string]string{
			signature.HeaderID: "evt_1", signature.HeaderTimestamp: fmt.Sprint(now.Unix()), signature.HeaderSignature: text,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "delivery.json")
	if err := os.WriteFile(name, in, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestTasksPage holds the code of docs/sdk.md to the programs that run.
func TestTasksPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(tasksPage)
	if err != nil {
		t.Fatal(err)
	}
	want := filled(t, string(page))
	if *update {
		if err := os.WriteFile(tasksPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page) != want {
		t.Error("docs/sdk.md does not show what test/sdk/tasks does (run: go test ./test/sdk -run TestTasksPage -update)")
	}
}

// filled returns the page with the code of the programs: under the heading of each
// task, a block for each language.
func filled(t *testing.T, page string) string {
	t.Helper()
	code := map[string]map[string]string{}
	for language, file := range tasks {
		code[language] = marked(t, file)
	}
	var out strings.Builder
	task, inside, blocks := "", false, 0
	for line := range strings.Lines(page) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			task, _, _ = strings.Cut(heading, ".")
		}
		if inside && strings.TrimSpace(line) != "```" {
			continue
		}
		inside = false
		out.WriteString(line)
		language := strings.TrimPrefix(strings.TrimSpace(line), "```")
		if shown, ok := code[language][task]; ok && language != strings.TrimSpace(line) {
			out.WriteString(shown)
			inside = true
			blocks++
		}
	}
	if want := len(expected) * len(tasks); blocks != want {
		t.Errorf("the page shows %d blocks of code, want %d", blocks, want)
	}
	return out.String()
}

// marked returns what stands between the marks "task 1" and "end" of a file, by the
// number of the task, without the indentation that it has there.
func marked(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mark := regexp.MustCompile(`^(\s*)(?://|#) (?:task ([0-9]+)|end)\s*$`)
	found := map[string]string{}
	task, indent := "", ""
	for line := range strings.Lines(string(text)) {
		if m := mark.FindStringSubmatch(line); m != nil {
			indent, task = m[1], m[2]
			continue
		}
		if task != "" {
			found[task] += strings.TrimPrefix(line, indent)
		}
	}
	return found
}
