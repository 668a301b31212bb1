package language

// AskedFor is the code of the language that somebody asks to be spoken to in; ""
// when they do not. The folder of each language says how it is asked for, in
// whatever language that is.
func AskedFor(words []Token) string {
	for _, code := range Codes() {
		if MixOf(code).Phrases("asked_for").In(words) {
			return code
		}
	}
	return ""
}
