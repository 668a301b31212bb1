package cli

import (
	"context"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// tenantFlag gives a command the flag --tenant, which it cannot do without.
func (p *program) tenantFlag(cmd *cobra.Command, tenant *string) {
	cmd.Flags().StringVar(tenant, "tenant", "", "slug or id of the tenant")
	require(cmd, "tenant")
	p.complete(cmd, "tenant", func(cmd *cobra.Command) []string { return p.offer(cmd, tenantSlugs) })
}

// completeWords offers fixed words for a flag.
func (p *program) completeWords(cmd *cobra.Command, flag string, words []string) {
	p.complete(cmd, flag, func(*cobra.Command) []string { return words })
}

// completeScopes offers the scopes of the mode that was given.
func (p *program) completeScopes(cmd *cobra.Command) {
	p.complete(cmd, "scopes", func(cmd *cobra.Command) []string {
		mode := cmd.Flag("mode").Value.String()
		return append([]string{"all"}, frontdesk.ScopesFor(mode != modeTest)...)
	})
}

func (p *program) complete(cmd *cobra.Command, flag string, words func(*cobra.Command) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return words(cmd), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag is missing: a mistake in this package
	}
}

// completeAgents offers the slugs of the tenant that was given.
func (p *program) completeAgents(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return p.offer(cmd, func(ctx context.Context, s *store.Store) []string {
		return agentSlugs(ctx, s, cmd.Flag("tenant").Value.String())
	}), cobra.ShellCompDirectiveNoFileComp
}

// offer asks the database for words, if there is one. Completion is silent: it
// makes nothing, and what goes wrong offers nothing.
func (p *program) offer(cmd *cobra.Command, ask func(context.Context, *store.Store) []string) []string {
	settings, err := p.settings(cmd)
	if err != nil || !databaseExists(settings) {
		return nil
	}
	s, err := app.OpenStore(settings)
	if err != nil {
		return nil
	}
	defer s.Close()
	return ask(cmd.Context(), s)
}

func tenantSlugs(ctx context.Context, s *store.Store) (slugs []string) {
	all, _ := s.Tenants(ctx)
	for _, t := range all {
		slugs = append(slugs, t.Slug)
	}
	return slugs
}

func agentSlugs(ctx context.Context, s *store.Store, tenant string) (slugs []string) {
	t, err := s.TenantBySlug(ctx, tenant)
	if err != nil {
		return nil
	}
	all, _ := s.Agents(ctx, frontdesk.Owner{TenantID: t.ID})
	for _, a := range all {
		slugs = append(slugs, a.Slug)
	}
	return slugs
}
