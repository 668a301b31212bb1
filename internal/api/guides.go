package api

import (
	_ "embed"

	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/exchange"
)

//go:embed llms.txt
var llms []byte

// The two guides to the API that anyone may read. They are served as they are
// embedded.

func (a *API) getOpenAPI(*request) (any, error) {
	return fixed{contentType: exchange.JSON, text: description.Text()}, nil
}

func (a *API) getLLMs(*request) (any, error) {
	return fixed{contentType: "text/plain; charset=utf-8", text: llms}, nil
}
