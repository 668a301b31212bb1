package onnx

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// apiVersion is the version of the C interface that we ask for. Libraries serve
// all older ones than their own, and a function never changes its place.
const apiVersion = 16

// call is a function of the C interface: its place in the table OrtApi of
// onnxruntime_c_api.h.
type call int

const (
	getErrorMessage                  call = 2
	createEnv                        call = 3
	createSessionFromArray           call = 8
	run                              call = 9
	createSessionOptions             call = 10
	disableMemPattern                call = 17
	disableCPUMemArena               call = 19
	setSessionGraphOptimizationLevel call = 23
	setIntraOpNumThreads             call = 24
	setInterOpNumThreads             call = 25
	sessionGetInputCount             call = 30
	sessionGetOutputCount            call = 31
	sessionGetDefaultedInputCount    call = 32
	sessionGetInputName              call = 36
	sessionGetOutputName             call = 37
	sessionGetDefaultedInputName     call = 38
	createTensorWithData             call = 49
	getTensorMutableData             call = 51
	getTensorElementType             call = 60
	getDimensionsCount               call = 61
	getDimensions                    call = 62
	getTensorTypeAndShape            call = 65
	createCPUMemoryInfo              call = 69
	allocatorFree                    call = 76
	getDefaultAllocator              call = 78
	releaseEnv                       call = 92
	releaseStatus                    call = 93
	releaseMemoryInfo                call = 94
	releaseSession                   call = 95
	releaseValue                     call = 96
	releaseTensorTypeAndShapeInfo    call = 99
	releaseSessionOptions            call = 100
	addSessionConfigEntry            call = 130
	calls                                 = 131
)

// handle is a thing of the library's own, in its memory.
type handle = uintptr

// table is the functions of the C interface.
type table [calls]uintptr

// openTable loads the library and asks it for its functions.
func openTable(library string) (functions *table, version string, err error) {
	getBase, err := load(library, "OrtGetApiBase")
	if err != nil {
		return nil, "", fmt.Errorf("onnx: loading ONNX Runtime: %w", err)
	}
	base, _, _ := purego.SyscallN(getBase)
	if base == 0 {
		return nil, "", fmt.Errorf("onnx: %s hands out no interface", library)
	}
	// The base is two functions: one for a table, one for the version in words.
	entry := (*[2]uintptr)(pointer(base))
	words, _, _ := purego.SyscallN(entry[1])
	version = text(words)
	api, _, _ := purego.SyscallN(entry[0], apiVersion)
	if api == 0 {
		return nil, version, fmt.Errorf("onnx: %s is ONNX Runtime %s, which does not serve version %d of the interface: use a newer one", library, version, apiVersion)
	}
	return (*table)(pointer(api)), version, nil
}

// must calls a function that returns a status, and makes an error of it. An
// argument that points to memory of Go's is converted in the call itself, which
// keeps that memory where it is until the call has returned.
//
//go:uintptrescapes
func (t *table) must(c call, args ...uintptr) error {
	status, _, _ := purego.SyscallN(t[c], args...)
	if status == 0 {
		return nil
	}
	words, _, _ := purego.SyscallN(t[getErrorMessage], status)
	message := text(words)
	t.release(releaseStatus, status)
	return errors.New("onnx: " + message)
}

// release calls a function that gives a handle back. No handle is no fault.
func (t *table) release(c call, h handle) {
	if h != 0 {
		_, _, _ = purego.SyscallN(t[c], h)
	}
}

// pointer makes a pointer of an address that the library gave us. It is outside
// Go's memory, so the collector has no business with it.
func pointer(address uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&address))
}

// text copies a C string.
func text(address uintptr) string {
	if address == 0 {
		return ""
	}
	p := pointer(address)
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}

// cString is s as C has it.
func cString(s string) []byte { return append([]byte(s), 0) }
