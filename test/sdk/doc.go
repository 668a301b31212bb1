// Package sdk holds the SDKs of sdk/ to one behaviour. Each has a program,
// conformance/run or main, that does the same things with the running binary
// through a proxy that misbehaves:
//
//	conformance program -> proxy (faults by the X-Conformance header) -> frontdesk serve --demo
//
// and prints what it saw, a JSON object on a line for each scenario. The tests
// hold that against what they prepared, and against what the proxy saw: how often
// a request was repeated, and with which Idempotency-Key.
//
// They also run the tasks of docs/sdk.md, which shows them as they stand in
// tasks/, and the recipes of docs/recipes, which receive real deliveries through a
// relay that can send one twice; and look at what make release packs.
package sdk
