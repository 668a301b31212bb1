// Package spoken turns what the receptionist writes into what a speech
// synthesiser is to say on the telephone.
//
//	written -> plain (lines, markup) -> choices -> speaker (left to right) -> spoken
//
// Text is the heart: codes and numbers are said so that they can be noted down,
// times, dates, money and units as people say them, e-mail addresses with their
// signs by name; links are not read out, and nothing is left that a voice would
// stumble over. Sentences, Duration and Heard are for who plays the result.
//
// All words stand in the folder of the language, data/*/spoken.txt; a language
// without that file is spoken with its figures and marks taken apart. The package
// knows nothing of carriers, of audio, or of what the conversation is about.
package spoken
