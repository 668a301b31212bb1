package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	personColumns = `p.id, p.tenant_id, p.name, p.email, p.role, p.language, p.created_at, p.last_seen_at`
	selectPeople  = `SELECT ` + personColumns + ` FROM people p`
)

// People lists the owner's people, first come first. They are the same in both
// modes.
func (s *Store) People(ctx context.Context, owner frontdesk.Owner) ([]frontdesk.Person, error) {
	return s.people(ctx, ` WHERE p.tenant_id = $1 ORDER BY p.id`, string(owner.TenantID))
}

// Operators lists the people who belong to no tenant, first come first.
func (s *Store) Operators(ctx context.Context) ([]frontdesk.Person, error) {
	return s.people(ctx, ` WHERE p.tenant_id IS NULL ORDER BY p.id`)
}

// PeopleByEmail finds everybody with an e-mail address, of all tenants and
// operators: who asks is not known yet, and nothing of it is to be shown to them.
func (s *Store) PeopleByEmail(ctx context.Context, email string) ([]frontdesk.Person, error) {
	return s.people(ctx, ` WHERE p.email_key = $1 ORDER BY p.id`, frontdesk.EmailKey(email))
}

func (s *Store) people(ctx context.Context, where string, args ...any) ([]frontdesk.Person, error) {
	all := []frontdesk.Person{}
	err := s.each(ctx, "listing people", selectPeople+where, args, func(r row) error {
		p, err := scanPerson(r)
		all = append(all, p)
		return err
	})
	return all, err
}

// Person is one of the owner's people.
func (s *Store) Person(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Person, error) {
	return onePerson(s.asking(ctx, "reading a person"), selectPeople+inTenant, string(id), string(owner.TenantID))
}

// Where a person is looked for: by $1 among the people of the tenant $2, or
// among the operators.
const (
	inTenant       = ` WHERE p.id = $1 AND p.tenant_id = $2`
	amongOperators = ` WHERE p.id = $1 AND p.tenant_id IS NULL`
)

func onePerson(ask asks, query string, args ...any) (frontdesk.Person, error) {
	p, err := one(ask, "person", query, args, scanPerson)
	if isMissing(err) {
		return p, frontdesk.NoSuchPerson()
	}
	return p, err
}

// AddPerson writes a person of the owner's, whom somebody invites.
func (s *Store) AddPerson(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, p frontdesk.Person) error {
	if owner.TenantID == "" { // or it would be an operator
		return frontdesk.Missing("tenant")
	}
	p.TenantID = owner.TenantID
	return s.transact(ctx, "adding a person", func(t *tx) error {
		if err := t.insertPerson(p); err != nil {
			return err
		}
		return t.auditPerson(by, frontdesk.AuditPersonInvited, frontdesk.Person{}, p)
	})
}

// FirstOwner is the first of the owner's people who is an owner: made, if there
// is none.
func (s *Store) FirstOwner(ctx context.Context, owner frontdesk.Owner, made frontdesk.Person) (first frontdesk.Person, err error) {
	err = s.transact(ctx, "looking for a tenant's owner", func(t *tx) error {
		if err := t.holdPeople(owner); err != nil {
			return err
		}
		first, err = onePerson(t.each, selectPeople+` WHERE p.tenant_id = $1 AND p.role = $2 ORDER BY p.id LIMIT 1`,
			string(owner.TenantID), string(frontdesk.RoleOwner))
		if !isMissing(err) {
			return err
		}
		first = made
		first.TenantID = owner.TenantID
		return t.insertPerson(first)
	})
	return first, err
}

// FirstOperator is the first operator: made, if there is none.
func (s *Store) FirstOperator(ctx context.Context, made frontdesk.Person) (first frontdesk.Person, err error) {
	// There is no row to lock. The first operator always has the same id, so that
	// two who make one at once make the same.
	made.ID, made.TenantID = frontdesk.FirstIDAt(time.Unix(0, 0)), ""
	err = s.transact(ctx, "looking for an operator", func(t *tx) error {
		find := func() (frontdesk.Person, error) {
			return onePerson(t.each, selectPeople+` WHERE p.tenant_id IS NULL ORDER BY p.id LIMIT 1`)
		}
		if first, err = find(); !isMissing(err) {
			return err
		}
		if _, err := t.exec(insertPerson+` ON CONFLICT (id) DO NOTHING`, personValues(made)...); err != nil {
			return err
		}
		first, err = find()
		return err
	})
	return first, err
}

// ChangePerson lets change turn one of the owner's people into what it shall be.
// When their e-mail address changes, links that were sent to the old one end.
func (s *Store) ChangePerson(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, change func(frontdesk.Person) (frontdesk.Person, error)) (p frontdesk.Person, err error) {
	err = s.transact(ctx, "changing a person", func(t *tx) error {
		if err := t.holdPeople(owner); err != nil {
			return err
		}
		before, err := onePerson(t.each, selectPeople+inTenant, string(id), string(owner.TenantID))
		if err != nil {
			return err
		}
		if p, err = change(before); err != nil {
			return err
		}
		if p.Role != before.Role {
			if err := t.keepAnOwner(owner, before); err != nil {
				return err
			}
		}
		if err := t.updatePerson(before, p); err != nil {
			return err
		}
		return t.auditPerson(by, frontdesk.AuditPersonChanged, before, p)
	})
	return p, err
}

// ChangeOperator is ChangePerson for an operator, by an operator.
func (s *Store) ChangeOperator(ctx context.Context, id frontdesk.ID, change func(frontdesk.Person) (frontdesk.Person, error)) (p frontdesk.Person, err error) {
	err = s.transact(ctx, "changing an operator", func(t *tx) error {
		before, err := onePerson(t.each, selectPeople+amongOperators+t.dialect.forUpdate, string(id))
		if err != nil {
			return err
		}
		if p, err = change(before); err != nil {
			return err
		}
		return t.updatePerson(before, p)
	})
	return p, err
}

// RemovePerson removes one of the owner's people with their sessions, links and
// passkeys. Keys and connections that they made work on, as what uses them does;
// the audit log names those, and LeftBy lists them.
func (s *Store) RemovePerson(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	return s.transact(ctx, "removing a person", func(t *tx) error {
		if err := t.holdPeople(owner); err != nil {
			return err
		}
		p, err := onePerson(t.each, selectPeople+inTenant, string(id), string(owner.TenantID))
		if err != nil {
			return err
		}
		if err := t.keepAnOwner(owner, p); err != nil {
			return err
		}
		left, err := leftBy(t.each, owner, id, t.now())
		if err != nil {
			return err
		}
		// What hangs on the person goes with the row: deleted apart, a session that
		// is made meanwhile would be in the way.
		if _, err = t.exec(`DELETE FROM people WHERE id = $1 AND tenant_id = $2`, string(id), string(owner.TenantID)); err != nil {
			return err
		}
		keys, connections := left.Names()
		return t.auditPerson(by, frontdesk.AuditPersonRemoved, p, frontdesk.Person{}, frontdesk.LeftWorking(keys, connections)...)
	})
}

// SignOut ends all sessions of one of the owner's people, and says how many.
func (s *Store) SignOut(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) (ended int64, err error) {
	err = s.transact(ctx, "signing a person out", func(t *tx) error {
		p, err := onePerson(t.each, selectPeople+inTenant, string(id), string(owner.TenantID))
		if err != nil {
			return err
		}
		if _, err := t.exec(`DELETE FROM console_links WHERE person_id = $1`, string(id)); err != nil {
			return err
		}
		if ended, err = t.exec(`DELETE FROM console_sessions WHERE person_id = $1`, string(id)); err != nil || ended == 0 {
			return err
		}
		return t.auditBoth(p.TenantID, by, change{frontdesk.AuditPersonSignedOut, string(id), p.Name, nil})
	})
	return ended, err
}

// auditPerson enters what became of a person. Operators are nobody's, and what
// they change about themselves is entered nowhere.
func (t *tx) auditPerson(by frontdesk.Actor, action string, before, after frontdesk.Person, more ...frontdesk.FieldChange) error {
	fields := append(frontdesk.PersonChanges(before, after), more...)
	if len(fields) == 0 {
		return nil
	}
	who := after
	if who.ID == "" {
		who = before
	}
	return t.auditBoth(who.TenantID, by, change{action, string(who.ID), who.Name, fields})
}

// holdPeople has everybody else wait who adds, changes or removes owners of a
// tenant, so that two do not take the last one away together.
func (t *tx) holdPeople(owner frontdesk.Owner) error {
	found, err := t.row(`SELECT id FROM tenants WHERE id = $1`+t.dialect.forUpdate, []any{string(owner.TenantID)}, new(string))
	if err == nil && !found {
		err = frontdesk.Missing("tenant")
	}
	return err
}

// keepAnOwner refuses when a person is the only owner. Who was invited and never
// entered may never do so: when an owner goes who has entered, another one who has
// must stay.
func (t *tx) keepAnOwner(owner frontdesk.Owner, p frontdesk.Person) error {
	if p.Role != frontdesk.RoleOwner {
		return nil
	}
	query := `SELECT id FROM people WHERE tenant_id = $1 AND role = $2 AND id <> $3`
	if !p.LastSeenAt.IsZero() {
		query += ` AND last_seen_at IS NOT NULL`
	}
	found, err := t.row(query+` LIMIT 1`, []any{string(owner.TenantID), string(frontdesk.RoleOwner), string(p.ID)}, new(string))
	if err == nil && !found {
		err = frontdesk.LastOwner()
	}
	return err
}

const insertPerson = `INSERT INTO people (id, tenant_id, name, email, email_key, role, language, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

func personValues(p frontdesk.Person) []any {
	return []any{string(p.ID), maybeID(p.TenantID), p.Name, p.Email, maybeText(frontdesk.EmailKey(p.Email)), string(p.Role), p.Language, micros(p.CreatedAt)}
}

func (t *tx) insertPerson(p frontdesk.Person) error {
	_, err := t.exec(insertPerson, personValues(p)...)
	if isDuplicate(err) {
		return frontdesk.EmailTaken(p.Email)
	}
	return err
}

func (t *tx) updatePerson(before, p frontdesk.Person) error {
	_, err := t.exec(`UPDATE people SET name = $2, email = $3, email_key = $4, role = $5, language = $6 WHERE id = $1`,
		string(before.ID), p.Name, p.Email, maybeText(frontdesk.EmailKey(p.Email)), string(p.Role), p.Language)
	if isDuplicate(err) {
		return frontdesk.EmailTaken(p.Email)
	}
	if err != nil || frontdesk.EmailKey(before.Email) == frontdesk.EmailKey(p.Email) {
		return err
	}
	_, err = t.exec(`DELETE FROM console_links WHERE person_id = $1`, string(before.ID))
	return err
}

func scanPerson(r row) (frontdesk.Person, error) { return scanPersonAnd(r) }

func scanPersonAnd(r row, more ...any) (p frontdesk.Person, err error) {
	var tenant sql.NullString
	var createdAt int64
	var lastSeenAt sql.NullInt64
	err = r.Scan(append([]any{&p.ID, &tenant, &p.Name, &p.Email, &p.Role, &p.Language, &createdAt, &lastSeenAt}, more...)...)
	p.TenantID = frontdesk.ID(tenant.String)
	p.CreatedAt, p.LastSeenAt = fromMicros(createdAt), fromMaybeMicros(lastSeenAt)
	return p, err
}
