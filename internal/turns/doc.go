// Package turns takes the turns of a spoken conversation, whoever brings the
// caller: a carrier's relay, a SIP trunk, a browser.
//
//	Line -> Event -> Talk (who speaks when) -> Act -> Line
//	                                        -> Act -> Sessions.HearOnce -> Talk.Reply
//
// Talk decides, from events and a clock that are handed to it. Call drives it: it
// listens to the Line, asks the receptionist while the caller may go on speaking, and
// keeps what was said as the line broke. What is said is decided below, in
// conversation; how text sounds, in spoken. Nothing here knows a socket, a carrier or
// a sample of sound.
package turns
