package cli

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// checkAgents looks for agents whose prompt_extra nobody reads: it is written
// for a language model.
func (d *doctor) checkAgents(s *store.Store) {
	const check = "agents"
	if d.settings.ModelURL != "" {
		return
	}
	unread, err := d.withPromptExtra(s)
	switch {
	case err != nil:
		d.fail(check, d.awayFix(), "they cannot be read: %v", cause(err))
	case len(unread) > 0:
		d.warn(check, "Set FRONTDESK_MODEL_URL, or write what has to be done as rules; docs/agents.md describes them.",
			"prompt_extra is not obeyed without a language model: %s", strings.Join(unread, ", "))
	}
}

// withPromptExtra are the agents that have one, as tenant/agent.
func (d *doctor) withPromptExtra(s *store.Store) (slugs []string, err error) {
	tenants, err := s.Tenants(d.ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tenants {
		agents, err := s.Agents(d.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
		if err != nil {
			return nil, err
		}
		for _, a := range agents {
			if a.Config.PromptExtra != "" {
				slugs = append(slugs, t.Slug+"/"+a.Slug)
			}
		}
	}
	return slugs, nil
}
