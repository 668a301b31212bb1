package api

import (
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) listCaptures(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	filter := frontdesk.CaptureFilter{Status: frontdesk.CaptureStatus(r.text("status")), Kind: r.text("kind")}
	captures, err := a.store.Captures(r.Context(), r.owner, filter, page)
	if err != nil {
		return nil, err
	}
	return wire.CaptureList(captures), nil
}

func (a *API) getCapture(r *request) (any, error) {
	id, err := r.pathID("capture_id", "capture")
	if err != nil {
		return nil, err
	}
	capture, err := a.store.Capture(r.Context(), r.owner, id)
	if err != nil {
		return nil, err
	}
	return wire.CaptureEnvelope(capture), nil
}

func (a *API) patchCapture(r *request) (any, error) {
	var patch struct {
		Status frontdesk.CaptureStatus `json:"status"`
	}
	if err := r.decode("CapturePatch", &patch); err != nil {
		return nil, err
	}
	id, err := r.pathID("capture_id", "capture")
	if err != nil {
		return nil, err
	}
	capture, err := a.store.SetCaptureStatus(r.Context(), r.owner, id, patch.Status, a.now())
	if err != nil {
		return nil, err
	}
	return wire.CaptureEnvelope(capture), nil
}
