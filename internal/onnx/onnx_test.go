package onnx_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/onnx"
)

func TestWhatIsNoLibrary(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"onnx_test.go", "/nowhere/libonnxruntime.so"} {
		if r, err := onnx.Open(file); err == nil {
			r.Close()
			t.Errorf("%s was opened", file)
		}
	}
}

// library opens ONNX Runtime, where it is.
func library(t *testing.T) *onnx.Runtime {
	t.Helper()
	out, err := exec.Command("../../scripts/find-speech").Output()
	if err != nil {
		t.Skip("NOT COVERED: running models. There is no ONNX Runtime here: run scripts/find-speech --install")
	}
	r, err := onnx.Open(filepath.Join(strings.TrimSpace(string(out)), "libonnxruntime.so"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// field is a field of a protocol buffer that has a length.
func field(number byte, contents ...string) string {
	all := strings.Join(contents, "")
	return string([]byte{number<<3 | 2, byte(len(all))}) + all
}

// doubling is a model: y = x + x, for a row of any length.
func doubling() []byte {
	anyRow := field(2, field(1, "\x08\x01", field(2, field(1))))
	graph := field(7,
		field(1, field(1, "x"), field(1, "x"), field(2, "y"), field(4, "Add")),
		field(2, "doubling"),
		field(11, field(1, "x"), anyRow),
		field(12, field(1, "y"), anyRow),
	)
	return []byte("\x08\x08" + graph + field(8, "\x10\x0d"))
}

func TestAModelIsRun(t *testing.T) {
	t.Parallel()
	r := library(t)
	s, err := r.NewSession(doubling(), onnx.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !s.HasInput("x") || !s.HasOutput("y") || s.HasInput("y") {
		t.Error("the names of inputs and outputs are wrong")
	}
	x, err := r.Floats([]float32{1, 2.5, -3}, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	out, err := s.Run(map[string]*onnx.Value{"x": x}, "y")
	if err != nil {
		t.Fatal(err)
	}
	defer onnx.Close(out...)
	got, shape, err := out[0].Contents()
	if err != nil || !slices.Equal(got, []float32{2, 5, -6}) || !slices.Equal(shape, []int64{3}) {
		t.Errorf("got %v of shape %v, %v", got, shape, err)
	}
}

func TestFaultsAreErrors(t *testing.T) {
	t.Parallel()
	r := library(t)
	for name, model := range map[string][]byte{"an empty model": nil, "no model": []byte("nonsense"), "half a model": doubling()[:20]} {
		if s, err := r.NewSession(model, onnx.Options{}); err == nil {
			s.Close()
			t.Errorf("%s was loaded", name)
		}
	}
	if _, err := r.Floats([]float32{1, 2}, 3); err == nil {
		t.Error("two elements are a tensor of three")
	}
	s, err := r.NewSession(doubling(), onnx.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	whole, err := r.Integers([]int64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	for name, inputs := range map[string]map[string]*onnx.Value{
		"no input": nil, "an unknown input": {"z": whole}, "a value that is missing": {"x": nil}, "numbers of another kind": {"x": whole},
	} {
		if out, err := s.Run(inputs, "y"); err == nil {
			onnx.Close(out...)
			t.Errorf("%s was run", name)
		}
	}
	if _, _, err := whole.Contents(); err == nil {
		t.Error("whole numbers were read as floats")
	}
}
