package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const noticeColumns = `live, id, agent_id, capture_id, call_id, kind, channel, address, language, scheduled_at, former,
	status, attempts, error_code, message, reference, created_at, due_at, sent_at, planned_at`

// Notices lists what the owner's customers and the owner itself were told, or
// are to be.
func (s *Store) Notices(ctx context.Context, owner frontdesk.Owner, f frontdesk.NoticeFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Notice], error) {
	filters := []filter{
		{column: "status", value: string(f.Status)},
		{column: "kind", value: string(f.Kind)},
		{column: "capture_id", value: string(f.CaptureID)},
	}
	return page(ctx, s, "listing notices", `SELECT `+noticeColumns+` FROM notices`, owner, p, filters, func(r row) (frontdesk.Notice, error) {
		return scanNotice(r)
	})
}

// AddNotices writes notices of the owner's that no change of a capture brought.
// One that was written before, by its Once, is passed over.
func (s *Store) AddNotices(ctx context.Context, owner frontdesk.Owner, all ...frontdesk.Notice) error {
	return s.transact(ctx, "writing notices", func(t *tx) error { return t.insertNotices(owner, all) })
}

// RetryNotice has one of the owner's notices that was not sent tried again.
func (s *Store) RetryNotice(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, now time.Time) error {
	return s.transact(ctx, "retrying a notice", func(t *tx) error {
		n, err := one(t.each, "notice", `SELECT `+noticeColumns+` FROM notices
			WHERE tenant_id = $1 AND live = $2 AND id = $3 AND status IN ('failed', 'dead')`+t.dialect.forUpdate,
			[]any{string(owner.TenantID), owner.Live, string(id)}, func(r row) (frontdesk.Notice, error) { return scanNotice(r) })
		if err != nil {
			return err
		}
		if err := t.later(`UPDATE notices SET status = 'failed', attempts = 0, due_at = $4 WHERE tenant_id = $1 AND live = $2 AND id = $3`,
			string(owner.TenantID), owner.Live, string(id), micros(now)); err != nil {
			return err
		}
		after := n
		after.Status, after.Attempts = frontdesk.NoticeFailed, 0
		return t.audit(owner, by, change{frontdesk.AuditNoticeRetried, string(id), string(n.Kind), frontdesk.NoticeChanges(n, after)})
	})
}

// Unsent says which of the owner's notices that were given up are meant.
type Unsent struct {
	AgentID frontdesk.ID // "": of any agent
	Since   time.Time    // to be sent then or later; zero: any
}

// RetryDeadNotices has those of the owner's notices that were given up tried
// again, at most so many, and says how many it were. Callers ask again until it
// is none. Mails that came back stay as they are: the relay works, the address
// does not.
func (s *Store) RetryDeadNotices(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, which Unsent, now time.Time, most int) (retried int64, err error) {
	args := []any{string(owner.TenantID), owner.Live, micros(now), most, frontdesk.NoticeBounced, frontdesk.NoticeBadAddress}
	where := ""
	if which.AgentID != "" {
		args = append(args, string(which.AgentID))
		where += fmt.Sprintf(" AND agent_id = $%d", len(args))
	}
	if !which.Since.IsZero() {
		args = append(args, micros(which.Since))
		where += fmt.Sprintf(" AND COALESCE(planned_at, created_at) >= $%d", len(args))
	}
	err = s.transact(ctx, "retrying notices", func(t *tx) error {
		retried, err = t.exec(`UPDATE notices SET status = 'failed', attempts = 0, due_at = $3 WHERE (tenant_id, live, id) IN
			(SELECT tenant_id, live, id FROM notices WHERE tenant_id = $1 AND live = $2 AND status = 'dead' AND error_code NOT IN ($5, $6)`+where+`
			ORDER BY id LIMIT $4 + 0`+t.dialect.skip+`)`, args...)
		if err != nil || retried == 0 {
			return err
		}
		// One entry for all of them: after a night without a mail relay it may be
		// thousands.
		return t.audit(owner, by, change{frontdesk.AuditNoticeRetried, string(which.AgentID), "", []frontdesk.FieldChange{
			{Field: "status", From: string(frontdesk.NoticeDead), To: string(frontdesk.NoticeFailed)},
			{Field: "notices", To: strconv.FormatInt(retried, 10)},
		}})
	})
	return retried, err
}

// StopReminders keeps anybody from being reminded at an address by the owner.
func (s *Store) StopReminders(ctx context.Context, owner frontdesk.Owner, address string, now time.Time) error {
	return s.transact(ctx, "stopping reminders", func(t *tx) error {
		if err := t.later(`INSERT INTO notice_stops (tenant_id, live, address, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
			string(owner.TenantID), owner.Live, address, micros(now)); err != nil {
			return err
		}
		return t.later(`UPDATE notices SET status = 'ended', due_at = NULL, message = $4
			WHERE tenant_id = $1 AND live = $2 AND address = $3 AND kind = 'reminder' AND status IN ('pending', 'failed')`,
			string(owner.TenantID), owner.Live, address, "Reminders were stopped at this address.")
	})
}

// RemindersStopped says whether nobody is to be reminded at an address.
func (s *Store) RemindersStopped(ctx context.Context, owner frontdesk.Owner, address string) (stopped bool, err error) {
	err = s.each(ctx, "reading stopped reminders", `SELECT address FROM notice_stops WHERE tenant_id = $1 AND live = $2 AND address = $3`,
		[]any{string(owner.TenantID), owner.Live, address}, func(r row) error {
			stopped = true
			return r.Scan(new(string))
		})
	return stopped, err
}

// NoticesTo counts what the owner has sent to an address since an instant, whatever
// tag stands behind a plus in it: that is one mailbox.
func (s *Store) NoticesTo(ctx context.Context, owner frontdesk.Owner, address string, since time.Time) (n int, err error) {
	mailbox, tagged := untagged(address)
	err = s.row(ctx, "counting notices to an address", `SELECT COUNT(*) FROM notices
		WHERE tenant_id = $1 AND live = $2 AND (address = $3 OR address LIKE $5 ESCAPE '\') AND sent_at >= $4`,
		[]any{string(owner.TenantID), owner.Live, mailbox, micros(since), tagged}, &n)
	return n, err
}

// untagged is an e-mail address without the tag behind a plus, and a pattern of the
// same mailbox with any tag. What is no such address is its own pattern.
func untagged(address string) (mailbox, tagged string) {
	quote := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	name, domain, is := strings.Cut(address, "@")
	if !is {
		return address, quote.Replace(address)
	}
	name, _, _ = strings.Cut(name, "+")
	return name + "@" + domain, quote.Replace(name) + "+%@" + quote.Replace(domain)
}

// NoticesOf counts what an agent of the owner's has sent its customers by a
// channel since an instant.
func (s *Store) NoticesOf(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID, channel frontdesk.NoticeChannel, since time.Time) (n int, err error) {
	err = s.row(ctx, "counting notices of an agent", `SELECT COUNT(*) FROM notices
		WHERE tenant_id = $1 AND live = $2 AND agent_id = $4 AND channel = $5 AND sent_at >= $3 AND kind NOT LIKE 'owner%'`,
		[]any{string(owner.TenantID), owner.Live, micros(since), string(agent), string(channel)}, &n)
	return n, err
}

// tell writes what news of a capture mean for its notices.
func (t *tx) tell(owner frontdesk.Owner, capture frontdesk.ID, told frontdesk.Telling) error {
	if told.EndReminders {
		if err := t.endNotices(owner, capture, `kind = 'reminder'`, "The appointment or its customer's address has changed."); err != nil {
			return err
		}
	}
	return t.insertNotices(owner, told.Notices)
}

// endNotices ends those of a capture that have not been sent.
func (t *tx) endNotices(owner frontdesk.Owner, capture frontdesk.ID, which, why string) error {
	return t.later(`UPDATE notices SET status = 'ended', due_at = NULL, message = $4
		WHERE tenant_id = $1 AND live = $2 AND capture_id = $3 AND status IN ('pending', 'failed') AND `+which,
		string(owner.TenantID), owner.Live, string(capture), why)
}

// insertNotices writes notices. A change of what somebody was not told of yet is
// told with it: a notice that nobody has begun to send says what is so when it is
// sent.
func (t *tx) insertNotices(owner frontdesk.Owner, all []frontdesk.Notice) error {
	for _, n := range all {
		if n.Kind == frontdesk.NoticeCancellation || n.Kind == frontdesk.OwnerCancellation {
			which := fmt.Sprintf(`attempts = 0 AND kind %s 'owner\_%%' ESCAPE '\'`, map[bool]string{true: "LIKE", false: "NOT LIKE"}[n.Kind.ForOwner()])
			if err := t.endNotices(owner, n.CaptureID, which, "The appointment was cancelled."); err != nil {
				return err
			}
		}
		unless := "FALSE"
		if n.Kind == frontdesk.NoticeChange || n.Kind == frontdesk.OwnerChange {
			unless = `EXISTS (SELECT 1 FROM notices WHERE tenant_id = $1 AND live = $2 AND capture_id = $5 AND address = $9
				AND status = 'pending' AND kind <> 'reminder')`
		}
		if err := t.later(`INSERT INTO notices (tenant_id, `+noticeColumns+`, once)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
			WHERE NOT `+unless+` ON CONFLICT DO NOTHING`, noticeValues(owner, n)...); err != nil {
			return err
		}
	}
	return nil
}

func noticeValues(owner frontdesk.Owner, n frontdesk.Notice) []any {
	due := n.DueAt
	if n.Status == frontdesk.NoticeSending {
		due = n.LeaseUntil
	}
	return []any{
		string(owner.TenantID), owner.Live, string(n.ID), string(n.AgentID), maybeID(n.CaptureID), maybeID(n.CallID), string(n.Kind), string(n.Channel),
		n.Address, maybeText(n.Language), maybeText(string(n.ScheduledAt)), maybeText(string(n.Former)), string(n.Status), n.Attempts,
		n.ErrorCode, n.Message, maybeText(n.Reference), micros(n.CreatedAt), maybeMicros(due), maybeMicros(n.SentAt), maybeMicros(n.PlannedAt), maybeText(n.Once),
	}
}

func scanNotice(r row, more ...any) (n frontdesk.Notice, err error) {
	var capture, call, language, scheduledAt, former, reference sql.NullString
	var createdAt int64
	var due, sentAt, planned sql.NullInt64
	err = r.Scan(append([]any{
		&n.Live, &n.ID, &n.AgentID, &capture, &call, &n.Kind, &n.Channel, &n.Address, &language, &scheduledAt, &former,
		&n.Status, &n.Attempts, &n.ErrorCode, &n.Message, &reference, &createdAt, &due, &sentAt, &planned,
	}, more...)...)
	n.CaptureID, n.CallID = frontdesk.ID(capture.String), frontdesk.ID(call.String)
	n.Language, n.Reference = language.String, reference.String
	n.ScheduledAt, n.Former = frontdesk.LocalTime(scheduledAt.String), frontdesk.LocalTime(former.String)
	n.CreatedAt, n.SentAt, n.PlannedAt = fromMicros(createdAt), fromMaybeMicros(sentAt), fromMaybeMicros(planned)
	if n.Status == frontdesk.NoticeSending {
		n.LeaseUntil = fromMaybeMicros(due)
	} else {
		n.DueAt = fromMaybeMicros(due)
	}
	if n.Status == frontdesk.NoticePending && n.PlannedAt.IsZero() { // nobody has claimed it yet
		n.PlannedAt = n.DueAt
	}
	return n, err
}

// NoticeClaim is a notice that a worker has, with whose it is.
type NoticeClaim struct {
	Owner  frontdesk.Owner
	Notice frontdesk.Notice
}

// ClaimNoticesForWorker takes up to most due notices of a channel until the lease
// ends. Nobody else gets them before that. The attempt counts from here on: should the
// worker die, it is not known whether the notice was sent, and it is sent again.
func (s *Store) ClaimNoticesForWorker(ctx context.Context, channel frontdesk.NoticeChannel, now, leaseUntil time.Time, most int) (all []NoticeClaim, err error) {
	exhausted := fmt.Sprintf("status = 'sending' AND attempts >= %d", frontdesk.MaxAttempts)
	err = s.transact(ctx, "claiming notices", func(t *tx) error {
		all = nil
		return t.each(`WITH due AS MATERIALIZED (
				SELECT tenant_id, live, id FROM notices
				WHERE channel = $4 AND due_at IS NOT NULL AND due_at <= $1 ORDER BY due_at LIMIT $2 + 0`+t.dialect.skip+`)
			UPDATE notices SET status = CASE WHEN `+exhausted+` THEN 'dead' ELSE 'sending' END,
				attempts = CASE WHEN `+exhausted+` THEN attempts ELSE attempts + 1 END,
				message = CASE WHEN `+exhausted+` THEN '`+frontdesk.UnknownEnd+`' ELSE message END,
				due_at = CASE WHEN `+exhausted+` THEN NULL ELSE CAST($3 AS BIGINT) END,
				planned_at = COALESCE(planned_at, due_at)
			WHERE (tenant_id, live, id) IN (SELECT tenant_id, live, id FROM due)
			RETURNING `+noticeColumns+`, tenant_id`,
			[]any{micros(now), most, micros(leaseUntil), string(channel)}, func(r row) (err error) {
				var c NoticeClaim
				c.Notice, err = scanNotice(r, &c.Owner.TenantID)
				c.Owner.Live = c.Notice.Live
				if c.Notice.Status == frontdesk.NoticeSending {
					all = append(all, c)
				}
				return err
			})
	})
	return all, err
}

// SaveNotice writes how an attempt at one of the owner's notices ended. An
// attempt whose lease has passed to another worker changes nothing.
func (s *Store) SaveNotice(ctx context.Context, owner frontdesk.Owner, claimed, after frontdesk.Notice) error {
	_, err := s.exec(ctx, "saving a notice", `UPDATE notices SET status = $4, error_code = $5, message = $6, reference = $7, due_at = $8, sent_at = $9, attempts = $11
		WHERE tenant_id = $1 AND live = $2 AND id = $3 AND status = 'sending' AND COALESCE(due_at, 0) = $10`,
		string(owner.TenantID), owner.Live, string(after.ID), string(after.Status), after.ErrorCode, after.Message, maybeText(after.Reference),
		maybeMicros(after.DueAt), maybeMicros(after.SentAt), micros(claimed.LeaseUntil), after.Attempts)
	return err
}

// BounceNoticesForWorker writes that mails which were sent have come back, and says
// how many. Whose they are is not known before: a Message-ID names the notice.
func (s *Store) BounceNoticesForWorker(ctx context.Context, ids []frontdesk.ID, why string) (n int64, err error) {
	err = s.transact(ctx, "noting what bounced", func(t *tx) error {
		n = 0
		for _, id := range ids {
			changed, err := t.exec(`UPDATE notices SET status = 'dead', error_code = $2, message = $3, due_at = NULL
				WHERE id = $1 AND channel = 'email' AND status = 'sent'`,
				string(id), frontdesk.NoticeBounced, "The mail came back: "+why)
			if err != nil {
				return err
			}
			n += changed
		}
		return nil
	})
	return n, err
}

// CountNoticesForWorker says how many notices of since an instant stand where: sent
// then, or tried, or made,
// of everybody's.
func (s *Store) CountNoticesForWorker(ctx context.Context, since time.Time) (map[frontdesk.NoticeStatus]int, error) {
	counts := map[frontdesk.NoticeStatus]int{}
	err := s.each(ctx, "counting notices", `SELECT status, COUNT(*) FROM notices WHERE COALESCE(sent_at, planned_at, created_at) >= $1 GROUP BY status`,
		[]any{micros(since)}, func(r row) error {
			var status frontdesk.NoticeStatus
			var n int
			err := r.Scan(&status, &n)
			counts[status] = n
			return err
		})
	return counts, err
}

// NoticeQueue is how the notices of a channel stand.
type NoticeQueue struct {
	Open   int           // not done; reminders whose time is to come are among them
	Due    int           // whose time has come, and that nobody is sending
	Oldest time.Duration // since when the oldest of those waits
	Failed int           // tried, and tried again later
	Dead   int           // given up, and not pruned yet
}

// NoticeQueuesForWorker says how everybody's notices stand, by channel.
func (s *Store) NoticeQueuesForWorker(ctx context.Context, now time.Time) (map[frontdesk.NoticeChannel]NoticeQueue, error) {
	queues := map[frontdesk.NoticeChannel]NoticeQueue{}
	for _, channel := range frontdesk.NoticeChannels {
		queues[channel] = NoticeQueue{}
	}
	err := s.each(ctx, "measuring the queue of notices", `SELECT channel, COUNT(*), SUM(CASE WHEN due_at <= $1 THEN 1 ELSE 0 END), MIN(due_at)
		FROM notices WHERE due_at IS NOT NULL GROUP BY channel`, []any{micros(now)}, func(r row) error {
		var channel frontdesk.NoticeChannel
		var q NoticeQueue
		var oldest int64
		err := r.Scan(&channel, &q.Open, &q.Due, &oldest)
		q.Oldest = max(0, now.Sub(fromMicros(oldest)))
		queues[channel] = q
		return err
	})
	if err != nil {
		return nil, err
	}
	// By tenant, so that an index finds the few there are.
	err = s.each(ctx, "counting notices that were not sent", `SELECT n.channel, n.status, COUNT(*) FROM tenants t
		JOIN notices n ON n.tenant_id = t.id AND n.live IN (TRUE, FALSE) AND n.status IN ('failed', 'dead') GROUP BY n.channel, n.status`, nil, func(r row) error {
		var channel frontdesk.NoticeChannel
		var status frontdesk.NoticeStatus
		var n int
		err := r.Scan(&channel, &status, &n)
		q := queues[channel]
		if status == frontdesk.NoticeDead {
			q.Dead = n
		} else {
			q.Failed = n
		}
		queues[channel] = q
		return err
	})
	return queues, err
}

// PruneNoticesForWorker deletes some of the notices that were sent before an
// instant, or were to be, and are done, and says how many. Callers ask again until
// it is none.
func (s *Store) PruneNoticesForWorker(ctx context.Context, before time.Time, most int) (int64, error) {
	return s.exec(ctx, "pruning notices", `DELETE FROM notices WHERE (tenant_id, live, id) IN
		(SELECT tenant_id, live, id FROM notices WHERE created_at < $1 AND due_at IS NULL
			AND COALESCE(sent_at, planned_at, created_at) < $1 ORDER BY created_at LIMIT $2 + 0`+s.dialect.skip+`)`,
		micros(before), most)
}
