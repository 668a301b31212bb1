//go:build !(linux || darwin || freebsd)

package onnx

import "errors"

func load(string, string) (uintptr, error) {
	return 0, errors.New("shared libraries are not loaded on this system: use Linux, macOS or FreeBSD")
}
