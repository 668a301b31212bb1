package console

import (
	"net/http"
	"slices"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// devRequests is the list of requests.
type devRequests struct {
	Find     string // the request_id that is looked for
	Fault    string // what is wrong with it
	Failed   bool
	Methods  []choice
	Requests []devRequest
	Older    string
	Filtered bool
}

// devRequest is a request in a list.
type devRequest struct {
	ID        frontdesk.ID
	RequestID string
	Method    string
	Path      string
	Status    int
	Look      string // of its status: good, warn or bad
	When      string
	Took      string
	Code      string
	Why       string // what the code means; "": it is not known here
}

// devRequestPage is one request, with all that is known of it.
type devRequestPage struct {
	devRequest
	Exactly  string
	Param    string
	Key      *devKey // nil: it is not there any more
	KeyID    frontdesk.ID
	Replayed bool
	Changed  bool         // it may have changed something
	Same     []devRequest // others that their client gave the same id
}

// mostSame is how many requests with the same id are shown beside one.
const mostSame = 10

func (c developersScreen) listRequests(v *visit) (answer, error) {
	page, err := startingAfter(v)
	if err != nil {
		return answer{}, err
	}
	data := devRequests{Find: v.field("id"), Failed: v.field("failed") != ""}
	method := v.field("method")
	if !slices.Contains(frontdesk.RequestMethods, method) {
		method = ""
	}
	data.Methods = []choice{{v.say("req_method_all"), "", method == ""}}
	for _, m := range frontdesk.RequestMethods {
		data.Methods = append(data.Methods, choice{m, m, m == method})
	}
	if data.Find != "" && !exchange.FitRequestID(data.Find) {
		data.Fault, data.Filtered = v.say("req_fault_id"), true
		return v.render(http.StatusBadRequest, "dev_requests", data)
	}
	f := frontdesk.RequestFilter{RequestID: data.Find, Failed: data.Failed, Method: method}
	data.Filtered = f != frontdesk.RequestFilter{} || page.StartingAfter != ""
	list, err := c.store.Requests(v.Context(), v.owner(), f, page)
	if err != nil {
		return answer{}, err
	}
	if data.Find != "" && page.StartingAfter == "" && len(list.Items) == 1 {
		return v.redirect(v.base() + "developers/requests/" + string(list.Items[0].ID)), nil
	}
	for _, r := range list.Items {
		data.Requests = append(data.Requests, newDevRequest(v, r))
		data.Older = older("developers/requests", list.More, r.ID, "id", data.Find, "failed", v.field("failed"), "method", method)
	}
	return v.page("dev_requests", data)
}

func newDevRequest(v *visit, r frontdesk.Request) devRequest {
	d := devRequest{
		ID: r.ID, RequestID: r.RequestID, Method: r.Method, Path: r.Path, Status: r.Status, Look: "good", When: v.ago(r.At),
		Took: v.say("dev_ms", "n", v.figure(int(r.Took.Milliseconds()))), Code: r.Code,
	}
	switch {
	case r.Status >= 500:
		d.Look = "bad"
	case r.Failed():
		d.Look = "warn"
	}
	if r.Took.Milliseconds() == 0 {
		d.Took = v.say("req_at_once")
	}
	if r.Code != "" {
		d.Why = v.say("req_code_" + r.Code)
	}
	return d
}

func (c developersScreen) showRequest(v *visit) (answer, error) {
	id, err := v.pathID("request")
	if err != nil {
		return answer{}, err
	}
	r, err := c.store.Request(v.Context(), v.owner(), id)
	if err != nil {
		return answer{}, err
	}
	data := devRequestPage{
		devRequest: newDevRequest(v, r), Exactly: wire.Time(r.At), Param: r.Param, KeyID: r.Key, Replayed: r.Replayed,
		Changed: !r.Failed() && !r.Replayed,
	}
	if err := c.addKeyAndSame(v, &data); err != nil {
		return answer{}, err
	}
	return v.page("dev_request", data)
}

// addKeyAndSame adds the key of a request, and the requests that their client gave
// the same id.
func (c developersScreen) addKeyAndSame(v *visit, d *devRequestPage) error {
	k, err := c.store.OwnKey(v.Context(), v.owner(), d.KeyID)
	switch e := exchange.Domain(err); {
	case err == nil:
		key := newDevKey(v, k, nil)
		d.Key = &key
	case e == nil || e.Kind != frontdesk.NotFound:
		return err
	}
	list, err := c.store.Requests(v.Context(), v.owner(), frontdesk.RequestFilter{RequestID: d.RequestID}, frontdesk.Page{Limit: mostSame + 1})
	if err != nil {
		return err
	}
	for _, one := range list.Items {
		if one.ID != d.ID && len(d.Same) < mostSame {
			d.Same = append(d.Same, newDevRequest(v, one))
		}
	}
	return nil
}
