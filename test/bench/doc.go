// Package bench measures the running program from outside: the binary is built,
// started on a database of 100,000 calls, and asked over real connections. The
// figures of a bare net/http handler that writes the same bytes stand beside
// them, from the same run, because machines differ and are noisy.
// docs/performance.md keeps figures to compare with.
//
//	make bench
package bench
