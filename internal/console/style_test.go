package console

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	sectionPattern  = regexp.MustCompile(`(?ms)^/\*(.*?)\*/\s*$`)
	rulePattern     = regexp.MustCompile(`([^{}]+)\{`)
	firstClass      = regexp.MustCompile(`^\.([a-zA-Z][\w-]*)`)
	anyClass        = regexp.MustCompile(`\.([a-zA-Z][\w-]*)`)
	classAttribute  = regexp.MustCompile(`class="((?:[^"{]|\{\{.*?\}\})*)"`)
	templateActions = regexp.MustCompile(`\{\{.*?\}\}`)
)

// sharedSections hold the pieces that every screen uses, and may refine.
var sharedSections = []string{"The console.", "the frame", "pieces", "forms", "tables", "the door"}

// TestClassesBelongToOneScreen: a class that two screens define means two things,
// and the later one breaks the earlier.
func TestClassesBelongToOneScreen(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	css := string(text)
	sections := map[string][]string{} // of each class, where a selector begins with it
	heads := sectionPattern.FindAllStringSubmatchIndex(css, -1)
	for i, head := range heads {
		end := len(css)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		name := strings.TrimSpace(css[head[2]:head[3]])
		for _, rule := range rulePattern.FindAllStringSubmatch(css[head[1]:end], -1) {
			for selector := range strings.SplitSeq(rule[1], ",") {
				if m := firstClass.FindStringSubmatch(strings.TrimSpace(selector)); m != nil && !slices.Contains(sections[m[1]], name) {
					sections[m[1]] = append(sections[m[1]], name)
				}
			}
		}
	}
	if len(heads) < 10 || len(sections) < 50 {
		t.Fatalf("%d sections, %d classes: the style was not read", len(heads), len(sections))
	}
	// Variants of a shared piece, each with a class of its screen beside it.
	variants := []string{"tabs", "legend", "more", "narrow", "plain", "steps", "keys", "trail"}
	for class, in := range sections {
		shared := slices.ContainsFunc(in, func(s string) bool {
			return slices.ContainsFunc(sharedSections, func(begin string) bool { return strings.HasPrefix(s, begin) })
		})
		if len(in) > 1 && !shared && !slices.Contains(variants, class) {
			t.Errorf(".%s is defined by several screens: %s", class, strings.Join(in, "; "))
		}
	}
}

// TestClassesOfPagesAreDefined: a class without a rule is a slip of the pen.
func TestClassesOfPagesAreDefined(t *testing.T) {
	t.Parallel()
	var defined []string
	for _, sheet := range []string{"static/style.css", "static/paper.css"} {
		text, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range anyClass.FindAllStringSubmatch(string(text), -1) {
			defined = append(defined, m[1])
		}
	}
	hooks := []string{"live", "to", "h", "for-12"} // that scripts and tests look for
	files, err := filepath.Glob("templates/*.html")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range classAttribute.FindAllStringSubmatch(string(page), -1) {
			for class := range strings.FieldsSeq(templateActions.ReplaceAllString(m[1], "\x00 ")) {
				// What an action completes is made by Go.
				if strings.Contains(class, "\x00") || strings.HasSuffix(class, "-") || slices.Contains(defined, class) || slices.Contains(hooks, class) {
					continue
				}
				t.Errorf("%s: no rule for the class %s", file, class)
			}
		}
	}
}
