package document

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	xunicode "golang.org/x/text/encoding/unicode"
)

// decode returns the text that bytes stand for: UTF-8, UTF-16, or else
// Windows-1252, which old spreadsheets still write.
func decode(data []byte) (string, error) {
	if foreign(data) {
		return "", &Unreadable{Help: helpNotText}
	}
	text := decodeAs(data)
	if !looksWritten(text) {
		return "", &Unreadable{Help: helpNotText}
	}
	return text, nil
}

func decodeAs(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return strings.ToValidUTF8(string(data[3:]), "")
	case bytes.HasPrefix(data, []byte("\xff\xfe")), alternates(data, 1):
		return convert(data, xunicode.UTF16(xunicode.LittleEndian, xunicode.UseBOM))
	case bytes.HasPrefix(data, []byte("\xfe\xff")), alternates(data, 0):
		return convert(data, xunicode.UTF16(xunicode.BigEndian, xunicode.UseBOM))
	case mostlyUTF8(data):
		return strings.ToValidUTF8(string(data), "")
	}
	return convert(data, charmap.Windows1252)
}

func convert(data []byte, from encoding.Encoding) string {
	text, err := from.NewDecoder().Bytes(data)
	if err != nil {
		return "" // half a character at the end, say: not what we took it for
	}
	return string(text)
}

// alternates says whether every other byte, from first on, is nearly always
// zero, and the others nearly never: UTF-16 without its mark.
func alternates(data []byte, first int) bool {
	if len(data) < 4 || len(data)%2 != 0 {
		return false
	}
	sample := data[:min(len(data), 4096)]
	var zeros, others int
	for i, b := range sample {
		if b == 0 && i%2 == first {
			zeros++
		} else if b == 0 {
			others++
		}
	}
	return zeros*10 >= len(sample)/2*7 && others*50 <= len(sample)
}

// mostlyUTF8 forgives a few broken bytes in what is otherwise UTF-8.
func mostlyUTF8(data []byte) bool {
	var good, bad int
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			bad++
		} else if size > 1 {
			good++
		}
		data = data[size:]
	}
	return bad == 0 || good > 2*bad
}

// signatures begin files that are something else, whatever they are called.
var signatures = []string{
	"PK\x03\x04", "PK\x05\x06", "MZ\x90", "\x7fELF", "\x89PNG", "GIF87a", "GIF89a", "\xff\xd8\xff", "%PDF-", "{\\rtf", "Rar!", "7z\xbc\xaf",
	"\x1f\x8b", "BZh", "\xd0\xcf\x11\xe0", "RIFF", "ID3", "\x00\x00\x01\x00", "SQLite format 3", "\xca\xfe\xba\xbe", "\x28\xb5\x2f\xfd",
}

func foreign(data []byte) bool {
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s)) {
			return true
		}
	}
	return false
}

// looksWritten says whether a text is one that people write: hardly any control
// characters, and for the most part letters, figures, spaces and common marks.
func looksWritten(text string) bool {
	var all, controls, odd int
	for _, r := range text {
		all++
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\f' || r == '\v':
		case unicode.IsControl(r) || r == utf8.RuneError:
			controls++
		case r >= 0x80 && !unicode.IsLetter(r) && !unicode.IsSpace(r) && !unicode.IsMark(r):
			odd++
		}
	}
	return controls*200 <= all && odd*3 <= all
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
