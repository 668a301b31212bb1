package pdf

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// sandbox is one running instance of PDFium. After the first call that fails,
// all others do nothing: what failed is told once, at the end.
type sandbox struct {
	ctx       context.Context // of the one document it is for; passed to every call
	module    api.Module
	memory    *memory
	functions map[string]api.Function
	failed    error
}

type sandboxKey struct{}

// newSandbox reserves memory for an instance that lives no longer than ctx.
func newSandbox(ctx context.Context, size int) (*sandbox, error) {
	memory, err := reserve(size)
	if err != nil {
		return nil, fmt.Errorf("reserving memory for PDFium: %w", err)
	}
	s := &sandbox{memory: memory, functions: map[string]api.Function{}}
	s.ctx = context.WithValue(experimental.WithMemoryAllocator(ctx, memory), sandboxKey{}, s)
	return s, nil
}

// start brings PDFium to life in the sandbox.
func (s *sandbox) start(e *engine) error {
	module, err := e.runtime.InstantiateModule(s.ctx, e.code, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return fmt.Errorf("starting PDFium: %w", err)
	}
	s.module = module
	s.run("emscripten_stack_init")
	s.run("__wasm_call_ctors")
	s.run("FPDF_InitLibrary")
	return s.failed
}

// close ends the instance, unless its context has, and frees the memory.
func (s *sandbox) close() {
	if s.module != nil {
		s.module.Close(context.WithoutCancel(s.ctx))
	}
	s.memory.release()
}

// mostArguments is how many a function of PDFium takes that we call.
const mostArguments = 4

// run calls a function that PDFium exports. Its result, a number or an address,
// is in the low 32 bits.
func (s *sandbox) run(name string, args ...uint64) uint32 {
	if s.failed != nil {
		return 0
	}
	f := s.function(name)
	if f == nil {
		s.failed = fmt.Errorf("PDFium has no %s", name)
		return 0
	}
	var stack [mostArguments]uint64
	copy(stack[:], args)
	if err := f.CallWithStack(s.ctx, stack[:]); err != nil {
		// The lines after the first are a stack of functions without names.
		what, _, _ := strings.Cut(err.Error(), "\n")
		s.failed = fmt.Errorf("PDFium in %s: %s", name, what)
		return 0
	}
	return uint32(stack[0])
}

// function keeps what it has looked up: each has a stack of its own.
func (s *sandbox) function(name string) api.Function {
	f := s.functions[name]
	if f == nil {
		if f = s.module.ExportedFunction(name); f != nil {
			s.functions[name] = f
		}
	}
	return f
}

// alloc returns the address of size bytes in the sandbox; 0 when it failed.
func (s *sandbox) alloc(size int) uint32 {
	if size > len(s.memory.all) {
		s.memory.refused = true
	}
	var at uint32
	if !s.memory.refused {
		at = s.run("malloc", uint64(size))
	}
	if at == 0 && s.failed == nil {
		s.failed = errors.New("PDFium has no memory left")
	}
	return at
}

func (s *sandbox) free(at uint32) { s.run("free", uint64(at)) }

// place copies data into the sandbox.
func (s *sandbox) place(data []byte) uint32 {
	at := s.alloc(len(data))
	if s.failed == nil && !s.module.Memory().Write(at, data) {
		s.failed = fmt.Errorf("PDFium gave %d bytes at %d, outside its memory", len(data), at)
	}
	return at
}

// view returns bytes of the sandbox as they are until the next call.
func (s *sandbox) view(at uint32, size int) []byte {
	if s.failed != nil {
		return nil
	}
	data, ok := s.module.Memory().Read(at, uint32(size))
	if !ok {
		s.failed = fmt.Errorf("PDFium has no %d bytes at %d", size, at)
	}
	return data
}

// blame says what an error comes from: the caller who left, a bound, or the
// document. It names one of them only.
func (s *sandbox) blame(caller context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case caller.Err() != nil:
		return context.Cause(caller)
	case s.ctx.Err() != nil:
		return fmt.Errorf("%w: out of time: %v", ErrTooMuch, err)
	case s.memory.refused:
		return fmt.Errorf("%w: out of memory: %v", ErrTooMuch, err)
	case s.failed != nil:
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return err
}
