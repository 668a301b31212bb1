//go:build linux || darwin || freebsd

package onnx

import "github.com/ebitengine/purego"

// load opens a shared library, which stays open, and finds a function in it.
func load(library, function string) (uintptr, error) {
	lib, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err
	}
	return purego.Dlsym(lib, function)
}
