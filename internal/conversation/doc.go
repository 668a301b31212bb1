// Package conversation is the engine that talks: what a caller says goes in,
// what the receptionist answers and does comes out.
//
//	Input -> understanding (commands) -> decide (what to do about them) -> say (in which words) -> Output
//
// The three are apart. Package hearing makes commands of a sentence by rules and
// decides nothing; a language model may return commands of the same kind, and
// package understanding weighs both. Deciding, in the order of the table precedence, reads
// the commands and the State, and asks the Desk; a caller's words, a model's words or a
// document's words never decide. What there is to say to a question is found by package
// answer, and told here. Saying takes its words from the folder of the language; prices,
// hours and codes come from the business's data.
//
// Everything a conversation is stands in its State, which is plain data: it can
// be written down after every turn and taken up by another process. Nothing is
// booked without a read-back and a yes to it, nothing is asked more than three
// times, and what a caller has not shown to be theirs is not told.
//
// The package has no clock, no socket and no database of its own: the time comes
// with each Input, and the rest through the ports Desk and Model.
package conversation
