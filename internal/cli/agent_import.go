package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) agentImport() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Create or update agents from a YAML or JSON file",
		Long: `Create or update agents from a YAML or JSON file; - reads standard input.

The file holds one agent, a list of them, or a list under "agents". An agent
whose slug exists is updated: what the file leaves out stays as it is. The whole
file is checked before anything is written. docs/agents.md describes the format.`,
		Example: `  frontdesk agent import agents.yaml --tenant casa-lola`,
		Args:    cobra.ExactArgs(1),
		RunE:    p.onStore(func(s *session, args []string) error { return s.importAgents(tenant, args[0]) }),
	}
	p.tenantFlag(cmd, &tenant)
	return cmd
}

func (s *session) importAgents(tenant, name string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	text, err := s.readJSON(name)
	if err != nil {
		return err
	}
	entries, err := splitAgents(text)
	if err != nil {
		return err
	}
	imports, err := s.checkAll(t, entries)
	if err != nil {
		return err
	}
	for i, im := range imports {
		if imports[i].agent, err = s.write(t, im); err != nil {
			return s.halfway(im, i, len(imports), err)
		}
	}
	return s.printImports(t, imports)
}

// halfway says that some of the file is written and some is not.
func (s *session) halfway(im agentImport, i, n int, err error) error {
	f := s.failureOf(err)
	f.message = fmt.Sprintf("the agent %s, number %d of %d, could not be written: %s; those before it are written, and the file can be imported again", im.agent.Slug, i+1, n, f.message)
	return &f
}

// agentImport is one agent of the file, found good: as it will be, and how an
// existing one becomes so.
type agentImport struct {
	agent  frontdesk.Agent
	change func(frontdesk.Agent) (frontdesk.Agent, error) // nil: it is new
}

// checkAll finds every agent of the file good, or says which one is not.
func (s *session) checkAll(t frontdesk.Tenant, entries []agentEntry) ([]agentImport, error) {
	known, err := s.agentsBySlug(t)
	if err != nil {
		return nil, err
	}
	seen := map[string]string{}
	imports := make([]agentImport, len(entries))
	for i, e := range entries {
		file, err := e.decode()
		if err != nil {
			return nil, e.at(err)
		}
		if before, twice := seen[file.Slug]; twice {
			return nil, e.at(frontdesk.InvalidParam("slug", "The slug %q stands in the file twice: here and at %s.", file.Slug, before))
		}
		seen[file.Slug] = e.place
		if imports[i], err = planImport(file, known); err != nil {
			return nil, e.at(err)
		}
	}
	return imports, nil
}

func (s *session) agentsBySlug(t frontdesk.Tenant) (map[string]frontdesk.Agent, error) {
	agents, err := s.store.Agents(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
	known := make(map[string]frontdesk.Agent, len(agents))
	for _, a := range agents {
		known[a.Slug] = a
	}
	return known, err
}

// planImport says what becomes of one agent of the file.
func planImport(file wire.AgentFile, known map[string]frontdesk.Agent) (agentImport, error) {
	old, exists := known[file.Slug]
	if !exists {
		a, err := newAgent(file)
		return agentImport{agent: a}, err
	}
	change, err := changeBy(file)
	if err != nil {
		return agentImport{}, err
	}
	a, err := change(old)
	return agentImport{agent: a, change: change}, err
}

func (s *session) write(t frontdesk.Tenant, im agentImport) (frontdesk.Agent, error) {
	if im.change == nil {
		a := s.bear(im.agent, t)
		return a, s.store.CreateAgent(s.ctx, a)
	}
	return s.store.ChangeAgent(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true}, im.agent.Slug, s.now(), im.change)
}

func (s *session) printImports(t frontdesk.Tenant, imports []agentImport) error {
	created, updated := []agentShape{}, []agentShape{}
	for _, im := range imports {
		if im.change == nil {
			created = append(created, agentJSON(im.agent, t))
		} else {
			updated = append(updated, agentJSON(im.agent, t))
		}
	}
	return s.print(map[string]any{"created": created, "updated": updated}, func(w io.Writer) {
		for _, a := range created {
			fmt.Fprintf(w, "Created the agent %s of %s (%s).\n", a.Slug, t.Slug, a.ID)
		}
		for _, a := range updated {
			fmt.Fprintf(w, "Updated the agent %s of %s (%s).\n", a.Slug, t.Slug, a.ID)
		}
	})
}
