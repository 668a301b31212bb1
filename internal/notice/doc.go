// Package notice tells people what the book says: customers of their own
// appointments, and a business of what comes in.
//
// Who is to be told is decided where something happens, by frontdesk.News, and
// written in the transaction that writes it. From there the way is straight:
//
//	store.ClaimNoticesForWorker -> writer.write -> Mail or Text -> Notice.After -> store.SaveNotice
//
// What a notice says is made when it is sent, from the book as it is then, and a
// notice about what is not so any more is ended. Sending is at least once: a mail
// that may have gone out before comes again with the same Message-ID.
//
// It does not know who books or changes anything, nor how; it reads the book and
// writes to people.
package notice
