package language

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed data
var data embed.FS

// Codes are the languages that the house speaks, by the names of their folders.
// The first is assumed where nothing tells.
var Codes = sync.OnceValue(func() []string {
	text, err := data.ReadFile("data/languages.txt")
	if err != nil {
		panic(err) // it is part of the program
	}
	var codes []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			codes = append(codes, line)
		}
	}
	return codes
})

// Language is one language: what stands in its folder.
type Language struct {
	Code string
	all  map[string][]string // lines by section, see read

	mu    sync.Mutex
	sets  map[string]Set
	books map[string]*Book
	pairs map[string]map[string]string
	likes map[string]*alikes
}

// Set is a set of folded words.
type Set map[string]bool

// Of is the language with a code, or nil when the house does not speak it.
func Of(code string) *Language {
	load, ok := loaded()[code]
	if !ok {
		return nil
	}
	return load()
}

// loaded reads each folder when it is first asked for.
var loaded = sync.OnceValue(func() map[string]func() *Language {
	all := map[string]func() *Language{}
	for _, code := range Codes() {
		all[code] = sync.OnceValue(func() *Language {
			folder, err := fs.Sub(data, "data/"+code)
			if err != nil {
				panic(err) // it is part of the program
			}
			l, err := Load(code, folder)
			if err != nil {
				panic(err) // the tests read every folder
			}
			return l
		})
	}
	return all
})

// Load makes a language of a folder. Its text files are made of sections, "[name]"
// and the lines below it; what stands after "#" at the beginning of a line is for
// readers. A section may go on in another file.
func Load(code string, folder fs.FS) (*Language, error) {
	l := &Language{
		Code: code, all: map[string][]string{}, sets: map[string]Set{}, books: map[string]*Book{}, pairs: map[string]map[string]string{},
		likes: map[string]*alikes{},
	}
	err := fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txt") {
			return err
		}
		text, err := fs.ReadFile(folder, path)
		if err != nil {
			return err
		}
		return l.read(path, string(text))
	})
	if err != nil {
		return nil, fmt.Errorf("reading the language %s: %w", code, err)
	}
	return l, nil
}

func (l *Language) read(path, text string) error {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || strings.HasPrefix(trimmed, "# ") || trimmed == "#":
		case strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]"):
			section = strings.Trim(trimmed, "[]")
			if _, ok := l.all[section]; !ok {
				l.all[section] = nil
			}
		case section == "":
			return fmt.Errorf("%s: %q stands before the first section", path, trimmed)
		default:
			l.all[section] = append(l.all[section], trimmed)
		}
	}
	return nil
}

// Has says whether the language has a section.
func (l *Language) Has(section string) bool {
	_, ok := l.all[section]
	return ok
}

// Lines are those of a section.
func (l *Language) Lines(section string) []string { return l.all[section] }

// Sections are the names of all sections that begin so, in order.
func (l *Language) Sections(prefix string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(l.all)), func(name string) bool { return !strings.HasPrefix(name, prefix) })
}

// Words are the words of a section, folded.
func (l *Language) Words(section string) Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	if set, ok := l.sets[section]; ok {
		return set
	}
	set := Set{}
	for _, line := range l.all[section] {
		for w := range strings.FieldsSeq(line) {
			set[Fold(w)] = true
		}
	}
	l.sets[section] = set
	return set
}

// Pairs are the lines of a section of the form "expression, expression = value":
// each expression, folded, with its value.
func (l *Language) Pairs(section string) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if pairs, ok := l.pairs[section]; ok {
		return pairs
	}
	pairs := map[string]string{}
	for _, line := range l.all[section] {
		left, value, _ := strings.Cut(line, "=")
		for expression := range strings.SplitSeq(left, ",") {
			pairs[Fold(strings.TrimSpace(expression))] = strings.TrimSpace(value)
		}
	}
	l.pairs[section] = pairs
	return pairs
}

// Numbers are the pairs of a section whose values are numbers.
func (l *Language) Numbers(section string) map[string]int {
	all := map[string]int{}
	for expression, value := range l.Pairs(section) {
		if n, err := strconv.Atoi(value); err == nil {
			all[expression] = n
		}
	}
	return all
}

// titles are words that a full stop only shortens, in any language.
var titles = sync.OnceValue(func() Set {
	all := Set{}
	for _, code := range Codes() {
		maps.Copy(all, Of(code).Words("titles"))
	}
	return all
})
