package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const sessionColumns = `s.id, s.person_id, s.hash, s.browser, s.address, s.created_at, s.seen_at, s.expires_at`

// Visitor is a person with the tenant they belong to: the zero Tenant of an
// operator.
type Visitor struct {
	Person frontdesk.Person
	Tenant frontdesk.Tenant
}

const (
	visitorColumns = personColumns + `, t.slug, t.name, t.timezone, t.plan, t.created_at`
	theirTenant    = ` LEFT JOIN tenants t ON t.id = p.tenant_id`
)

// ConsoleSessionByHash finds a session and whose it is by the hash of what a
// browser sent: what comes before we know who asks.
func (s *Store) ConsoleSessionByHash(ctx context.Context, hash frontdesk.ConsoleHash) (found frontdesk.ConsoleSession, v Visitor, err error) {
	found, err = one(s.asking(ctx, "looking a session up"), "session",
		`SELECT `+visitorColumns+`, `+sessionColumns+` FROM console_sessions s JOIN people p ON p.id = s.person_id`+theirTenant+` WHERE s.hash = $1`,
		[]any{hash[:]}, func(r row) (c frontdesk.ConsoleSession, err error) {
			var kept sessionRow
			if v, err = scanVisitor(r, kept.dest()...); err != nil {
				return c, err
			}
			return kept.session()
		})
	return found, v, err
}

// visitor is somebody who has just entered, with their tenant.
func (t *tx) visitor(person frontdesk.ID) (Visitor, error) {
	v, err := one(t.each, "person", `SELECT `+visitorColumns+` FROM people p`+theirTenant+` WHERE p.id = $1`, []any{string(person)},
		func(r row) (Visitor, error) { return scanVisitor(r) })
	if isMissing(err) {
		err = frontdesk.NoSuchPerson()
	}
	return v, err
}

// ConsoleSessions lists the sessions of a person that have not expired, the one
// seen last first. The person is who asks, or was found among the owner's people.
func (s *Store) ConsoleSessions(ctx context.Context, person frontdesk.ID, now time.Time) ([]frontdesk.ConsoleSession, error) {
	all := []frontdesk.ConsoleSession{}
	err := s.each(ctx, "listing sessions", `SELECT `+sessionColumns+` FROM console_sessions s WHERE s.person_id = $1 AND s.expires_at > $2 ORDER BY s.seen_at DESC, s.id DESC`,
		[]any{string(person), micros(now)}, func(r row) error {
			var kept sessionRow
			if err := r.Scan(kept.dest()...); err != nil {
				return err
			}
			c, err := kept.session()
			all = append(all, c)
			return err
		})
	return all, err
}

// EndConsoleSession ends a session of a person.
func (s *Store) EndConsoleSession(ctx context.Context, person, id frontdesk.ID) error {
	ended, err := s.exec(ctx, "ending a session", `DELETE FROM console_sessions WHERE person_id = $1 AND id = $2`, string(person), string(id))
	if err == nil && ended == 0 {
		err = frontdesk.NoSuch("session")
	}
	return err
}

// EndOtherConsoleSessions ends all sessions of a person but one, and says how
// many. "" keeps none.
func (s *Store) EndOtherConsoleSessions(ctx context.Context, person, but frontdesk.ID) (int64, error) {
	if but == "" {
		return s.exec(ctx, "ending sessions", `DELETE FROM console_sessions WHERE person_id = $1`, string(person))
	}
	return s.exec(ctx, "ending sessions", `DELETE FROM console_sessions WHERE person_id = $1 AND id <> $2`, string(person), string(but))
}

// EndConsoleSessionByHash ends the session of which a browser showed the secret.
func (s *Store) EndConsoleSessionByHash(ctx context.Context, hash frontdesk.ConsoleHash) error {
	_, err := s.exec(ctx, "ending a session", `DELETE FROM console_sessions WHERE hash = $1`, hash[:])
	return err
}

// Sighting is when and where a session was seen.
type Sighting struct {
	Person  frontdesk.ID
	Address string
	At      time.Time
}

// ConsoleSessionsSeenForWorker notes when sessions were seen last, which then
// last longer.
func (s *Store) ConsoleSessionsSeenForWorker(ctx context.Context, seen map[frontdesk.ID]Sighting) error {
	return s.transact(ctx, "noting when sessions were seen", func(t *tx) error {
		people := map[frontdesk.ID]time.Time{}
		// In one order on all nodes, so that none waits for another in a circle.
		for _, id := range slices.Sorted(maps.Keys(seen)) {
			was := seen[id]
			if err := t.later(`UPDATE console_sessions SET seen_at = $2, address = $3, expires_at = $4 WHERE id = $1 AND seen_at < $2`,
				string(id), micros(was.At), was.Address, micros(was.At.Add(frontdesk.SessionLasts))); err != nil {
				return err
			}
			if people[was.Person].Before(was.At) {
				people[was.Person] = was.At
			}
		}
		for _, id := range slices.Sorted(maps.Keys(people)) {
			if err := t.later(personSeen, string(id), micros(people[id])); err != nil {
				return err
			}
		}
		return nil
	})
}

const personSeen = `UPDATE people SET last_seen_at = $2 WHERE id = $1 AND (last_seen_at IS NULL OR last_seen_at < $2)`

// enter writes a session of a person and says who they are.
func (t *tx) enter(c frontdesk.ConsoleSession) (Visitor, error) {
	if _, err := t.exec(`INSERT INTO console_sessions (id, person_id, hash, browser, address, created_at, seen_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		string(c.ID), string(c.PersonID), c.Hash[:], c.Browser, c.Address, micros(c.CreatedAt), micros(c.SeenAt), micros(c.ExpiresAt)); err != nil {
		return Visitor{}, err
	}
	if _, err := t.exec(personSeen, string(c.PersonID), micros(c.CreatedAt)); err != nil {
		return Visitor{}, err
	}
	return t.visitor(c.PersonID)
}

// keepPerson keeps a person from being removed until the transaction ends. It is
// asked before anything of theirs is locked: who removes them locks in that order.
func (t *tx) keepPerson(where string, args ...any) (id frontdesk.ID, found bool, err error) {
	found, err = t.row(`SELECT p.id FROM people p WHERE p.id = `+where+t.dialect.keepRow, args, &id)
	return id, found, err
}

// ForgetConsoleForWorker deletes some expired sessions, links and challenges, and
// says how many.
func (s *Store) ForgetConsoleForWorker(ctx context.Context, now time.Time, most int) (gone int64, err error) {
	for _, statement := range []string{
		`DELETE FROM console_sessions WHERE hash IN (SELECT hash FROM console_sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 + 0)`,
		`DELETE FROM console_links WHERE hash IN (SELECT hash FROM console_links WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 + 0)`,
		`DELETE FROM passkey_challenges WHERE hash IN (SELECT hash FROM passkey_challenges WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 + 0)`,
	} {
		n, err := s.exec(ctx, "forgetting expired sessions and links", statement, micros(now), most)
		if gone += n; err != nil {
			return gone, err
		}
	}
	return gone, nil
}

func scanVisitor(r row, more ...any) (v Visitor, err error) {
	var slug, name, zone, plan sql.NullString
	var createdAt sql.NullInt64
	v.Person, err = scanPersonAnd(r, append([]any{&slug, &name, &zone, &plan, &createdAt}, more...)...)
	if err != nil || v.Person.IsOperator() {
		return v, err
	}
	v.Tenant = frontdesk.Tenant{ID: v.Person.TenantID, Slug: slug.String, Name: name.String, Timezone: zone.String, CreatedAt: fromMaybeMicros(createdAt)}
	return v, json.Unmarshal([]byte(plan.String), &v.Tenant.Plan)
}

// sessionRow is a session as it is read.
type sessionRow struct {
	kept                       frontdesk.ConsoleSession
	hash                       []byte
	createdAt, seenAt, expires int64
}

func (s *sessionRow) dest() []any {
	return []any{&s.kept.ID, &s.kept.PersonID, &s.hash, &s.kept.Browser, &s.kept.Address, &s.createdAt, &s.seenAt, &s.expires}
}

func (s *sessionRow) session() (frontdesk.ConsoleSession, error) {
	c := s.kept
	if copy(c.Hash[:], s.hash) != len(c.Hash) {
		return c, errors.New("a session's hash has the wrong length")
	}
	c.CreatedAt, c.SeenAt, c.ExpiresAt = fromMicros(s.createdAt), fromMicros(s.seenAt), fromMicros(s.expires)
	return c, nil
}
