package frontdesk

import (
	"fmt"
	"slices"
	"strings"
)

// Scope is something a key may be allowed to do.
type Scope struct {
	Name        string
	Description string
	TestMode    bool // may be granted to test keys
}

// Scopes are all ten, in the order of the specification.
var Scopes = []Scope{
	{"agents:read", "Read agent business configuration and voices.", true},
	{"agents:write", "Update business data, hours, services, menu, policies and voice; not agent behaviour or plan limits.", false},
	{"calls:read", "Read call history, transcripts, outcomes and analytics.", true},
	{"captures:read", "Read captures: appointments, leads, orders and callbacks.", true},
	{"captures:write", "Confirm, cancel or mark a capture as no-show.", false},
	{"connections:read", "Read connections and delivery history.", true},
	{"connections:write", "Create, edit and disable connections; test; rotate; retry.", true},
	{"knowledge:read", "Read the knowledge base and test questions.", true},
	{"knowledge:write", "Add, update and remove knowledge content.", false},
	{"usage:read", "Read minutes and calls per period and plan limits.", true},
}

// ScopesFor returns the names of all scopes that a key of this mode may have.
func ScopesFor(live bool) []string {
	var names []string
	for _, s := range Scopes {
		if live || s.TestMode {
			names = append(names, s.Name)
		}
	}
	return names
}

// CheckScopes says whether a key of this mode may be granted these scopes, and
// returns them without repetitions in the order of the specification.
func CheckScopes(live bool, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, InvalidParam("scopes", "A key needs at least one scope; \"all\" grants every scope of its mode.")
	}
	if len(names) == 1 && names[0] == "all" {
		return ScopesFor(live), nil
	}
	for _, name := range names {
		i := slices.IndexFunc(Scopes, func(s Scope) bool { return s.Name == name })
		if i < 0 {
			return nil, InvalidParam("scopes", "There is no scope %q; there are: %s.", name, strings.Join(ScopesFor(true), ", "))
		}
		if !live && !Scopes[i].TestMode {
			return nil, InvalidParam("scopes", "The scope %s cannot be granted to a test key; create a live key for it.", name)
		}
	}
	var ordered []string
	for _, s := range Scopes {
		if slices.Contains(names, s.Name) {
			ordered = append(ordered, s.Name)
		}
	}
	return ordered, nil
}

// ScopeMissing is the error for a good key that lacks a scope.
func ScopeMissing(scope string) *Error {
	return &Error{
		Kind: Forbidden, Code: "scope_missing", Param: scope,
		Message: fmt.Sprintf("This API key does not have the scope %s. Use a key that has it, or ask the operator to create one.", scope),
	}
}

// LiveKeyRequired is the error for a test key at an operation of live mode.
func LiveKeyRequired() *Error {
	return &Error{
		Kind: Forbidden, Code: "live_key_required",
		Message: "This operation changes live data and cannot be done with a test key. Use a live key.",
	}
}
