package acceptance

import (
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var statuses = []string{"pending_confirm", "confirmed", "cancelled", "no_show"}

func captureID(c capture) string { return c.ID }

// move sets a capture's status, which must succeed.
func (n *node) move(key, id, status string) capture {
	n.t.Helper()
	got := n.do("PATCH /captures/"+id, key, fmt.Sprintf(`{"status":%q}`, status))
	if got.status != http.StatusOK {
		n.t.Fatalf("to %s: %s", status, got)
	}
	var envelope struct{ Capture capture }
	decode(n.t, got.body, &envelope)
	return envelope.Capture
}

func TestEveryWalkThroughCapturesIsTheListing(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for mode, key := range map[string]string{"live": d.live, "test": d.test} {
		all := walk[capture](d.node, "/captures", key, 100)
		checkNewestFirst(t, projected(all, captureID))
		kinds := slices.Compact(slices.Sorted(slices.Values(projected(all, func(c capture) string { return c.Kind }))))
		for _, q := range narrowed("status", "kind", statuses, append(kinds, "nobody makes these")) {
			t.Run(mode+" "+q.Encode(), func(t *testing.T) {
				t.Parallel()
				d := d.in(t)
				want := projected(kept(all, func(c capture) bool { return fits(q, "status", c.Status) && fits(q, "kind", c.Kind) }), captureID)
				for _, limit := range []int{100, 7} {
					got := projected(walk[capture](d.node, "/captures?"+q.Encode(), key, limit), captureID)
					if !slices.Equal(got, want) {
						t.Errorf("in pages of %d: %d captures, want %d", limit, len(got), len(want))
					}
				}
			})
		}
	}
}

func TestACaptureInDetail(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	code := regexp.MustCompile(`^[A-Z0-9]{6}$`)
	for _, listed := range walk[capture](d.node, "/captures", d.live, 100) {
		detail := get[struct{ Capture capture }](d.node, "/captures/"+listed.ID, d.live).Capture
		if !reflect.DeepEqual(listed, detail) {
			t.Errorf("the list says %+v, the detail %+v", listed, detail)
		}
		if !code.MatchString(listed.ConfirmationCode) || strings.ContainsAny(listed.ConfirmationCode, "0O1IL") {
			t.Errorf("the confirmation code is %s", listed.ConfirmationCode)
		}
		if at := timeOf(t, listed.ID); !at.Equal(listed.CreatedAt) {
			t.Errorf("%s was minted at %s, the capture made at %s", listed.ID, at, listed.CreatedAt)
		}
	}
}

// TestTheDrawingOfCaptures walks the drawing of docs/captures.md, and then
// every move there is, for the page says that all are allowed.
func TestTheDrawingOfCaptures(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/captures.md")
	must(t, err)
	var moves [][2]string
	for _, m := range regexp.MustCompile(`(?m)^\s+(\w+) --> (\w+)`).FindAllStringSubmatch(string(page), -1) {
		moves = append(moves, [2]string{m[1], m[2]})
	}
	if len(moves) < 4 {
		t.Fatalf("the drawing has the moves %v", moves)
	}
	for _, from := range statuses {
		for _, to := range statuses {
			moves = append(moves, [2]string{from, to})
		}
	}
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon))
	want := walk[capture](d.node, "/captures", d.live, 100)[0]
	for _, m := range moves {
		d.move(d.live, want.ID, m[0])
		want.Status = m[1]
		if got := d.move(d.live, want.ID, m[1]); !reflect.DeepEqual(got, want) {
			t.Errorf("%s to %s: answered %+v, want %+v", m[0], m[1], got, want)
		}
		if got := get[struct{ Capture capture }](d.node, "/captures/"+want.ID, d.live).Capture; !reflect.DeepEqual(got, want) {
			t.Errorf("%s to %s: stored %+v, want %+v", m[0], m[1], got, want)
		}
		for _, status := range statuses {
			listed := slices.Contains(projected(get[list[capture]](d.node, "/captures?limit=100&status="+status, d.live).Data, captureID), want.ID)
			if listed != (status == m[1]) {
				t.Errorf("%s to %s: listed as %s: %t", m[0], m[1], status, listed)
			}
		}
	}
}

func TestWhatIsNoStatus(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	c := get[list[capture]](d.node, "/captures?limit=1", d.live).Data[0]
	for name, tt := range map[string]struct{ body, code, param string }{
		"nothing":              {``, "invalid_json", ""},
		"an empty object":      {`{}`, "parameter_missing", "status"},
		"another word":         {`{"status":"done"}`, "parameter_invalid", "status"},
		"upper case":           {`{"status":"CONFIRMED"}`, "parameter_invalid", "status"},
		"empty":                {`{"status":""}`, "parameter_invalid", "status"},
		"null":                 {`{"status":null}`, "parameter_invalid", "status"},
		"a list":               {`{"status":["confirmed"]}`, "parameter_invalid", "status"},
		"something beside it":  {`{"status":"confirmed","kind":"lead"}`, "parameter_unknown", "kind"},
		"another name":         {`{"Status":"confirmed"}`, "parameter_unknown", "Status"},
		"twice":                {`{"status":"confirmed","status":"cancelled"}`, "invalid_json", "status"},
		"a list of objects":    {`[{"status":"confirmed"}]`, "invalid_json", ""},
		"a string":             {`"confirmed"`, "invalid_json", ""},
		"something after it":   {`{"status":"confirmed"}{}`, "invalid_json", ""},
		"a form":               {`status=confirmed`, "invalid_json", ""},
		"tenant_id beside it":  {`{"status":"confirmed","tenant_id":"x"}`, "parameter_unknown", "tenant_id"},
		"a comment in it":      {`{"status":"confirmed" /* now */}`, "invalid_json", ""},
		"a comma too many":     {`{"status":"confirmed",}`, "invalid_json", ""},
		"a mark of byte order": {"\ufeff" + `{"status":"confirmed"}`, "invalid_json", ""},
	} {
		got := d.do("PATCH /captures/"+c.ID, d.live, tt.body)
		if f := got.refuses(t, http.StatusBadRequest, tt.code); f.param() != tt.param {
			t.Errorf("%s: param is %q, want %q", name, f.param(), tt.param)
		}
	}
	if after := get[struct{ Capture capture }](d.node, "/captures/"+c.ID, d.live).Capture; !reflect.DeepEqual(c, after) {
		t.Errorf("the capture was changed: %+v", after)
	}
}

func TestTheContentTypeOfABodyDoesNotMatter(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	c := get[list[capture]](d.node, "/captures?limit=1", d.live).Data[0]
	for _, contentType := range []string{"", "application/json", "text/plain", "application/x-www-form-urlencoded", "image/png; x"} {
		got := d.do("PATCH /captures/"+c.ID, d.live, fmt.Sprintf(`{"status":%q}`, c.Status), "Content-Type: "+contentType)
		if got.status != http.StatusOK {
			t.Errorf("%q: %s", contentType, got)
		}
	}
}

// TestAPositionOutlivesItsItem moves captures out of the filter in the middle
// of a walk.
func TestAPositionOutlivesItsItem(t *testing.T) {
	t.Parallel()
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon))
	want := projected(walk[capture](d.node, "/captures?status=confirmed", d.live, 100), captureID)
	var got []string
	after := ""
	for {
		page := get[list[capture]](d.node, "/captures?status=confirmed&limit=3"+after, d.live)
		for _, c := range page.Data {
			got = append(got, c.ID)
			d.move(d.live, c.ID, "no_show")
		}
		if !page.HasMore {
			break
		}
		after = "&starting_after=" + *page.NextStartingAfter
	}
	if !slices.Equal(got, want) {
		t.Errorf("the walk met %d captures, want %d", len(got), len(want))
	}
	if left := get[list[capture]](d.node, "/captures?status=confirmed", d.live).Data; len(left) != 0 {
		t.Errorf("%d are left", len(left))
	}
}

// TestNoStatusChangeIsLost makes 200 changes at once, to 200 captures, and then
// 200 to one.
func TestNoStatusChangeIsLost(t *testing.T) {
	t.Parallel()
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon))
	all := walk[capture](d.node, "/captures", d.live, 100)
	const many = 200
	if len(all) < many {
		t.Fatalf("the demo has %d captures only", len(all))
	}
	next := func(i int, from string) string { return statuses[(slices.Index(statuses, from)+1+i%3)%4] }
	atOnce(many, func(i int) {
		got, err := d.try("PATCH /captures/"+all[i].ID, d.live, fmt.Sprintf(`{"status":%q}`, next(i, all[i].Status)))
		if err != nil || got.status != http.StatusOK {
			t.Errorf("%v %s", err, got)
		}
	})
	for i, c := range walk[capture](d.node, "/captures", d.live, 100) {
		want := all[i].Status
		if i < many {
			want = next(i, want)
		}
		if c.ID != all[i].ID || c.Status != want {
			t.Errorf("%s is %s, want %s", c.ID, c.Status, want)
		}
	}
	atOnce(many, func(i int) {
		got, err := d.try("PATCH /captures/"+all[0].ID, d.live, fmt.Sprintf(`{"status":%q}`, statuses[i%4]))
		if err != nil || got.status != http.StatusOK || !strings.Contains(string(got.body), statuses[i%4]) {
			t.Errorf("%v %s, asked for %s", err, got, statuses[i%4])
		}
	})
}
