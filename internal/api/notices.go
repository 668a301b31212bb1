package api

import (
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// listNotices shows what people were told of the book, and what did not reach
// them.
func (a *API) listNotices(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	filter := frontdesk.NoticeFilter{Status: frontdesk.NoticeStatus(r.text("status")), Kind: frontdesk.NoticeKind(r.text("kind"))}
	if filter.CaptureID, err = a.captureInQuery(r); err != nil {
		return nil, err
	}
	notices, err := a.store.Notices(r.Context(), r.owner, filter, page)
	if err != nil {
		return nil, err
	}
	return wire.NoticeList(notices), nil
}

// captureInQuery is the capture that capture_id names; "" without one.
func (a *API) captureInQuery(r *request) (frontdesk.ID, error) {
	text, given := r.query["capture_id"].(string)
	if !given {
		return "", nil
	}
	id, ok := frontdesk.ParseID(text)
	if !ok {
		return "", frontdesk.InvalidParam("capture_id", "capture_id must be the id of a capture, as GET /captures gives it.")
	}
	_, err := a.store.Capture(r.Context(), r.owner, id)
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		e.Param = "capture_id"
		return "", e
	}
	return id, err
}
