// Package voice hears and speaks on a line that carries sound: a SIP trunk's, a
// browser's. To turns it is one line more, beside those of carriers that hear and
// speak for us.
//
//	Socket -> frames -> audio.Listener -> utterance -> Hearing -> turns.Event
//	turns.Act -> sentences -> Speech, or what was spoken before -> audio.Player -> Socket
//
// floor decides, frame by frame, what is played and what was said; it has no clock and
// no goroutine. Line drives it. Who makes words of sound and sound of words is the
// operator's choice, and behind two small interfaces here.
package voice
