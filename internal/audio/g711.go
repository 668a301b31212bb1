package audio

import "math/bits"

// Law is one of the two codings of ITU-T G.711: 8 bits a sample, 8,000 a second.
type Law int

// The codings. Europe speaks PCMA, North America and Japan PCMU; their numbers
// are RTP's payload types.
const (
	PCMU Law = 0
	PCMA Law = 8
)

// Rate is the rate of G.711.
const Rate = 8000

// Silence is the code of no sound.
func (l Law) Silence() byte { return l.code(0) }

// Encode appends the codes of samples to dst.
func (l Law) Encode(dst []byte, samples []int16) []byte {
	for _, s := range samples {
		dst = append(dst, l.code(s))
	}
	return dst
}

// Decode appends the samples of codes to dst.
func (l Law) Decode(dst []int16, codes []byte) []int16 {
	for _, c := range codes {
		dst = append(dst, l.sample(c))
	}
	return dst
}

func (l Law) code(s int16) byte {
	if l == PCMA {
		return codeA(s)
	}
	return codeMu(s)
}

func (l Law) sample(c byte) int16 {
	if l == PCMA {
		return sampleA(c)
	}
	return sampleMu(c)
}

// codeA: a sign, three bits for which power of two the sample reaches and four
// for what follows its first bit. Every other bit is turned round on the line.
func codeA(s int16) byte {
	sign := byte(0x80)
	if s < 0 {
		s, sign = ^s, 0
	}
	m := uint(s) >> 3
	segment := bits.Len(m >> 5)
	mantissa := byte(m>>max(segment, 1)) & 0x0F
	return (sign | byte(segment)<<4 | mantissa) ^ 0x55
}

func sampleA(c byte) int16 {
	c ^= 0x55
	m := int16(c&0x0F)<<4 + 8 // the middle of the step
	if segment := c >> 4 & 7; segment > 0 {
		m = (m + 0x100) << (segment - 1)
	}
	if c&0x80 == 0 {
		return -m
	}
	return m
}

// Samples of PCMU are moved by muBias, so that all steps begin at powers of two.
const (
	muBias = 132
	muMost = 32767 - muBias
)

func codeMu(s int16) byte {
	m, sign := int(s), byte(0)
	if m < 0 {
		m, sign = -m, 0x80
	}
	m = min(m, muMost) + muBias
	segment := bits.Len(uint(m) >> 8)
	mantissa := byte(m>>(segment+3)) & 0x0F
	return ^(sign | byte(segment)<<4 | mantissa)
}

func sampleMu(c byte) int16 {
	c = ^c
	m := (int16(c&0x0F)<<3+muBias)<<(c>>4&7) - muBias
	if c&0x80 != 0 {
		return -m
	}
	return m
}
