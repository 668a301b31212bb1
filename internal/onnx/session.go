package onnx

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// Runtime is a loaded library.
type Runtime struct {
	api     *table
	version string
	env     handle
	memory  handle // says that tensors of ours are in the processor's memory
}

// Open loads the library. It cannot be unloaded again; Close gives back what it
// holds besides.
func Open(library string) (*Runtime, error) {
	api, version, err := openTable(library)
	if err != nil {
		return nil, err
	}
	r := &Runtime{api: api, version: version}
	const onlyErrors = 3
	name := cString("frontdesk")
	err = errors.Join(
		api.must(createEnv, onlyErrors, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&r.env))),
		api.must(createCPUMemoryInfo, arenaAllocator, defaultMemory, uintptr(unsafe.Pointer(&r.memory))),
	)
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

const (
	arenaAllocator = 1
	defaultMemory  = 0
)

// Version is the library's own, as "1.28.2".
func (r *Runtime) Version() string { return r.version }

// Close gives back what the runtime holds. All sessions and values are closed
// before.
func (r *Runtime) Close() {
	r.api.release(releaseMemoryInfo, r.memory)
	r.api.release(releaseEnv, r.env)
	r.memory, r.env = 0, 0
}

// Session is a loaded model.
type Session struct {
	r       *Runtime
	session handle
	inputs  map[string][]byte // their names, and the same as C has them
	outputs map[string][]byte
	names   runtime.Pinner
}

// Options say how a model is run.
type Options struct {
	// Threads is how many threads one run uses; 0 leaves it to the library.
	Threads int
}

// NewSession loads a model from the bytes of its file, which are not needed
// afterwards.
func (r *Runtime) NewSession(model []byte, o Options) (*Session, error) {
	if len(model) == 0 {
		return nil, errors.New("onnx: the model is empty")
	}
	options, err := r.options(o)
	defer r.api.release(releaseSessionOptions, options)
	if err != nil {
		return nil, err
	}
	s := &Session{r: r}
	err = r.api.must(createSessionFromArray, r.env, uintptr(unsafe.Pointer(&model[0])), uintptr(len(model)), options, uintptr(unsafe.Pointer(&s.session)))
	if err != nil {
		return nil, err
	}
	s.inputs, s.outputs = map[string][]byte{}, map[string][]byte{}
	err = errors.Join(
		s.list(s.inputs, sessionGetInputCount, sessionGetInputName),
		s.list(s.inputs, sessionGetDefaultedInputCount, sessionGetDefaultedInputName),
		s.list(s.outputs, sessionGetOutputCount, sessionGetOutputName),
	)
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (r *Runtime) options(o Options) (options handle, err error) {
	if err := r.api.must(createSessionOptions, uintptr(unsafe.Pointer(&options))); err != nil {
		return 0, err
	}
	const allOptimizations = 99
	// Threads sleep while they wait: spinning is hardly faster, and takes the
	// processor from everybody else.
	key, value := cString("session.intra_op.allow_spinning"), cString("0")
	return options, errors.Join(
		r.api.must(setSessionGraphOptimizationLevel, options, allOptimizations),
		r.api.must(setIntraOpNumThreads, options, uintptr(o.Threads)),
		r.api.must(setInterOpNumThreads, options, 1),
		// Both would keep memory: the most that a run ever used, and a plan for every
		// size of input. Ours differ much, and it is hardly faster.
		r.api.must(disableCPUMemArena, options),
		r.api.must(disableMemPattern, options),
		r.api.must(addSessionConfigEntry, options, uintptr(unsafe.Pointer(&key[0])), uintptr(unsafe.Pointer(&value[0]))),
	)
}

// list asks for the names of inputs or outputs. They stay pinned, since every run
// hands them over.
func (s *Session) list(names map[string][]byte, count, name call) error {
	var n, allocator uintptr
	api := s.r.api
	err := errors.Join(
		api.must(count, s.session, uintptr(unsafe.Pointer(&n))),
		api.must(getDefaultAllocator, uintptr(unsafe.Pointer(&allocator))),
	)
	if err != nil {
		return err
	}
	for i := range n {
		var words uintptr
		if err := api.must(name, s.session, i, allocator, uintptr(unsafe.Pointer(&words))); err != nil {
			return err
		}
		held := cString(text(words))
		if err := api.must(allocatorFree, allocator, words); err != nil {
			return err
		}
		s.names.Pin(&held[0])
		names[string(held[:len(held)-1])] = held
	}
	return nil
}

// HasInput says whether the model takes an input of that name.
func (s *Session) HasInput(name string) bool { return s.inputs[name] != nil }

// HasOutput says whether the model has an output of that name.
func (s *Session) HasOutput(name string) bool { return s.outputs[name] != nil }

// Run runs the model. The outputs are in the order in which they are asked for,
// and the caller's to close; the inputs stay the caller's.
func (s *Session) Run(inputs map[string]*Value, outputs ...string) ([]*Value, error) {
	var given, asked []*byte
	var values []handle
	for name, value := range inputs {
		held := s.inputs[name]
		if held == nil || value == nil {
			return nil, fmt.Errorf("onnx: the model has no input %q, or no value is given for it", name)
		}
		given, values = append(given, &held[0]), append(values, value.value)
	}
	for _, name := range outputs {
		held := s.outputs[name]
		if held == nil {
			return nil, fmt.Errorf("onnx: the model has no output %q", name)
		}
		asked = append(asked, &held[0])
	}
	if len(given) == 0 || len(asked) == 0 {
		return nil, errors.New("onnx: a run needs inputs and outputs")
	}
	results := make([]handle, len(outputs))
	err := s.r.api.must(run, s.session, 0,
		uintptr(unsafe.Pointer(&given[0])), uintptr(unsafe.Pointer(&values[0])), uintptr(len(given)),
		uintptr(unsafe.Pointer(&asked[0])), uintptr(len(asked)), uintptr(unsafe.Pointer(&results[0])))
	runtime.KeepAlive(inputs)
	made := make([]*Value, len(results))
	for i, h := range results {
		made[i] = &Value{r: s.r, value: h}
	}
	if err != nil {
		Close(made...)
		return nil, err
	}
	return made, nil
}

// Close gives the model's memory back.
func (s *Session) Close() {
	s.r.api.release(releaseSession, s.session)
	s.session = 0
	s.names.Unpin()
}
