package api

// The two guides to the API that anyone may read. They are served as they are
// embedded.

func (a *API) getOpenAPI(*request) (any, error) {
	return fixed{contentType: jsonType, text: openapi}, nil
}

func (a *API) getLLMs(*request) (any, error) {
	return fixed{contentType: "text/plain; charset=utf-8", text: llms}, nil
}
