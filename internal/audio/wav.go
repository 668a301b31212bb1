package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Sound is samples and their rate.
type Sound struct {
	Rate    int
	Samples []int16
}

// Codings in a WAV file.
const (
	wavPCM        = 1
	wavPCMA       = 6
	wavPCMU       = 7
	wavExtensible = 0xFFFE
)

// wavFormat is what the format chunk says.
type wavFormat struct {
	coding, channels, bits int
	rate                   int
}

// ReadWAV reads a WAV file: 16-bit PCM or G.711, one channel or two, which are
// mixed. It reads limit bytes at most and refuses a file that is longer. A length
// that a writer to a pipe could not know is taken to mean "to the end".
func ReadWAV(r io.Reader, limit int) (Sound, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return Sound{}, fmt.Errorf("audio: reading WAV: %w", err)
	}
	if len(data) > limit {
		return Sound{}, fmt.Errorf("audio: the WAV file is longer than %d bytes", limit)
	}
	if len(data) < 12 || string(data[:4]) != "RIFF" || string(data[8:12]) != "WAVE" {
		return Sound{}, errors.New("audio: this is no WAV file")
	}
	var format wavFormat
	for data = data[12:]; len(data) >= 8; {
		name, size := string(data[:4]), int64(binary.LittleEndian.Uint32(data[4:]))
		data = data[8:]
		chunk := data[:min(size, int64(len(data)))]
		switch name {
		case "fmt ":
			if format, err = readFormat(chunk); err != nil {
				return Sound{}, err
			}
		case "data":
			return format.read(chunk)
		}
		// A chunk of odd length is followed by one byte that belongs to none.
		data = data[min(size+size&1, int64(len(data))):]
	}
	return Sound{}, errors.New("audio: the WAV file has no data")
}

func readFormat(chunk []byte) (wavFormat, error) {
	if len(chunk) < 16 {
		return wavFormat{}, errors.New("audio: the WAV file's format is cut off")
	}
	f := wavFormat{
		coding:   int(binary.LittleEndian.Uint16(chunk)),
		channels: int(binary.LittleEndian.Uint16(chunk[2:])),
		rate:     int(binary.LittleEndian.Uint32(chunk[4:])),
		bits:     int(binary.LittleEndian.Uint16(chunk[14:])),
	}
	if f.coding == wavExtensible && len(chunk) >= 26 {
		f.coding = int(binary.LittleEndian.Uint16(chunk[24:]))
	}
	known := f.coding == wavPCM && f.bits == 16 || (f.coding == wavPCMA || f.coding == wavPCMU) && f.bits == 8
	if !known {
		return f, fmt.Errorf("audio: the WAV file has coding %d with %d bits: write 16-bit PCM", f.coding, f.bits)
	}
	if f.channels < 1 || f.channels > 2 {
		return f, fmt.Errorf("audio: the WAV file has %d channels: write one", f.channels)
	}
	if f.rate < 1000 || f.rate > 192000 {
		return f, fmt.Errorf("audio: the WAV file's rate is %d Hz", f.rate)
	}
	return f, nil
}

// read makes samples of a data chunk. Half a sample at its end is left out.
func (f wavFormat) read(chunk []byte) (Sound, error) {
	var samples []int16
	switch f.coding {
	case 0:
		return Sound{}, errors.New("audio: the WAV file has data before its format")
	case wavPCM:
		samples = DecodePCM(nil, chunk)
	case wavPCMA:
		samples = PCMA.Decode(nil, chunk)
	case wavPCMU:
		samples = PCMU.Decode(nil, chunk)
	}
	if f.channels == 2 {
		for i := range len(samples) / 2 {
			samples[i] = int16((int(samples[2*i]) + int(samples[2*i+1])) / 2)
		}
		samples = samples[:len(samples)/2]
	}
	return Sound{Rate: f.rate, Samples: samples}, nil
}

// WriteWAV writes s as 16-bit PCM with one channel.
func WriteWAV(w io.Writer, s Sound) error {
	size := 2 * len(s.Samples)
	if size > 1<<31 {
		return errors.New("audio: the sound is too long for a WAV file")
	}
	le := binary.LittleEndian
	out := make([]byte, 0, 44+size)
	out = le.AppendUint32(append(out, "RIFF"...), uint32(36+size))
	out = le.AppendUint32(append(out, "WAVEfmt "...), 16)
	out = le.AppendUint16(out, wavPCM)
	out = le.AppendUint16(out, 1)
	out = le.AppendUint32(out, uint32(s.Rate))
	out = le.AppendUint32(out, uint32(2*s.Rate))
	out = le.AppendUint16(out, 2)
	out = le.AppendUint16(out, 16)
	out = le.AppendUint32(append(out, "data"...), uint32(size))
	if _, err := w.Write(EncodePCM(out, s.Samples)); err != nil {
		return fmt.Errorf("audio: writing WAV: %w", err)
	}
	return nil
}

// EncodePCM appends samples to dst as 16-bit little-endian PCM.
func EncodePCM(dst []byte, samples []int16) []byte {
	for _, s := range samples {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(s))
	}
	return dst
}

// DecodePCM appends the samples of 16-bit little-endian PCM to dst. An odd byte
// at the end is left out.
func DecodePCM(dst []int16, pcm []byte) []int16 {
	for ; len(pcm) >= 2; pcm = pcm[2:] {
		dst = append(dst, int16(binary.LittleEndian.Uint16(pcm)))
	}
	return dst
}
