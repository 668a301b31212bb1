// Package language is all that the house knows of how a language is written and
// spoken: one tokenizer, one folding, one edit distance, and for each language a
// folder of data under data/.
//
//	text -> Tokenize -> Mix.Clean -> whoever reads: dates, catalogue, hearing, search
//
// A Language is a value made of its folder: words in sets, numerals, calendar
// words, phrases by their meaning, and the wording of everything that is said.
// The files are for somebody who speaks the language and does not program; each
// phrase carries a sentence that it must hear and one that it must not, and the
// tests of this package hold it to them. Another language is another folder.
//
// Callers mix languages, so most readers work on a Mix of those that a business
// speaks. No package outside asks which language it is: it asks the Language for
// what it needs. Nothing is read before it is asked for.
package language
