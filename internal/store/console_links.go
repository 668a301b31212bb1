package store

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// AddConsoleLink writes a link of a person, who is found already, that somebody
// makes for them.
func (s *Store) AddConsoleLink(ctx context.Context, by frontdesk.Actor, l frontdesk.ConsoleLink) error {
	return s.transact(ctx, "making a link", func(t *tx) error {
		if _, found, err := t.keepPerson(`$1`, string(l.PersonID)); err != nil || !found {
			return orElse(err, frontdesk.NoSuchPerson())
		}
		v, err := t.visitor(l.PersonID)
		if err != nil {
			return err
		}
		if !v.Person.IsOperator() {
			if err := t.auditBoth(v.Person.TenantID, by, change{frontdesk.AuditPersonLinked, string(l.PersonID), v.Person.Name, nil}); err != nil {
				return err
			}
		}
		// Who gets a new link has lost the old one, or somebody else has it.
		if _, err := t.exec(`DELETE FROM console_links WHERE person_id = $1 AND purpose = $2`, string(l.PersonID), string(l.Purpose)); err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO console_links (hash, person_id, purpose, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
			l.Hash[:], string(l.PersonID), string(l.Purpose), micros(l.CreatedAt), micros(l.ExpiresAt))
		return err
	})
}

// orElse is an error, or the other one where there is none.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// ConsoleLinkByHash finds a link that can still be used, and whose it is, by the
// hash of what a browser sent: what comes before we know who asks.
func (s *Store) ConsoleLinkByHash(ctx context.Context, hash frontdesk.ConsoleHash, now time.Time) (l frontdesk.ConsoleLink, v Visitor, err error) {
	v, err = one(s.asking(ctx, "looking a link up"), "link",
		`SELECT `+visitorColumns+`, l.purpose, l.created_at, l.expires_at FROM console_links l JOIN people p ON p.id = l.person_id`+theirTenant+`
		WHERE l.hash = $1 AND l.expires_at > $2`,
		[]any{hash[:], micros(now)}, func(r row) (Visitor, error) {
			var createdAt, expiresAt int64
			v, err := scanVisitor(r, &l.Purpose, &createdAt, &expiresAt)
			l.Hash, l.PersonID, l.CreatedAt, l.ExpiresAt = hash, v.Person.ID, fromMicros(createdAt), fromMicros(expiresAt)
			return v, err
		})
	return l, v, err
}

// UseConsoleLink uses a link up and makes the session, which becomes the
// person's. It says whether it did: of many at once one does.
func (s *Store) UseConsoleLink(ctx context.Context, hash frontdesk.ConsoleHash, c frontdesk.ConsoleSession) (v Visitor, used bool, err error) {
	err = s.transact(ctx, "using a link", func(t *tx) error {
		person, found, err := t.keepPerson(`(SELECT l.person_id FROM console_links l WHERE l.hash = $1)`, hash[:])
		if err != nil || !found {
			return err
		}
		deleted, err := t.exec(`DELETE FROM console_links WHERE hash = $1 AND expires_at > $2`, hash[:], micros(c.CreatedAt))
		if err != nil || deleted == 0 {
			return err
		}
		c.PersonID = person
		v, err = t.enter(c)
		used = err == nil
		return err
	})
	return v, used && err == nil, err
}
