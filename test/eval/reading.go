package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reader"
	"frontdesk.dev/frontdesk/internal/search"
)

// What is written for the training of the reader.
const (
	spanishWords = 16_000 // that become pieces
	neighbours   = 24     // facts in a row, among which a question is asked
	mostHits     = 8      // of what is found for a question
	mostPieces   = 192    // of a text
)

// lessons are what the reader is trained on, as numbers: texts cut into pieces, and
// which of them belong together. test/eval/reader/train.py reads the files.
type lessons struct {
	vocabulary *reader.Vocabulary
	known      map[string]int32 // texts, by what they say
	pieces     []uint16         // of all texts, one after the other
	ends       []uint32         // where each text ends
	facts      []int32          // trade, topic, text in Spanish, text in English
	asked      []int32          // fact, language of the question, text
	hits       []byte           // for each that is asked and each language of documents, what is found
	pairs      []int32          // texts in Spanish and in English that say the same
	labelled   []int32          // see ask
	keys       []uint64         // of what is labelled, a question with what is found for it
	exam       []int32          // as labelled, of businesses that nothing is fitted to
}

// writeLessons writes what the reader is trained on to a folder. The vocabulary of the
// network from which the training starts is read from its tokenizer.json.
func writeLessons(dir, tokenizer string) error {
	facts, err := readFacts(ours("facts"))
	if err != nil {
		return err
	}
	businesses, err := readBusinesses(ours("businesses"))
	if err != nil {
		return err
	}
	translations, err := readTranslations()
	if err != nil {
		return err
	}
	names, err := pieceNames(tokenizer, facts, businesses, translations)
	if err != nil {
		return err
	}
	l := &lessons{known: map[string]int32{}}
	if l.vocabulary, err = reader.NewVocabulary(names); err != nil {
		return err
	}
	l.addFacts(facts)
	for _, line := range translations {
		l.pairs = append(l.pairs, l.text(line[0]), l.text(line[1]))
	}
	l.labelled = l.ask(businesses)
	labelled := l.keys
	for _, folder := range []string{"unseen", "fresh"} {
		others, err := readBusinesses(ours(folder))
		if err != nil {
			return err
		}
		l.exam = append(l.exam, l.ask(others)...)
	}
	l.keys = labelled
	return l.write(dir, names, parallel(facts, translations))
}

// pieceNames are those of the English network that are written in ASCII or a mark of
// money, and the commonest Spanish words.
func pieceNames(tokenizer string, facts []fact, businesses []*set, translations [][2]string) ([]string, error) {
	data, err := os.ReadFile(tokenizer)
	if err != nil {
		return nil, err
	}
	var file struct {
		Model struct{ Vocab map[string]int }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	var english []string
	for name := range file.Model.Vocab {
		if !strings.HasPrefix(name, "[") && (isASCII(name) || strings.ContainsAny(name, "€£¿¡°²") && utf8.RuneCountInString(name) == 1) {
			english = append(english, name)
		}
	}
	english = append(english, "[")
	slices.SortFunc(english, func(a, b string) int { return cmp.Compare(file.Model.Vocab[a], file.Model.Vocab[b]) })
	names := append(slices.Clone(reader.Specials[:]), english...)
	return append(names, spanish(facts, businesses, translations, file.Model.Vocab)...), nil
}

func isASCII(s string) bool {
	return !slices.ContainsFunc([]byte(s), func(c byte) bool { return c >= utf8.RuneSelf })
}

// spanish are the commonest words of what is written and asked in Spanish, and of the
// lexicon, that are no pieces yet.
func spanish(facts []fact, businesses []*set, translations [][2]string, english map[string]int) []string {
	count := map[string]int{}
	add := func(text string) {
		reader.EachWord(text, func(word string) bool {
			if _, piece := english[word]; !piece && isASCII(word) && len(word) > 2 && word[0] > '9' {
				count[word]++
			}
			return true
		})
	}
	for _, f := range facts {
		add(f.written["es"])
		for _, q := range f.asked["es"] {
			add(q)
		}
	}
	for _, s := range businesses {
		for _, f := range s.fragments[""] {
			if f.Language == "es" {
				add(search.Reading(&f))
			}
		}
	}
	for _, line := range translations {
		add(line[0])
	}
	words := make([]string, 0, len(count))
	for word := range count {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	return words[:min(len(words), spanishWords)]
}

// readTranslations reads the lines of the lexicon: Spanish terms, and English ones.
func readTranslations() (all [][2]string, err error) {
	files, err := filepath.Glob("internal/lexicon/words/*.txt")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			es, en, ok := strings.Cut(line, "|")
			if ok && !strings.HasPrefix(line, "#") {
				all = append(all, [2]string{es, en})
			}
		}
	}
	return all, err
}

// parallel are lines of words that say the same: Spanish ones, and English ones.
func parallel(facts []fact, translations [][2]string) (lines []string) {
	words := func(text string) string {
		var all []string
		reader.EachWord(text, func(word string) bool { all = append(all, word); return true })
		return strings.Join(all, " ")
	}
	for _, f := range facts {
		lines = append(lines, words(f.written["es"])+"\t"+words(f.written["en"]))
	}
	for _, line := range translations {
		lines = append(lines, words(line[0])+"\t"+words(line[1]))
	}
	return lines
}

func (l *lessons) text(text string) int32 {
	if i, ok := l.known[text]; ok {
		return i
	}
	for _, p := range l.vocabulary.Pieces(text, mostPieces) {
		l.pieces = append(l.pieces, uint16(p))
	}
	i := int32(len(l.ends))
	l.known[text] = i
	l.ends = append(l.ends, uint32(len(l.pieces)))
	return i
}

func (l *lessons) addFacts(facts []fact) {
	for i, f := range facts {
		l.facts = append(l.facts, int32(f.trade), int32(f.topic), l.text(f.written["es"]), l.text(f.written["en"]))
		for n, lang := range languages {
			for _, q := range f.asked[lang] {
				l.asked = append(l.asked, int32(i), int32(n), l.text(q))
			}
		}
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	rows := slices.Collect(slices.Chunk(facts, neighbours))
	found := make([][]byte, len(rows))
	for i, row := range rows {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			found[i] = hitsAmong(row)
		})
	}
	wg.Wait()
	l.hits = bytes.Join(found, nil)
}

// none stands for no further hit.
const none = 255

// hitsAmong are, for each question about facts in a row and for documents in each
// language, the numbers of the facts that are found.
func hitsAmong(facts []fact) (all []byte) {
	var indexes []*search.Index
	for _, lang := range languages {
		var fragments []frontdesk.Fragment
		for i, f := range facts {
			fragments = append(fragments, frontdesk.Fragment{ID: frontdesk.ID(fmt.Sprint(i)), Position: i, Language: lang, Text: f.written[lang]})
		}
		indexes = append(indexes, search.New(fragments))
	}
	m := search.Fitted()
	for _, f := range facts {
		for _, lang := range languages {
			for _, q := range f.asked[lang] {
				for _, ix := range indexes {
					_, trace := ix.AskWith(m, search.Query{Text: q})
					for n := range mostHits {
						if n < len(trace) {
							all = append(all, byte(trace[n].Fragment.Position))
						} else {
							all = append(all, none)
						}
					}
				}
			}
		}
	}
	return all
}

// ask asks the questions of businesses. For each it returns the number of the business,
// the language and the text of the question and whether it can be answered, and of what
// is found the text, with 1 if it answers.
func (l *lessons) ask(businesses []*set) (all []int32) {
	for i, s := range businesses {
		for _, o := range s.ask(search.Fitted(), nil) {
			all = append(all, int32(i), int32(slices.Index(languages, o.Lang)), l.text(o.Question), int32(one(o.Answerable)))
			for n := range mostHits {
				if n >= len(o.trace) {
					all = append(all, -1, 0)
					l.keys = append(l.keys, 0)
					continue
				}
				t := o.trace[n]
				l.keys = append(l.keys, readingKey(o.Question, t.Reading))
				all = append(all, l.text(t.Reading), int32(one(isRelevant(o, t.Fragment))))
			}
		}
	}
	return all
}

func (l *lessons) write(dir string, names, parallel []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, data := range map[string]any{"pieces.u16": l.pieces, "ends.u32": l.ends, "facts.i32": l.facts, "asked.i32": l.asked, "hits.u8": l.hits, "pairs.i32": l.pairs, "labelled.i32": l.labelled, "labelled.u64": l.keys, "exam.i32": l.exam} {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.LittleEndian, data); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	for name, lines := range map[string][]string{"vocabulary.txt": names, "parallel.txt": parallel} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d pieces, %d texts, %d facts, %d questions, %d labelled\n", len(names), len(l.ends), len(l.facts)/4, len(l.asked)/3, len(l.labelled)/(4+2*mostHits))
	return nil
}
