// Package frontdesk is the vocabulary of the house: the things a receptionist
// deals with and the rules that hold for them.
//
// Everything here is a value. A tenant owns agents, keys, calls and captures;
// an Owner says whose rows and which mode a question is about. Rules are pure
// methods (Hours.OpenAt, AgentPatch.Apply, ParseKey); time comes in as a value.
//
// The package imports nothing but the standard library and refuses to know
// how its values are stored, sent or spelled in JSON.
package frontdesk
