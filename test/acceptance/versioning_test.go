package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func TestTheDescriptionIsPublic(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	document := get[struct {
		OpenAPI string
		Info    struct{ Version string }
		Paths   map[string]map[string]any
	}](d.node, "/openapi.json", "")
	if !strings.HasPrefix(document.OpenAPI, "3.1") || document.Info.Version != "1.0.0" {
		t.Errorf("OpenAPI %s, version %s", document.OpenAPI, document.Info.Version)
	}
	guide := d.do("GET /llms.txt", "", "")
	if guide.status != http.StatusOK || !strings.HasPrefix(guide.header.Get("Content-Type"), "text/plain") {
		t.Errorf("llms.txt: %d %s", guide.status, guide.header.Get("Content-Type"))
	}
	// A key that is wrong does not get in the way of what needs none.
	for _, path := range []string{"/openapi.json", "/llms.txt"} {
		if got := d.do("GET "+path, "svc_live_x", ""); got.status != http.StatusOK {
			t.Errorf("%s with a wrong key: %d", path, got.status)
		}
		if got := d.do("GET "+path, d.test, ""); got.status != http.StatusOK {
			t.Errorf("%s with a key: %d", path, got.status)
		}
	}
	for path, item := range document.Paths {
		for method := range item {
			if mention := strings.ToUpper(method) + " " + path; !bytes.Contains(guide.body, []byte(mention)) {
				t.Errorf("llms.txt does not tell of %s", mention)
			}
		}
	}
}

func TestTheVersionIsInTheAddress(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, path := range []string{"/whoami", "/v2/whoami", "/v1", "/v1/", "/V1/whoami", "/v1whoami", "/v10/whoami"} {
		res, err := d.client.Get(d.base + path)
		must(t, err)
		res.Body.Close()
		if res.StatusCode != http.StatusNotFound {
			t.Errorf("%s is %d", path, res.StatusCode)
		}
	}
}

// TestWhatStandsOutsideOfTheVersion: health, figures, the landing page.
func TestWhatStandsOutsideOfTheVersion(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	get[any](d.node, "/whoami", d.live)
	for path, want := range map[string]string{
		"/healthz": "ok", "/readyz": "ready", "/": "/v1/openapi.json",
		"/metrics": `frontdesk_requests_total{`,
	} {
		res, err := d.client.Get(d.base + path)
		must(t, err)
		var body bytes.Buffer
		_, err = body.ReadFrom(res.Body)
		must(t, err)
		res.Body.Close()
		if res.StatusCode != http.StatusOK || !strings.Contains(body.String(), want) {
			t.Errorf("%s: %d, without %s", path, res.StatusCode, want)
		}
		if bytes.Contains(body.Bytes(), []byte(d.live)) {
			t.Errorf("%s shows a key", path)
		}
	}
	for _, link := range []string{"/healthz", "/readyz", "/metrics", "/v1/openapi.json", "/v1/llms.txt"} {
		res, err := d.client.Get(d.base + "/")
		must(t, err)
		var body bytes.Buffer
		_, err = body.ReadFrom(res.Body)
		must(t, err)
		res.Body.Close()
		if !strings.Contains(body.String(), `"`+link+`"`) {
			t.Errorf("the landing page does not link to %s", link)
		}
	}
}

// examples run as they stand, in a shell, with curl that fails on every answer
// that is no success.
func (s *showroom) shell(t *testing.T, script string, env ...string) {
	t.Helper()
	c := exec.CommandContext(bounded(t), "sh", "-eu", "-c", "curl() { command curl --fail-with-body \"$@\"; }\nuuidgen() { cat /proc/sys/kernel/random/uuid; }\n"+script)
	c.Env = append(os.Environ(), "FRONTDESK_URL="+s.base+"/v1", "FRONTDESK_KEY="+s.live, "FRONTDESK_TEST_KEY="+s.test)
	c.Env = append(c.Env, env...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s\n%v: %s", script, err, out)
	}
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("the examples use %s, which is not here", p)
		}
	}
}

// TestTheLinesThatTheDemoPrints are pasted as they stand.
func TestTheLinesThatTheDemoPrints(t *testing.T) {
	t.Parallel()
	needs(t, "sh", "curl")
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon))
	_, script, _ := strings.Cut(d.out.String(), "Paste these:")
	if n := strings.Count(script, "curl "); n < 5 {
		t.Fatalf("the demo prints %d lines with curl: %s", n, script)
	}
	d.shell(t, script)
}

// TestTheReadmesLines runs every curl line of the README.
func TestTheReadmesLines(t *testing.T) {
	t.Parallel()
	needs(t, "sh", "curl")
	text, err := os.ReadFile("../../README.md")
	must(t, err)
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon))
	id := get[list[capture]](d.node, "/captures?status=pending_confirm&limit=1", d.live).Data[0].ID
	ran := 0
	for _, block := range regexp.MustCompile("(?s)```\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(block[1], "curl ") {
			continue
		}
		ran += strings.Count(block[1], "curl ")
		d.shell(t, regexp.MustCompile(`(?m)^CAPTURE=.*$`).ReplaceAllString(block[1], "CAPTURE="+id))
	}
	if ran < 5 {
		t.Errorf("the README has %d lines with curl", ran)
	}
	if got := get[struct{ Capture capture }](d.node, "/captures/"+id, d.live).Capture.Status; got != "confirmed" {
		t.Errorf("after the README's lines the capture is %s", got)
	}
	if got := d.agent(d.live, "casa-lola").Config["specials"]; got != "Hoy: arroz con bogavante" {
		t.Errorf("after the README's lines the specials are %v", got)
	}
	d.settled(d.live, get[list[document]](d.node, "/knowledge/documents?limit=1", d.live).Data[0].ID)
	question := regexp.MustCompile(`{"question": "[^"]*"}`).FindString(string(text))
	if got := d.do("POST /knowledge/test", d.live, question); !strings.Contains(string(got.body), `"answered":true`) || !strings.Contains(string(got.body), "behind the house") {
		t.Errorf("the README's question %s is answered %s", question, got)
	}
}

// TestTheGuidesLines runs every block of commands in llms.txt; its slugs and
// ids are examples, as it says, and are put in.
func TestTheGuidesLines(t *testing.T) {
	t.Parallel()
	needs(t, "sh", "curl", "jq")
	d := demo(t, newPlace(t, "FRONTDESK_NOW="+noon))
	guide := string(d.do("GET /llms.txt", "", "").body)
	values := d.examples(d.live)
	values["revision"] = d.revision()
	uuid := regexp.MustCompile(`/(calls|captures|connections|deliveries|events|history)/[0-9a-f-]{36}`)
	named := map[string]string{
		"calls": "call_id", "captures": "capture_id", "connections": "connection_id", "deliveries": "delivery_id",
		"events": "event_id", "history": "revision",
	}
	ran := 0
	for _, block := range indented(guide) {
		switch {
		case strings.HasPrefix(block, "{"): // an answer
			continue
		case strings.HasPrefix(block, "export "): // the shell has these
			continue
		case !strings.Contains(block, "curl "): // a program, or what one is sent
			continue
		}
		if strings.Contains(block, "/connections/") || strings.Contains(block, "/deliveries/") {
			maps.Copy(values, d.disposable(d.live)) // the block may use them up
		}
		script := uuid.ReplaceAllStringFunc(block, func(path string) string {
			list := strings.Split(path, "/")[1]
			return "/" + list + "/" + values[named[list]]
		})
		script = regexp.MustCompile(`(/agents/|"agent":")[a-z-]+`).ReplaceAllString(script, `${1}casa-lola`)
		ran += strings.Count(script, "curl ")
		d.shell(t, script)
	}
	if want := len(d.operations()); ran < want {
		t.Errorf("the guide runs curl %d times, there are %d operations", ran, want)
	}
}

// TestTheGuidesVerifiers runs the two functions of llms.txt that verify a
// signature on the example of GET /connectors, and on one that was altered.
func TestTheGuidesVerifiers(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	guide := string(d.do("GET /llms.txt", "", "").body)
	example := get[list[struct {
		Signature struct{ Example map[string]string }
	}]](d.node, "/connectors", d.live).Data[0].Signature.Example
	vector, err := json.Marshal(example)
	must(t, err)
	for language, c := range map[string]struct {
		from, to, check string
		run             []string
	}{
		"Python": {"Python:\n", "Node (", `
import json, sys
v = json.loads(sys.argv[1])
h = {"webhook-id": v["id"], "webhook-timestamp": v["timestamp"], "webhook-signature": "v1,AAAA " + v["signature"]}
print(verify(v["secret"], h, v["body"].encode(), int(v["timestamp"])), verify(v["secret"], h, v["body"].encode() + b" ", int(v["timestamp"])), verify(v["secret"], h, v["body"].encode()))
`, []string{"python3", "-c"}},
		"Node": {"Node (", "Try it with", `
const v = JSON.parse(process.argv[1]);
const h = {"webhook-id": v.id, "webhook-timestamp": v.timestamp, "webhook-signature": "v1,AAAA " + v.signature};
const say = (b) => b ? "True" : "False";
console.log(say(verify(v.secret, h, Buffer.from(v.body), Number(v.timestamp))), say(verify(v.secret, h, Buffer.from(v.body + " "), Number(v.timestamp))), say(verify(v.secret, h, Buffer.from(v.body))));
`, []string{"node", "--input-type=module", "-e"}},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			needs(t, c.run[0])
			_, part, _ := strings.Cut(guide, c.from)
			part, _, _ = strings.Cut(part, c.to)
			code := strings.Join(indented(part), "\n") + c.check
			out, err := exec.CommandContext(bounded(t), c.run[0], append(c.run[1:], code, string(vector))...).CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != "True False False" {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// indented are the blocks of code of a plain text.
func indented(text string) (blocks []string) {
	var block strings.Builder
	flush := func() {
		if block.Len() > 0 {
			blocks = append(blocks, block.String())
			block.Reset()
		}
	}
	for line := range strings.Lines(text) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			block.WriteString(code)
			continue
		}
		flush()
	}
	flush()
	return blocks
}

// TestTheGuidesPagingLoopMeetsEveryCall runs the loop of llms.txt and counts.
func TestTheGuidesPagingLoopMeetsEveryCall(t *testing.T) {
	t.Parallel()
	needs(t, "sh", "curl", "jq")
	d := lookAround(t)
	want := len(walk[call](d.node, "/calls?outcome=booking", d.live, 100))
	for _, block := range indented(string(d.do("GET /llms.txt", "", "").body)) {
		if strings.HasPrefix(block, "after=") {
			d.shell(t, fmt.Sprintf("n=$( { %s } | wc -l )\n[ \"$n\" -eq %d ] || { echo \"$n calls, want %d\"; exit 1; }", block, want, want))
			return
		}
	}
	t.Error("the guide has no loop")
}
