// Package answer finds what there is to say to a question: in the business's own data,
// in its house rules, and in its documents.
//
//	question -> Inquiry -> Subjects, Prices, Replies, Documents -> Answer
//
// An Inquiry is a question's surroundings: the Sources from which answers are taken in
// one turn, and the Talk, a value that says what was talked about before and what was
// said beside the question. Subjects answer from what the business tells of the one
// service or property that is talked about, Prices what services cost and how long they
// take, Replies what the catalogue knows, and Documents what is written. Each part gives
// an Answer, which has no text where there is none; Find asks them in their order for a
// question of which nothing more is known.
//
// An answer has to speak of what was asked: a passage that shares a verb with the
// question is none, and one in another language than the caller's is said only where a
// document answers as a whole.
//
// The package says nothing, remembers nothing and arranges nothing: it does not know of
// tasks, of what is expected next, nor of what was said in this turn. What is done about
// an answer, or about there being none, is decided by package conversation.
package answer
