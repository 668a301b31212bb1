//go:build race

package mcp_test

// manyCalls is how many calls are made: with the race detector a call takes many
// times as long, and the other run makes them all.
const manyCalls = 400
