package document

// block is a piece of a document that keeps its wording: what readers of every
// kind make, and what fragments are made of.
type block struct {
	kind  kind
	text  string
	level int    // of a heading, from 1
	under string // of a row: what it stands under, besides its headings
	part  int    // the same for blocks of one paragraph
	alone bool   // of a question: its answer is not in the same paragraph
	line  int
	page  int
}

type kind int

const (
	paragraph kind = iota // or a line of one
	heading
	item // of a list
	row  // of a table, each value with its column's name
	question
)
