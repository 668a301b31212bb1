package onnx

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// Kinds of elements, as the library numbers them.
const (
	floats   = 1
	bytes    = 2
	integers = 7
	booleans = 9
)

// Value is a tensor: made by us of memory of ours, or by the library.
type Value struct {
	r     *Runtime
	value handle
	data  runtime.Pinner // of ours
}

// Floats makes a tensor of data, which it uses and does not copy: nobody changes
// data while a run reads it.
func (r *Runtime) Floats(data []float32, shape ...int64) (*Value, error) {
	return newValue(r, data, floats, shape)
}

// Integers makes a tensor of data as Floats does.
func (r *Runtime) Integers(data []int64, shape ...int64) (*Value, error) {
	return newValue(r, data, integers, shape)
}

// Bytes makes a tensor of data as Floats does.
func (r *Runtime) Bytes(data []uint8, shape ...int64) (*Value, error) {
	return newValue(r, data, bytes, shape)
}

// Booleans makes a tensor of data as Floats does.
func (r *Runtime) Booleans(data []bool, shape ...int64) (*Value, error) {
	return newValue(r, data, booleans, shape)
}

func newValue[T any](r *Runtime, data []T, kind uintptr, shape []int64) (*Value, error) {
	size := int64(1)
	for _, n := range shape {
		if n < 0 {
			return nil, fmt.Errorf("onnx: a tensor of shape %v", shape)
		}
		size *= n
	}
	if size != int64(len(data)) || len(shape) == 0 {
		return nil, fmt.Errorf("onnx: %d elements for a tensor of shape %v", len(data), shape)
	}
	if len(data) == 0 {
		data = make([]T, 1) // an empty tensor has an address all the same
	}
	v := &Value{r: r}
	v.data.Pin(&data[0])
	err := r.api.must(createTensorWithData, r.memory,
		uintptr(unsafe.Pointer(&data[0])), uintptr(size)*unsafe.Sizeof(data[0]),
		uintptr(unsafe.Pointer(&shape[0])), uintptr(len(shape)),
		kind, uintptr(unsafe.Pointer(&v.value)))
	if err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// Shape is the size of each dimension of a tensor of floats.
func (v *Value) Shape() ([]int64, error) {
	var info, n uintptr
	var kind int32
	api := v.r.api
	if err := api.must(getTensorTypeAndShape, v.value, uintptr(unsafe.Pointer(&info))); err != nil {
		return nil, err
	}
	defer api.release(releaseTensorTypeAndShapeInfo, info)
	err := errors.Join(
		api.must(getTensorElementType, info, uintptr(unsafe.Pointer(&kind))),
		api.must(getDimensionsCount, info, uintptr(unsafe.Pointer(&n))),
	)
	if err != nil {
		return nil, err
	}
	if kind != floats {
		return nil, fmt.Errorf("onnx: the tensor has elements of kind %d, not floats", kind)
	}
	shape := make([]int64, n)
	if n == 0 {
		return shape, nil
	}
	return shape, api.must(getDimensions, info, uintptr(unsafe.Pointer(&shape[0])), n)
}

// Contents are the elements of a tensor of floats, and its shape. They are the
// value's own memory: not to be used once it is closed.
func (v *Value) Contents() ([]float32, []int64, error) {
	shape, err := v.Shape()
	if err != nil {
		return nil, nil, err
	}
	size := int64(1)
	for _, n := range shape {
		size *= n
	}
	var data unsafe.Pointer
	if err := v.r.api.must(getTensorMutableData, v.value, uintptr(unsafe.Pointer(&data))); err != nil {
		return nil, nil, err
	}
	if size == 0 {
		return nil, shape, nil
	}
	return unsafe.Slice((*float32)(data), size), shape, nil
}

// Close gives the value back.
func (v *Value) Close() {
	v.r.api.release(releaseValue, v.value)
	v.value = 0
	v.data.Unpin()
}

// Close closes values. nil is none.
func Close(values ...*Value) {
	for _, v := range values {
		if v != nil {
			v.Close()
		}
	}
}
