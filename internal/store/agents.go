package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const selectAgents = `SELECT tenant_id, id, slug, vertical, display_name, status, languages, timezone, config, settings, created_at, updated_at, revision FROM agents`

// Agents lists the owner's agents, newest first. They are the same in both
// modes.
func (s *Store) Agents(ctx context.Context, owner frontdesk.Owner) ([]frontdesk.Agent, error) {
	var all []frontdesk.Agent
	err := s.each(ctx, "listing agents", selectAgents+` WHERE tenant_id = $1 ORDER BY id DESC`,
		[]any{string(owner.TenantID)}, func(r row) error {
			a, err := scanAgent(r)
			all = append(all, a)
			return err
		})
	return all, err
}

// AgentBySlug returns one of the owner's agents.
func (s *Store) AgentBySlug(ctx context.Context, owner frontdesk.Owner, slug string) (frontdesk.Agent, error) {
	return one(s.asking(ctx, "reading an agent"), "agent", selectAgents+` WHERE tenant_id = $1 AND slug = $2`,
		[]any{string(owner.TenantID), slug}, scanAgent)
}

// Agent returns one of the owner's agents by its id.
func (s *Store) Agent(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Agent, error) {
	return one(s.asking(ctx, "reading an agent"), "agent", selectAgents+` WHERE tenant_id = $1 AND id = $2`,
		[]any{string(owner.TenantID), string(id)}, scanAgent)
}

// AgentsToldDailyForWorker lists the agents whose owners want a summary each day.
// The text of the settings narrows the search; who asks looks at the settings.
func (s *Store) AgentsToldDailyForWorker(ctx context.Context) (all []frontdesk.Agent, err error) {
	err = s.each(ctx, "listing agents with a daily summary", selectAgents+` WHERE settings LIKE '%"Daily":true%'`, nil, func(r row) error {
		a, err := scanAgent(r)
		all = append(all, a)
		return err
	})
	return all, err
}

// CreateAgent writes a new agent.
func (s *Store) CreateAgent(ctx context.Context, by frontdesk.Actor, a frontdesk.Agent) error {
	return s.transact(ctx, "creating an agent", func(t *tx) error {
		if err := t.insertAgent(a); err != nil {
			return err
		}
		return t.auditBoth(a.TenantID, by, change{frontdesk.AuditAgentCreated, string(a.ID), a.DisplayName, frontdesk.AgentBasics(frontdesk.Agent{}, a)})
	})
}

// AgentChange is a change of an agent, and who makes it.
type AgentChange struct {
	By     frontdesk.Actor
	Action string // in the audit log; "": what the change itself says
	Now    time.Time
	Fields func(before, after frontdesk.Agent) []frontdesk.FieldChange // what it touches of what has a history; none: no version is written
	Change func(frontdesk.Agent) (frontdesk.Agent, error)
}

// ChangeAgent changes one of the owner's agents while nobody else can, keeps the
// version that came of it, and returns the agent as it is then: of two changes
// at once both survive.
func (s *Store) ChangeAgent(ctx context.Context, owner frontdesk.Owner, slug string, ch AgentChange) (changed frontdesk.Agent, err error) {
	err = s.transact(ctx, "changing an agent", func(t *tx) error {
		before, err := t.lockAgent(owner, slug)
		if err != nil {
			return err
		}
		if changed, err = ch.Change(before); err != nil {
			return err
		}
		fields := ch.Fields(before, changed)
		changed.UpdatedAt = ch.Now
		// What stays as it is in all that has a history is written all the same:
		// that somebody wrote to it is noted.
		if len(fields) > 0 {
			if changed.Revision, err = t.addRevision(owner, before, changed, ch, fields); err != nil {
				return err
			}
		}
		if err := t.updateAgent(owner, changed); err != nil {
			return err
		}
		return t.auditAgent(owner, before, changed, ch, fields)
	})
	return changed, err
}

// addRevision writes the version of an agent that a change made, and returns its
// id.
func (t *tx) addRevision(owner frontdesk.Owner, before, changed frontdesk.Agent, ch AgentChange, fields []frontdesk.FieldChange) (id frontdesk.ID, err error) {
	if before.Revision == "" { // the version from before history was kept
		first := frontdesk.Actor{Kind: frontdesk.ByOperatorActing}
		if before.Revision, err = t.insertRevision(owner, before, first, nil, before.UpdatedAt); err != nil {
			return "", err
		}
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.Field)
	}
	changed.Revision = before.Revision
	return t.insertRevision(owner, changed, ch.By, names, ch.Now)
}

// auditAgent enters a change of an agent. The version that came of it is named,
// since it has the whole of what is cut here.
func (t *tx) auditAgent(owner frontdesk.Owner, before, after frontdesk.Agent, ch AgentChange, fields []frontdesk.FieldChange) error {
	all := slices.Concat(fields, frontdesk.OperatorChanges(before.Settings, after.Settings))
	if len(all) == 0 {
		return nil
	}
	action := cmp.Or(ch.Action, agentAction(before, after, len(all)))
	if len(fields) > 0 {
		all = append(all, frontdesk.FieldChange{Field: "revision", From: string(before.Revision), To: string(after.Revision)})
	}
	return t.auditBoth(owner.TenantID, ch.By, change{action, string(after.ID), after.DisplayName, all})
}

// agentAction says what a change of so many fields did to an agent.
func agentAction(before, after frontdesk.Agent, fields int) string {
	switch {
	case fields != 1 || before.Status == after.Status:
		return frontdesk.AuditAgentChanged
	case after.Status == frontdesk.AgentPaused:
		return frontdesk.AuditAgentPaused
	case before.Status == frontdesk.AgentPaused && after.Status == frontdesk.AgentActive:
		return frontdesk.AuditAgentResumed
	}
	return frontdesk.AuditAgentChanged
}

func (t *tx) updateAgent(owner frontdesk.Owner, a frontdesk.Agent) error {
	config, settings, err := encodeAgent(a)
	if err != nil {
		return err
	}
	_, err = t.exec(`UPDATE agents SET vertical = $3, display_name = $4, status = $5, languages = $6, timezone = $7, config = $8, settings = $9, updated_at = $10, revision = $11
		WHERE tenant_id = $1 AND id = $2`,
		string(owner.TenantID), string(a.ID), a.Vertical, a.DisplayName, a.Status,
		strings.Join(a.Languages, " "), a.Timezone, config, settings, micros(a.UpdatedAt), maybeID(a.Revision))
	return err
}

// insertRevision writes a version of an agent, whose id is after that of the
// version that a has: the history is in the order of ids, and two versions may be
// of the same millisecond, or of nodes whose clocks differ.
func (t *tx) insertRevision(owner frontdesk.Owner, a frontdesk.Agent, by frontdesk.Actor, fields []string, at time.Time) (frontdesk.ID, error) {
	config, settings, err := encodeAgent(a)
	if err != nil {
		return "", err
	}
	id := frontdesk.NewID(at)
	if id <= a.Revision {
		id = frontdesk.NewID(a.Revision.MintedAt().Add(time.Millisecond))
	}
	return id, t.later(`INSERT INTO agent_revisions (tenant_id, agent_id, id, by_kind, by_name, fields, config, settings, changed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		string(owner.TenantID), string(a.ID), string(id), by.Kind, by.Name, strings.Join(fields, "\n"), config, settings, micros(at))
}

const selectRevisions = `SELECT id, agent_id, by_kind, by_name, fields, config, settings, changed_at FROM agent_revisions`

// Revisions lists the versions of one of the owner's agents, newest first.
func (s *Store) Revisions(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID, p frontdesk.Page) (frontdesk.List[frontdesk.Revision], error) {
	limit := cmp.Or(p.Limit, frontdesk.DefaultPageSize)
	list := frontdesk.List[frontdesk.Revision]{Items: []frontdesk.Revision{}}
	err := s.each(ctx, "listing an agent's versions",
		selectRevisions+` WHERE tenant_id = $1 AND agent_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4 + 0`,
		[]any{string(owner.TenantID), string(agent), string(cmp.Or(p.StartingAfter, afterAll)), limit + 1}, func(r row) error {
			v, err := scanRevision(r)
			list.Items = append(list.Items, v)
			return err
		})
	if len(list.Items) > limit {
		list.Items, list.More = list.Items[:limit], true
	}
	return list, err
}

// Revision returns one version of one of the owner's agents.
func (s *Store) Revision(ctx context.Context, owner frontdesk.Owner, agent, id frontdesk.ID) (frontdesk.Revision, error) {
	return one(s.asking(ctx, "reading an agent's version"), "revision", selectRevisions+` WHERE tenant_id = $1 AND agent_id = $2 AND id = $3`,
		[]any{string(owner.TenantID), string(agent), string(id)}, scanRevision)
}

func scanRevision(r row) (v frontdesk.Revision, err error) {
	var fields string
	var config, settings []byte
	var changedAt int64
	if err = r.Scan(&v.ID, &v.AgentID, &v.By.Kind, &v.By.Name, &fields, &config, &settings, &changedAt); err != nil {
		return v, err
	}
	v.Fields = strings.FieldsFunc(fields, func(r rune) bool { return r == '\n' })
	v.ChangedAt = fromMicros(changedAt)
	if err := json.Unmarshal(config, &v.Config); err != nil {
		return v, err
	}
	return v, json.Unmarshal(settings, &v.Settings, inNanoseconds)
}

func (t *tx) lockAgent(owner frontdesk.Owner, slug string) (frontdesk.Agent, error) {
	return one(t.each, "agent", selectAgents+` WHERE tenant_id = $1 AND slug = $2`+t.dialect.forUpdate,
		[]any{string(owner.TenantID), slug}, scanAgent)
}

func (t *tx) insertAgent(a frontdesk.Agent) error {
	config, settings, err := encodeAgent(a)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO agents (tenant_id, id, slug, vertical, display_name, status, languages, timezone, config, settings, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		string(a.TenantID), string(a.ID), a.Slug, a.Vertical, a.DisplayName, a.Status,
		strings.Join(a.Languages, " "), a.Timezone, config, settings, micros(a.CreatedAt), micros(a.UpdatedAt))
	if isDuplicate(err) {
		return taken("agent", a.Slug)
	}
	return err
}

// inNanoseconds is how durations stand in the store's own form.
var inNanoseconds = jsonv1.FormatDurationAsNano(true)

// encodeAgent writes a configuration and settings under their Go names: the
// store's own form, which the API's spelling can change without. Numbers in
// entries stay as they were sent, to the digit.
func encodeAgent(a frontdesk.Agent) (config, settings string, err error) {
	c, err := json.Marshal(a.Config, json.OmitZeroStructFields(true))
	if err != nil {
		return "", "", err
	}
	s, err := json.Marshal(a.Settings, json.OmitZeroStructFields(true), inNanoseconds)
	return string(c), string(s), err
}

// Draft is an agent as it is tried out, in the form that agents are stored in. It
// is read when it is needed, so that one that cannot be read is in nobody's way.
type Draft string

// NewDraft writes an agent as a draft.
func NewDraft(a frontdesk.Agent) (Draft, error) {
	text, err := json.Marshal(a, json.OmitZeroStructFields(true), inNanoseconds)
	return Draft(text), err
}

// Agent is the agent that was written.
func (d Draft) Agent() (a frontdesk.Agent, err error) {
	return a, json.Unmarshal([]byte(d), &a, inNanoseconds)
}

func scanAgent(r row) (a frontdesk.Agent, err error) {
	var languages string
	var revision sql.NullString
	var config, settings []byte
	var createdAt, updatedAt int64
	err = r.Scan(&a.TenantID, &a.ID, &a.Slug, &a.Vertical, &a.DisplayName, &a.Status, &languages, &a.Timezone, &config, &settings, &createdAt, &updatedAt, &revision)
	if err != nil {
		return a, err
	}
	a.Languages, a.CreatedAt, a.UpdatedAt = strings.Fields(languages), fromMicros(createdAt), fromMicros(updatedAt)
	a.Revision = frontdesk.ID(revision.String)
	if err := json.Unmarshal(config, &a.Config); err != nil {
		return a, err
	}
	return a, json.Unmarshal(settings, &a.Settings, inNanoseconds)
}
