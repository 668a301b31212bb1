package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) agentCommands() *cobra.Command {
	return group("agent", "Receptionists",
		p.agentCreate(), p.agentList(), p.agentShow(), p.agentExport(), p.agentImport(), p.agentSet(), p.agentClose(), p.agentOpen(), p.agentDelete(),
		p.agentStatus("pause", "Stop an agent from taking calls", frontdesk.AgentPaused),
		p.agentStatus("resume", "Let an agent take calls again", frontdesk.AgentActive))
}

func (p *program) agentCreate() *cobra.Command {
	var tenant, config string
	var file wire.AgentFile
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create an agent",
		Example: `  frontdesk agent create --tenant casa-lola --slug recepcion --vertical restaurant --name "Casa Lola"
  frontdesk agent create --tenant casa-lola --slug bar --vertical restaurant --name Bar --config bar.json`,
		Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.createAgent(tenant, file, config) }),
	}
	p.tenantFlag(cmd, &tenant)
	f := cmd.Flags()
	f.StringVar(&file.Slug, "slug", "", "name of the agent in addresses and commands")
	f.StringVar(&file.Vertical, "vertical", "", "trade: "+strings.Join(frontdesk.Verticals, ", "))
	f.StringVar(&file.DisplayName, "name", "", "name of the agent for people")
	f.StringVar(&file.Timezone, "timezone", "Europe/Madrid", "IANA time zone of its opening hours")
	f.StringSliceVar(&file.Languages, "languages", frontdesk.Languages, "languages it speaks, the first is the one it greets in")
	f.StringVar(&file.Status, "status", frontdesk.AgentActive, strings.Join(frontdesk.AgentStatuses, ", "))
	f.StringVar(&config, "config", "", "file with its AgentConfig in JSON or YAML; - for standard input")
	require(cmd, "slug", "vertical", "name")
	p.completeWords(cmd, "vertical", frontdesk.Verticals)
	p.completeWords(cmd, "status", frontdesk.AgentStatuses)
	p.completeWords(cmd, "languages", frontdesk.Languages)
	return cmd
}

func (s *session) createAgent(tenant string, file wire.AgentFile, config string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	if config != "" {
		if file.Config, err = s.readJSON(config); err != nil {
			return err
		}
	}
	a, err := newAgent(file)
	if err != nil {
		return err
	}
	a = s.bear(a, t)
	if err := s.store.CreateAgent(s.ctx, s.by(), a); err != nil {
		return err
	}
	return s.print(agentJSON(a, t), func(w io.Writer) {
		fmt.Fprintf(w, "Created the agent %s of %s (%s).\n", a.Slug, t.Slug, a.ID)
	})
}

// bear gives a new agent its tenant, its id and its time.
func (s *session) bear(a frontdesk.Agent, t frontdesk.Tenant) frontdesk.Agent {
	now := s.now()
	a.ID, a.TenantID, a.CreatedAt, a.UpdatedAt = frontdesk.NewID(now), t.ID, now, now
	return a
}

func (p *program) agentList() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use: "list", Short: "List a tenant's agents, newest first", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.listAgents(tenant) }),
	}
	p.tenantFlag(cmd, &tenant)
	return cmd
}

func (s *session) listAgents(tenant string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	agents, err := s.store.Agents(s.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
	if err != nil {
		return err
	}
	shapes := make([]agentShape, len(agents))
	for i, a := range agents {
		shapes[i] = agentJSON(a, t)
	}
	return s.print(map[string]any{"agents": shapes}, func(w io.Writer) {
		row(w, "SLUG", "NAME", "VERTICAL", "STATUS", "LANGUAGES", "TIMEZONE", "UPDATED", "ID")
		for _, a := range agents {
			row(w, a.Slug, a.DisplayName, a.Vertical, a.Status, strings.Join(a.Languages, ","), a.Timezone, when(a.UpdatedAt), string(a.ID))
		}
	})
}

type agentShape struct {
	ID          frontdesk.ID `json:"id"`
	Tenant      string       `json:"tenant"`
	Slug        string       `json:"slug"`
	Vertical    string       `json:"vertical"`
	DisplayName string       `json:"display_name"`
	Status      string       `json:"status"`
	Languages   []string     `json:"languages"`
	Timezone    string       `json:"timezone"`
	CreatedAt   *string      `json:"created_at"`
	UpdatedAt   *string      `json:"updated_at"`
}

func agentJSON(a frontdesk.Agent, t frontdesk.Tenant) agentShape {
	return agentShape{
		a.ID, t.Slug, a.Slug, a.Vertical, a.DisplayName, a.Status, a.Languages, a.Timezone,
		stamp(a.CreatedAt), stamp(a.UpdatedAt),
	}
}

// agentSet changes what only the operator decides about an agent.
func (p *program) agentSet() *cobra.Command {
	var tenant, agent string
	var given agentSettings
	cmd := &cobra.Command{
		Use: "set [SLUG]", Short: "Change an operator's settings of an agent; what is not given stays as it is", Args: cobra.MaximumNArgs(1),
		Example: `  frontdesk agent set --tenant casa-lola --threshold 75 recepcion
  frontdesk agent set --tenant casa-lola --capacity 60 --max-party 10 --service-capacity mesa-terraza=16 recepcion
  frontdesk agent set --tenant casa-lola --notice 2h --horizon 90d --origins https://www.casa-lola.example recepcion
  frontdesk agent set --tenant casa-lola --rules rules.yaml --currency EUR recepcion
  frontdesk agent set --tenant casa-lola --transfer-number +34600111222 recepcion`,
		ValidArgsFunction: p.completeAgents,
	}
	cmd.RunE = p.onStore(func(s *session, args []string) error {
		slug, err := oneOf("agent's slug", "agent", agent, args)
		if err != nil {
			return err
		}
		if err := given.readRules(s); err != nil {
			return err
		}
		change, err := given.change(cmd.Flags().Changed)
		if err != nil {
			return err
		}
		return s.setAgent(tenant, slug, change)
	})
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&agent, "agent", "", "slug of the agent")
	given.flags(cmd)
	return cmd
}

// agentSettings are the flags of `agent set`.
type agentSettings struct {
	threshold       int
	capacity        int
	serviceCapacity map[string]int
	maxParty        int
	notice, horizon span
	origins         []string
	rulesFile       string
	rules           frontdesk.Rules // of the file
	currency        string
	holidays        string
	slot            span
	perCustomer     int
	transfer        string
	privacy         string
}

func (g *agentSettings) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&g.threshold, "threshold", frontdesk.DefaultThresholdPct, "per cent that an answer from the knowledge base must be likely to be right")
	f.IntVar(&g.capacity, "capacity", 0, fmt.Sprintf("appointments at the same time; seats of a restaurant (default 1, or %d seats)", frontdesk.DefaultSeats))
	f.StringToIntVar(&g.serviceCapacity, "service-capacity", nil, "capacity of a service that is counted apart, as id=N; id=0: it is not any more")
	f.IntVar(&g.maxParty, "max-party", 0, fmt.Sprintf("people in one appointment (default %d in a restaurant)", frontdesk.DefaultMaxParty))
	f.Var(&g.notice, "notice", "how long before it an appointment can be made, such as 30m (default 15m)")
	f.Var(&g.horizon, "horizon", "how far ahead appointments are made, such as 90d (default 180d)")
	f.StringSliceVar(&g.origins, "origins", nil, `origins of the web pages that may show the agent; "": all may`)
	f.StringVar(&g.privacy, "privacy-url", "", `address of the business's page on privacy, which its visitors are shown; "": none`)
	f.StringVar(&g.holidays, "holidays", "", `country or region whose public holidays are closed, such as ES-MD; "": none are`)
	f.Var(&g.slot, "slot", "grid on which times are offered, such as 20m (default: by the length of the service)")
	f.IntVar(&g.perCustomer, "per-customer", 0, fmt.Sprintf("appointments to come that one telephone number may have (default %d)", frontdesk.DefaultPerCustomerOpen))
	f.StringVar(&g.rulesFile, "rules", "", "file with the business's rules for its calls in JSON or YAML; - for standard input")
	f.StringVar(&g.transfer, "transfer-number", "", "telephone of the person that calls are put through to, with its country; none: nobody")
	f.StringVar(&g.currency, "currency", "", `what a price without a currency means, such as EUR; "": that of the time zone's country`)
}

// readRules reads the file of rules, if one is given: a list, or a list under
// "rules".
func (g *agentSettings) readRules(s *session) error {
	if g.rulesFile == "" {
		return nil
	}
	text, err := s.readJSON(g.rulesFile)
	if err != nil {
		return err
	}
	var under struct{ Rules json.RawMessage }
	if json.Unmarshal(text, &under) == nil && under.Rules != nil {
		text = under.Rules
	}
	g.rules, err = wire.DecodeRules(text)
	return err
}

// change is what the flags that were given do to the settings.
func (g *agentSettings) change(has func(flag string) bool) (func(*frontdesk.AgentSettings), error) {
	for flag, n := range map[string]int{"capacity": g.capacity, "max-party": g.maxParty, "per-customer": g.perCustomer} {
		if has(flag) && n < 1 {
			return nil, misused("--%s is %d: expected 1 or more", flag, n)
		}
	}
	if region := strings.ToUpper(g.holidays); region != "" {
		if err := opening.CheckRegion(region); err != nil {
			return nil, err
		}
	}
	for flag, d := range map[string]span{"notice": g.notice, "horizon": g.horizon, "slot": g.slot} {
		if has(flag) && d == 0 {
			return nil, misused("--%s must be more than 0", flag)
		}
	}
	for id, n := range g.serviceCapacity {
		if id == "" || n < 0 {
			return nil, misused("--service-capacity is %s=%d: expected the id of a service and 0 or more", id, n)
		}
	}
	if has("threshold") && (g.threshold < 1 || g.threshold > 100) {
		return nil, misused("--threshold is %d: expected 1 to 100", g.threshold)
	}
	transfer, err := transferFlag(g.transfer)
	if err != nil {
		return nil, err
	}
	set := map[string]func(*frontdesk.AgentSettings){
		"threshold":        func(s *frontdesk.AgentSettings) { s.ThresholdPct = g.threshold },
		"capacity":         func(s *frontdesk.AgentSettings) { s.Capacity = g.capacity },
		"service-capacity": func(s *frontdesk.AgentSettings) { s.ServiceCapacity = merged(s.ServiceCapacity, g.serviceCapacity) },
		"max-party":        func(s *frontdesk.AgentSettings) { s.MaxParty = g.maxParty },
		"notice":           func(s *frontdesk.AgentSettings) { s.Notice = cmp.Or(time.Duration(g.notice), frontdesk.NoNotice) },
		"horizon":          func(s *frontdesk.AgentSettings) { s.Horizon = time.Duration(g.horizon) },
		"origins":          func(s *frontdesk.AgentSettings) { s.Origins = origins(g.origins) },
		"privacy-url":      func(s *frontdesk.AgentSettings) { s.PrivacyURL = g.privacy },
		"holidays":         func(s *frontdesk.AgentSettings) { s.Calendar.Holidays = strings.ToUpper(g.holidays) },
		"slot":             func(s *frontdesk.AgentSettings) { s.Calendar.SlotMinutes = int(time.Duration(g.slot) / time.Minute) },
		"per-customer":     func(s *frontdesk.AgentSettings) { s.Calendar.PerCustomerOpen = g.perCustomer },
		"rules":            func(s *frontdesk.AgentSettings) { s.Rules = g.rules },
		"currency":         func(s *frontdesk.AgentSettings) { s.Currency = strings.ToUpper(g.currency) },
		"transfer-number":  func(s *frontdesk.AgentSettings) { s.TransferNumber = transfer },
	}
	maps.DeleteFunc(set, func(flag string, _ func(*frontdesk.AgentSettings)) bool { return !has(flag) })
	if len(set) == 0 {
		return nil, misused("nothing to change: give at least one of --threshold, --capacity, --service-capacity, --max-party, --notice, --horizon, --holidays, --slot, --per-customer, --origins, --privacy-url, --rules, --currency, --transfer-number")
	}
	return func(s *frontdesk.AgentSettings) {
		for _, apply := range set {
			apply(s)
		}
	}, nil
}

// transferFlag reads a telephone number, or the word none.
func transferFlag(text string) (string, error) {
	if text == "" || text == "none" {
		return "", nil
	}
	number := frontdesk.E164(text)
	if number == "" {
		return "", misused("--transfer-number is %q: expected a telephone number with its country, such as +34600111222, or none", text)
	}
	return number, nil
}

// merged are the capacities with those given laid over them; 0 takes one away.
func merged(old, given map[string]int) map[string]int {
	all := map[string]int{}
	maps.Copy(all, old)
	maps.Copy(all, given)
	maps.DeleteFunc(all, func(_ string, n int) bool { return n == 0 })
	if len(all) == 0 {
		return nil
	}
	return all
}

// origins are as browsers spell them.
func origins(given []string) (all []string) {
	for _, o := range given {
		if o = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(o)), "/"); o != "" {
			all = append(all, o)
		}
	}
	return all
}

// setAgent changes the settings of one of a tenant's agents.
func (s *session) setAgent(tenant, slug string, change func(*frontdesk.AgentSettings)) error {
	return s.changeAgent(tenant, slug, func(a *frontdesk.Agent) error {
		change(&a.Settings)
		zone, err := frontdesk.LoadZone(a.Timezone)
		if err != nil {
			return err
		}
		if err := a.Settings.Calendar.Check(zone); err != nil {
			return err
		}
		return a.Settings.Check()
	}, settingsText)
}

// settingsText says what an agent does by its settings.
func settingsText(a frontdesk.Agent) string {
	s := a.Settings
	lines := []string{fmt.Sprintf("answers from the knowledge base at %d %% and above", s.Threshold())}
	if s.Capacity > 0 {
		lines = append(lines, fmt.Sprintf("has a capacity of %d", s.Capacity))
	}
	for _, id := range slices.Sorted(maps.Keys(s.ServiceCapacity)) {
		lines = append(lines, fmt.Sprintf("has a capacity of %d for %s alone", s.ServiceCapacity[id], id))
	}
	if s.MaxParty > 0 {
		lines = append(lines, fmt.Sprintf("takes parties of up to %d", s.MaxParty))
	}
	lines = append(lines, fmt.Sprintf("books from %s to %d days ahead", shortSpan(s.MinimumNotice()), int(s.BookingHorizon()/day)))
	if s.Calendar.Holidays != "" {
		lines = append(lines, "is closed on the public holidays of "+s.Calendar.Holidays)
	}
	if n := s.Calendar.SlotMinutes; n > 0 {
		lines = append(lines, fmt.Sprintf("offers times every %d minutes", n))
	}
	if n := s.Calendar.PerCustomerOpen; n > 0 {
		lines = append(lines, fmt.Sprintf("lets a telephone number have %d appointments to come", n))
	}
	if len(s.Origins) > 0 {
		lines = append(lines, "is shown on "+strings.Join(s.Origins, ", "))
	}
	if s.PrivacyURL != "" {
		lines = append(lines, "names "+s.PrivacyURL+" as its page on privacy")
	}
	if s.TransferNumber != "" {
		lines = append(lines, "puts calls through to "+s.TransferNumber)
	}
	if s.Currency != "" {
		lines = append(lines, "has prices in "+s.Currency)
	}
	if n := len(s.Rules); n > 0 {
		lines = append(lines, fmt.Sprintf("has %d rules", n))
	}
	return strings.Join(lines, "; ")
}

// shortSpan is a duration without the units that are zero: 15m, 2h, 1h30m.
func shortSpan(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "0s")
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// agentStatus is the command that moves an agent to a status.
func (p *program) agentStatus(name, short, status string) *cobra.Command {
	var tenant, agent string
	cmd := &cobra.Command{
		Use: name + " [SLUG]", Short: short, Args: cobra.MaximumNArgs(1),
		Example:           fmt.Sprintf("  frontdesk agent %s --tenant casa-lola recepcion", name),
		ValidArgsFunction: p.completeAgents,
		RunE: p.onStore(func(s *session, args []string) error {
			slug, err := oneOf("agent's slug", "agent", agent, args)
			if err != nil {
				return err
			}
			return s.changeAgent(tenant, slug, func(a *frontdesk.Agent) error {
				a.Status = status
				return nil
			}, func(frontdesk.Agent) string { return "is " + status })
		}),
	}
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&agent, "agent", "", "slug of the agent")
	p.complete(cmd, "agent", func(cmd *cobra.Command) []string {
		words, _ := p.completeAgents(cmd, nil, "")
		return words
	})
	return cmd
}

// changeAgent changes one of a tenant's agents, and says how it is now.
func (s *session) changeAgent(tenant, slug string, change func(*frontdesk.Agent) error, now func(frontdesk.Agent) string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	owner := frontdesk.Owner{TenantID: t.ID, Live: true}
	a, err := s.store.ChangeAgent(s.ctx, owner, slug, s.byOperator(func(a frontdesk.Agent) (frontdesk.Agent, error) {
		err := change(&a)
		return a, err
	}))
	if isMissing(err) {
		return noAgent(slug, t)
	}
	if err != nil {
		return err
	}
	return s.print(agentJSON(a, t), func(w io.Writer) {
		fmt.Fprintf(w, "The agent %s of %s %s.\n", a.Slug, t.Slug, now(a))
	})
}

// byOperator is a change of an agent that is made here.
func (s *session) byOperator(change func(frontdesk.Agent) (frontdesk.Agent, error)) store.AgentChange {
	return store.AgentChange{By: s.by(), Now: s.now(), Fields: wire.AgentFields, Change: change}
}
