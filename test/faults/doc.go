// Package faults runs the real program under faults and tells what became of
// the events and requests meanwhile: a database that is far away, receivers that
// hang, kill -9. It knows nothing of the code within: it makes what it needs by
// the command line and the API, and looks at what receivers got and what the API
// answers.
//
//	Place (a data directory, a database) -> Node (a process that serves it)
//	Distance (a proxy between a node and PostgreSQL)
//	Inbox, Hanging (receivers on addresses of the loopback network)
//
// Every series is a function of its size that returns figures: test/acceptance
// runs the short forms, test/soak the long ones, test/bench those that are about
// time. With FRONTDESK_TEST_DATABASE every place is a schema of its own on that
// PostgreSQL server; without it SQLite in a directory.
package faults
