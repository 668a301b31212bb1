package reception

import (
	"context"
	"errors"
	"fmt"
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
}

// businesses keeps the engines of agents that are talked to: making one means
// reading the whole catalogue of a business.
type businesses struct {
	store *store.Store
	model conversation.Model
	now   func() time.Time

	mu   sync.Mutex
	byID map[frontdesk.ID]*known // by agent; those of rehearsals, by conversation
}

// known is what was read of a business, and when. Its engine is made once, by
// the first who asks for it; the others wait for that one.
type known struct {
	tenant frontdesk.Tenant
	agent  frontdesk.Agent
	readAt time.Time
	engine func() (*conversation.Engine, error)
}

func (k *known) business() (*business, error) {
	engine, err := k.engine()
	if err != nil {
		return nil, err
	}
	return &business{k.tenant, k.agent, engine}, nil
}

func newBusinesses(s *store.Store, m conversation.Model, now func() time.Time) *businesses {
	return &businesses{store: s, model: m, now: now, byID: map[frontdesk.ID]*known{}}
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
	if !agent.TakesCalls(begin.Live) {
		return nil, missing
	}
	if begin.Admit != nil {
		if err := begin.Admit(agent); err != nil {
			return nil, err
		}
	}
	return bs.keep(agent.ID, tenant, agent).business()
}

// talkedTo is the business that a conversation is held with: in a rehearsal, with
// the agent that is tried out.
func (bs *businesses) talkedTo(ctx context.Context, row store.Conversation) (*business, error) {
	if !row.Rehearsal() {
		return bs.of(ctx, row.Owner, row.AgentID)
	}
	if k := bs.recall(row.Owner, row.ID); k != nil {
		return k.business()
	}
	tenant, err := bs.store.Tenant(ctx, row.Owner)
	if err != nil {
		return nil, err
	}
	draft, err := row.Draft.Agent()
	if err != nil {
		return nil, fmt.Errorf("reading the draft of a rehearsal: %w", err)
	}
	return bs.keep(row.ID, tenant, draft).business()
}

// recall is what is known of a business, unless that was a while ago.
func (bs *businesses) recall(owner frontdesk.Owner, id frontdesk.ID) *known {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if k := bs.byID[id]; k != nil && k.tenant.ID == owner.TenantID && bs.now().Sub(k.readAt) < fresh {
		return k
	}
	return nil
}

// of is the business of an agent, not older than a moment.
func (bs *businesses) of(ctx context.Context, owner frontdesk.Owner, agentID frontdesk.ID) (*business, error) {
	if k := bs.recall(owner, agentID); k != nil {
		return k.business()
	}
	tenant, err := bs.store.Tenant(ctx, owner)
	if err != nil {
		return nil, err
	}
	agent, err := bs.store.Agent(ctx, owner, agentID)
	if err != nil {
		return nil, err
	}
	return bs.keep(agent.ID, tenant, agent).business()
}

// keep notes what was just read under an id, with the engine that is there if the
// agent is still the same.
func (bs *businesses) keep(id frontdesk.ID, tenant frontdesk.Tenant, agent frontdesk.Agent) *known {
	k := &known{tenant: tenant, agent: agent, readAt: bs.now()}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if before := bs.byID[id]; before != nil && before.agent.UpdatedAt.Equal(agent.UpdatedAt) {
		k.engine = before.engine
	} else {
		k.engine = sync.OnceValues(func() (*conversation.Engine, error) { return conversation.NewEngine(agent, bs.model) })
	}
	bs.byID[id] = k
	if len(bs.byID) > maxBusinesses {
		bs.dropOldest()
	}
	return k
}

func (bs *businesses) dropOldest() {
	var oldest frontdesk.ID
	for id, k := range bs.byID {
		if oldest == "" || k.readAt.Before(bs.byID[oldest].readAt) {
			oldest = id
		}
	}
	delete(bs.byID, oldest)
}

func isMissing(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}
