package console

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// operatorScreen is what who runs the server sees of all tenants: what they have
// and use, and never what their callers said.
type operatorScreen struct{ *Console }

// Server is what operators are told about the process, and what they may have it
// do that only the whole of it can.
type Server struct {
	Version        string
	Started        time.Time
	Documents      string // where the bytes of documents are kept
	CheckDocuments func(context.Context) error
	// CreateTenant creates a tenant as the command line does.
	CreateTenant func(ctx context.Context, by frontdesk.Actor, slug, name, zone string) (frontdesk.Tenant, error)
}

const operatorAddress = Path + "/operator"

// tenantsPage lists tenants, newest first.
type tenantsPage struct {
	Search                 string
	Tenants                []tenantLine
	Older, Newest          string
	CanCreate              bool
	Slug, Name, Zone       string // as typed
	Field, Fault, OpenForm string
}

// tenantLine is one of them.
type tenantLine struct {
	Slug, Name, Plan string
	Agents           int
	Calls            string // in this month
	Used             string // seconds, of those that are included
	Over             bool
	Last             string // call; "": there was none
}

const tenantPageSize = 50

func (c operatorScreen) show(v *visit) (answer, error) {
	return c.list(v, http.StatusOK, tenantsPage{Zone: "Europe/Madrid"})
}

func (c operatorScreen) list(v *visit, status int, page tenantsPage) (answer, error) {
	page.Search = frontdesk.Clip(v.http.URL.Query().Get("search"), 100)
	if !exchange.Storable(page.Search) {
		return answer{}, frontdesk.InvalidParam("search", "search must be text without NUL.")
	}
	after, ok := frontdesk.ParseID(v.http.URL.Query().Get("after"))
	if !ok && v.http.URL.Query().Get("after") != "" {
		return answer{}, frontdesk.Missing("page")
	}
	since := c.now().AddDate(0, 0, -2).UTC().Format("2006-01") // whatever month it is in a zone
	all, err := c.store.Overviews(v.Context(), page.Search, since, frontdesk.Page{Limit: tenantPageSize, StartingAfter: after})
	if err != nil {
		return answer{}, err
	}
	for _, o := range all.Items {
		page.Tenants = append(page.Tenants, newTenantLine(v, o))
	}
	if all.More {
		page.Older = operatorAddress + "?" + url.Values{"search": {page.Search}, "after": {string(all.Items[len(all.Items)-1].Tenant.ID)}}.Encode()
	}
	if after != "" {
		page.Newest = operatorAddress + "?" + url.Values{"search": {page.Search}}.Encode()
	}
	page.CanCreate = c.server.CreateTenant != nil
	return v.render(status, "operator", page)
}

func newTenantLine(v *visit, o store.Overview) tenantLine {
	zone, err := frontdesk.LoadZone(o.Tenant.Timezone)
	if err != nil {
		zone = time.UTC
	}
	used := o.Used[frontdesk.PeriodOf(v.now, zone)]
	plan := o.Tenant.Plan
	line := tenantLine{
		Slug: o.Tenant.Slug, Name: o.Tenant.Name, Plan: plan.Name, Agents: o.Agents, Calls: v.figure(used.Calls),
		Used: v.figure(used.Seconds), Over: plan.IncludedSeconds > 0 && used.Seconds >= plan.IncludedSeconds,
	}
	if plan.IncludedSeconds > 0 {
		line.Used += " / " + v.figure(plan.IncludedSeconds)
	}
	if !o.LastCall.IsZero() {
		line.Last = v.ago(o.LastCall)
	}
	return line
}

// create makes a tenant, and shows it.
func (c operatorScreen) create(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	if c.server.CreateTenant == nil {
		return answer{}, frontdesk.Missing("page")
	}
	page := tenantsPage{Slug: v.field("slug"), Name: v.field("name"), Zone: v.field("timezone"), OpenForm: "open"}
	t, err := c.server.CreateTenant(v.Context(), v.person.Actor(), page.Slug, page.Name, page.Zone)
	if field, text, ok := faultOf(v, err); ok {
		page.Field, page.Fault = field, text
		return c.list(v, http.StatusBadRequest, page)
	}
	if err != nil {
		return answer{}, err
	}
	return v.done(operatorAddress+"/tenants/"+t.Slug, said{Text: v.say("operator_created", "tenant", t.Name)}), nil
}

// tenantPage is one tenant.
type tenantPage struct {
	Slug, Name, Timezone, Since string
	Usage                       []usageLine
	Plan                        []planField
	Overage                     []choice
	PlanName                    string
	Field, Fault                string
	Agents                      []choice // name, status, whether it is active
	People                      []personLine
	Keys                        []keyLine
}

type usageLine struct{ Month, Calls, Seconds string }

// planField is a number of the plan.
type planField struct{ Name, Value string }

// keyLine is a key, of which the prefix alone is shown.
type keyLine struct {
	ID           frontdesk.ID
	Name, Prefix string
	Live, Ended  bool
	Used         string
}

// find is the tenant of the address.
func (c operatorScreen) find(v *visit) (frontdesk.Tenant, error) {
	return c.store.TenantBySlug(v.Context(), v.http.PathValue("tenant"))
}

func (c operatorScreen) tenant(v *visit) (answer, error) {
	t, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	return c.showTenant(v, http.StatusOK, t, planNumbers(t.Plan), "", "")
}

func (c operatorScreen) showTenant(v *visit, status int, t frontdesk.Tenant, plan []planField, field, fault string) (answer, error) {
	page := tenantPage{
		Slug: t.Slug, Name: t.Name, Timezone: t.Timezone, Since: v.moment(t.CreatedAt.In(v.zone)),
		Plan: plan, PlanName: t.Plan.Name, Field: field, Fault: fault,
	}
	for _, one := range []string{frontdesk.OverageAllow, frontdesk.OverageBlock} {
		page.Overage = append(page.Overage, choice{v.say("overage_" + one), one, one == t.Plan.Overage})
	}
	owner := frontdesk.Owner{TenantID: t.ID, Live: true}
	for _, read := range []func(*visit, frontdesk.Owner, *tenantPage) error{c.readUsage, c.readAgents, c.readPeople, c.readKeys} {
		if err := read(v, owner, &page); err != nil {
			return answer{}, err
		}
	}
	return v.render(status, "operator_tenant", page)
}

func (c operatorScreen) readUsage(v *visit, owner frontdesk.Owner, page *tenantPage) error {
	zone, err := frontdesk.LoadZone(page.Timezone)
	if err != nil {
		return err
	}
	used, err := c.store.Usage(v.Context(), owner, c.now().AddDate(0, -5, 0).Format("2006-01"))
	for _, u := range frontdesk.UsageHistory(used, c.now(), zone) {
		page.Usage = append(page.Usage, usageLine{u.Period, v.figure(u.Calls), v.figure(u.Seconds)})
	}
	return err
}

func (c operatorScreen) readAgents(v *visit, owner frontdesk.Owner, page *tenantPage) error {
	agents, err := c.store.Agents(v.Context(), owner)
	for _, a := range agents {
		page.Agents = append(page.Agents, choice{a.DisplayName, string(a.Status), a.Status == frontdesk.AgentActive})
	}
	return err
}

func (c operatorScreen) readPeople(v *visit, owner frontdesk.Owner, page *tenantPage) error {
	people, err := c.people.People(v.Context(), owner)
	for _, p := range people {
		page.People = append(page.People, newPersonLine(v, p))
	}
	return err
}

func (c operatorScreen) readKeys(v *visit, owner frontdesk.Owner, page *tenantPage) error {
	keys, err := c.store.Keys(v.Context(), owner.TenantID)
	for _, k := range keys {
		line := keyLine{ID: k.ID, Name: k.Name, Prefix: k.Prefix, Live: k.Live, Ended: k.Usable(c.now()) != nil}
		if !k.LastUsedAt.IsZero() {
			line.Used = v.ago(k.LastUsedAt)
		}
		page.Keys = append(page.Keys, line)
	}
	return err
}

// planNumbers are the numbers of a plan, by the names that its checks give them.
func planNumbers(p frontdesk.Plan) []planField {
	n := strconv.Itoa
	return []planField{
		{"included_seconds", n(p.IncludedSeconds)},
		{"max_concurrent_calls", n(p.MaxConcurrentCalls)},
		{"max_connections", n(p.MaxConnections)},
		{"max_documents", n(p.MaxDocuments)},
		{"max_document_bytes", strconv.FormatInt(p.MaxDocumentBytes, 10)},
		{"max_total_bytes", strconv.FormatInt(p.MaxTotalBytes, 10)},
		{"transcript_days", n(p.TranscriptDays)},
		{"call_days", n(p.CallDays)},
		{"capture_days", n(p.CaptureDays)},
		{"question_days", n(p.QuestionsKept())},
		{"event_days", n(p.EventsKept())},
	}
}

// setPlan gives a tenant another plan, checked as the command line does.
func (c operatorScreen) setPlan(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	t, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	plan, typed, err := readPlan(v, t.Plan)
	if err == nil {
		err = plan.Check()
	}
	if field, text, ok := faultOf(v, err); ok {
		t.Plan.Name, t.Plan.Overage = plan.Name, plan.Overage
		return c.showTenant(v, http.StatusBadRequest, t, typed, field, text)
	}
	if err != nil {
		return answer{}, err
	}
	if err := c.store.SetPlan(v.Context(), v.person.Actor(), t.ID, plan); err != nil {
		return answer{}, err
	}
	return v.done(operatorAddress+"/tenants/"+t.Slug, said{Text: v.say("operator_plan_set")}), nil
}

// readPlan reads the form of a plan, and what was typed into it. What it does not
// have stays as it is.
func readPlan(v *visit, plan frontdesk.Plan) (_ frontdesk.Plan, typed []planField, err error) {
	plan.Name, plan.Overage = cmp.Or(v.field("plan"), plan.Name), cmp.Or(v.field("overage"), plan.Overage)
	whole := map[string]*int{
		"included_seconds": &plan.IncludedSeconds, "max_concurrent_calls": &plan.MaxConcurrentCalls,
		"max_connections": &plan.MaxConnections, "max_documents": &plan.MaxDocuments,
		"transcript_days": &plan.TranscriptDays, "call_days": &plan.CallDays, "capture_days": &plan.CaptureDays,
		"question_days": &plan.QuestionDays, "event_days": &plan.EventDays,
	}
	large := map[string]*int64{"max_document_bytes": &plan.MaxDocumentBytes, "max_total_bytes": &plan.MaxTotalBytes}
	for _, f := range planNumbers(plan) {
		text := cmp.Or(v.field(f.Name), f.Value)
		typed = append(typed, planField{f.Name, text})
		n, wrong := strconv.ParseInt(text, 10, 64)
		switch {
		case wrong != nil && err == nil:
			err = frontdesk.InvalidParam(f.Name, "%s must be a whole number.", f.Name)
		case whole[f.Name] != nil:
			*whole[f.Name] = int(n)
		default:
			*large[f.Name] = n
		}
	}
	return plan, typed, err
}

// link makes a link for the first owner of a tenant, and shows it once.
func (c operatorScreen) link(v *visit) (answer, error) {
	t, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	owner, err := c.people.FirstOwner(v.Context(), t)
	if err != nil {
		return answer{}, err
	}
	token, err := c.people.LinkBy(v.Context(), v.person.Actor(), owner, frontdesk.LinkPrinted)
	if err != nil {
		return answer{}, err
	}
	return v.page("operator_link", handed{
		Name: owner.Name, Link: origin(v) + Path + "/enter/" + token.Reveal(), Back: operatorAddress + "/tenants/" + t.Slug,
	})
}

// revoke ends a key of the tenant of the address.
func (c operatorScreen) revoke(v *visit) (answer, error) {
	t, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	id, err := v.pathID("key")
	if err != nil {
		return answer{}, err
	}
	key, err := c.store.Key(v.Context(), id)
	if err != nil {
		return answer{}, err
	}
	if key.TenantID != t.ID {
		return answer{}, frontdesk.Missing("key")
	}
	if err := c.keys.Revoke(v.Context(), v.person.Actor(), id); err != nil {
		return answer{}, err
	}
	return v.done(operatorAddress+"/tenants/"+t.Slug, said{Text: v.say("operator_key_revoked", "key", key.Prefix)}), nil
}
