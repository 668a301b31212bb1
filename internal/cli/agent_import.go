package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) agentImport() *cobra.Command {
	var tenant string
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Create or update agents from a YAML or JSON file",
		Long: `Create or update agents from a YAML or JSON file; - reads standard input.

The file holds one agent, a list of them, or a list under "agents". An agent
whose slug exists is updated: what the file leaves out stays as it is. The whole
file is checked before anything is written. docs/agents.md describes the format.

What the business itself has changed since the last import is not undone: the
import says what that is, and needs --force. --dry-run shows every difference
and writes nothing.`,
		Example: `  frontdesk agent import agents.yaml --tenant casa-lola
  frontdesk agent import agents.yaml --tenant casa-lola --dry-run`,
		Args: cobra.ExactArgs(1),
		RunE: p.onStore(func(s *session, args []string) error { return s.importAgents(tenant, args[0], o) }),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would change, and write nothing")
	cmd.Flags().BoolVar(&o.force, "force", false, "also undo what the business has changed itself since the last import")
	return cmd
}

type importOptions struct{ dryRun, force bool }

func (s *session) importAgents(tenant, name string, o importOptions) error {
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
	if o.dryRun {
		return s.printDifferences(imports)
	}
	if !o.force {
		if err := s.checkUndone(t, imports); err != nil {
			return err
		}
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
	before frontdesk.Agent                                // as it is; the zero Agent when it is new
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
	return agentImport{agent: a, before: old, change: change}, err
}

func (s *session) write(t frontdesk.Tenant, im agentImport) (frontdesk.Agent, error) {
	if im.change == nil {
		a := s.bear(im.agent, t)
		return a, s.store.CreateAgent(s.ctx, s.by(), a)
	}
	return s.store.ChangeAgent(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true}, im.agent.Slug, s.byOperator(im.change))
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

// importCommand is how the history names an import: by the command.
const importCommand = "agent import"

// checkUndone refuses an import that would undo what the business has changed
// itself since the last one.
func (s *session) checkUndone(t frontdesk.Tenant, imports []agentImport) error {
	for _, im := range imports {
		if im.change == nil {
			continue
		}
		theirs, err := s.changedSinceImport(t, im.before)
		if err != nil {
			return err
		}
		var undone []string
		for _, change := range wire.AgentFields(im.before, im.agent) {
			field := change.Field
			if theirs[field] {
				undone = append(undone, field)
			}
		}
		if len(undone) > 0 {
			return refused("import_undoes_changes", "slug",
				"the business has changed %s of the agent %s since the last import, and this file would undo it; `--dry-run` shows how, `frontdesk agent export` prints the agent as it is, --force imports all the same",
				strings.Join(undone, ", "), im.agent.Slug)
		}
	}
	return nil
}

// changedSinceImport are the fields of an agent that others than its operator
// have changed since it was last imported.
func (s *session) changedSinceImport(t frontdesk.Tenant, a frontdesk.Agent) (map[string]bool, error) {
	fields := map[string]bool{}
	page := frontdesk.Page{Limit: 100}
	for {
		list, err := s.store.Revisions(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true}, a.ID, page)
		if err != nil {
			return nil, err
		}
		for _, r := range list.Items {
			if r.By == (frontdesk.Actor{Kind: frontdesk.ByOperatorActing, Name: importCommand}) {
				return fields, nil
			}
			for _, f := range r.Fields {
				fields[f] = fields[f] || r.By.Kind != frontdesk.ByOperatorActing
			}
		}
		if !list.More {
			return fields, nil
		}
		page.StartingAfter = list.Items[len(list.Items)-1].ID
	}
}

// transferChange is the change of where calls are put through to. Customers can
// read the history of an agent, and it is not in there.
func transferChange(before, after frontdesk.Agent) []wire.Change {
	from, to := before.Settings.TransferNumber, after.Settings.TransferNumber
	if from == to {
		return nil
	}
	return []wire.Change{{Path: "transfer_number", From: from, To: to}}
}

// printDifferences shows what an import would do.
func (s *session) printDifferences(imports []agentImport) error {
	type difference struct {
		Slug    string        `json:"slug"`
		New     bool          `json:"new"`
		Changes []wire.Change `json:"changes"`
	}
	all := make([]difference, len(imports))
	for i, im := range imports {
		all[i] = difference{Slug: im.agent.Slug, New: im.change == nil, Changes: []wire.Change{}}
		if !all[i].New {
			all[i].Changes = append(wire.AgentChanges(im.before, im.agent), transferChange(im.before, im.agent)...)
		}
	}
	return s.print(map[string]any{"agents": all}, func(w io.Writer) {
		for _, d := range all {
			switch {
			case d.New:
				fmt.Fprintf(w, "%s: would be created.\n", d.Slug)
			case len(d.Changes) == 0:
				fmt.Fprintf(w, "%s: stays as it is.\n", d.Slug)
			default:
				fmt.Fprintf(w, "%s: %d changes.\n", d.Slug, len(d.Changes))
			}
			for _, c := range d.Changes {
				fmt.Fprintf(w, "  %s\n    - %s\n    + %s\n", c.Path, shownValue(c.From), shownValue(c.To))
			}
		}
	})
}

// shownValue is a value in a line.
func shownValue(v any) string {
	if v == nil {
		return "(not set)"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return frontdesk.Clip(strings.Map(printable, string(text)), 300)
}
