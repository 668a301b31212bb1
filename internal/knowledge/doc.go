// Package knowledge keeps what a business has written down, and answers from it.
//
// A document comes in by one straight way:
//
//	Library.Receive (bytes) -> Library.Add (row) -> Worker -> document.Reader -> store.SaveFragments
//
// and a question goes out by another:
//
//	Shelves.Ask -> store.KnowledgeVersion -> search.Index -> frontdesk.Answer
//
// The bytes are kept before the row and deleted after it, so there is never a
// row without its bytes; bytes without a row are swept. An index is made from
// the database when what it was made from has changed, on whichever node: a
// document that is deleted is forgotten by the next question everywhere.
//
// How a file is read is document's business, and how an answer is found is
// search's; nothing here knows either.
package knowledge
