package store

import (
	"context"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const selectAgents = `SELECT tenant_id, id, slug, vertical, display_name, status, languages, timezone, config, settings, created_at, updated_at FROM agents`

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

// CreateAgent writes a new agent.
func (s *Store) CreateAgent(ctx context.Context, a frontdesk.Agent) error {
	return s.transact(ctx, "creating an agent", func(t *tx) error { return t.insertAgent(a) })
}

// ChangeAgent lets change work on one of the owner's agents while nobody else
// can, and returns it as it is then: of two changes at once both survive.
func (s *Store) ChangeAgent(ctx context.Context, owner frontdesk.Owner, slug string, now time.Time,
	change func(frontdesk.Agent) (frontdesk.Agent, error),
) (changed frontdesk.Agent, err error) {
	err = s.transact(ctx, "changing an agent", func(t *tx) error {
		a, err := t.lockAgent(owner, slug)
		if err != nil {
			return err
		}
		if changed, err = change(a); err != nil {
			return err
		}
		config, settings, err := encodeAgent(changed)
		if err != nil {
			return err
		}
		changed.UpdatedAt = now
		_, err = t.exec(`UPDATE agents SET vertical = $3, display_name = $4, status = $5, languages = $6, timezone = $7, config = $8, settings = $9, updated_at = $10
			WHERE tenant_id = $1 AND id = $2`,
			string(owner.TenantID), string(a.ID), changed.Vertical, changed.DisplayName, changed.Status,
			strings.Join(changed.Languages, " "), changed.Timezone, config, settings, micros(now))
		return err
	})
	return changed, err
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

func scanAgent(r row) (a frontdesk.Agent, err error) {
	var languages string
	var config, settings []byte
	var createdAt, updatedAt int64
	err = r.Scan(&a.TenantID, &a.ID, &a.Slug, &a.Vertical, &a.DisplayName, &a.Status, &languages, &a.Timezone, &config, &settings, &createdAt, &updatedAt)
	if err != nil {
		return a, err
	}
	a.Languages, a.CreatedAt, a.UpdatedAt = strings.Fields(languages), fromMicros(createdAt), fromMicros(updatedAt)
	if err := json.Unmarshal(config, &a.Config); err != nil {
		return a, err
	}
	return a, json.Unmarshal(settings, &a.Settings, inNanoseconds)
}
