package reception

import (
	"context"
	"errors"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

const (
	fresh         = 2 * time.Second // how old what is known of an agent may be
	maxBusinesses = 512             // agents whose engines are kept
)

// business is an agent and its tenant, as their calls need them. It never
// changes.
type business struct {
	tenant frontdesk.Tenant
	agent  frontdesk.Agent
	engine *conversation.Engine
	readAt time.Time
}

// businesses keeps the engines of agents that are talked to: making one means
// reading the whole catalogue of a business.
type businesses struct {
	store *store.Store
	model conversation.Model
	now   func() time.Time

	mu   sync.Mutex
	byID map[frontdesk.ID]*business // by agent
}

func newBusinesses(s *store.Store, m conversation.Model, now func() time.Time) *businesses {
	return &businesses{store: s, model: m, now: now, byID: map[frontdesk.ID]*business{}}
}

// named is the business that a caller asks for by its names. One that takes no
// calls is missing like one that does not exist.
func (bs *businesses) named(ctx context.Context, begin Beginning) (*business, error) {
	missing := frontdesk.Missing("agent")
	tenant, err := bs.store.TenantBySlug(ctx, begin.Tenant)
	if isMissing(err) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	agent, err := bs.store.AgentBySlug(ctx, frontdesk.Owner{TenantID: tenant.ID, Live: begin.Live}, begin.Agent)
	if isMissing(err) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	if agent.Status == frontdesk.AgentPaused || agent.Status == frontdesk.AgentDraft && begin.Live {
		return nil, missing
	}
	return bs.keep(tenant, agent)
}

// of is the business of a conversation that goes on, not older than a moment.
func (bs *businesses) of(ctx context.Context, owner frontdesk.Owner, agentID frontdesk.ID) (*business, error) {
	bs.mu.Lock()
	b := bs.byID[agentID]
	bs.mu.Unlock()
	if b != nil && b.tenant.ID == owner.TenantID && bs.now().Sub(b.readAt) < fresh {
		return b, nil
	}
	tenant, err := bs.store.Tenant(ctx, owner)
	if err != nil {
		return nil, err
	}
	agent, err := bs.store.Agent(ctx, owner, agentID)
	if err != nil {
		return nil, err
	}
	return bs.keep(tenant, agent)
}

// keep makes a business of what was just read, with the engine that is there if
// the agent is still the same.
func (bs *businesses) keep(tenant frontdesk.Tenant, agent frontdesk.Agent) (*business, error) {
	b := &business{tenant: tenant, agent: agent, readAt: bs.now()}
	bs.mu.Lock()
	known := bs.byID[agent.ID]
	bs.mu.Unlock()
	if known != nil && known.agent.UpdatedAt.Equal(agent.UpdatedAt) {
		b.engine = known.engine
	} else {
		var err error
		if b.engine, err = conversation.NewEngine(agent, bs.model); err != nil {
			return nil, err
		}
	}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	bs.byID[agent.ID] = b
	if len(bs.byID) > maxBusinesses {
		bs.dropOldest()
	}
	return b, nil
}

func (bs *businesses) dropOldest() {
	var oldest frontdesk.ID
	for id, b := range bs.byID {
		if oldest == "" || b.readAt.Before(bs.byID[oldest].readAt) {
			oldest = id
		}
	}
	delete(bs.byID, oldest)
}

func isMissing(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}
