package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// devDelivery is a delivery in a list.
type devDelivery struct {
	ID       frontdesk.ID
	Event    string
	Words    string
	Status   frontdesk.DeliveryStatus
	When     string
	HTTP     int // 0: no answer
	Attempts int
	Most     int
}

// devDeliveryPage is one delivery: what was sent, and what came back.
type devDeliveryPage struct {
	devDelivery
	Connection     devConnection
	EventID        frontdesk.ID
	Exactly        string // when it was made
	Delivered      string
	Next           string // when it is tried again by itself
	Latency        string
	Why            string // what went wrong, in words
	ErrorCode      string
	Body           string // "": it is not kept any more
	Size           string
	TwoSignatures  bool
	CanRetry, IsOn bool
}

// addDeliveries adds the deliveries of a connection, of the status that was asked
// for.
func (c developersScreen) addDeliveries(v *visit, d *devConnectionPage) error {
	page, err := startingAfter(v)
	if err != nil {
		return err
	}
	status := frontdesk.DeliveryStatus(v.field("status"))
	if !slices.Contains(frontdesk.DeliveryStatuses, status) {
		status = ""
	}
	list, err := c.store.Deliveries(v.Context(), v.owner(), d.ID, status, page)
	if err != nil {
		return err
	}
	d.Filtered = status != "" || page.StartingAfter != ""
	d.Statuses = []choice{{v.say("dev_status_all"), "", status == ""}}
	for _, s := range frontdesk.DeliveryStatuses {
		d.Statuses = append(d.Statuses, choice{v.say("dev_status_" + string(s)), string(s), s == status})
	}
	for _, one := range list.Items {
		d.Deliveries = append(d.Deliveries, newDevDelivery(v, one))
		d.Older = older("developers/connections/"+string(d.ID), list.More, one.ID, "status", string(status))
	}
	return nil
}

func newDevDelivery(v *visit, d frontdesk.Delivery) devDelivery {
	return devDelivery{
		ID: d.ID, Event: d.Event, Words: eventWords(v, d.Event), Status: d.Status, When: v.ago(d.CreatedAt),
		HTTP: d.HTTPStatus, Attempts: d.Attempts, Most: d.MaxAttempts,
	}
}

func (c developersScreen) showDelivery(v *visit) (answer, error) {
	id, err := v.pathID("delivery")
	if err != nil {
		return answer{}, err
	}
	d, err := c.store.Delivery(v.Context(), v.owner(), id)
	if err != nil {
		return answer{}, err
	}
	one, err := c.store.Connection(v.Context(), v.owner(), d.ConnectionID)
	if err != nil {
		return answer{}, err
	}
	data := devDeliveryPage{
		devDelivery: newDevDelivery(v, d), Connection: newDevConnection(v, one), EventID: d.EventID, Exactly: wire.Time(d.CreatedAt),
		Delivered: momentOf(v, d.DeliveredAt), Next: momentOf(v, d.NextAttemptAt), ErrorCode: d.ErrorCode,
		TwoSignatures: len(one.Signing(v.now)) > 1, CanRetry: d.Retryable() == nil, IsOn: one.Status == frontdesk.ConnectionActive,
	}
	if d.Tried {
		data.Latency = v.say("dev_ms", "n", v.figure(int(d.Latency.Milliseconds())))
	}
	if d.ErrorCode != "" || d.Message != "" {
		data.Why = failureWords(v, d.ErrorCode, d.HTTPStatus, d.Message)
	}
	if err := c.addBody(v, &data); err != nil {
		return answer{}, err
	}
	return v.page("dev_delivery", data)
}

// addBody adds what is sent at every attempt, while it is kept.
func (c developersScreen) addBody(v *visit, d *devDeliveryPage) error {
	event, err := c.store.EventSent(v.Context(), v.owner(), d.EventID)
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	d.Body, d.Size = pretty(event.Body), v.figure(len(event.Body))
	return nil
}

// failureWords say why an attempt failed, in the language of the page.
func failureWords(v *visit, code string, status int, message string) string {
	if message == frontdesk.UnknownEnd {
		return v.say("dev_failed_unknown")
	}
	return cmp.Or(v.say("dev_failed_"+code, "status", strconv.Itoa(status)), message)
}

// retryDelivery makes one attempt now: it takes as long as the receiver does.
func (c developersScreen) retryDelivery(v *visit) (answer, error) {
	id, err := v.pathID("delivery")
	if err != nil {
		return answer{}, err
	}
	d, err := c.store.Delivery(v.Context(), v.owner(), id)
	if err != nil {
		return answer{}, err
	}
	address := "developers/deliveries/" + string(id)
	d, err = c.webhooks.Retry(v.Context(), v.owner(), v.person.Actor(), d.ID)
	if err != nil {
		return told(v, address, err)
	}
	return v.done(v.base()+address, said{Text: attemptWords(v, d.LastAttempt(), "dev_retry")}), nil
}

// devEvents is the list of events.
type devEvents struct {
	Types    []choice
	Events   []devEventRow
	Older    string
	Filtered bool
}

// devEventRow is an event in a list, or on its own page with its body.
type devEventRow struct {
	ID      frontdesk.ID
	Type    string
	Words   string
	When    string
	Exactly string
	Agent   string
	Body    string
}

func (c developersScreen) listEvents(v *visit) (answer, error) {
	page, err := startingAfter(v)
	if err != nil {
		return answer{}, err
	}
	kinds := slices.Concat(frontdesk.EventTypes, frontdesk.AdditionalEvents)
	wish := v.field("type")
	if !slices.Contains(kinds, wish) {
		wish = ""
	}
	list, err := c.store.Events(v.Context(), v.owner(), frontdesk.EventFilter{Type: wish, AgentID: v.agentID()}, page)
	if err != nil {
		return answer{}, err
	}
	data := devEvents{Types: []choice{{v.say("dev_type_all"), "", wish == ""}}, Filtered: wish != "" || page.StartingAfter != ""}
	for _, kind := range kinds {
		data.Types = append(data.Types, choice{kind, kind, kind == wish})
	}
	for _, e := range list.Items {
		data.Events = append(data.Events, newEventRow(v, e))
		data.Older = older("developers/events", list.More, e.ID, "type", wish)
	}
	return v.page("dev_events", data)
}

func newEventRow(v *visit, e frontdesk.Event) devEventRow {
	return devEventRow{
		ID: e.ID, Type: e.Type, Words: eventWords(v, e.Type), When: v.ago(e.CreatedAt), Exactly: wire.Time(e.CreatedAt), Agent: agentName(v, e.AgentID),
	}
}

func (c developersScreen) showEvent(v *visit) (answer, error) {
	id, err := v.pathID("event")
	if err != nil {
		return answer{}, err
	}
	e, err := c.store.Event(v.Context(), v.owner(), id)
	if err != nil {
		return answer{}, err
	}
	row := newEventRow(v, e)
	row.Body = pretty(e.Body)
	return v.page("dev_event", row)
}

// eventWords say what a kind of event tells of.
func eventWords(v *visit, kind string) string {
	return v.say("event_" + strings.ReplaceAll(kind, ".", "_"))
}

// pretty breaks JSON into lines.
func pretty(body []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}
