package app

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
)

// The work that leaves something for later when a stop cuts it off.
const (
	keyUse         = "key use"
	visits         = "console visits"
	requestLog     = "request log"
	documents      = "document reader"
	lightDocuments = "light document reader"
	dispatching    = "dispatcher"
	mailing        = "mail"
	texting        = "text messages"
	doorMail       = "console mail"
)

// cutOff says what it means for the data that work was cut off. Work that is not
// named here loses nothing: it begins again with the next start.
var cutOff = map[string]string{
	keyUse:         "when keys were last used is not written for the last 30 seconds",
	visits:         "when people were last seen in the console is not written for the last 30 seconds",
	requestLog:     "requests of the last moments are not shown in the console",
	documents:      "the document that was being read is read again, by another node or after the next start, within two minutes",
	lightDocuments: "the document that was being read is read again, by another node or after the next start, within two minutes",
	dispatching:    "deliveries that were under way are sent again, by another node or after the next start, within a minute; their receivers may get them twice, with the same webhook-id",
	mailing:        "mails that were under way are sent again, by another node or after the next start, within a minute; they may come twice, with the same Message-ID",
	texting:        "text messages that were under way are sent again, by another node or after the next start, within a minute; they may come twice",
	doorMail:       "links to enter the console that people asked for in the last moments are not mailed; they can ask again",
}

// How far apart it is looked for outside calendars to read, and for appointments
// to write into them.
const (
	calendarsEvery      = 10 * time.Second
	calendarWritesEvery = 2 * time.Second
)

// backupsEvery is how far apart it is looked whether a backup is due.
const backupsEvery = 10 * time.Second

// prepareAfter is when the PDF reader is compiled: once the start is over and the
// first requests are served.
const prepareAfter = 15 * time.Second

// startWork starts all that a process does by itself.
func (p *parts) startWork(work *service.Group) {
	keep := housekeeping{p}
	work.Every(keyUse, 30*time.Second, p.logged("writing the use of keys", p.keys.WriteUse))
	work.Every(visits, 30*time.Second, p.logged("writing when people were seen", p.people.WriteSeen))
	work.Every(requestLog, time.Second, p.api.Requests().Keep)
	work.Every("old requests", 10*time.Minute, p.logged("forgetting old requests", p.api.Requests().Forget))
	work.Every("old sessions", 10*time.Minute, p.logged("forgetting old sessions and links", p.people.Prune))
	work.Every("old answers", 10*time.Minute, p.logged("forgetting old answers", p.api.ForgetAnswers))
	work.Every("old deliveries", 10*time.Minute, p.logged("pruning deliveries", p.dispatch.Prune))
	work.Every("tallies", tallyEvery, (&tallies{store: p.store, log: p.log}).keep)
	work.Every("words of older calls", wordsEvery, p.logged("indexing the words of older calls", keep.indexOlderCalls))
	work.Every("idle indices", time.Minute, p.shelves.Tidy)
	work.Every("orphaned bytes", time.Hour, p.logged("sweeping bytes without a document", p.library.Sweep))
	work.Every("old questions", time.Hour, p.logged("forgetting old questions", p.library.ForgetQuestions))
	work.Every("outside calendars", calendarsEvery, p.logged("reading outside calendars", p.outside.ReadDue))
	work.Every("writes into outside calendars", calendarWritesEvery, p.logged("writing into outside calendars", p.outside.WriteDue))
	work.Every("old writes into outside calendars", time.Hour, p.logged("forgetting old writes into calendars", p.outside.Prune))
	work.Go("lexicon", p.logged("reading the lexicon", p.warmHearing))
	work.Every("silent conversations", sweepEvery, p.logged("sweeping silent conversations", p.sessions.Sweep))
	work.Go("PDF reader", later(prepareAfter, p.logged("preparing the PDF reader", p.pdf.Prepare)))
	work.Every("idle PDF reader", time.Minute, p.logged("resting the PDF reader", p.pdf.Rest))
	if p.nodes != nil {
		work.Every("limits of all nodes", limitsEvery, p.nodes.exchange)
	}
	if p.backups != nil {
		work.Every("backups", backupsEvery, p.backups.Run)
	}
	work.Keep(documents, p.reading.Run)
	work.Keep(lightDocuments, p.light.Run)
	work.Keep(dispatching, p.dispatch.Run)
	work.Every("summaries", time.Minute, p.logged("planning the summaries of the day", p.notices.PlanSummaries))
	work.Every("old notices", 10*time.Minute, p.logged("pruning notices", p.notices.Prune))
	work.Every("waiting list", time.Minute, p.logged("looking for places for who waits", func(ctx context.Context) error { return p.calendar.OfferPlaces(ctx, p.now()) }))
	work.Every("what tenants keep for some days", 10*time.Minute, p.logged("forgetting what tenants keep for some days", keep.sweepRetention))
	work.Go("partitions at the start", p.logged("keeping partitions", keep.keepPartitions))
	work.Every("partitions", partitionsEvery, p.logged("keeping partitions", keep.keepPartitions))
	work.Every("old audit entries", time.Hour, p.logged("pruning audit entries", keep.pruneAudit))
	work.Keep(mailing, func(ctx context.Context) { p.notices.Run(ctx, frontdesk.ByEmail) })
	work.Keep(texting, func(ctx context.Context) { p.notices.Run(ctx, frontdesk.ByText) })
	work.Keep(doorMail, p.console.Run)
	work.Keep("listener", p.dispatch.Listen)
	if p.certs != nil {
		work.Keep("certificates", p.certs.Run)
	}
}

// housekeeping keeps the database in order.
type housekeeping struct{ *parts }

// sweepRetention forgets what tenants keep for some days, and notes when all of it was.
func (p housekeeping) sweepRetention(ctx context.Context) error {
	if err := p.privacy.Sweep(ctx); err != nil {
		return err
	}
	p.swept.Store(p.now().Unix())
	return nil
}

// auditAtOnce is how many audit entries are deleted in one go.
const auditAtOnce = 500

// pruneAudit deletes the audit entries that have been kept long enough.
func (p housekeeping) pruneAudit(ctx context.Context) error {
	for {
		n, err := p.store.PruneAuditForWorker(ctx, p.now().Add(-frontdesk.AuditKept), auditAtOnce)
		if err != nil || n < auditAtOnce {
			return err
		}
	}
}

// later does work after some time, unless ctx ends before.
func later(after time.Duration, work func(context.Context)) func(context.Context) {
	return func(ctx context.Context) {
		select {
		case <-time.After(after):
			work(ctx)
		case <-ctx.Done():
		}
	}
}

func (p *parts) logged(doing string, work func(context.Context) error) func(context.Context) {
	return func(ctx context.Context) {
		if err := work(ctx); err != nil {
			p.log.Error(doing+" failed", "error", err)
		}
	}
}
