package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// everybody stands in a list where nobody in particular is meant.
const everybody = "everybody"

func (p *program) calendarCommands() *cobra.Command {
	return group("calendar", "Calendars of others: those that show this one, and those that this one heeds",
		p.calendarConnect(), p.calendarDisconnect(), p.calendarFeed(), p.calendarList(), p.calendarRevoke())
}

func (p *program) calendarFeed() *cobra.Command {
	var book bookFlags
	var with string
	cmd := &cobra.Command{
		Use: "feed", Short: "Make a secret address under which other calendars read the appointments", Args: cobra.NoArgs,
		Long: `Make a secret address under which other calendars read the appointments: of the
agent, or with --with those of one person, room or table.

Whoever has the address reads names and telephone numbers. It is shown once;
` + "`frontdesk calendar revoke`" + ` ends it.`,
		Example: `  frontdesk calendar feed --tenant rizos
  frontdesk calendar feed --tenant rizos --with luis`,
		RunE: p.onStore(func(s *session, _ []string) error { return s.makeFeed(book, with) }),
	}
	book.add(p, cmd)
	cmd.Flags().StringVar(&with, "with", "", "id of a person, room or table")
	return cmd
}

func (s *session) makeFeed(book bookFlags, with string) error {
	who, err := book.open(s)
	if err != nil {
		return err
	}
	if _, known := who.Agent.Settings.Calendar.Resource(with); with != "" && !known {
		return refused("not_found", "with", "there is no resource %q; `frontdesk agent show` lists them", with)
	}
	token, now := frontdesk.NewFeedToken(), s.now()
	f := frontdesk.Feed{
		ID: frontdesk.NewID(now), TenantID: who.Tenant.ID, Live: who.Live, AgentID: who.Agent.ID, ResourceID: with,
		Hash: frontdesk.FeedHash(token.Reveal()), CreatedAt: now,
	}
	if err := s.store.CreateFeed(s.ctx, who.Owner(), s.by(), f); err != nil {
		return err
	}
	path := "/calendar/" + token.Reveal() + ".ics"
	return s.print(map[string]any{"id": f.ID, "path": path, "agent": who.Agent.Slug, "resource_id": with, "livemode": f.Live}, func(w io.Writer) {
		if base := strings.TrimSuffix(s.settings.PublicURL, "/"); base != "" {
			fmt.Fprintf(w, "Subscribe to this address:\n\n  %s%s\n\n", base, path)
		} else {
			fmt.Fprintf(w, "Subscribe to this address, behind the name of your server, as in https://desk.example.com/calendar/…\n\n  %s\n\n", path)
		}
		fmt.Fprintf(w, "It is shown this once. Whoever has it reads the appointments; `frontdesk calendar revoke --tenant %s %s` ends it.\n", who.Tenant.Slug, f.ID)
	})
}

func (p *program) calendarList() *cobra.Command {
	var tenant, mode string
	cmd := &cobra.Command{
		Use: "list", Short: "List outside calendars, how they are, and the addresses that were made, newest first", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error {
			t, owner, err := s.ownerIn(tenant, mode)
			if err != nil {
				return err
			}
			return s.listCalendars(t, owner)
		}),
	}
	p.tenantFlag(cmd, &tenant)
	p.modeFlag(cmd, &mode)
	return cmd
}

func (s *session) listCalendars(t frontdesk.Tenant, owner frontdesk.Owner) error {
	feeds, err := s.store.Feeds(s.ctx, owner)
	if err != nil {
		return err
	}
	outside, err := s.outsideStates(t, owner)
	if err != nil {
		return err
	}
	agents, err := s.store.Agents(s.ctx, owner)
	if err != nil {
		return err
	}
	slugs := map[frontdesk.ID]string{}
	for _, a := range agents {
		slugs[a.ID] = a.Slug
	}
	shapes, calendars := make([]map[string]any, len(feeds)), make([]map[string]any, len(outside))
	for i, f := range feeds {
		shapes[i] = map[string]any{"id": f.ID, "agent": slugs[f.AgentID], "resource_id": f.ResourceID, "livemode": f.Live, "created_at": stamp(f.CreatedAt)}
	}
	for i, o := range outside {
		calendars[i] = o.shape(slugs)
	}
	return s.print(map[string]any{"calendars": calendars, "feeds": shapes}, func(w io.Writer) {
		if len(outside) > 0 {
			printOutside(w, outside, slugs)
		}
		if len(outside) > 0 && len(feeds) > 0 {
			fmt.Fprintln(w)
		}
		if len(outside) == 0 && len(feeds) == 0 {
			fmt.Fprintln(w, "No calendar is connected, and no address was made. `frontdesk calendar connect` and `frontdesk calendar feed` do it.")
		}
		if len(feeds) > 0 {
			row(w, "FEED OF", "WITH", "MADE", "ID")
		}
		for _, f := range feeds {
			row(w, slugs[f.AgentID], cmp.Or(f.ResourceID, everybody), when(f.CreatedAt), string(f.ID))
		}
	})
}

func (p *program) calendarRevoke() *cobra.Command {
	return p.onOne(oneThing{
		use: "revoke", short: "End an address: nothing is shown there any more",
		what: "address", list: "calendar list", key: "revoked", done: "Revoked %s.",
		act: func(s *session, owner frontdesk.Owner, id frontdesk.ID) error {
			return s.store.DeleteFeed(s.ctx, owner, s.by(), id)
		},
	})
}
