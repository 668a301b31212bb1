package pdf

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"
)

//go:embed pdfium/pdfium.wasm
var pdfium []byte

const (
	wasmPage    = 64 << 10 // bytes; WebAssembly counts memory in these
	leastMemory = 32 << 20 // bytes; PDFium alone takes 18 MiB
)

// engine is PDFium in machine code, ready to be started any number of times.
type engine struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
	cache   wazero.CompilationCache
}

// close gives the memory of the code back.
func (e *engine) close(ctx context.Context) error {
	return errors.Join(e.code.Close(ctx), e.runtime.Close(ctx), e.cache.Close(ctx))
}

// startEngine compiles PDFium, or finds it in the cache. A cache that is damaged
// or cannot be written costs seconds, not documents.
func startEngine(ctx context.Context, bounds Options) (*engine, error) {
	if bounds.CacheDir != "" {
		dir := filepath.Join(bounds.CacheDir, "pdfium")
		if cache, err := wazero.NewCompilationCacheWithDir(dir); err == nil {
			if e, err := compile(ctx, bounds, cache); err == nil {
				return e, nil
			}
		}
		os.RemoveAll(dir) // wazero would stumble over it at each start
	}
	return compile(ctx, bounds, wazero.NewCompilationCache())
}

func compile(ctx context.Context, bounds Options, cache wazero.CompilationCache) (*engine, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCompilationCache(cache).
		WithCloseOnContextDone(true).
		WithMemoryLimitPages(uint32(bounds.Memory/wasmPage)).
		WithDebugInfoEnabled(false))
	code, err := runtime.CompileModule(ctx, pdfium)
	if err == nil {
		err = provide(ctx, runtime, code)
	}
	if err != nil {
		return nil, errors.Join(err, runtime.Close(ctx), cache.Close(ctx))
	}
	return &engine{runtime, code, cache}, nil
}
