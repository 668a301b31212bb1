// Package sip is a telephone that answers: it registers with telephone
// systems and carriers by SIP, takes the calls that come, and hands each to a
// function as frames of sound and keys, in both directions.
//
// A call comes in like this:
//
//	datagram -> gate -> sipgo -> Server.onInvite -> Call -> Options.Answer
//
// and its sound like this:
//
//	datagram -> source -> SRTP, if agreed -> audio.Jitter -> Call.Read
//
// Only those who are expected are heard: addresses that the operator allows, and
// the registrars that we registered with. All others get no answer, whatever they
// send, and before anything of it is parsed.
//
// Parser, transports and transactions are sipgo's. Dialogs are our own, for what
// is asked here (late offers, re-INVITE, session timers, an ACK that never comes)
// is more than the library's dialogs do.
//
// It does not call out, mix, record or transcode anything but G.711, and knows
// nothing of who answers or of whose number was called: both are opaque to it.
package sip
