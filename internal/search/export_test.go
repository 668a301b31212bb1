package search

// Sentences are the sentences of a text.
func Sentences(text string) (all []string) {
	for _, s := range sentences(text) {
		all = append(all, s.of(text))
	}
	return all
}

// Words are the folded words and numbers of a text.
func Words(text string) (all []string) {
	for _, t := range tokens(text) {
		all = append(all, t.word)
	}
	return all
}

// Cognates tells whether a Spanish and an English word look the same.
func Cognates(spanish, english string) bool {
	return likeness(skeleton(langOf("es"), spanish), skeleton(langOf("en"), english)) >= 0.75
}

// LongestAnswer is how long an answer can be.
const LongestAnswer = longestAnswer

// ReadSenses reads a file of senses, and tells the names in it.
func ReadSenses(data []byte) ([]string, error) {
	s, err := readSenses(data)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(s.at))
	for name, row := range s.at {
		names[row] = name
	}
	return names, nil
}
