package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// consoleEntry is the path under which a link is used.
const consoleEntry = "/console/enter/"

func (p *program) consoleCommands() *cobra.Command {
	return group("console", "Who enters the browser console", p.consoleLink(), p.consolePeople(), p.consoleRemove())
}

// consoleLinkFlags say for whom a link is.
type consoleLinkFlags struct {
	tenant   string
	person   string
	operator bool
	server   string
}

func (p *program) consoleLink() *cobra.Command {
	var f consoleLinkFlags
	cmd := &cobra.Command{
		Use: "link", Short: "Print an address that lets a person into the console, once", Args: cobra.NoArgs,
		Long: `Print an address that lets a person into the console, once. Whoever opens it is that
person, so give it to nobody else.

With --tenant it is for the tenant's first owner, who is made if there is none, or for
the person that --person names. With --operator it is for you, who run this server and
see to all tenants. The address begins with FRONTDESK_PUBLIC_URL, or with where
FRONTDESK_LISTEN says.`,
		Example: `  frontdesk console link --tenant rizos
  frontdesk console link --tenant rizos --person ana@example.com
  frontdesk console link --operator --server http://localhost:8080`,
		RunE: p.onStore(func(s *session, _ []string) error { return s.linkConsole(f) }),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.tenant, "tenant", "", "slug or id of the tenant")
	flags.StringVar(&f.person, "person", "", "e-mail address or id of one of its people (default: its first owner)")
	flags.BoolVar(&f.operator, "operator", false, "for who runs this server")
	flags.StringVar(&f.server, "server", "", "where the browser reaches the server (default: FRONTDESK_PUBLIC_URL, or where FRONTDESK_LISTEN says)")
	p.complete(cmd, "tenant", func(cmd *cobra.Command) []string { return p.offer(cmd, tenantSlugs) })
	p.completePeople(cmd)
	return cmd
}

func (f consoleLinkFlags) check() error {
	switch {
	case f.operator && (f.tenant != "" || f.person != ""):
		return misused("an operator belongs to no tenant: give --operator alone, or --tenant without it")
	case !f.operator && f.tenant == "":
		return misused("for whom? Give --tenant for the people of a tenant, or --operator for yourself")
	case f.server != "" && !isAddress(f.server):
		return misused("--server is %q: expected an address such as https://desk.example.com", f.server)
	}
	return nil
}

func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
}

func (s *session) linkConsole(f consoleLinkFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	people := account.NewPeople(s.store, s.now)
	who, whose, err := s.consolePerson(people, f)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(cmp.Or(f.server, s.settings.PublicURL, app.LocalURL(s.settings.Listen)), "/")
	link, err := people.LinkBy(s.ctx, s.by(), who, frontdesk.LinkPrinted)
	if err != nil {
		return err
	}
	if f.server == "" && s.settings.PublicURL == "" {
		s.warnUnlessServed(base)
	}
	address, expires := base+consoleEntry+link.Reveal(), s.now().Add(frontdesk.LinkPrinted.Lasts())
	shape := personJSON(who)
	shape["tenant"] = nil
	if whose.Slug != "" {
		shape["tenant"] = whose.Slug
	}
	return s.print(map[string]any{"url": address, "expires_at": stamp(expires), "person": shape}, func(w io.Writer) {
		fmt.Fprintln(w, address)
		fmt.Fprintf(w, "\nIt lets %s into the console, once, within %s. Open it in a browser, and give it to nobody else.\n", personWords(who, whose), spell(frontdesk.LinkPrinted.Lasts()))
	})
}

// warnUnlessServed says how to give the server's address, where none of this database
// answers at the one that the settings of this command name: serve may have been told
// another by a flag, or by settings of its own.
func (s *session) warnUnlessServed(base string) {
	d := &doctor{ctx: s.ctx, settings: s.settings}
	d.knowInstallation(s.store)
	if answer, err := (addresses{d}).look(base, "/healthz", ""); err != nil || !(addresses{d}).isOurs(answer) {
		fmt.Fprintf(s.stderr, "No server of this database answers at %s. If it listens elsewhere, the address below does not work: say where with --server, or set FRONTDESK_PUBLIC_URL.\n", base)
	}
}

// spell says how long a link lasts.
func spell(d time.Duration) string {
	if d == time.Hour {
		return "an hour"
	}
	return d.String()
}

func personWords(p frontdesk.Person, t frontdesk.Tenant) string {
	if p.IsOperator() {
		return "the operator of this server"
	}
	return fmt.Sprintf("%s, %s of %s,", strings.Map(printable, p.Name), p.Role, t.Slug)
}

// consolePerson is for whom a link is, and their tenant.
func (s *session) consolePerson(people *account.People, f consoleLinkFlags) (frontdesk.Person, frontdesk.Tenant, error) {
	if f.operator {
		p, err := people.Operator(s.ctx)
		return p, frontdesk.Tenant{}, err
	}
	t, err := s.findTenant(f.tenant)
	if err != nil {
		return frontdesk.Person{}, t, err
	}
	if f.person == "" {
		p, err := people.FirstOwner(s.ctx, t)
		return p, t, err
	}
	p, err := s.findPerson(people, t, f.person)
	return p, t, err
}

// findPerson finds one of a tenant's people by their e-mail address or id.
func (s *session) findPerson(people *account.People, t frontdesk.Tenant, name string) (frontdesk.Person, error) {
	all, err := people.People(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
	if err != nil {
		return frontdesk.Person{}, err
	}
	id, _ := frontdesk.ParseID(name)
	for _, p := range all {
		if p.ID == id || p.Email != "" && frontdesk.EmailKey(p.Email) == frontdesk.EmailKey(name) {
			return p, nil
		}
	}
	return frontdesk.Person{}, refused("not_found", "person", "the tenant %s has no person %q; `frontdesk console people --tenant %s` shows them", t.Slug, name, t.Slug)
}

func (p *program) consolePeople() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use: "people", Short: "List the people of a tenant who may enter the console", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.listPeople(tenant) }),
	}
	p.tenantFlag(cmd, &tenant)
	return cmd
}

func (s *session) listPeople(tenant string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	all, err := s.store.People(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
	if err != nil {
		return err
	}
	shapes := make([]map[string]any, len(all))
	for i, p := range all {
		shapes[i] = personJSON(p)
	}
	return s.print(map[string]any{"people": shapes}, func(w io.Writer) {
		if len(all) == 0 {
			fmt.Fprintf(w, "Nobody has entered the console of %s yet. `frontdesk console link --tenant %s` lets its owner in.\n", t.Slug, t.Slug)
			return
		}
		row(w, "NAME", "E-MAIL", "ROLE", "LAST SEEN", "ID")
		for _, p := range all {
			row(w, p.Name, cmp.Or(p.Email, "–"), string(p.Role), when(p.LastSeenAt), string(p.ID))
		}
	})
}

func personJSON(p frontdesk.Person) map[string]any {
	shape := map[string]any{"id": p.ID, "name": p.Name, "email": nil, "role": p.Role, "created_at": stamp(p.CreatedAt), "last_seen_at": stamp(p.LastSeenAt)}
	if p.Email != "" {
		shape["email"] = p.Email
	}
	return shape
}

func (p *program) consoleRemove() *cobra.Command {
	var tenant, person string
	cmd := &cobra.Command{
		Use: "remove", Short: "Let a person into the console no more", Args: cobra.NoArgs,
		Long: `Let a person into the console no more. Their sessions end within a second, and their
links and passkeys are forgotten. The only owner of a tenant cannot be removed.`,
		Example: `  frontdesk console remove --tenant rizos --person ana@example.com`,
		RunE:    p.onStore(func(s *session, _ []string) error { return s.removePerson(tenant, person) }),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&person, "person", "", "e-mail address or id of one of its people")
	require(cmd, "person")
	p.completePeople(cmd)
	return cmd
}

func (s *session) removePerson(tenant, name string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	people := account.NewPeople(s.store, s.now)
	who, err := s.findPerson(people, t, name)
	if err != nil {
		return err
	}
	if err := people.Remove(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true}, s.by(), who.ID); err != nil {
		return err
	}
	return s.print(map[string]any{"removed": who.ID}, func(w io.Writer) {
		fmt.Fprintf(w, "Removed %s of %s. Their sessions end within a second.\n", strings.Map(printable, cmp.Or(who.Email, who.Name)), t.Slug)
	})
}

// completePeople offers the e-mail addresses of the people of the tenant that was
// given.
func (p *program) completePeople(cmd *cobra.Command) {
	p.complete(cmd, "person", func(cmd *cobra.Command) []string {
		return p.offer(cmd, func(ctx context.Context, s *store.Store) (words []string) {
			t, err := s.TenantBySlug(ctx, cmd.Flag("tenant").Value.String())
			if err != nil {
				return nil
			}
			all, _ := s.People(ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
			for _, p := range all {
				words = append(words, cmp.Or(p.Email, string(p.ID)))
			}
			return words
		})
	})
}
