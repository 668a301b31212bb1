// Package frontdesk is the Go client of frontdesk's API: calls, appointments,
// agents, webhooks and the knowledge base of a voice receptionist.
//
//	client, err := frontdesk.New(frontdesk.Options{}) // FRONTDESK_API_KEY, FRONTDESK_BASE_URL
//	…
//	for call, err := range client.Calls.All(ctx, frontdesk.CallListParams{Outcome: frontdesk.OutcomeBooking}) {
//		…
//	}
//
// The operations hang on the client by resource: client.Calls.Get,
// client.Captures.Create, client.Knowledge.Documents.Upload. Every method takes
// a context first and, last, any number of [RequestOptions].
//
// An answer with an error status is an [*Error]; that no answer came is a
// [*ConnectionError]. errors.Is tells the kinds apart: [ErrNotFound],
// [ErrRateLimit], [ErrTimeout] and the others.
//
// A request that failed for a passing reason is sent again, twice by default.
// Every POST carries an Idempotency-Key, the same in all attempts, so nothing
// is done twice.
//
// The types know the API as it was when this version was made. What is newer
// survives: unknown fields are kept in Extra and are sent back, and enumerations
// accept any string.
//
// A Client can be used by several goroutines at once.
package frontdesk

//go:generate cp ../../signature/signature.go internal/signature/signature.go
