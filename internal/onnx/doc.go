// Package onnx runs models with ONNX Runtime, without cgo: its shared library is
// loaded while the program runs.
//
//	Open(library) -> Runtime.NewSession(model) -> Session.Run(inputs) -> outputs
//
// Whatever is made here is memory of the library, which Go does not collect: each
// Runtime, Session and Value is closed by whoever made it. A Session may be run
// from several goroutines at once, a Value belongs to one of them.
//
// It knows the few calls that hearing needs, and nothing of what a model means.
package onnx
