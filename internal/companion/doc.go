// Package companion is a small server of speech for one machine: it hears with
// Whisper and speaks with espeak-ng, at the addresses and in the forms of
// OpenAI's audio API, so that whatever speaks to a vendor can speak to it.
//
//	POST /v1/audio/transcriptions: form -> WAV -> 16 kHz -> queue -> Hear -> text
//	POST /v1/audio/speech: text -> espeak-ng -> 24 kHz -> stream
//
// One recording is heard at a time, since hearing takes all cores there are; a few
// wait, the others are sent away at once. A request whose client has gone is
// dropped.
//
// It keeps nothing, knows no tenants and no calls, and never becomes part of the
// receptionist's own binary.
package companion
