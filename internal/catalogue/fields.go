package catalogue

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"frontdesk.dev/frontdesk/internal/language"
)

// The bounds of what is read. Beyond them lies nothing that could be said aloud.
const (
	mostEntries = 2000
	shortText   = 120 // names, prices, in runes
	longText    = 600 // descriptions
	houseText   = 4000
	mostListed  = 40 // aliases, variants, allergens
)

// fields is an entry as it was sent. Every method makes the best of what it
// finds there.
type fields map[string]any

// group is a list of entries under a heading: "Postres".
type group struct {
	heading string
	entries []fields
}

// readGroups reads an array of objects, or an object of arrays of objects, in
// the order in which they stand. What is neither is left out.
func readGroups(raw json.RawMessage) (all []group) {
	left := mostEntries
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil
	}
	if raw[0] == '[' {
		return append(all, group{"", readEntries(raw, &left)})
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() && left > 0 {
		key, err := d.Token()
		if err != nil {
			return all
		}
		var list json.RawMessage
		if d.Decode(&list) != nil {
			return all
		}
		heading, _ := key.(string)
		if entries := readEntries(list, &left); len(entries) > 0 {
			all = append(all, group{line(heading, shortText), entries})
		}
	}
	return all
}

// readEntries reads an array of objects and leaves out what is none.
func readEntries(raw json.RawMessage, left *int) (all []fields) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for _, one := range list {
		if *left <= 0 {
			break
		}
		d := json.NewDecoder(bytes.NewReader(one))
		d.UseNumber()
		var f fields
		if d.Decode(&f) == nil && len(f) > 0 {
			all = append(all, f)
			*left--
		}
	}
	return all
}

// line is a text in one line, without what cannot be said, cut to most runes.
func line(s string, most int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	n := 0
	for i := range s {
		if n == most {
			return strings.TrimSpace(s[:i])
		}
		n++
	}
	return s
}

// text is the first of the keys that holds a text, or a number.
func (f fields) text(keys ...string) string { return f.upTo(shortText, keys...) }

func (f fields) upTo(most int, keys ...string) string {
	for _, key := range keys {
		switch v := f[key].(type) {
		case string:
			if s := line(v, most); s != "" {
				return s
			}
		case json.Number:
			return line(v.String(), most)
		}
	}
	return ""
}

// called is the first of the keys that holds a text, in any language.
func (f fields) called(keys ...string) string {
	if name := f.text(keys...); name != "" {
		return name
	}
	for _, code := range slices.Backward(languages()) {
		if name := f.text(keys[0] + "_" + code); name != "" {
			return name
		}
	}
	return ""
}

// inLanguages are the texts of a key by language: "name_es", "name_en".
func (f fields) inLanguages(key string) map[string]string {
	var all map[string]string
	for _, code := range languages() {
		if name := f.text(key + "_" + code); name != "" {
			if all == nil {
				all = map[string]string{}
			}
			all[code] = name
		}
	}
	return all
}

// number reads a number, also one that was sent as a text.
func (f fields) number(key string) (float64, bool) {
	var s string
	switch v := f[key].(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	default:
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && n >= 0 && n <= 1e12
}

// whole is a number that counts something; 0 when there is none.
func (f fields) whole(key string) int {
	n, ok := f.number(key)
	if !ok || n > 1e9 {
		return 0
	}
	return int(n)
}

// minutes is a length of time; more than a week is none.
func (f fields) minutes(key string) time.Duration {
	n, ok := f.number(key)
	if !ok || n > 7*24*60 {
		return 0
	}
	return time.Duration(n * float64(time.Minute)).Round(time.Minute)
}

// flag reads a yes or a no.
func (f fields) flag(key string) (yes, said bool) {
	switch v := f[key].(type) {
	case bool:
		return v, true
	case json.Number:
		return v.String() != "0", true
	case string:
		switch language.Fold(strings.TrimSpace(v)) {
		case "true", "yes", "si", "1":
			return true, true
		case "false", "no", "0":
			return false, true
		}
	}
	return false, false
}

// list reads a list of texts, also one that was sent as a single text with
// commas. said tells an empty list from none.
func (f fields) list(key string) (all []string, said bool) {
	switch v := f[key].(type) {
	case string:
		for one := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ',' || r == ';' }) {
			if s := line(one, shortText); s != "" && len(all) < mostListed {
				all = append(all, s)
			}
		}
		return all, true
	case []any:
		for _, one := range v {
			if s := (fields{"": one}).text(""); s != "" && len(all) < mostListed {
				all = append(all, s)
			}
		}
		return all, true
	}
	return nil, false
}
