package console

import (
	"context"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// healthPage is how the server does.
type healthPage struct {
	Version, Uptime string
	Lines           []healthLine
	Faults          []fault
}

// fault is a request that failed by the server's own fault.
type fault struct {
	What      string // method and path
	When      string
	Tenant    string
	Code      string
	RequestID string // by which the log is searched
}

// healthLine is one thing that can be well or not.
type healthLine struct {
	Name   string // of its words
	Good   bool
	Text   string
	Detail string
}

// How long something may wait before it is shown as trouble, how many dead
// deliveries are counted, and how long the bytes of documents may take to answer.
const (
	lateAfter      = 5 * time.Minute
	deadCounted    = 1000
	documentsGrace = 2 * time.Second
	faultsShown    = 20
	faultsSince    = 24 * time.Hour
)

// health shows what a probe, the figures and the doctor know and that is quickly
// had.
func (c operatorScreen) health(v *visit) (answer, error) {
	page := healthPage{Version: c.server.Version}
	if !c.server.Started.IsZero() {
		page.Uptime = span(v, c.now().Sub(c.server.Started))
	}
	for _, look := range []func(*visit) []healthLine{c.database, c.documents, c.queue, c.notices} {
		page.Lines = append(page.Lines, look(v)...)
	}
	var line healthLine
	line, page.Faults = c.faults(v)
	page.Lines = append(page.Lines, line)
	return v.page("operator_health", page)
}

// faults are the requests of the last day that failed by the server's own fault.
func (c operatorScreen) faults(v *visit) (line healthLine, all []fault) {
	line.Name = "faults"
	found, err := c.store.FaultsForWorker(v.Context(), c.now().Add(-faultsSince), faultsShown+1)
	if err != nil {
		line.Text = v.say("health_unknown")
		return line, nil
	}
	for _, r := range found[:min(len(found), faultsShown)] {
		f := fault{What: r.Method + " " + r.Path, When: v.moment(r.At.In(v.zone)), Code: r.Code, RequestID: r.RequestID}
		if t, err := c.store.Tenant(v.Context(), r.Owner); err == nil {
			f.Tenant = t.Slug
		}
		all = append(all, f)
	}
	line.Good = len(all) == 0
	line.Text = v.say("health_no_faults")
	if !line.Good {
		n := v.figure(len(all))
		if len(found) > faultsShown {
			n += "+"
		}
		line.Text, line.Detail = v.say("health_some_faults", "n", n), v.say("health_faults_help")
	}
	return line, all
}

func (c operatorScreen) database(v *visit) []healthLine {
	line := healthLine{Name: "database", Detail: c.store.Name()}
	began := time.Now()
	if err := c.store.Ping(v.Context()); err != nil {
		c.log.Warn("the database does not answer", "error", err)
		line.Text = v.say("health_silent")
		return []healthLine{line}
	}
	line.Good, line.Text = true, v.say("health_answers", "ms", strconv.FormatInt(time.Since(began).Milliseconds(), 10))
	if version, _, err := c.store.Version(v.Context()); err == nil {
		line.Detail += " " + version
	}
	return []healthLine{line}
}

func (c operatorScreen) documents(v *visit) []healthLine {
	if c.server.CheckDocuments == nil {
		return nil
	}
	line := healthLine{Name: "documents", Detail: c.server.Documents, Good: true, Text: v.say("health_stores")}
	ctx, cancel := context.WithTimeout(v.Context(), documentsGrace)
	defer cancel()
	if err := c.server.CheckDocuments(ctx); err != nil {
		c.log.Warn("documents cannot be stored", "error", err)
		line.Good, line.Text = false, v.say("health_stores_not")
	}
	return []healthLine{line}
}

// queue is what waits to be delivered, and what was given up.
func (c operatorScreen) queue(v *visit) []healthLine {
	open, oldest, err := c.store.QueueForWorker(v.Context(), c.now())
	if err != nil {
		return []healthLine{{Name: "deliveries", Text: v.say("health_unknown")}}
	}
	lines := []healthLine{waiting(v, "deliveries", open, oldest)}
	dead, err := c.store.CountDeadDeliveriesForWorker(v.Context(), deadCounted)
	if err != nil {
		return append(lines, healthLine{Name: "given_up", Text: v.say("health_unknown")})
	}
	text := v.figure(dead)
	if dead == deadCounted {
		text += "+"
	}
	return append(lines, healthLine{Name: "given_up", Good: dead == 0, Text: v.say("health_dead", "n", text)})
}

// notices is how mails and text messages stand.
func (c operatorScreen) notices(v *visit) (lines []healthLine) {
	queues, err := c.store.NoticeQueuesForWorker(v.Context(), c.now())
	if err != nil {
		return []healthLine{{Name: "notices_email", Text: v.say("health_unknown")}}
	}
	for _, channel := range frontdesk.NoticeChannels {
		q := queues[channel]
		line := waiting(v, "notices_"+string(channel), q.Due, q.Oldest)
		line.Good = line.Good && q.Dead == 0
		line.Detail = v.say("health_notices", "open", v.figure(q.Open), "failed", v.figure(q.Failed), "dead", v.figure(q.Dead))
		lines = append(lines, line)
	}
	return lines
}

// waiting is a queue: how much waits, and since when.
func waiting(v *visit, name string, open int, oldest time.Duration) healthLine {
	line := healthLine{Name: name, Good: oldest < lateAfter, Text: v.say("health_waiting", "n", v.figure(open))}
	if oldest > 0 {
		line.Detail = v.say("health_oldest", "span", span(v, oldest))
	}
	return line
}

// span is a time in words, as long as it is.
func span(v *visit, d time.Duration) string {
	switch {
	case d < time.Minute:
		return v.say("span_seconds", "n", strconv.Itoa(int(d/time.Second)))
	case d < 2*time.Hour:
		return v.say("span_minutes", "n", strconv.Itoa(int(d/time.Minute)))
	case d < 48*time.Hour:
		return v.say("span_hours", "n", strconv.Itoa(int(d/time.Hour)))
	}
	return v.say("span_days", "n", strconv.Itoa(int(d/(24*time.Hour))))
}
