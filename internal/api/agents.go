package api

import (
	"cmp"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (a *API) listAgents(r *request) (any, error) {
	agents, err := a.store.Agents(r.Context(), r.owner)
	if err != nil {
		return nil, err
	}
	return wire.Agents(agents, r.owner.Live, a.now()), nil
}

func (a *API) listVoices(*request) (any, error) {
	return wire.Voices(frontdesk.Voices), nil
}

func (a *API) getAgent(r *request) (any, error) {
	agent, err := a.agentOf(r)
	if err != nil {
		return nil, err
	}
	return a.shown(r, agent), nil
}

// shown is an agent as the customer sees it, with its version.
func (a *API) shown(r *request, agent frontdesk.Agent) any {
	return tagged{agentTag(agent), wire.AgentEnvelope(agent, r.owner.Live, a.now())}
}

// agentTag is the version of an agent: of what is configured, not of whether it
// is open now.
func agentTag(agent frontdesk.Agent) string {
	return `"` + cmp.Or(string(agent.Revision), string(agent.ID)) + `"`
}

func (a *API) patchAgent(r *request) (any, error) {
	patch, err := a.readAgentPatch(r)
	if err != nil {
		return nil, err
	}
	change := func(agent frontdesk.Agent) (frontdesk.Agent, error) { return agent.Patched(patch), nil }
	if r.query["dry_run"] == true {
		return a.previewAgent(r, change)
	}
	agent, err := a.changeAgent(r, change)
	if err != nil {
		return nil, err
	}
	return a.shown(r, agent), nil
}

// previewAgent answers what a change would do, and writes nothing.
func (a *API) previewAgent(r *request, change func(frontdesk.Agent) (frontdesk.Agent, error)) (any, error) {
	before, err := a.agentOf(r)
	if err != nil {
		return nil, err
	}
	if err := r.unlessMatches(agentTag(before)); err != nil {
		return nil, err
	}
	after, err := change(before)
	if err != nil {
		return nil, err
	}
	return tagged{agentTag(before), wire.AgentPreview(before, after, r.owner.Live, a.now())}, nil
}

func (a *API) listRevisions(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	agent, err := a.agentOf(r)
	if err != nil {
		return nil, err
	}
	all, err := a.store.Revisions(r.Context(), r.owner, agent.ID, page)
	if err != nil {
		return nil, err
	}
	return wire.RevisionList(all), nil
}

func (a *API) getRevision(r *request) (any, error) {
	agent, revision, err := a.revisionOf(r)
	if err != nil {
		return nil, err
	}
	return wire.RevisionEnvelope(revision, agent), nil
}

func (a *API) revisionOf(r *request) (agent frontdesk.Agent, revision frontdesk.Revision, err error) {
	id, err := r.pathID("revision", "revision")
	if err != nil {
		return agent, revision, err
	}
	if agent, err = a.agentOf(r); err != nil {
		return agent, revision, err
	}
	revision, err = a.store.Revision(r.Context(), r.owner, agent.ID, id)
	return agent, revision, err
}

// restoreRevision makes an agent again what it was after a change.
func (a *API) restoreRevision(r *request) (any, error) {
	_, revision, err := a.revisionOf(r)
	if err != nil {
		return nil, err
	}
	agent, err := a.changeAgentBy(r, frontdesk.AuditAgentRestored, func(agent frontdesk.Agent) (frontdesk.Agent, error) {
		return agent.Restored(revision), nil
	})
	if err != nil {
		return nil, err
	}
	return a.shown(r, agent), nil
}

// readAgentPatch reads either form of the body.
func (a *API) readAgentPatch(r *request) (frontdesk.AgentPatch, error) {
	if err := r.readBody(); err != nil {
		return frontdesk.AgentPatch{}, err
	}
	return a.description.AgentPatch(r.body)
}
