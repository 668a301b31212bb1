package document

import (
	"context"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Sizes of fragments in characters. Neighbours are put together until there are
// enough, and never more than most. Passages of a very long document are longer,
// so that it does not have too many.
const (
	enough      = 400
	enoughOfAll = 700
	most        = 900
	veryLong    = 4 << 20 // bytes
	rest        = 160     // what the last one before a heading has at least, if it can be helped
	longestLead = 200     // of what is repeated before each part of a list
)

// packer makes fragments of blocks.
type packer struct {
	ctx      context.Context
	enough   int
	out      []frontdesk.Fragment
	path     []block // the headings that stand over what comes next
	asked    *block  // the question that what comes next answers
	pending  []block // what stands under the same headings and question
	overflow bool
}

func pack(ctx context.Context, blocks []block) ([]frontdesk.Fragment, error) {
	p := &packer{ctx: ctx, enough: enoughFor(blocks)}
	for i, b := range blocks {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p.take(b, blocks[i+1:])
		if p.overflow {
			return nil, &Unreadable{Help: helpTooLarge}
		}
	}
	p.flush()
	if p.overflow {
		return nil, &Unreadable{Help: helpTooLarge}
	}
	return p.out, nil
}

func enoughFor(blocks []block) int {
	size := 0
	for _, b := range blocks {
		size += len(b.text)
	}
	if size > veryLong {
		return enoughOfAll
	}
	return enough
}

func (p *packer) take(b block, next []block) {
	if blank(b.text) {
		return
	}
	if b.kind == question && !answered(next) {
		b.kind = paragraph
	}
	switch b.kind {
	case heading:
		p.enter(b, next)
	case question:
		p.flush()
		p.asked = &b
	case row:
		p.flush()
		if p.asked != nil && !p.asked.alone {
			p.asked = nil
		}
		p.pending = append(p.pending, b)
		p.flush()
	default:
		if p.asked != nil && !p.answers(b) {
			p.flush()
			p.asked = nil
		}
		if p.asked != nil && len(p.pending) == 0 {
			b.text = unmarked(b.text)
		}
		p.pending = append(p.pending, b)
	}
}

// enter begins what stands under a heading. One that is a question asks it; one
// that nothing stands under is a passage itself.
func (p *packer) enter(b block, next []block) {
	p.flush()
	p.asked = nil
	for len(p.path) > 0 && p.path[len(p.path)-1].level >= b.level {
		p.path = p.path[:len(p.path)-1]
	}
	if len(next) == 0 || next[0].kind == heading && next[0].level <= b.level {
		b.kind = paragraph
		p.pending = append(p.pending, b)
		p.flush()
		return
	}
	if isQuestion(b.text) && next[0].kind != heading && next[0].kind != question {
		b.alone = true
		p.asked = &b
		return
	}
	p.path = append(p.path, b)
}

// answered says whether something follows that answers a question.
func answered(next []block) bool {
	return len(next) > 0 && (next[0].kind == paragraph || next[0].kind == item)
}

// answers says whether a block belongs to the answer of the question asked: all
// that follows one that stands alone, the same paragraph otherwise, and the list
// that this leads to.
func (p *packer) answers(b block) bool {
	if p.asked.alone || b.part == p.asked.part || len(p.pending) == 0 {
		return true
	}
	last := p.pending[len(p.pending)-1]
	return b.kind == item && (last.kind == item || leads(last))
}

// leads says whether a block announces a list.
func leads(b block) bool { return strings.HasSuffix(b.text, ":") }

// flush makes fragments of what is pending.
func (p *packer) flush() {
	for _, c := range chunks(p.pending, p.enough) {
		p.emit(c.blocks)
	}
	p.pending = p.pending[:0]
}

// chunk is blocks that become one fragment.
type chunk struct {
	blocks []block
	size   int
	lead   bool // the first block is repeated from the chunk before
}

func (c *chunk) add(b block) {
	c.blocks = append(c.blocks, b)
	c.size += utf8.RuneCountInString(b.text) + 2
}

// chunks divides blocks that stand under the same headings. What leads to a list
// stays with it, and stands again before every part of it.
func chunks(blocks []block, enough int) (all []chunk) {
	var c chunk
	var lead *block // to the list that c is in
	for i, b := range blocks {
		listed := b.kind == item
		if !listed {
			lead = nil
		}
		if c.full(b, enough) && !(listed && leads(c.last()) && len(c.blocks) == 1) {
			var next chunk
			switch held := c.last(); {
			case listed && leads(held):
				c.blocks = c.blocks[:len(c.blocks)-1]
				next.add(held)
			case lead != nil:
				next.add(*lead)
				next.lead = true
			}
			all, c = append(all, c), next
		}
		if !listed && leads(b) && utf8.RuneCountInString(b.text) <= longestLead {
			lead = &blocks[i]
		}
		c.add(b)
	}
	if len(c.blocks) == 0 {
		return nil
	}
	return closed(all, c)
}

func (c *chunk) last() block { return c.blocks[len(c.blocks)-1] }

// full says whether b is for the next chunk.
func (c *chunk) full(b block, enough int) bool {
	return c.size > 0 && (c.size >= enough || c.size+utf8.RuneCountInString(b.text) > most)
}

// closed adds the last chunk: to the one before, if it is a mere rest.
func closed(all []chunk, c chunk) []chunk {
	if len(all) == 0 || c.size > rest || all[len(all)-1].size+c.size > most {
		return append(all, c)
	}
	if c.lead {
		c.blocks = c.blocks[1:]
	}
	before := &all[len(all)-1]
	before.blocks = append(before.blocks, c.blocks...)
	return all
}

// emit makes a fragment of blocks, or several of one that is too long.
func (p *packer) emit(chunk []block) {
	if len(chunk) == 0 {
		return
	}
	var text strings.Builder
	for i, b := range chunk {
		if i > 0 && (b.part == chunk[i-1].part || b.kind == item) {
			text.WriteString("\n")
		} else if i > 0 {
			text.WriteString("\n\n")
		}
		text.WriteString(b.text)
	}
	f := frontdesk.Fragment{Page: chunk[0].page, Line: chunk[0].line, Heading: p.headings(chunk[0].under)}
	if p.asked != nil {
		f.Question = p.asked.text
		f.Page, f.Line = p.asked.page, p.asked.line
	}
	pieces := []string{text.String()}
	if utf8.RuneCountInString(pieces[0]) > most {
		pieces = divide(pieces[0], most)
	}
	for _, piece := range pieces {
		if len(p.out) == mostFragments || p.ctx.Err() != nil {
			p.overflow = true
			return
		}
		f.Position, f.Text = len(p.out), piece
		p.out = append(p.out, f)
	}
}

func (p *packer) headings(under string) string {
	names := make([]string, 0, len(p.path)+1)
	for _, h := range p.path {
		names = append(names, h.text)
	}
	if under != "" {
		names = append(names, under)
	}
	return strings.Join(names, " > ")
}
