package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// fact is something that businesses write, in both languages, and what callers
// ask to learn it.
type fact struct {
	trade, topic int
	written      map[string]string   // by language
	asked        map[string][]string // by language
}

// readFacts reads the facts of all files of a folder, a file for each trade.
func readFacts(dir string) (all []fact, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	topic := 0
	for trade, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for n, line := range strings.Split(string(data), "\n") {
			switch mark, text, _ := strings.Cut(line, " "); {
			case mark == "#":
				topic++
			case mark == "es":
				all = append(all, fact{trade, topic, map[string]string{}, map[string][]string{}})
				fallthrough
			case line != "":
				if len(all) == 0 || !all[len(all)-1].add(mark, text) {
					return nil, fmt.Errorf("%s:%d: %q is not of a fact", file, n+1, line)
				}
			}
		}
	}
	return all, nil
}

// add takes in a line of a fact: what it is after its mark, es and en for what
// is written, ¿ and ? for what is asked.
func (f *fact) add(mark, text string) bool {
	switch mark {
	case "es", "en":
		f.written[mark] = text
	case "¿":
		f.asked["es"] = append(f.asked["es"], text)
	case "?":
		f.asked["en"] = append(f.asked["en"], text)
	default:
		return false
	}
	return text != ""
}
