package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

//go:embed templates static
var files embed.FS

// pages are the templates of all screens in each voice, and the files that they
// load.
type pages struct {
	mu      sync.Mutex
	voices  map[voice]*template.Template // those that were asked for
	written *template.Template           // that all of them are made of; it is never executed
	static  map[string]asset             // by name
	version string                       // of all static files: it stands in their addresses, so they are kept for ever
}

// asset is a static file.
type asset struct {
	contentType string
	body        []byte
}

// loadPages reads the pages once: they are the same for everybody, and to read them
// takes longer than to show one.
var loadPages = sync.OnceValues(readPages)

func readPages() (*pages, error) {
	p := &pages{voices: map[voice]*template.Template{}, static: map[string]asset{}}
	if err := p.loadStatic(); err != nil {
		return nil, err
	}
	var err error
	if p.written, err = template.New("").Funcs(p.functions(voice{})).ParseFS(files, "templates/*.html"); err != nil {
		return nil, fmt.Errorf("reading the console's pages: %w", err)
	}
	return p, nil
}

// in is the templates in a voice.
func (p *pages) in(v voice) (*template.Template, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.voices[v]; t != nil {
		return t, nil
	}
	t, err := p.written.Clone()
	if err != nil {
		return nil, err
	}
	p.voices[v] = t.Funcs(p.functions(v))
	return t, nil
}

// functions are what templates call: say for words, in the voice that they are
// made for, many for words that depend on a number, static for addresses of
// files, icon for pictures.
func (p *pages) functions(v voice) template.FuncMap {
	say := func(key string, pairs ...any) (string, error) {
		text := make([]string, len(pairs))
		for i, one := range pairs {
			text[i] = fmt.Sprint(one)
		}
		words := v.say(key, text...)
		if words == "" {
			return "", fmt.Errorf("the console has no words for %q in %s", key, v.language)
		}
		return words, nil
	}
	return template.FuncMap{
		"say": say,
		"many": func(key string, n int) (string, error) {
			if n == 1 {
				return say(key+"_one", "n", 1)
			}
			return say(key, "n", n)
		},
		"static": func(name string) (string, error) {
			if _, ok := p.static[name]; !ok {
				return "", fmt.Errorf("the console has no file %q", name)
			}
			return Path + "/static/" + p.version + "/" + name, nil
		},
		"initial": func(name string) string {
			first, _ := utf8.DecodeRuneInString(strings.ToUpper(name))
			return string(first)
		},
		"icon": func(name string) template.HTML {
			return template.HTML(`<svg class="icon" aria-hidden="true"><use href="` + Path + "/static/" + p.version + "/icons.svg#" + template.HTMLEscapeString(name) + `"/></svg>`)
		},
	}
}

var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

func (p *pages) loadStatic() error {
	sum := sha256.New()
	err := fs.WalkDir(files, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || contentTypes[path.Ext(name)] == "" {
			return err
		}
		body, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(body))
		sum.Write(body)
		p.static[path.Base(name)] = asset{contentTypes[path.Ext(name)], body}
		return nil
	})
	p.static["grid.css"] = asset{contentTypes[".css"], gridStyle()}
	sum.Write(p.static["grid.css"].body)
	p.version = hex.EncodeToString(sum.Sum(nil))[:12]
	return err
}

// static serves a file of the console's own.
func (c *Console) static(v *visit) (answer, error) {
	file, ok := c.pages.static[v.http.PathValue("file")]
	if !ok {
		return answer{}, frontdesk.Missing("file")
	}
	if v.http.PathValue("version") == c.pages.version {
		v.header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	return answer{status: http.StatusOK, contentType: file.contentType, body: file.body}, nil
}

// view is what every template is made of.
type view struct {
	Language string
	Base     string // that all addresses of the page are relative to
	Here     string // the page's own address below it
	Screen   string // the entry of the menu that it belongs to
	Menu     []entry
	Tenant   string
	Person   string
	PersonID frontdesk.ID
	Role     frontdesk.Role
	Test     bool
	Other    string // the same page in the other mode
	Agents   []choice
	Agent    string // the name of the place's agent; "": all of them
	Said     *said
	Data     any
}

// entry is one of the menu.
type entry struct {
	Name    string
	Current bool
}

// choice is one of several things to choose from.
type choice struct {
	Name, Value string
	Chosen      bool
}

// Can says whether the person has one of the roles.
func (w view) Can(all ...string) bool { return slices.Contains(all, string(w.Role)) }

// page is a whole page of the console.
func (v *visit) page(name string, data any) (answer, error) {
	return v.render(http.StatusOK, name, data)
}

// render makes a page, or a part of one, of the template with a name.
func (v *visit) render(status int, name string, data any) (answer, error) {
	body, err := v.html(name, data)
	if err != nil {
		return answer{}, err
	}
	v.header.Set("Content-Language", v.lang.Code)
	v.header.Add("Vary", "HX-Request, Cookie, Accept-Language")
	return answer{status: status, contentType: "text/html; charset=utf-8", body: body}, nil
}

func (v *visit) html(name string, data any) ([]byte, error) {
	pages, err := v.console.pages.in(v.voice())
	if err != nil {
		return nil, fmt.Errorf("making the page %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, v.view(name, data)); err != nil {
		return nil, fmt.Errorf("making the page %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// view is the frame of a page.
func (v *visit) view(name string, data any) view {
	w := view{
		Language: v.lang.Code, Base: v.base(), Person: v.person.Name, PersonID: v.person.ID, Role: v.person.Role, Tenant: v.tenant.Name,
		Test: v.mode != nil && !v.mode.live, Data: data, Said: v.takeSaid(),
	}
	w.Here = strings.TrimPrefix(v.http.URL.RequestURI(), w.Base)
	w.Screen, _, _ = strings.Cut(strings.TrimPrefix(v.http.URL.Path, w.Base), "/")
	if v.person.ID == "" || v.mode == nil {
		return w
	}
	for _, s := range screens {
		if s.roles.let(v.person.Role) {
			w.Menu = append(w.Menu, entry{s.name, s.name == w.Screen})
		}
	}
	for _, a := range v.agents {
		w.Agents = append(w.Agents, choice{a.DisplayName, v.place(a.Slug) + w.Screen, v.agent != nil && a.ID == v.agent.ID})
	}
	if v.agent != nil {
		w.Agent = v.agent.DisplayName
	}
	w.Other = v.otherMode() + w.Screen
	return w
}

// otherMode is the place in the other mode.
func (v *visit) otherMode() string {
	turned := *v
	turned.mode = &modes[0]
	if v.mode.live {
		turned.mode = &modes[1]
	}
	return turned.base()
}

// live is a part of a page that renews itself.
type live struct {
	Address string // where its newest state is, with the version that is shown
	Body    template.HTML
}

// live makes a part of a page from the template with a name. Its address tells
// which version is shown, so that the same one is not sent again.
func (v *visit) live(name, address string, data any) (live, error) {
	body, err := v.html(name, data)
	if err != nil {
		return live{}, err
	}
	sum := sha256.Sum256(body)
	return live{address + "?version=" + hex.EncodeToString(sum[:8]), template.HTML(body)}, nil
}

// renewed is the newest state of a live part: nothing, when the browser shows it
// already.
func (v *visit) renewed(l live) (answer, error) {
	if strings.HasSuffix(l.Address, "?version="+v.http.URL.Query().Get("version")) {
		return answer{status: http.StatusNoContent}, nil
	}
	return v.render(http.StatusOK, "live", l)
}
