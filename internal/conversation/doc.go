// Package conversation is the engine that talks: what a caller says goes in,
// what the receptionist answers and does comes out.
//
//	Input -> hear (what was meant) -> policy (what to do about it) -> say (in which words) -> Output
//
// The three are apart. Hearing makes a Heard of a sentence and decides nothing;
// it is done by rules, and a language model may add to it, never more. Policy
// reads a Heard and the State, asks the Desk, and decides; a caller's words, a
// model's words or a document's words never do. Saying puts the decision into
// Spanish or English; prices, hours and codes come from the business's data.
//
// Everything a conversation is stands in its State, which is plain data: it can
// be written down after every turn and taken up by another process. Nothing is
// booked without a read-back and a yes to it, nothing is asked more than three
// times, and what a caller has not shown to be theirs is not told.
//
// The package has no clock, no socket and no database of its own: the time comes
// with each Input, and the rest through the ports Desk and Model.
package conversation
