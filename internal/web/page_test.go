package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestThePage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.hire("choosy", frontdesk.AgentActive, func(a *frontdesk.Agent) { a.Settings.Origins = []string{"https://lola.example"} })
	d.hire("asleep", frontdesk.AgentPaused)
	d.hire("unborn", frontdesk.AgentDraft)
	d.hire("sly", frontdesk.AgentActive, func(a *frontdesk.Agent) {
		a.Config.Business.Name = `"><script>alert(1)</script>`
		a.Config.Assistant.Name = "</title><script>alert(2)</script>"
	})
	tests := map[string]struct {
		path, accept string
		status       int
		has, hasNot  string
	}{
		"in its first language":            {"/talk/lola/desk", "", 200, `<html lang="es">`, `data-language`},
		"by the address":                   {"/talk/lola/desk?lang=en", "es", 200, `data-language="en"`, ""},
		"by the browser":                   {"/talk/lola/desk", "fr-FR, en-GB;q=0.8, es;q=0.5", 200, `<html lang="en">`, ""},
		"a language that is not spoken":    {"/talk/lola/desk?lang=fr", "", 200, `<html lang="es">`, "fr"},
		"in test mode":                     {"/talk/lola/desk?mode=test", "", 200, `data-mode="test"`, ""},
		"in live mode":                     {"/talk/lola/desk?utm_source=x", "", 200, `data-mode="live"`, ""},
		"with its names":                   {"/talk/lola/desk", "", 200, `<title>Alba · Clínica Lola</title>`, ""},
		"names that are no HTML":           {"/talk/lola/sly", "", 200, "&lt;script&gt;alert(2)", "<script>alert"},
		"a draft in test mode":             {"/talk/lola/unborn?mode=test", "", 200, "widget.js", ""},
		"a draft is not there":             {"/talk/lola/unborn", "", 404, "<h1>Aquí no hay nadie", "widget.js"},
		"a paused one is not there":        {"/talk/lola/asleep", "", 404, "<h1>Aquí no hay nadie", "widget.js"},
		"an unknown one":                   {"/talk/lola/nobody", "en", 404, "<h1>There is nobody", ""},
		"an unknown business, by address":  {"/talk/nobody/desk?lang=en", "es", 404, "<h1>There is nobody", ""},
		"an address that is no text":       {"/talk/lola/%00", "", 404, "<h1>Aquí no hay nadie", ""},
		"one that chooses where to appear": {"/talk/lola/choosy", "", 200, "widget.js", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.do("GET "+tt.path, "", "Accept-Language", tt.accept)
			if a.status != tt.status || !strings.Contains(a.body, tt.has) || tt.hasNot != "" && strings.Contains(a.body, tt.hasNot) {
				t.Errorf("got %d:\n%s", a.status, a.body)
			}
			policy := a.header.Get("Content-Security-Policy")
			if want := "style-src 'sha256-" + digestOf(between(a.body, "<style>", "</style>")) + "'"; !strings.Contains(policy, want) {
				t.Errorf("the policy is %q, and the page's style needs %s", policy, want)
			}
			if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "script-src 'self';") || !strings.Contains(policy, "default-src 'none'") {
				t.Errorf("the policy is %q", policy)
			}
			if strings.Count(a.body, "<script") > 1 || a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Referrer-Policy") == "" || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
				t.Errorf("the headers are %v", a.header)
			}
			framed := "frame-ancestors *"
			if strings.Contains(tt.path, "choosy") {
				framed = "frame-ancestors 'self' https://lola.example"
			}
			if !strings.HasSuffix(policy, framed) {
				t.Errorf("the policy is %q, want %s", policy, framed)
			}
		})
	}
}

func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}

func TestTheScript(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	plain := d.do("GET /widget.js", "")
	tag := plain.header.Get("ETag")
	if plain.status != 200 || plain.body != string(widget) || tag == "" || plain.header.Get("Content-Type") != "text/javascript; charset=utf-8" ||
		!strings.HasPrefix(plain.header.Get("Cache-Control"), "public") {
		t.Errorf("got %d %v", plain.status, plain.header)
	}
	packed := d.do("GET /widget.js", "", "Accept-Encoding", "br, gzip;q=0.8")
	if packed.header.Get("Content-Encoding") != "gzip" || packed.header.Get("Vary") != "Accept-Encoding" || len(packed.body) > len(widget)/2 {
		t.Errorf("packed: %d bytes, %v", len(packed.body), packed.header)
	}
	r, err := gzip.NewReader(strings.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || !bytes.Equal(text, widget) {
		t.Errorf("unpacked it is another one: %v", err)
	}
	if a := d.do("GET /widget.js", "", "Accept-Encoding", "gzip;q=0"); a.header.Get("Content-Encoding") != "" {
		t.Error("packed for a browser that does not want it")
	}
	for _, have := range []string{tag, `"other", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
		if a := d.do("GET /widget.js", "", "If-None-Match", have); a.status != 304 || a.body != "" {
			t.Errorf("for one who has %s: %d, %d bytes", have, a.status, len(a.body))
		}
	}
	if a := d.do("GET /widget.js", "", "If-None-Match", `W/"other"`); a.status != 200 {
		t.Errorf("for one who has another: %d", a.status)
	}
}

func TestTheScriptIsSmallAndNoneWritesHTML(t *testing.T) {
	t.Parallel()
	if n := len(scripts["/widget.js"].packed); n >= 12_500 {
		t.Errorf("the script has %d bytes as it travels, and sites load it with every page: it must stay under 12,500", n)
	}
	for path, script := range scripts {
		if found := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\(|new Function|document\.cookie|localStorage`).Find(script.text); found != nil {
			t.Errorf("%s uses %s", path, found)
		}
	}
}

// TestTheScriptsHaveAllWordsInBothLanguages reads the two lists of words.
func TestTheScriptsHaveAllWordsInBothLanguages(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`(?m)(?:^\s+|, )(\w+): '`)
	for path, fewest := range map[string]int{"/widget.js": 30, "/voice.js": 15} {
		words := map[string][]string{}
		for _, language := range frontdesk.Languages {
			for _, found := range name.FindAllStringSubmatch(between(string(scripts[path].text), "\n\t"+language+": {", "\n\t},"), -1) {
				words[language] = append(words[language], found[1])
			}
			slices.Sort(words[language])
		}
		if len(words["es"]) < fewest || !slices.Equal(words["es"], words["en"]) {
			t.Errorf("%s: es: %v\nen: %v", path, words["es"], words["en"])
		}
	}
}
