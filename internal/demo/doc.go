// Package demo invents a business account to look at: four believable houses
// with ninety days of calls in both modes, and the small sandbox that every
// new tenant starts with.
//
// The houses are files in businesses/, in the format that operators import
// agents from. What is said on their telephones is in scenes/: short plays in
// Spanish and English with slots for names, times and goods. The way from
// there to a recording is straight:
//
//	history (when calls come in) -> stage (who calls about what) ->
//	perform (what is said) -> finish (what came of it) -> reception.Prepare
//
// So invented calls are written by the code that writes real ones, and all
// figures agree. Everything is drawn from one stream of random numbers that
// begins with the seed and the date: the same day gives the same past. Only what
// waits for the owner (fresh.go) is as new as the hour: it is never stale.
//
// Beside the calls each house has a book (book.go): the appointments of the days
// around today that it wrote down itself or that its website took.
//
// Beside the calls stand connections with the deliveries of the last days, whose
// bodies are the events of those calls. The demo never sends anything by itself:
// what is still open (pending, failed) belongs to connections that are disabled,
// and stays where it is until somebody enables one of them. The addresses are
// under example.com, which nobody can have.
//
// The package knows neither keys nor the store's insides; the caller adds the
// keys and writes what it gets.
package demo
