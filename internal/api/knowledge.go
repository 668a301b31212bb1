package api

import (
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/wire"
)

const (
	topUnanswered = 10
	month         = 30 * 24 * time.Hour
)

func (a *API) getKnowledge(r *request) (any, error) {
	summary, err := a.store.KnowledgeSummary(r.Context(), r.owner, a.now().Add(-month), topUnanswered)
	if err != nil {
		return nil, err
	}
	use, err := a.store.DocumentUse(r.Context(), r.owner)
	if err != nil {
		return nil, err
	}
	return wire.Knowledge(summary, use, r.caller.Tenant.Plan, r.owner.Live), nil
}

func (a *API) testKnowledge(r *request) (any, error) {
	var in struct {
		Question string  `json:"question"`
		AgentID  *string `json:"agent_id"`
	}
	if err := r.decode("KnowledgeQuestion", &in); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Question) == "" {
		return nil, frontdesk.InvalidParam("question", "question must have something other than spaces.")
	}
	q := knowledge.Question{Text: in.Question, ThresholdPct: frontdesk.DefaultThresholdPct, Money: frontdesk.CurrencyOf(r.caller.Tenant.Timezone)}
	if in.AgentID != nil {
		agent, err := a.agentWithID(r, *in.AgentID)
		if err != nil {
			return nil, err
		}
		q.AgentID, q.ThresholdPct, q.Money = agent.ID, agent.Settings.Threshold(), agent.Currency()
	}
	answer, err := a.shelves.Ask(r.Context(), r.owner, q)
	if err != nil {
		return nil, err
	}
	return wire.Answer(answer, r.owner.Live), nil
}

// agentNamed is the id of one of the caller's agents, as a parameter has it.
func (a *API) agentNamed(r *request, text string) (frontdesk.ID, error) {
	agent, err := a.agentWithID(r, text)
	return agent.ID, err
}

// agentInQuery is the agent that a list is narrowed to; "": none.
func (a *API) agentInQuery(r *request) (frontdesk.ID, error) {
	id, given := r.query["agent_id"].(string)
	if !given {
		return "", nil
	}
	return a.agentNamed(r, id)
}

func (a *API) agentWithID(r *request, text string) (frontdesk.Agent, error) {
	id, ok := frontdesk.ParseID(text)
	if !ok {
		return frontdesk.Agent{}, frontdesk.InvalidParam("agent_id", "agent_id must be the id of an agent, as GET /agents gives it.")
	}
	agent, err := a.store.Agent(r.Context(), r.owner, id)
	if e := exchange.Domain(err); e != nil && e.Kind == frontdesk.NotFound {
		e.Param = "agent_id"
		return agent, e
	}
	return agent, err
}
