package whisper

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// vocabulary turns text into tokens and back: byte pairs, as GPT-2 has them.
type vocabulary struct {
	pieces  []string         // of each token, in bytes; empty for one with a meaning of its own
	tokens  map[string]int64 // of each piece
	ranks   map[[2]string]int
	special map[string]int64 // <|startoftranscript|> and the like
}

// readVocabulary reads vocab.json, merges.txt and added_tokens.json.
func readVocabulary(dir string) (*vocabulary, error) {
	v := &vocabulary{tokens: map[string]int64{}, ranks: map[[2]string]int{}}
	var written map[string]int64
	err := errors.Join(readJSON(filepath.Join(dir, "vocab.json"), &written), readJSON(filepath.Join(dir, "added_tokens.json"), &v.special))
	if err != nil {
		return nil, err
	}
	bytes := bytesOfRunes()
	v.pieces = make([]string, len(written))
	for piece, token := range written {
		if token < 0 || token >= int64(len(written)) {
			return nil, fmt.Errorf("whisper: vocab.json: token %d of %d", token, len(written))
		}
		if strings.HasPrefix(piece, "<|") && strings.HasSuffix(piece, "|>") {
			continue
		}
		v.pieces[token] = unmap(bytes, piece)
		v.tokens[v.pieces[token]] = token
	}
	merges, err := os.ReadFile(filepath.Join(dir, "merges.txt"))
	if err != nil {
		return nil, fmt.Errorf("whisper: %w", err)
	}
	for line := range strings.Lines(string(merges)) {
		left, right, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if ok && !strings.HasPrefix(line, "#version") {
			v.ranks[[2]string{unmap(bytes, left), unmap(bytes, right)}] = len(v.ranks)
		}
	}
	return v, nil
}

func readJSON(file string, into any) error {
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		return fmt.Errorf("whisper: reading %s: %w", file, err)
	}
	return nil
}

// bytesOfRunes says for which byte a character of the files stands. Printable
// ones stand for themselves, the others follow from U+0100 on.
func bytesOfRunes() map[rune]byte {
	bytes := map[rune]byte{}
	next := rune(0x100)
	for b := range 256 {
		switch {
		case b >= '!' && b <= '~', b >= 0xA1 && b <= 0xAC, b >= 0xAE:
			bytes[rune(b)] = byte(b)
		default:
			bytes[next] = byte(b)
			next++
		}
	}
	return bytes
}

func unmap(bytes map[rune]byte, written string) string {
	var b strings.Builder
	for _, r := range written {
		b.WriteByte(bytes[r])
	}
	return b.String()
}

// text is what tokens say. Characters that they say in part are marked as such.
func (v *vocabulary) text(tokens []int64) string {
	var b strings.Builder
	for _, t := range tokens {
		if t >= 0 && t < int64(len(v.pieces)) {
			b.WriteString(v.pieces[t])
		}
	}
	return strings.ToValidUTF8(b.String(), string(unicode.ReplacementChar))
}

// encode is the tokens of a text, whose white space counts as single spaces, with
// one before the first word.
func (v *vocabulary) encode(text string) (tokens []int64) {
	for _, word := range words(text) {
		tokens = append(tokens, v.encodeWord(word)...)
	}
	return tokens
}

// encodeWord joins the pair that was joined first in training, until there is no
// pair left that was.
func (v *vocabulary) encodeWord(word string) (tokens []int64) {
	parts := make([]string, len(word))
	for i := range len(word) {
		parts[i] = word[i : i+1]
	}
	for len(parts) > 1 {
		best, rank := -1, 0
		for i := range len(parts) - 1 {
			if r, ok := v.ranks[[2]string{parts[i], parts[i+1]}]; ok && (best < 0 || r < rank) {
				best, rank = i, r
			}
		}
		if best < 0 {
			break
		}
		parts[best] += parts[best+1]
		parts = append(parts[:best+1], parts[best+2:]...)
	}
	for _, p := range parts {
		if t, ok := v.tokens[p]; ok {
			tokens = append(tokens, t)
		}
	}
	return tokens
}

// mostWord bounds the work for one word, which grows with the square of its length.
const mostWord = 64

// words parts a text as the model's own training did: letters, digits and signs
// each for themselves, with the space before them, and short English endings.
func words(text string) (all []string) {
	for _, field := range strings.Fields(text) {
		rest := field
		for rest != "" {
			n := wordLength(rest)
			word := rest[:n]
			if len(rest) == len(field) {
				word = " " + word
			}
			all = append(all, word)
			rest = rest[n:]
		}
	}
	return all
}

func wordLength(s string) int {
	for _, ending := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if strings.HasPrefix(s, ending) {
			return len(ending)
		}
	}
	kind := -1
	for i, r := range s {
		switch k := kindOf(r); {
		case kind < 0:
			kind = k
		case k != kind, i >= mostWord:
			return i
		}
	}
	return len(s)
}

func kindOf(r rune) int {
	switch {
	case unicode.IsLetter(r):
		return 1
	case unicode.IsNumber(r):
		return 2
	}
	return 3
}

// find is a token with a meaning of its own, by the first of its names that the
// model has.
func (v *vocabulary) find(names ...string) (int64, error) {
	var token int64
	for _, name := range names {
		token = cmp.Or(token, v.special[name])
	}
	if token == 0 {
		return 0, fmt.Errorf("whisper: the model has no token %s", names[0])
	}
	return token, nil
}
