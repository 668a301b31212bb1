package sdk

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// nowhere is an address at which nobody answers.
const nowhere = "FRONTDESK_BASE_URL=http://127.0.0.1:1"

func trySpreadsheet(t *testing.T, s service) {
	sheet := filepath.Join(t.TempDir(), "appointments.csv")
	run := func(env ...string) *exec.Cmd {
		c := pythonRecipe(t, s, "spreadsheet/appointments.py", env...)
		c.Args = append(c.Args, sheet)
		return c
	}
	ids := s.captures(t, "appointment")
	says := func(c *exec.Cmd, added, changed, all int) {
		t.Helper()
		if got, want := printed(t, c), fmt.Sprintf("%d added, %d changed, %d appointments\n", added, changed, all); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	says(run(), len(ids), 0, len(ids))
	first := readFile(t, sheet)
	says(run(), 0, 0, len(ids))
	if readFile(t, sheet) != first {
		t.Error("the second run has changed the sheet")
	}

	// Somebody adds a column; one is booked, one is changed.
	rows := readSheet(t, sheet)
	for i := range rows {
		rows[i] = append(rows[i], "mine")
	}
	writeSheet(t, sheet, rows)
	booked := s.write(t, map[string]any{"kind": "appointment", "customer_name": "=HYPERLINK(1)", "customer_phone": "+34600000906"})
	var changed any
	s.do(t, http.MethodPost, "/captures/"+ids[0]+"/change", map[string]any{"notes": "By the window"}, &changed)
	says(run(), 1, 1, len(ids)+1)
	name, notes := slices.Index(rows[0], "customer_name"), slices.Index(rows[0], "notes")
	for _, row := range readSheet(t, sheet)[1:] {
		mine := row[len(row)-1]
		switch row[0] {
		case booked:
			if row[name] != "'=HYPERLINK(1)" || mine != "" {
				t.Errorf("%q", row)
			}
		case ids[0]:
			if row[notes] != "By the window" || mine != "mine" {
				t.Errorf("%q", row)
			}
		default:
			if mine != "mine" {
				t.Errorf("a column was lost: %q", row)
			}
		}
	}

	// Without the cursor all is read again; without a server nothing changes.
	before := readFile(t, sheet)
	if err := os.Remove(strings.TrimSuffix(sheet, ".csv") + ".cursor"); err != nil {
		t.Fatal(err)
	}
	says(run(), 0, 0, len(ids)+1)
	if out, err := run(nowhere).CombinedOutput(); err == nil || readFile(t, sheet) != before {
		t.Errorf("nobody answers, and it says %s", out)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readSheet(t *testing.T, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(readFile(t, name), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func writeSheet(t *testing.T, name string, rows [][]string) {
	t.Helper()
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// site is a web site with the booking button.
type site struct {
	url string
	key string // must not be seen
}

type booked struct {
	status        int
	Code, Nearest string
}

func (b site) ask(t *testing.T, method, path string, body map[string]any, answer any) int {
	t.Helper()
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, b.url+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || bytes.Contains(got, []byte(b.key)) {
		t.Fatalf("%v, or the key is in %s", err, got)
	}
	if raw, ok := answer.(*string); ok {
		*raw = string(got)
	} else if err := json.Unmarshal(got, answer); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	return response.StatusCode
}

func (b site) slots(t *testing.T) []string {
	t.Helper()
	var free struct{ Slots []string }
	if status := b.ask(t, http.MethodGet, "/slots", nil, &free); status != 200 || len(free.Slots) == 0 {
		t.Fatalf("%d: %v", status, free)
	}
	return free.Slots
}

func (b site) book(t *testing.T, attempt, slot, phone string) (got booked) {
	t.Helper()
	// A visitor who knows the API cannot have more than the page offers.
	body := map[string]any{"attempt": attempt, "scheduled_at": slot, "name": "Bea", "phone": phone, "force": true, "status": "cancelled"}
	got.status = b.ask(t, http.MethodPost, "/book", body, &got)
	return got
}

func tryBooking(t *testing.T, s service) {
	url, _ := listening(t, nodeRecipe(t, s, true, "recipes/booking/server.mts"))
	b := site{url: url, key: s.key}
	var page string
	if status := b.ask(t, http.MethodGet, "/", nil, &page); status != 200 || !strings.Contains(page, "Book an appointment") {
		t.Errorf("%d: %s", status, page)
	}
	slot := b.slots(t)[0]
	before := len(s.captures(t, ""))
	first := b.book(t, "a", slot, "+34600000910")
	again := b.book(t, "a", slot, "+34600000910")
	if first.status != 201 || len(first.Code) != 6 || again != first || len(s.captures(t, "")) != before+1 {
		t.Fatalf("%+v, then %+v, %d more captures", first, again, len(s.captures(t, ""))-before)
	}
	// Others take what is left of that time.
	last, tries := booked{}, 0
	for last.status != 409 && tries < 10 {
		tries++
		last = b.book(t, fmt.Sprint("b", tries), slot, fmt.Sprintf("+3460000092%d", tries))
	}
	if last.status != 409 || last.Nearest == slot || !slices.Contains(b.slots(t), last.Nearest) {
		t.Errorf("after %d others: %+v", tries, last)
	}
	if got := b.book(t, "c", last.Nearest, "+34600000930"); got.status != 201 {
		t.Errorf("what is nearest cannot be booked: %+v", got)
	}
	if got := b.book(t, "d", "soon", "+34600000931"); got.status != 400 {
		t.Errorf("no time at all: %+v", got)
	}
	if got := b.book(t, "e", slot, ""); got.status != 400 {
		t.Errorf("no telephone: %+v", got)
	}

	away, _ := listening(t, nodeRecipe(t, s, true, "recipes/booking/server.mts", nowhere))
	if got := (site{url: away, key: s.key}).book(t, "f", slot, "+34600000932"); got.status != 502 {
		t.Errorf("nobody answers: %+v", got)
	}
}

func tryExport(t *testing.T, s service) {
	program := filepath.Join(work, "export")
	if err := build(filepath.Join(recipesDir, "export"), ".", program); err != nil {
		t.Fatal(err)
	}
	day := time.Now().UTC().AddDate(0, 0, -1).Truncate(24 * time.Hour)
	date := day.Format(time.DateOnly)
	run := func(dir string, args ...string) *exec.Cmd {
		c := exec.Command(program, append([]string{"-dir", dir, "-day", date}, args...)...)
		c.Env = recipeEnv(s, nil)
		return c
	}
	whole, resumed := t.TempDir(), t.TempDir()
	printed(t, run(whole, "-page", "3"))
	files := map[string][]string{"calls": s.ids(t, "/calls", "started_at", day), "captures": s.ids(t, "/captures", "created_at", day)}
	for kind, want := range files {
		name := kind + "-" + date + ".jsonl"
		text := readFile(t, filepath.Join(whole, name))
		lines := strings.SplitAfter(text, "\n")
		var got []string
		for _, line := range lines[:len(lines)-1] {
			got = append(got, decoded(t, []byte(line)).(map[string]any)["id"].(string))
		}
		if len(want) < 4 || !slices.Equal(got, want) {
			t.Errorf("%s has %d, want %d over several pages", name, len(got), len(want))
		}
		// As if it had been cut off in the middle of the third line.
		part := lines[0] + lines[1] + lines[2][:len(lines[2])/2]
		if err := os.WriteFile(filepath.Join(resumed, name+".part"), []byte(part), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	down := run(resumed)
	down.Env = append(down.Env, nowhere)
	if out, err := down.CombinedOutput(); err == nil || !strings.Contains(string(out), "run it again to go on") {
		t.Errorf("nobody answers: %v, %s", err, out)
	}
	printed(t, run(resumed))
	for kind := range files {
		name := kind + "-" + date + ".jsonl"
		if readFile(t, filepath.Join(resumed, name)) != readFile(t, filepath.Join(whole, name)) {
			t.Errorf("%s is another when it was resumed", name)
		}
		check := exec.Command("sha256sum", "--check", "--strict", name+".sha256")
		check.Dir = resumed
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
	if said := printed(t, run(whole)); strings.Count(said, "is there already") != 2 {
		t.Errorf("the second time: %s", said)
	}
	today := run(whole)
	today.Args = append(today.Args, "-day", time.Now().UTC().Format(time.DateOnly))
	if out, err := today.CombinedOutput(); err == nil || !strings.Contains(string(out), "is not over yet") {
		t.Errorf("today: %v, %s", err, out)
	}
}

// ids are those of a day, newest first, by a field that has the time.
func (s service) ids(t *testing.T, path, field string, day time.Time) (ids []string) {
	t.Helper()
	after := ""
	for {
		var page struct {
			Data []map[string]any
			Next *string `json:"next_starting_after"`
		}
		s.do(t, http.MethodGet, path+"?limit=100"+after, nil, &page)
		for _, one := range page.Data {
			at, err := time.Parse(time.RFC3339, one[field].(string))
			if err != nil {
				t.Fatal(err)
			}
			if !at.Before(day) && at.Before(day.AddDate(0, 0, 1)) {
				ids = append(ids, one["id"].(string))
			}
		}
		if page.Next == nil {
			return ids
		}
		after = "&starting_after=" + *page.Next
	}
}
