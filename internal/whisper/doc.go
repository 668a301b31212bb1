// Package whisper turns speech into text, with a Whisper model that
// onnxruntime runs.
//
//	samples at 16 kHz -> windows of 30 s -> mel -> encoder -> decoder, token by token -> text
//
// A Model hears one recording at a time; whoever shares it makes others wait. It
// reads the files of Xenova's exports (quantised, with a merged decoder), and
// tells Spanish from English where nobody says which it is.
//
// It reads no audio files and knows no HTTP. What comes out is what the model
// says, with no word changed.
package whisper
