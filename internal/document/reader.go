// Package document turns what a business has written down into fragments: the
// passages that questions find, and that answers quote.
//
// Every kind of document becomes blocks (headings, paragraphs, items of lists,
// rows of tables, questions), and from there the way is the same:
//
//	Read -> decode -> tidy -> markdownBlocks, tableBlocks or textBlocks -> pack -> tell languages
//
// The bytes come from strangers. Whatever they are, reading takes time in
// proportion to their number and ends in fragments or in Unreadable, which
// tells the customer what to do. The package does not know who owns a document,
// where it is kept, or what is asked about it.
package document

import (
	"context"
	"errors"
	"fmt"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/pdf"
)

const (
	mostBytes     = 10 << 20 // of a document that is text
	mostFragments = 20_000   // of one document
	mostBlocks    = 200_000  // more than make so many fragments
)

// Unreadable is the error of a document that cannot be used as it is.
type Unreadable struct {
	Help  string // one sentence for the customer: what to do about it
	Cause error  // for the log; nil when there is no more to say
}

func (u *Unreadable) Error() string {
	if u.Cause != nil {
		return "unreadable document: " + u.Cause.Error()
	}
	return "unreadable document: " + u.Help
}

func (u *Unreadable) Unwrap() error { return u.Cause }

// What customers are told.
const (
	helpNothing  = "There is no text in this document: upload one with something written in it."
	helpNotText  = "This file is not text: save it as PDF, Markdown, CSV or plain text and upload that."
	helpTooLarge = "This document is too long: split it into several smaller ones."
	helpScanned  = "This PDF has pictures of pages but no text: run text recognition (OCR) on it and upload the result."
	helpPassword = "This PDF is locked with a password: remove the password and upload it again."
	helpDamaged  = "This PDF is damaged: open it, save or export it as a new PDF and upload that."
	helpTooMuch  = "This PDF takes too much time or memory to read: split it, or export it again as a simpler PDF."
)

// PDF gets the text out of PDFs.
type PDF interface {
	Pages(ctx context.Context, data []byte) ([]pdf.Page, error)
}

// Reader reads documents. It is safe for use by several goroutines.
type Reader struct{ pdf PDF }

// NewReader returns a reader that has p read the PDFs.
func NewReader(p PDF) *Reader { return &Reader{pdf: p} }

// Read returns the fragments of a document in their order, at least one, without
// ID and DocumentID. An error that is the document's own fault is Unreadable.
func (r *Reader) Read(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]frontdesk.Fragment, error) {
	blocks, err := r.blocks(ctx, kind, data)
	if err != nil {
		return nil, fmt.Errorf("reading a document: %w", err)
	}
	fragments, err := pack(ctx, blocks)
	if err != nil {
		return nil, fmt.Errorf("reading a document: %w", err)
	}
	if len(fragments) == 0 {
		return nil, &Unreadable{Help: helpNothing}
	}
	tellLanguages(fragments)
	return fragments, nil
}

func (r *Reader) blocks(ctx context.Context, kind frontdesk.DocumentKind, data []byte) ([]block, error) {
	if kind == frontdesk.PDF {
		pages, err := r.pdf.Pages(ctx, data)
		if err != nil {
			return nil, blame(err)
		}
		return pageBlocks(ctx, pages)
	}
	if len(data) > mostBytes {
		return nil, &Unreadable{Help: helpTooLarge}
	}
	text, err := decode(data)
	if err != nil {
		return nil, err
	}
	text = tidy(text)
	switch kind {
	case frontdesk.Markdown:
		return markdownBlocks(ctx, text)
	case frontdesk.CSV:
		return csvBlocks(ctx, text)
	case frontdesk.Text:
		return plainBlocks(ctx, text)
	}
	return nil, fmt.Errorf("no reader for documents of kind %q", kind)
}

// blame makes the errors that are a PDF's own fault Unreadable.
func blame(err error) error {
	for fault, help := range map[error]string{
		pdf.ErrPassword: helpPassword, pdf.ErrDamaged: helpDamaged, pdf.ErrNoText: helpScanned, pdf.ErrTooMuch: helpTooMuch,
	} {
		if errors.Is(err, fault) {
			return &Unreadable{Help: help, Cause: err}
		}
	}
	return err
}
