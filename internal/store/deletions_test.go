package store_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// tablesOfTenants are the tables of the schema whose rows belong to a tenant.
func tablesOfTenants(t *testing.T, db *sql.DB, postgres bool) (tables []string) {
	t.Helper()
	list := `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'tenant_id' WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'`
	if postgres {
		list = `SELECT table_name FROM information_schema.columns WHERE column_name = 'tenant_id' AND table_schema = current_schema()
			AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition AND relnamespace = current_schema()::regnamespace)`
	}
	names, err := db.Query(list)
	if err != nil {
		t.Fatal(err)
	}
	defer names.Close()
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if names.Err() != nil || len(tables) < 30 {
		t.Fatalf("the schema has %d tables of tenants, %v", len(tables), names.Err())
	}
	return tables
}

// rowsOfTenant counts the rows of a tenant in every table of the schema that has any, by
// the schema itself: a table that is added is among them.
func rowsOfTenant(t *testing.T, db *sql.DB, postgres bool, tenant frontdesk.ID) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, name := range tablesOfTenants(t, db, postgres) {
		var n int
		if err := db.QueryRow(`SELECT COUNT(*) FROM `+name+` WHERE tenant_id = $1`, string(tenant)).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			all[name] = n
		}
	}
	return all
}

func TestATenantIsDeletedWhole(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	db := s.Beside()
	mine, theirs := storetest.Tenant(t, s, "mine").ID, storetest.Tenant(t, s, "theirs").ID
	for _, tenant := range []frontdesk.ID{mine, theirs} {
		agent := newAgent(t, s, tenant)
		for _, live := range []bool{true, false} {
			settle(t, s, frontdesk.Owner{TenantID: tenant, Live: live}, agent)
		}
	}
	before := rowsOfTenant(t, db, store.IsPostgres(url), theirs)
	if len(before) < 15 {
		t.Fatalf("too little is there: %v", before)
	}
	rounds := 0
	for more := true; more; rounds++ {
		var err error
		if more, err = s.DeleteTenantForWorker(ctx, mine, 2); err != nil {
			t.Fatal(err)
		}
	}
	if left := rowsOfTenant(t, db, store.IsPostgres(url), mine); len(left) > 0 || rounds < 10 {
		t.Errorf("after %d rounds left are %v", rounds, left)
	}
	if _, err := s.TenantBySlug(ctx, "mine"); err == nil {
		t.Error("the tenant is still there")
	}
	after := rowsOfTenant(t, db, store.IsPostgres(url), theirs)
	for name, n := range before {
		if after[name] != n {
			t.Errorf("of the other tenant's %s %d of %d are left", name, after[name], n)
		}
	}
}

// Requests of a tenant that was deleted meanwhile keep none of the others from being
// written.
func TestRequestsOfADeletedTenant(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	gone, stays := storetest.Tenant(t, s, "gone").ID, storetest.Tenant(t, s, "stays").ID
	if _, err := s.DeleteTenantForWorker(ctx, gone, 100); err != nil {
		t.Fatal(err)
	}
	var all []frontdesk.Request
	for _, tenant := range []frontdesk.ID{gone, stays, gone} {
		all = append(all, frontdesk.Request{ID: frontdesk.NewID(day), Owner: frontdesk.Owner{TenantID: tenant, Live: true}, RequestID: "req_1", Key: frontdesk.NewID(day), Method: "POST", Path: "/v1/calls", Status: 404, At: day})
	}
	if err := s.RecordRequestsForWorker(ctx, all); err != nil {
		t.Fatal(err)
	}
	list, err := s.Requests(ctx, frontdesk.Owner{TenantID: stays, Live: true}, frontdesk.RequestFilter{}, frontdesk.Page{Limit: 10})
	if err != nil || len(list.Items) != 1 {
		t.Errorf("kept are %v, %v", list.Items, err)
	}
}

// A table that is added belongs to the list, or its rows would keep a tenant from going.
func TestEveryTableOfTenantsIsInTheList(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	listed := store.OwnedTables()
	for _, name := range tablesOfTenants(t, s.Beside(), store.IsPostgres(url)) {
		if !slices.Contains(listed, name) && name != "call_words" { // which go with their transcripts
			t.Errorf("%s is not in ownedTables", name)
		}
	}
}

func TestAnAgentIsDeletedWhole(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "mine").ID
	gone, stays := newAgentCalled(t, s, tenant, "gone"), newAgentCalled(t, s, tenant, "stays")
	owner := frontdesk.Owner{TenantID: tenant, Live: true}
	h := settle(t, s, owner, gone)
	kept := recording(day, 60, 1)
	kept.Call.AgentID, kept.Captures[0].AgentID = stays.ID, stays.ID
	record(t, s, owner, kept)
	for more := true; more; {
		var err error
		if more, err = s.DeleteAgentForWorker(ctx, frontdesk.Actor{Kind: frontdesk.ByOperatorActing, Name: "test"}, gone, 2); err != nil {
			t.Fatal(err)
		}
	}
	for what, find := range map[string]func() error{
		"the agent":   func() error { _, err := s.Agent(ctx, owner, gone.ID); return err },
		"its call":    func() error { _, err := s.Call(ctx, owner, h.call); return err },
		"its capture": func() error { _, err := s.Capture(ctx, owner, h.capture); return err },
		"its paper":   func() error { _, err := s.Document(ctx, owner, h.document); return err },
	} {
		if find() == nil {
			t.Errorf("%s is still there", what)
		}
	}
	for what, find := range map[string]func() error{
		"the other agent":   func() error { _, err := s.Agent(ctx, owner, stays.ID); return err },
		"its call":          func() error { _, err := s.Call(ctx, owner, kept.Call.ID); return err },
		"its capture":       func() error { _, err := s.Capture(ctx, owner, kept.Captures[0].ID); return err },
		"the tenant's door": func() error { _, err := s.TenantBySlug(ctx, "mine"); return err },
	} {
		if err := find(); err != nil {
			t.Errorf("%s is gone: %v", what, strings.TrimSpace(err.Error()))
		}
	}
}
