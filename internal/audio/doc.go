// Package audio is what a call needs between a socket that carries sound and a
// conversation that carries text: codecs, a steady stream out of packets that
// arrive as they like, who speaks when, what was really played, and keys.
//
// What the caller says comes in like this, frame by frame of 20 ms:
//
//	packet -> Law.Decode -> Jitter -> Listener -> Utterance
//	                               -> KeyDetector -> key      (or Keys, for RFC 4733)
//
// and what we say goes out like this:
//
//	speech -> Resample -> Player -> Law.Encode -> packet
//
// Everything here is a value that is handed samples and the time they stand for,
// and answers at once. There is no socket, no goroutine and no clock, so that a
// test of a minute's call takes milliseconds and says the same each time. None of
// the types may be used from two goroutines at once.
//
// It does not know what RTP, SIP or a WebSocket is, does not recognise or make
// speech, and does not remove the echo of what we play.
package audio
