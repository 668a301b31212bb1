package pdf

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/emscripten"
)

// What PDFium was compiled against expects a small operating system. It gets a
// machine without files, environment or clock: what is not named here answers
// that there is no such call.
const (
	wasi = "wasi_snapshot_preview1"

	noSuchCall = 52 // ENOSYS as WASI numbers it
	noSuchFile = 44 // ENOENT
)

var errAborted = errors.New("PDFium gave up")

var calls = map[string]api.GoModuleFunc{
	"emscripten_resize_heap": resizeHeap,
	"_emscripten_memcpy_js":  copyMemory,
	"_abort_js":              abort,
	"__assert_fail":          abort,
	"__syscall_openat":       answer(-noSuchFile), // PDFium looks for installed fonts
	"environ_sizes_get":      noEnvironment,
	"environ_get":            answer(0),
	"fd_write":               discard,
	"emscripten_date_now":    func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = api.EncodeF64(0) },
}

// provide defines whatever the module imports. wazero itself has the part that
// stands for setjmp and longjmp.
func provide(ctx context.Context, runtime wazero.Runtime, code wazero.CompiledModule) error {
	jumps, err := emscripten.NewFunctionExporterForModule(code)
	if err != nil {
		return err
	}
	hosts := map[string]wazero.HostModuleBuilder{
		"env": runtime.NewHostModuleBuilder("env"),
		wasi:  runtime.NewHostModuleBuilder(wasi),
	}
	for _, f := range code.ImportedFunctions() {
		module, name, _ := f.Import()
		if host := hosts[module]; host != nil {
			host.NewFunctionBuilder().WithGoModuleFunction(callFor(module, name), f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	jumps.ExportFunctions(hosts["env"])
	for _, host := range hosts {
		if _, err := host.Instantiate(ctx); err != nil {
			return err
		}
	}
	return nil
}

func callFor(module, name string) api.GoModuleFunc {
	if call, known := calls[name]; known {
		return call
	}
	if module == wasi {
		return answer(noSuchCall)
	}
	return answer(-noSuchCall)
}

// answer is a call that does nothing. Its number is not seen where a call has
// no result.
func answer(n int32) api.GoModuleFunc {
	return func(_ context.Context, _ api.Module, stack []uint64) {
		if len(stack) > 0 {
			stack[0] = api.EncodeI32(n)
		}
	}
}

func abort(context.Context, api.Module, []uint64) { panic(errAborted) }

// resizeHeap grows the memory to at least the size asked for. A quarter more
// keeps the number of growths small.
func resizeHeap(ctx context.Context, module api.Module, stack []uint64) {
	memory := ctx.Value(sandboxKey{}).(*sandbox).memory
	wanted := int(api.DecodeU32(stack[0]))
	stack[0] = 0
	if wanted > len(memory.all) {
		memory.refused = true
		return
	}
	size := min(max(wanted, memory.used+memory.used/4), len(memory.all))
	pages := (size - memory.used + wasmPage - 1) / wasmPage
	if _, ok := module.Memory().Grow(uint32(pages)); ok {
		stack[0] = 1
	}
}

func copyMemory(_ context.Context, module api.Module, stack []uint64) {
	to, from, size := api.DecodeU32(stack[0]), api.DecodeU32(stack[1]), api.DecodeU32(stack[2])
	source, ok := module.Memory().Read(from, size)
	if !ok || !module.Memory().Write(to, source) {
		panic(errors.New("PDFium copies outside its memory"))
	}
}

func noEnvironment(_ context.Context, module api.Module, stack []uint64) {
	module.Memory().WriteUint32Le(api.DecodeU32(stack[0]), 0)
	module.Memory().WriteUint32Le(api.DecodeU32(stack[1]), 0)
	stack[0] = 0
}

// discard takes what is written to a file and forgets it.
func discard(_ context.Context, module api.Module, stack []uint64) {
	buffers, count, written := api.DecodeU32(stack[1]), api.DecodeU32(stack[2]), api.DecodeU32(stack[3])
	var total uint32
	if list, ok := module.Memory().Read(buffers, count*8); ok {
		for ; len(list) >= 8; list = list[8:] {
			total += binary.LittleEndian.Uint32(list[4:])
		}
	}
	module.Memory().WriteUint32Le(written, total)
	stack[0] = 0
}
