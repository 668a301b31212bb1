package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/demo"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func (p *program) tenantCommands() *cobra.Command {
	return group("tenant", "Business accounts", p.tenantCreate(), p.tenantList(), p.tenantDelete())
}

func (p *program) tenantCreate() *cobra.Command {
	var slug, name, zone string
	cmd := &cobra.Command{
		Use:   "create [SLUG]",
		Short: "Create a tenant, with sample data in its test mode",
		Example: `  frontdesk tenant create casa-lola --name "Casa Lola" --timezone Europe/Madrid
  frontdesk tenant create --slug casa-lola`,
		Args: cobra.MaximumNArgs(1),
		RunE: p.onStore(func(s *session, args []string) error {
			slug, err := oneOf("slug", "slug", slug, args)
			if err != nil {
				return err
			}
			return s.createTenant(slug, name, zone)
		}),
	}
	cmd.Flags().StringVar(&slug, "slug", "", "name of the tenant in addresses and commands")
	cmd.Flags().StringVar(&name, "name", "", "name of the business; the slug if not given")
	cmd.Flags().StringVar(&zone, "timezone", "Europe/Madrid", "IANA time zone that usage is counted in")
	p.completeWords(cmd, "timezone", []string{"Europe/Madrid", "Europe/London", "America/Mexico_City", "America/New_York", "UTC"})
	return cmd
}

func (s *session) createTenant(slug, name, zone string) error {
	library, err := s.library()
	if err != nil {
		return err
	}
	made, err := demo.NewTenant{By: s.by(), Slug: slug, Name: name, Timezone: zone}.Create(s.ctx, s.store, library, s.now())
	if err != nil {
		return err
	}
	t := made.Tenant
	return s.print(tenantJSON(t), func(w io.Writer) {
		fmt.Fprintf(w, "Created the tenant %s (%s).\n", t.Slug, t.ID)
		fmt.Fprintf(w, "Test mode holds %d sample calls and %d documents. Next:\n", len(made.Test), len(made.Documents))
		fmt.Fprintf(w, "  frontdesk agent create --tenant %s --slug … --vertical … --name …\n", t.Slug)
		fmt.Fprintf(w, "  frontdesk key create --tenant %s --mode test\n", t.Slug)
	})
}

func (p *program) tenantList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List all tenants", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.listTenants() }),
	}
}

func (s *session) listTenants() error {
	all, err := s.store.Tenants(s.ctx)
	if err != nil {
		return err
	}
	shapes := make([]tenantShape, len(all))
	for i, t := range all {
		shapes[i] = tenantJSON(t)
	}
	return s.print(map[string]any{"tenants": shapes}, func(w io.Writer) {
		row(w, "SLUG", "NAME", "TIMEZONE", "PLAN", "CREATED", "ID")
		for _, t := range all {
			row(w, t.Slug, t.Name, t.Timezone, t.Plan.Name, when(t.CreatedAt), string(t.ID))
		}
	})
}

type tenantShape struct {
	ID        frontdesk.ID `json:"id"`
	Slug      string       `json:"slug"`
	Name      string       `json:"name"`
	Timezone  string       `json:"timezone"`
	Plan      planShape    `json:"plan"`
	CreatedAt *string      `json:"created_at"`
}

func tenantJSON(t frontdesk.Tenant) tenantShape {
	return tenantShape{t.ID, t.Slug, t.Name, t.Timezone, planShape(t.Plan), stamp(t.CreatedAt)}
}
