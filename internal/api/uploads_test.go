package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An upload has no JSON to break: what can be wrong with one is what is said of
// its bytes. These trials are read from the document like the others.

// file is what the headers of an upload say.
type file struct {
	contentType string
	name        string // in X-Service-Filename
}

func (f file) headers() (headers []string) {
	if f.contentType != "" {
		headers = append(headers, "Content-Type", f.contentType)
	}
	if f.name != "" {
		headers = append(headers, "X-Service-Filename", f.name)
	}
	return headers
}

// isUpload says whether an operation takes a file.
func isUpload(operation map[string]any) bool {
	content := at(operation, "requestBody", "content")
	return content != nil && content["application/json"] == nil
}

func (e *examiner) contentTypes() map[string]any {
	operation, _ := e.lookUp(e.pointer)
	return at(operation, "requestBody", "content")
}

// firstFile is what a valid upload is said to be.
func (e *examiner) firstFile() file {
	if !e.uploads {
		return file{}
	}
	return file{"text/plain", "trial.txt"}
}

// firstText is the body of a valid upload.
func (e *examiner) firstText() string {
	for _, contentType := range slices.Sorted(maps.Keys(e.contentTypes())) {
		for _, example := range at(e.contentTypes(), contentType, "examples") {
			return example.(map[string]any)["value"].(string)
		}
	}
	e.fail("no content type has an example to start from")
	return ""
}

// files tries every content type that the document has, and some that it has
// not, with every kind of name.
func (e *examiner) files() {
	if !e.uploads {
		return
	}
	names := map[bool][]string{
		true:  {"a.pdf", "A.PDF", "a.b.Pdf"},
		false: {"a.md", "a.csv", "a.txt", "A.TXT", "a.pdf.md"},
	}
	for contentType := range e.contentTypes() {
		isPDF := contentType == "application/pdf"
		for _, spelling := range []string{contentType, strings.ToUpper(contentType), contentType + "; charset=utf-8", contentType + ";charset=\"utf-8\""} {
			for _, name := range names[isPDF] {
				e.upload("as it may be", file{spelling, name}, e.status, "", "")
			}
			for _, name := range names[!isPDF] {
				e.upload("a content type of another kind", file{spelling, name}, 400, "unsupported_content_type", "Content-Type")
			}
		}
	}
	for _, other := range []string{
		"", "text/html", "text/csv", "text/x-markdown", "application/json", "application/octet-stream", "application/x-www-form-urlencoded",
		"multipart/form-data; boundary=x", "application/pdfx", "pdf", "text/plain; charset", "*/*", "text/plain, text/csv",
	} {
		if e.contentTypes()[other] != nil {
			continue
		}
		for _, name := range slices.Concat(names[true], names[false]) {
			e.upload("a content type that is not described", file{other, name}, 400, "unsupported_content_type", "Content-Type")
		}
	}
	for _, name := range []string{"a", "a.", "a.docx", "a.pdf.exe", "a.html", "md", "a.md ~", "pdf."} {
		e.upload("another extension", file{"text/plain", name}, 400, "unsupported_extension", "filename")
	}
	e.upload("a name with a NUL", file{"text/plain", "a%00.md"}, 400, "parameter_invalid", "X-Service-Filename")
	e.upload("no name", file{contentType: "text/plain"}, 400, "parameter_missing", "filename")
	e.headerExamples()
	e.upload("no bytes", e.validFile, 400, "document_empty", "")
	e.trials[len(e.trials)-1].body = ""
}

func (e *examiner) upload(why string, f file, status int, code, param string) {
	e.add(why, e.operation, e.validBody, status, code, param)
	e.trials[len(e.trials)-1].file = f
}

// headerExamples sends the names that the document gives as examples.
func (e *examiner) headerExamples() {
	operation, _ := e.lookUp(e.pointer)
	list, _ := operation["parameters"].([]any)
	for i := range list {
		declared, _ := e.lookUp(fmt.Sprintf("%s/parameters/%d", e.pointer, i))
		if declared["name"] == "X-Service-Filename" {
			e.upload("the example of a name", file{"text/plain", declared["example"].(string)}, e.status, "", "")
		}
	}
}
