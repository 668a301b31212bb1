package knowledge

import (
	"fmt"
	"mime"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// maxFilename is how many characters the name of a file has at most.
const maxFilename = 255

// Filename is the name of a file as it is kept. Directories before it are
// nobody's business. It is "" where no name was given.
func Filename(given string) string {
	return strings.TrimSpace(given[strings.LastIndexAny(given, `/\`)+1:])
}

// CheckFilename says of what kind a file is by its name, and refuses a name that
// cannot be kept. The name was given as param.
func CheckFilename(param, name string) (frontdesk.DocumentKind, error) {
	switch {
	case frontdesk.Storable(name) != name || utf8.RuneCountInString(name) > maxFilename:
		return "", frontdesk.InvalidParam(param, "%s must be UTF-8 text of at most %d characters, without NUL.", param, maxFilename)
	case strings.TrimSuffix(name, path.Ext(name)) == "":
		return "", frontdesk.InvalidParam(param, "%s must have a name before its extension.", param)
	}
	kind := frontdesk.KindOf(name)
	if kind == "" {
		return "", &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "unsupported_extension", Param: "filename",
			Message: fmt.Sprintf("The file's name must end in one of: %s.", strings.Join(frontdesk.DocumentExtensions, ", ")),
		}
	}
	return kind, nil
}

// CheckContentType holds a content type against the kind that the name says: PDF
// needs its own, the three of texts stand for each other.
func CheckContentType(given string, kind frontdesk.DocumentKind) error {
	contentType, _, err := mime.ParseMediaType(given)
	if err == nil && slices.Contains(frontdesk.DocumentTypes, contentType) && (contentType == pdfType) == (kind == frontdesk.PDF) {
		return nil
	}
	return &frontdesk.Error{
		Kind: frontdesk.Invalid, Code: "unsupported_content_type", Param: "Content-Type",
		Message: "Send a .pdf as application/pdf, and all other documents as text/plain, text/markdown or text/csv.",
	}
}

const pdfType = "application/pdf"
