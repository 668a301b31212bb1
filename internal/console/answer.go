package console

import (
	"net/http"
	"strconv"
)

// answer is what goes back to the browser.
type answer struct {
	status      int
	contentType string
	body        []byte
	code        string // of an error, for the log
}

func (a answer) write(w http.ResponseWriter) {
	if a.contentType != "" {
		w.Header().Set("Content-Type", a.contentType)
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	w.Write(a.body) // a browser that has gone is no error of ours
}

// redirect sends the browser to another page of the console.
func (v *visit) redirect(address string) answer {
	v.header.Set("Location", address)
	return answer{status: http.StatusSeeOther}
}

// download is a file to be kept.
func (v *visit) download(name, contentType string, body []byte) answer {
	v.header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	return answer{status: http.StatusOK, contentType: contentType, body: body}
}
