// Package wire spells domain values as the customer reads them. It is the one
// place where a value becomes JSON: the API's answers and the events sent to
// connections are made of the same shapes, so an event's call IS the API's call.
//
// It is also the one place where a secret could leak, and therefore small.
// Calls and captures, which come in pages, are appended without reflection;
// everything else goes through struct tags.
package wire
