//go:build !race

package mcp_test

// manyCalls is how many calls are made.
const manyCalls = 10_000
