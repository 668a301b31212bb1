package store

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const selectDrafts = `SELECT agent_id, base, before_config, before_settings, config, settings, by_kind, by_name, changed_at, discarded FROM agent_drafts`

// Draft is what is changed about one of the owner's agents and not published yet.
// Without one it is missing.
func (s *Store) Draft(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID) (frontdesk.Draft, error) {
	return one(s.asking(ctx, "reading a draft"), "draft", selectDrafts+` WHERE tenant_id = $1 AND agent_id = $2`,
		[]any{string(owner.TenantID), string(agent)}, scanDraft)
}

// DraftChange is a change of a draft, and who makes it. Change gets the agent as it
// stands, and its draft: a new one where there is none.
type DraftChange struct {
	By     frontdesk.Actor
	Now    time.Time
	Change func(frontdesk.Agent, frontdesk.Draft) (frontdesk.Draft, error)
}

// ChangeDraft changes the draft of one of the owner's agents while nobody else can
// change either.
func (s *Store) ChangeDraft(ctx context.Context, owner frontdesk.Owner, slug string, ch DraftChange) (d frontdesk.Draft, err error) {
	err = s.transact(ctx, "changing a draft", func(t *tx) error {
		agent, err := t.lockAgent(owner, slug)
		if err != nil {
			return err
		}
		d, err = one(t.each, "draft", selectDrafts+` WHERE tenant_id = $1 AND agent_id = $2`, []any{string(owner.TenantID), string(agent.ID)}, scanDraft)
		if isMissing(err) {
			d, err = frontdesk.NewDraft(agent), nil
		}
		if err != nil {
			return err
		}
		if d, err = ch.Change(agent, d); err != nil {
			return err
		}
		d.AgentID, d.By, d.ChangedAt = agent.ID, ch.By, ch.Now
		return t.saveDraft(owner, d)
	})
	return d, err
}

func (t *tx) saveDraft(owner frontdesk.Owner, d frontdesk.Draft) error {
	beforeConfig, beforeSettings, err := encodeAgent(frontdesk.Agent{Config: d.Before.Config, Settings: d.Before.Settings})
	if err != nil {
		return err
	}
	config, settings, err := encodeAgent(frontdesk.Agent{Config: d.After.Config, Settings: d.After.Settings})
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO agent_drafts (tenant_id, agent_id, base, before_config, before_settings, config, settings, by_kind, by_name, changed_at, discarded)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (tenant_id, agent_id) DO UPDATE SET base = $3, before_config = $4, before_settings = $5, config = $6, settings = $7,
			by_kind = $8, by_name = $9, changed_at = $10, discarded = $11`,
		string(owner.TenantID), string(d.AgentID), string(d.Base), beforeConfig, beforeSettings, config, settings, d.By.Kind, d.By.Name, micros(d.ChangedAt), d.Discarded)
	return err
}

// DropDraft forgets a draft that was published, unless it was changed since at.
func (s *Store) DropDraft(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID, at time.Time) error {
	_, err := s.exec(ctx, "dropping a draft", `DELETE FROM agent_drafts WHERE tenant_id = $1 AND agent_id = $2 AND changed_at = $3`,
		string(owner.TenantID), string(agent), micros(at))
	return err
}

func scanDraft(r row) (d frontdesk.Draft, err error) {
	var beforeConfig, beforeSettings, config, settings []byte
	var changedAt int64
	if err = r.Scan(&d.AgentID, &d.Base, &beforeConfig, &beforeSettings, &config, &settings, &d.By.Kind, &d.By.Name, &changedAt, &d.Discarded); err != nil {
		return d, err
	}
	d.ChangedAt = fromMicros(changedAt)
	for _, part := range []struct {
		text []byte
		to   any
	}{{beforeConfig, &d.Before.Config}, {beforeSettings, &d.Before.Settings}, {config, &d.After.Config}, {settings, &d.After.Settings}} {
		if err := json.Unmarshal(part.text, part.to, inNanoseconds); err != nil {
			return d, err
		}
	}
	return d, nil
}
