package caldav

import "io"

// maxTag is how long one tag may be, from < to >. A decoder keeps all attributes
// of a tag before anybody sees it, each many times as large as it was sent.
const maxTag = 64 << 10

// tagReader passes XML on as long as no tag in it is too long. Sections and
// comments, which hold text, are bounded with the whole.
type tagReader struct {
	r     io.Reader
	tag   int  // bytes of the tag so far; 0: between tags
	quote byte // that the attribute's value began with; 0: in none
	text  bool // it is a section or a comment
}

func (t *tagReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	for _, c := range p[:n] {
		if !t.pass(c) {
			return 0, ErrTooMuch
		}
	}
	return n, err
}

// pass follows one byte, and says whether the tag is still short enough.
func (t *tagReader) pass(c byte) bool {
	switch {
	case t.tag == 0:
		if c == '<' {
			t.tag, t.quote, t.text = 1, 0, false
		}
		return true
	case t.tag == 1 && c == '!':
		t.text = true
	case t.quote != 0:
		if c == t.quote {
			t.quote = 0
		}
	case !t.text && (c == '"' || c == '\''):
		t.quote = c
	case c == '>':
		t.tag = 0
		return true
	}
	t.tag++
	return t.text || t.tag <= maxTag
}
