package knowledge_test

import (
	"errors"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

func TestWhatAFileSaysOfItself(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		given, contentType string
		kind               frontdesk.DocumentKind
		code, param        string
	}{
		"a text":                        {"a.txt", "text/plain; charset=utf-8", frontdesk.Text, "", ""},
		"directories are left out":      {`C:\tmp/menu.MD `, "text/markdown", frontdesk.Markdown, "", ""},
		"texts stand for each other":    {"a.csv", "text/plain", frontdesk.CSV, "", ""},
		"a PDF has a type of its own":   {"a.pdf", "application/pdf", frontdesk.PDF, "", ""},
		"a PDF sent as a text":          {"a.pdf", "text/plain", "", "unsupported_content_type", "Content-Type"},
		"a text sent as a PDF":          {"a.txt", "application/pdf", "", "unsupported_content_type", "Content-Type"},
		"a type that there is not":      {"a.txt", "", "", "unsupported_content_type", "Content-Type"},
		"an extension that is no use":   {"a.docx", "text/plain", "", "unsupported_extension", "filename"},
		"an extension alone":            {".md", "text/markdown", "", "parameter_invalid", "file"},
		"what no database holds":        {"a\x00.md", "text/markdown", "", "parameter_invalid", "file"},
		"no UTF-8":                      {"a\xff.md", "text/markdown", "", "parameter_invalid", "file"},
		"a name that is too long":       {strings.Repeat("ñ", 253) + ".md", "text/markdown", "", "parameter_invalid", "file"},
		"a name of the greatest length": {strings.Repeat("ñ", 252) + ".md", "text/markdown", frontdesk.Markdown, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kind, err := knowledge.CheckFilename("file", knowledge.Filename(tt.given))
			if err == nil {
				err = knowledge.CheckContentType(tt.contentType, kind)
			}
			var e *frontdesk.Error
			switch {
			case tt.code == "" && (err != nil || kind != tt.kind):
				t.Errorf("got %q, %v, want %q", kind, err, tt.kind)
			case tt.code != "" && (!errors.As(err, &e) || e.Code != tt.code || e.Param != tt.param):
				t.Errorf("got %v, want %s at %q", err, tt.code, tt.param)
			}
		})
	}
	if got := knowledge.Filename("menu/ "); got != "" {
		t.Errorf("a directory is called %q", got)
	}
}
