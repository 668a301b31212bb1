package search

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// senses are the vectors of signs.
type senses struct {
	at     map[string]int32 // the row of each sign
	rows   []int8
	unit   []float32 // what 1 in a row is worth
	weight []float32 // what the sign counts in a question
	length []float32 // of its vector
	known  []float32 // how well the sign is known, from 0 to 1
}

// Sense is what is learned of a sign.
type Sense struct {
	Name   string
	Vector []float32
	Weight float32 // what it counts in a question
	Count  int     // how often it was read
}

// SenseDims is the number of dimensions of a sense.
const SenseDims = 128

// SenseRest is added to the weights of a question's signs, so that one of few
// words is not sure too easily.
const SenseRest = 0.3

// unseen is the row of a sign that has none.
const unseen = int32(-1)

func (s *senses) row(sign string) int32 {
	if row, ok := s.at[sign]; ok {
		return row
	}
	return unseen
}

// rowOf is the row of an entry of the lexicon, or of another that means the
// same.
func (s *senses) rowOf(lex *lexicon.Lexicon, e lexicon.Entry) int32 {
	if row := s.row(signOf(e)); row != unseen {
		return row
	}
	for same := range lex.Same(e) {
		if row := s.row(signOf(same.Entry)); row != unseen {
			return row
		}
	}
	return unseen
}

// signOf is the name of the sign of an entry.
func signOf(e lexicon.Entry) string {
	if e.Sense == 0 {
		return e.Lang + ":" + e.Stems
	}
	return fmt.Sprintf("%s:%s/%d", e.Lang, e.Stems, e.Sense)
}

// add adds the vector of a row to a sum.
func (s *senses) add(sum []float32, row int32) {
	if row == unseen {
		return
	}
	unit := s.unit[row]
	sum = sum[:SenseDims]
	for i, x := range s.rows[int(row)*SenseDims : (int(row)+1)*SenseDims] {
		sum[i] += unit * float32(x)
	}
}

// direction is the vector of a row with length 1.
func (s *senses) direction(row int32) []float32 {
	v := make([]float32, SenseDims)
	s.add(v, row)
	l := length(v)
	for i := range v {
		v[i] /= l
	}
	return v
}

// nearness is the cosine between a vector of length 1 and that of a row.
func (s *senses) nearness(unit []float32, row int32) float32 {
	return product(unit, s.rows[int(row)*SenseDims:(int(row)+1)*SenseDims]) * s.unit[row] / s.length[row]
}

//go:embed senses.bin
var sensesFile []byte

var learned = sync.OnceValue(func() *senses {
	s, err := readSenses(sensesFile)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return s
})

// doubtful is how often a sign was read that is as well known as not.
const doubtful = 2

// A file of senses has the number of dimensions and that of signs, four bytes
// each, the lowest first; then each sign: the length of its name in one byte, the
// name, how often it was read, what it counts in a question, what 1 in its row is
// worth, four bytes each, and the row, one byte for each dimension.

func readSenses(data []byte) (*senses, error) {
	if len(data) < 8 {
		return nil, fmt.Errorf("reading senses: the file has %d bytes", len(data))
	}
	dims, n := int(binary.LittleEndian.Uint32(data)), int(binary.LittleEndian.Uint32(data[4:]))
	data = data[8:]
	if dims != SenseDims {
		return nil, fmt.Errorf("reading senses: %d dimensions, not %d", dims, SenseDims)
	}
	if n > len(data)/SenseDims {
		return nil, fmt.Errorf("reading senses: %d signs in %d bytes", n, len(data))
	}
	s := &senses{
		at: make(map[string]int32, n), rows: make([]int8, 0, n*SenseDims), unit: make([]float32, 0, n),
		weight: make([]float32, 0, n), length: make([]float32, 0, n), known: make([]float32, 0, n),
	}
	v := make([]float32, SenseDims)
	for i := range n {
		if len(data) < 1 || len(data) < 1+int(data[0])+12+SenseDims {
			return nil, fmt.Errorf("reading senses: sign %d of %d is cut off", i+1, n)
		}
		name := string(data[1 : 1+int(data[0])])
		data = data[1+len(name):]
		s.at[name] = int32(i)
		count := float32(binary.LittleEndian.Uint32(data))
		s.known = append(s.known, count/(count+doubtful))
		s.weight = append(s.weight, math.Float32frombits(binary.LittleEndian.Uint32(data[4:])))
		s.unit = append(s.unit, math.Float32frombits(binary.LittleEndian.Uint32(data[8:])))
		for _, x := range data[12 : 12+SenseDims] {
			s.rows = append(s.rows, int8(x))
		}
		data = data[12+SenseDims:]
		clear(v)
		s.add(v, int32(i))
		s.length = append(s.length, max(length(v), 1e-9))
	}
	return s, nil
}

// WriteSenses returns a file of senses.
func WriteSenses(all []Sense) (data []byte) {
	data = binary.LittleEndian.AppendUint32(data, SenseDims)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(all)))
	for _, s := range all {
		row, unit := appendRow(nil, s.Vector)
		data = append(data, byte(len(s.Name)))
		data = append(data, s.Name...)
		data = binary.LittleEndian.AppendUint32(data, uint32(s.Count))
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(s.Weight))
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(unit))
		for _, x := range row {
			data = append(data, byte(x))
		}
	}
	return data
}

// appendRow adds a vector to rows, and tells what 1 in it is worth.
func appendRow(rows []int8, v []float32) (_ []int8, unit float32) {
	var most float32
	for _, x := range v {
		most = max(most, x, -x)
	}
	unit = max(most, 1e-9) / math.MaxInt8
	for _, x := range v {
		rows = append(rows, int8(math.Round(float64(x/unit))))
	}
	return rows, unit
}
