package console

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// devConnections is the list of connections.
type devConnections struct {
	Connections []devConnection
	Older       string
	Full        bool // the plan allows no more
	Most        int
}

// devConnection is a connection: never its secret.
type devConnection struct {
	ID     frontdesk.ID
	Name   string
	URL    string
	State  string // new, well, failing or disabled
	Last   string // when something was last delivered, or failed
	Events []string
	By     string // who has disabled it: customer, operator, system
	Reason string
}

// devConnectionPage is one connection, its deliveries, and what can be done with
// it.
type devConnectionPage struct {
	devConnection
	Prefix     string
	OldUntil   string
	Health     frontdesk.ConnectionHealth
	HTTPStatus string
	Created    string
	Statuses   []choice
	Deliveries []devDelivery
	Older      string
	Filtered   bool
	Form       frontdesk.ID
	Graces     []choice
}

// devConnectionForm asks for a connection, or changes one.
type devConnectionForm struct {
	ID     frontdesk.ID // "": a new one
	Form   frontdesk.ID
	Name   string
	URL    string
	Events []devEvent
	Fault  devFault
}

// devEvent is a kind of event that a connection can be told of.
type devEvent struct {
	Name   string
	Words  string
	Chosen bool
}

func (c developersScreen) listConnections(v *visit) (answer, error) {
	page, err := startingAfter(v)
	if err != nil {
		return answer{}, err
	}
	list, err := c.store.Connections(v.Context(), v.owner(), page)
	if err != nil {
		return answer{}, err
	}
	used, err := c.store.CountConnections(v.Context(), v.owner())
	if err != nil {
		return answer{}, err
	}
	data := devConnections{Most: v.tenant.Plan.MaxConnections, Full: used >= v.tenant.Plan.MaxConnections}
	for _, one := range list.Items {
		data.Connections = append(data.Connections, newDevConnection(v, one))
		data.Older = older("developers/connections", list.More, one.ID)
	}
	return v.page("dev_connections", data)
}

func newDevConnection(v *visit, c frontdesk.Connection) devConnection {
	d := devConnection{
		ID: c.ID, Name: c.Name, URL: c.URL, State: "new", Events: slices.Concat(c.Events, c.MoreEvents),
		By: c.DisabledBy, Reason: c.DisabledReason,
	}
	if c.DisabledBy == frontdesk.BySystem { // its reasons are of our own making
		d.Reason = v.say("dev_reason_system")
	}
	switch {
	case c.Status == frontdesk.ConnectionDisabled:
		d.State = "disabled"
	case c.Health.ConsecutiveFailures > 0:
		d.State, d.Last = "failing", momentOf(v, c.Health.LastFailureAt)
	case !c.Health.LastDeliveredAt.IsZero():
		d.State, d.Last = "well", momentOf(v, c.Health.LastDeliveredAt)
	}
	return d
}

func (c developersScreen) showConnection(v *visit) (answer, error) {
	one, err := c.connection(v)
	if err != nil {
		return answer{}, err
	}
	one.Health.DeliveryCounts, err = c.store.CountDeliveries(v.Context(), v.owner(), one.ID, v.now.Add(-24*time.Hour))
	if err != nil {
		return answer{}, err
	}
	data := devConnectionPage{
		devConnection: newDevConnection(v, one), Prefix: one.Secret.Prefix, Health: one.Health, Created: momentOf(v, one.CreatedAt),
		Form: newForm(v), Graces: graceChoices(v),
	}
	if one.OldSecret != nil && v.now.Before(one.OldUntil) {
		data.OldUntil = momentOf(v, one.OldUntil)
	}
	if one.Health.LastHTTPStatus > 0 {
		data.HTTPStatus = strconv.Itoa(one.Health.LastHTTPStatus)
	}
	if err := c.addDeliveries(v, &data); err != nil {
		return answer{}, err
	}
	return v.page("dev_connection", data)
}

// connection is the one that the address names.
func (c developersScreen) connection(v *visit) (frontdesk.Connection, error) {
	id, err := v.pathID("connection")
	if err != nil {
		return frontdesk.Connection{}, err
	}
	return c.store.Connection(v.Context(), v.owner(), id)
}

func (c developersScreen) newConnection(v *visit) (answer, error) {
	return v.page("dev_connection_form", connectionForm(v, "", "", "", frontdesk.EventTypes))
}

func (c developersScreen) editConnection(v *visit) (answer, error) {
	one, err := c.connection(v)
	if err != nil {
		return answer{}, err
	}
	return v.page("dev_connection_form", connectionForm(v, one.ID, one.Name, one.URL, slices.Concat(one.Events, one.MoreEvents)))
}

func connectionForm(v *visit, id frontdesk.ID, name, url string, events []string) devConnectionForm {
	f := devConnectionForm{ID: id, Form: newForm(v), Name: name, URL: url}
	for _, e := range slices.Concat(frontdesk.EventTypes, frontdesk.AdditionalEvents) {
		f.Events = append(f.Events, devEvent{e, eventWords(v, e), slices.Contains(events, e)})
	}
	return f
}

// connectionFields are those of the form.
type connectionFields struct {
	name, url    string
	events, more []string
}

// readConnection reads the form of a connection and checks it as the API does.
func readConnection(v *visit) (f connectionFields, err error) {
	f.name, f.url, f.events, f.more = v.field("name"), v.field("url"), []string{}, []string{}
	values := []any{}
	for _, e := range v.http.PostForm["events"] {
		if slices.Contains(frontdesk.AdditionalEvents, e) {
			f.more = append(f.more, e)
			continue
		}
		f.events = append(f.events, e)
		values = append(values, e)
	}
	rules, err := description.Load()
	if err != nil {
		return f, err
	}
	return f, rules.Check("ConnectionInput", map[string]any{"name": f.name, "url": f.url, "events": values})
}

// refuseConnection shows the form again with what is wrong.
func refuseConnection(v *visit, id frontdesk.ID, f connectionFields, err error) (answer, error) {
	fault, is := devFaultOf(v, err, "name", "url", "events")
	if !is {
		return answer{}, err
	}
	form := connectionForm(v, id, f.name, f.url, slices.Concat(f.events, f.more))
	form.Fault = fault
	return v.render(http.StatusBadRequest, "dev_connection_form", form)
}

// createConnection makes a connection and shows the secret that signs for it.
func (c developersScreen) createConnection(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	return c.once(v, devSecret{Tab: "connections", Back: "developers/connections"}, func() (answer, error) {
		f, err := readConnection(v)
		if err != nil {
			return refuseConnection(v, "", f, err)
		}
		one, secret, err := c.webhooks.Connect(v.Context(), v.owner(), v.person.Actor(),
			frontdesk.ConnectionInput{Name: f.name, URL: f.url, Events: f.events}, v.tenant.Plan.MaxConnections)
		if err != nil {
			return refuseConnection(v, "", f, err)
		}
		if len(f.more) > 0 {
			if _, err := c.webhooks.SetAdditionalEvents(v.Context(), v.owner(), v.person.Actor(), one.ID, f.more); err != nil {
				// The connection stands, and its secret can only be shown now.
				c.log.Error("a new connection was not told of further events", "connection", one.ID, "error", err)
			}
		}
		return showSecret(v, devSecret{
			Tab: "connections", Name: one.Name, Secret: secret.Reveal(), Back: "developers/connections/" + string(one.ID),
		})
	})
}

// changeConnection saves the form, and offers the way back.
func (c developersScreen) changeConnection(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	before, err := c.connection(v)
	if err != nil {
		return answer{}, err
	}
	f, err := readConnection(v)
	if err != nil {
		return refuseConnection(v, before.ID, f, err)
	}
	patch := frontdesk.ConnectionPatch{Name: &f.name, URL: &f.url, Events: f.events}
	if _, err := c.webhooks.Change(v.Context(), v.owner(), v.person.Actor(), before.ID, patch); err != nil {
		return refuseConnection(v, before.ID, f, err)
	}
	if _, err := c.webhooks.SetAdditionalEvents(v.Context(), v.owner(), v.person.Actor(), before.ID, f.more); err != nil {
		return answer{}, err
	}
	address := "developers/connections/" + string(before.ID)
	undo := [][2]string{{"name", before.Name}, {"url", before.URL}}
	for _, e := range slices.Concat(before.Events, before.MoreEvents) {
		undo = append(undo, [2]string{"events", e})
	}
	return v.done(v.base()+address, said{v.say("dev_connection_saved"), address, undo}), nil
}

func (c developersScreen) enableConnection(v *visit) (answer, error) {
	return c.switchConnection(v, "dev_connection_on", "disable", func(id frontdesk.ID) error {
		_, err := c.webhooks.Enable(v.Context(), v.owner(), v.person.Actor(), id)
		return err
	})
}

func (c developersScreen) disableConnection(v *visit) (answer, error) {
	return c.switchConnection(v, "dev_connection_off", "enable", func(id frontdesk.ID) error {
		_, err := c.webhooks.Disable(v.Context(), v.owner(), v.person.Actor(), id, frontdesk.ByCustomer, "")
		return err
	})
}

// switchConnection turns a connection on or off, and offers the way back.
func (c developersScreen) switchConnection(v *visit, text, undo string, turn func(frontdesk.ID) error) (answer, error) {
	one, err := c.connection(v)
	if err != nil {
		return answer{}, err
	}
	if err := turn(one.ID); err != nil {
		return answer{}, err
	}
	address := "developers/connections/" + string(one.ID)
	return v.done(v.base()+address, said{Text: v.say(text), Action: address + "/" + undo}), nil
}

// testConnection sends a test now: it takes as long as the receiver does.
func (c developersScreen) testConnection(v *visit) (answer, error) {
	one, err := c.connection(v)
	if err != nil {
		return answer{}, err
	}
	address := "developers/connections/" + string(one.ID)
	attempt, err := c.webhooks.Test(v.Context(), v.tenant, v.owner(), one.ID)
	if err != nil {
		return told(v, address, err)
	}
	return v.done(v.base()+address, said{Text: attemptWords(v, attempt, "dev_test")}), nil
}

// attemptWords say how an attempt ended.
func attemptWords(v *visit, a frontdesk.Attempt, key string) string {
	if a.OK() {
		return v.say(key+"_ok", "status", strconv.Itoa(a.HTTPStatus), "ms", v.figure(int(a.Latency.Milliseconds())))
	}
	return v.say(key+"_failed", "why", failureWords(v, a.ErrorCode, a.HTTPStatus, a.Message))
}

// rotateConnection gives a connection a new secret and shows it.
func (c developersScreen) rotateConnection(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	before, err := c.connection(v)
	if err != nil {
		return answer{}, err
	}
	grace, err := readGrace(v)
	if err != nil {
		return answer{}, err
	}
	back := "developers/connections/" + string(before.ID)
	return c.once(v, devSecret{Tab: "connections", Name: before.Name, Back: back}, func() (answer, error) {
		one, secret, err := c.webhooks.Rotate(v.Context(), v.owner(), v.person.Actor(), before.ID, grace)
		if err != nil {
			return answer{}, err
		}
		return showSecret(v, devSecret{
			Tab: "connections", Name: one.Name, Secret: secret.Reveal(), OldEnd: v.moment(c.now().Add(grace).In(v.zone)), Back: back,
		})
	})
}

func (c developersScreen) deleteConnection(v *visit) (answer, error) {
	one, err := c.connection(v)
	if err != nil {
		return answer{}, err
	}
	if err := c.store.DeleteConnection(v.Context(), v.owner(), v.person.Actor(), one.ID); err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"developers/connections", said{Text: v.say("dev_connection_deleted", "name", one.Name)}), nil
}
