package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// withServer gives operators what only the whole process can do.
func withServer(o *Options) {
	s, now := o.Store, o.Now
	o.Server = Server{
		Version: "v9.9.9", Started: monday.Add(-50 * time.Minute), Documents: "directory documents",
		CheckDocuments: func(context.Context) error { return errors.New("the disk is full") },
		CreateTenant: func(ctx context.Context, by frontdesk.Actor, slug, name, zone string) (frontdesk.Tenant, error) {
			if err := frontdesk.CheckSlug(slug); err != nil {
				return frontdesk.Tenant{}, err
			}
			t := frontdesk.Tenant{ID: frontdesk.NewID(now()), Slug: slug, Name: name, Timezone: zone, Plan: frontdesk.DefaultPlan(), CreatedAt: now()}
			return t, s.CreateTenant(ctx, store.NewTenant{By: by, Tenant: t})
		},
	}
}

func TestAnOperatorSeesToTenants(t *testing.T) {
	t.Parallel()
	o := newOffice(t, withServer)
	storetest.Tenant(t, o.store, "pepe")
	b := o.enter(frontdesk.RoleOperator)
	if got := b.get("/console"); got.location != "/console/operator" {
		t.Errorf("an operator begins at %s", got.location)
	}
	if page := b.get("/console/operator").body; !strings.Contains(page, "/tenants/lola") || !strings.Contains(page, "/tenants/pepe") || !strings.Contains(page, "none yet") {
		t.Errorf("the tenants are %s", page)
	}
	if page := b.get("/console/operator?search=PEP").body; strings.Contains(page, "/tenants/lola") || !strings.Contains(page, "/tenants/pepe") {
		t.Errorf("PEP finds %s", page)
	}
	if page := b.get("/console/operator?search=zzz").body; !strings.Contains(page, "No tenant is called that") {
		t.Errorf("zzz finds %s", page)
	}
	if got := b.post("/console/operator/tenants", url.Values{"slug": {"No Slug"}, "timezone": {"UTC"}}); got.status != http.StatusBadRequest || !strings.Contains(got.body, `value="No Slug"`) {
		t.Errorf("a wrong slug: %d", got.status)
	}
	got := b.post("/console/operator/tenants", url.Values{"slug": {"rizos"}, "name": {"Rizos"}, "timezone": {"Europe/Madrid"}})
	if got.location != "/console/operator/tenants/rizos" {
		t.Fatalf("creating: %d %s", got.status, got.body)
	}
	page := b.get(got.location).body
	for _, want := range []string{"Rizos is created", "No reception yet", "Nobody has entered yet", "No keys", "2026-11"} {
		if !strings.Contains(page, want) {
			t.Errorf("the new tenant has no %q: %s", want, page)
		}
	}
	if got := b.get("/console/operator/tenants/none"); got.status != http.StatusNotFound {
		t.Errorf("no tenant: %d", got.status)
	}
}

// TestAnOperatorSetsPlans: with the checks of the command line.
func TestAnOperatorSetsPlans(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOperator)
	at := "/console/operator/tenants/lola/plan"
	for field, value := range map[string]string{"included_seconds": "-1", "max_concurrent_calls": "0", "max_documents": "many", "overage": "perhaps"} {
		got := b.post(at, url.Values{field: {value}})
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, `aria-invalid="true"`) {
			t.Errorf("%s = %s: %d", field, value, got.status)
		}
	}
	if got := b.post(at, url.Values{"plan": {"large"}, "included_seconds": {"0"}, "max_total_bytes": {"5000000000"}, "overage": {"block"}}); got.status != http.StatusSeeOther {
		t.Fatalf("saving: %d", got.status)
	}
	tenant, err := o.store.TenantBySlug(context.Background(), "lola")
	want := o.tenant.Plan
	want.Name, want.IncludedSeconds, want.MaxTotalBytes, want.Overage = "large", 0, 5_000_000_000, frontdesk.OverageBlock
	if err != nil || tenant.Plan != want {
		t.Errorf("the plan is %+v, %v; want %+v", tenant.Plan, err, want)
	}
	list, err := o.store.Audit(context.Background(), o.owner(), frontdesk.AuditFilter{Action: "plan.set"}, frontdesk.Page{})
	if err != nil || len(list.Items) != 1 || list.Items[0].By.Kind != frontdesk.ByOperatorActing {
		t.Errorf("the audit log has %+v, %v", list.Items, err)
	}
}

// TestAnOperatorMakesALinkForTheOwner: shown once, in the audit log of the tenant.
func TestAnOperatorMakesALinkForTheOwner(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOperator)
	got := b.post("/console/operator/tenants/lola/link", nil)
	_, rest, found := strings.Cut(got.body, "/console/enter/")
	if got.status != http.StatusOK || !found {
		t.Fatalf("the link: %d %s", got.status, got.body)
	}
	link, _, _ := strings.Cut(rest, "<")
	if entered := o.browse().post("/console/enter/"+link, nil); entered.status != http.StatusSeeOther {
		t.Errorf("it gives %d", entered.status)
	}
	if got := o.auditActions(); len(got) != 1 || got[0] != "person.link_made" {
		t.Errorf("the audit log has %v", got)
	}
}

// TestAnOperatorRevokesKeysOfTheTenantInTheAddress, and sees their prefix alone.
func TestAnOperatorRevokesKeysOfTheTenantInTheAddress(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	other := storetest.Tenant(t, o.store, "pepe")
	keys := account.NewKeys(o.store, o.Now)
	mine, secret, err := keys.Create(context.Background(), account.NewKey{Tenant: o.tenant, Live: true, Name: "crm", Scopes: []string{"calls:read"}})
	if err != nil {
		t.Fatal(err)
	}
	theirs, _, err := keys.Create(context.Background(), account.NewKey{Tenant: other, Name: "crm", Scopes: []string{"calls:read"}})
	if err != nil {
		t.Fatal(err)
	}
	b := o.enter(frontdesk.RoleOperator)
	page := b.get("/console/operator/tenants/lola").body
	if !strings.Contains(page, mine.Prefix) || strings.Contains(page, secret.Reveal()) || strings.Contains(page, string(theirs.ID)) {
		t.Errorf("the tenant shows %s", page)
	}
	if got := b.post("/console/operator/tenants/lola/keys/"+string(theirs.ID)+"/revoke", nil); got.status != http.StatusNotFound {
		t.Errorf("another tenant's key: %d", got.status)
	}
	if got := b.post("/console/operator/tenants/lola/keys/"+string(mine.ID)+"/revoke", nil); got.status != http.StatusSeeOther {
		t.Errorf("revoking: %d", got.status)
	}
	if k, err := o.store.Key(context.Background(), mine.ID); err != nil || k.RevokedAt.IsZero() {
		t.Errorf("the key is %+v, %v", k, err)
	}
	if page := b.get("/console/operator/tenants/lola").body; !strings.Contains(page, "ended") {
		t.Errorf("then it shows %s", page)
	}
}

func TestHealthTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	o := newOffice(t, withServer)
	b := o.enter(frontdesk.RoleOperator)
	page := b.get("/console/operator/health").body
	for _, want := range []string{"v9.9.9", "up for 50 min", "answers in", "cannot be stored", "look at it", "0 deliveries were given up", "0 waiting"} {
		if !strings.Contains(page, want) {
			t.Errorf("health has no %q: %s", want, page)
		}
	}
	if strings.Contains(page, "the disk is full") {
		t.Error("health shows what is for the log")
	}
	shows(t, page, "none in 24 hours")
	for i, status := range []int{500, 503, 404, 500} {
		at := o.Now().Add(-time.Duration(i) * 10 * time.Hour) // the last one was the day before
		if err := o.store.RecordRequestsForWorker(context.Background(), []frontdesk.Request{{
			ID: frontdesk.NewID(at), Owner: frontdesk.Owner{TenantID: o.tenant.ID, Live: true}, RequestID: "req_" + strconv.Itoa(i), At: at,
			Method: "POST", Path: "/v1/captures", Status: status, Code: "internal_error", Key: frontdesk.NewID(at),
		}}); err != nil {
			t.Fatal(err)
		}
	}
	page = b.get("/console/operator/health").body
	shows(t, page, "2 in 24 hours", "POST /v1/captures", "lola", "req_0", "req_1", "Look for their id in the log")
	lacks(t, page, "req_2", "req_3")
}

// TestAnOperatorSeesNoConversation: nothing of what callers said or left stands on
// an operator's pages.
func TestAnOperatorSeesNoConversation(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.book("2026-11-16T17:30:00", frontdesk.PendingConfirm)
	b := o.enter(frontdesk.RoleOperator)
	for _, path := range []string{"/console/operator", "/console/operator/tenants/lola", "/console/operator/health"} {
		for _, language := range frontdesk.Languages {
			b.language = language
			if page := b.get(path); page.status != http.StatusOK || strings.Contains(page.body, "Ana Ruiz") || strings.Contains(page.body, "600111222") {
				t.Errorf("%s: %d, with a caller in it", path, page.status)
			}
		}
	}
	if got := b.get(b.at("today")); got.status != http.StatusForbidden {
		t.Errorf("Today: %d", got.status)
	}
}
