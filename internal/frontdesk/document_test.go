package frontdesk_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestTheKindOfADocument(t *testing.T) {
	t.Parallel()
	tests := map[string]frontdesk.DocumentKind{
		"carta.pdf": frontdesk.PDF, "CARTA.PDF": frontdesk.PDF, "carta.verano.md": frontdesk.Markdown, "carta.MD": frontdesk.Markdown, "carta.markdown": "",
		"precios.csv": frontdesk.CSV, "notas.txt": frontdesk.Text, ".txt": frontdesk.Text,
		"carta.docx": "", "carta": "", "": "", "pdf": "", "carta.pdf.exe": "", "carta.pdf/x": "", "carta.pdf ": "",
	}
	for filename, want := range tests {
		if got := frontdesk.KindOf(filename); got != want {
			t.Errorf("%q is %q, want %q", filename, got, want)
		}
	}
	for _, ending := range frontdesk.DocumentExtensions {
		if frontdesk.KindOf("a"+ending) == "" {
			t.Errorf("%s is of no kind", ending)
		}
	}
}

func TestEveryStatusOfADocumentIsSaidInWords(t *testing.T) {
	t.Parallel()
	labels := map[string]bool{}
	for _, s := range frontdesk.DocumentStatuses {
		label := s.Label()
		if label == string(s) || labels[label] {
			t.Errorf("%s is %q", s, label)
		}
		labels[label] = true
	}
	if got := frontdesk.DocumentStatus("other").Label(); got != "other" {
		t.Errorf("got %q", got)
	}
}

func TestWhatToDoAboutADocument(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		document frontdesk.Document
		has      string
	}{
		"one that waits":              {frontdesk.Document{Status: frontdesk.DocumentPending}, "Ask again"},
		"one that is being read":      {frontdesk.Document{Status: frontdesk.DocumentProcessing}, "Ask again"},
		"one that is archived":        {frontdesk.Document{Status: frontdesk.DocumentArchived, Help: "old"}, "no longer used"},
		"one that cannot be used":     {frontdesk.Document{Status: frontdesk.DocumentError, Help: "Save it anew."}, "Save it anew."},
		"nothing about one ready":     {frontdesk.Document{Status: frontdesk.DocumentReady}, ""},
		"what is left of an old help": {frontdesk.Document{Status: frontdesk.DocumentPending, Help: "old"}, "Ask again"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.document.StatusHelp(); !strings.Contains(got, tt.has) || (got == "") != (tt.has == "") {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestRoomForADocument(t *testing.T) {
	t.Parallel()
	plan := frontdesk.Plan{MaxDocuments: 3, MaxTotalBytes: 100}
	tests := map[string]struct {
		used frontdesk.DocumentUse
		size int64
		says string // "": there is room
	}{
		"the first":                 {frontdesk.DocumentUse{}, 1, ""},
		"as large as all together":  {frontdesk.DocumentUse{}, 100, ""},
		"the last, to the byte":     {frontdesk.DocumentUse{Documents: 2, Bytes: 60}, 40, ""},
		"one too many":              {frontdesk.DocumentUse{Documents: 3, Bytes: 60}, 1, "3 documents"},
		"one byte too many":         {frontdesk.DocumentUse{Documents: 2, Bytes: 60}, 41, "100 bytes, and 60 are used"},
		"after a plan was cut down": {frontdesk.DocumentUse{Documents: 9, Bytes: 900}, 1, "3 documents"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tt.used.RoomFor(tt.size, plan)
			var refused *frontdesk.Error
			if tt.says == "" && err == nil {
				return
			}
			if !errors.As(err, &refused) || refused.Code != "limit_reached" || refused.Kind != frontdesk.Invalid || tt.says == "" || !strings.Contains(refused.Message, tt.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSpelling(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"¿Hay TERRAZA?":           "hay terraza",
		"  hay,  terraza… ":       "hay terraza",
		"Do you have Wi-Fi?":      "do you have wi fi",
		"¿Abren el 24/12?":        "abren el 24 12",
		"Ñandú «ÉXITO»":           "ñandú éxito",
		"¿¡…!?":                   "",
		"":                        "",
		"line\nbreak\ttab\x00nul": "line break tab nul",
		"not\xff utf-8":           "not utf 8",
	}
	for question, want := range tests {
		if got := frontdesk.Spelling(question); got != want {
			t.Errorf("%q is %q, want %q", question, got, want)
		}
	}
	for _, letter := range []string{"a", "ñ", "字", "𝒳"} {
		if got := frontdesk.Spelling(strings.Repeat(letter, 1000)); len(got) < 290 || len(got) > 310 || !utf8.ValidString(got) {
			t.Errorf("of many %s it is %d bytes: %q", letter, len(got), got)
		}
	}
}
