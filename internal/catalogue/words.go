package catalogue

import (
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// All that this package knows of languages stands in their folders, in the
// sections that begin with "catalogue". Callers mix languages, so questions are
// read in all of them.

// mixed are all languages.
var mixed = sync.OnceValue(func() *language.Mix { return language.MixOf() })

// languages are the codes of those that every word is looked at in.
func languages() []string { return language.Codes() }

// wordsOf are those of a section, in any language.
func wordsOf(section string) language.Set { return mixed().Words("catalogue " + section) }

// expressions are those of a section, in any language. They are made once.
func expressions(section string) []pattern {
	made.mu.RLock()
	all, ok := made.patterns[section]
	made.mu.RUnlock()
	if ok {
		return all
	}
	for _, code := range languages() {
		for _, line := range language.Of(code).Lines("catalogue " + section) {
			for one := range strings.SplitSeq(line, ",") {
				if p := newPattern(language.Fold(one)); len(p) > 0 {
					all = append(all, p)
				}
			}
		}
	}
	made.mu.Lock()
	defer made.mu.Unlock()
	if made.patterns == nil {
		made.patterns = map[string][]pattern{}
	}
	made.patterns[section] = all
	return all
}

var made struct {
	mu       sync.RWMutex
	patterns map[string][]pattern
}

// spoken is the language with a code, or the first there is.
func spoken(lang string) *language.Language {
	if l := language.Of(lang); l != nil {
		return l
	}
	return language.Of(languages()[0])
}

// wording is how something is said in a language, its gaps filled by pairs.
func wording(lang, key string, pairs ...string) string {
	return spoken(lang).Say("catalogue "+key, "", pairs...)
}
