package lexicon

// A question is made of three kinds of words that say little: grammar, which says
// nothing about what is asked; manners, which callers wrap around it; and light
// words, which say a bit. They stand in the folders of the languages.

// Grammar tells whether a folded word only holds sentences of the language
// together.
func Grammar(lang, word string) bool { return tongueOf(lang).grammar[word] }

// Manners tells whether callers say a folded word around what they ask.
func Manners(lang, word string) bool { return tongueOf(lang).manners[word] }

// Light tells whether a folded word says little about what is asked.
func Light(lang, word string) bool { return LightStem(lang, Stem(lang, word)) }

// LightStem is Light for a word whose stem is known.
func LightStem(lang, stem string) bool { return tongueOf(lang).light[stem] }
