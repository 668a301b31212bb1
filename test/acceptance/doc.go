// Package acceptance holds the program to the specification from outside. It
// builds the binary once, does with its command line what an operator does, and
// speaks HTTP to it as an integrator does; it knows nothing of the code within.
//
// There is one file for each chapter of the specification that is built, and
// world_test.go, which makes the worlds that the others live in:
//
//	place (a data directory, a database) -> node (a process that serves it) -> reply
//
// Every answer under /v1 is held against the openapi.json that the running
// binary itself publishes. With FRONTDESK_TEST_DATABASE every place is a schema
// of its own on that PostgreSQL server; without it SQLite in a directory.
package acceptance
