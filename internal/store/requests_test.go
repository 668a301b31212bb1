package store_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// requestOf is a request that an owner made.
func requestOf(owner frontdesk.Owner, at time.Time, method string, status int, requestID string) frontdesk.Request {
	r := frontdesk.Request{
		ID: frontdesk.NewID(at), Owner: owner, RequestID: requestID, At: at, Method: method, Path: "/v1/captures", Status: status,
		Took: 1500 * time.Microsecond, Key: frontdesk.NewID(day),
	}
	if r.Failed() {
		r.Code, r.Param = "parameter_invalid", "status"
	}
	return r
}

func keepRequests(t testing.TB, s *store.Store, all ...frontdesk.Request) {
	t.Helper()
	if err := s.RecordRequestsForWorker(ctx, all); err != nil {
		t.Fatal(err)
	}
}

func TestRequestsAreKept(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	var all []frontdesk.Request
	for i, method := range []string{"POST", "PATCH", "GET", "POST"} {
		all = append(all, requestOf(owner, day.Add(time.Duration(i)*time.Second), method, []int{201, 400, 503, 409}[i], fmt.Sprint("order-", i%3)))
	}
	all[0].Replayed = true
	keepRequests(t, s, all...)
	keepRequests(t, s, all[1:]...) // as after an outage, when it is not known whether they were written
	for name, tt := range map[string]struct {
		filter frontdesk.RequestFilter
		want   []int
	}{
		"all":               {frontdesk.RequestFilter{}, []int{3, 2, 1, 0}},
		"failed":            {frontdesk.RequestFilter{Failed: true}, []int{3, 2, 1}},
		"a method":          {frontdesk.RequestFilter{Method: "POST"}, []int{3, 0}},
		"a method, failed":  {frontdesk.RequestFilter{Method: "POST", Failed: true}, []int{3}},
		"an id of two":      {frontdesk.RequestFilter{RequestID: "order-0"}, []int{3, 0}},
		"no such id":        {frontdesk.RequestFilter{RequestID: "order-9"}, nil},
		"half an id":        {frontdesk.RequestFilter{RequestID: "order-"}, nil},
		"an id that failed": {frontdesk.RequestFilter{RequestID: "order-0", Failed: true}, []int{3}},
	} {
		list, err := s.Requests(ctx, owner, tt.filter, frontdesk.Page{})
		if err != nil || list.More || len(list.Items) != len(tt.want) {
			t.Errorf("%s: %+v, %v", name, list, err)
			continue
		}
		for i, at := range tt.want {
			if !reflect.DeepEqual(list.Items[i], all[at]) {
				t.Errorf("%s: got %+v, want %+v", name, list.Items[i], all[at])
			}
		}
	}
	first, err := s.Requests(ctx, owner, frontdesk.RequestFilter{}, frontdesk.Page{Limit: 3})
	if err != nil || !first.More || len(first.Items) != 3 {
		t.Fatalf("the first page is %+v, %v", first, err)
	}
	if rest, err := s.Requests(ctx, owner, frontdesk.RequestFilter{}, frontdesk.Page{Limit: 3, StartingAfter: first.Items[2].ID}); err != nil || rest.More || len(rest.Items) != 1 {
		t.Errorf("the second page is %+v, %v", rest, err)
	}
	if got, err := s.Request(ctx, owner, all[1].ID); err != nil || !reflect.DeepEqual(got, all[1]) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Many are written at once, and forgotten a few at a time, the oldest first.
func TestRequestsAreForgotten(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	other := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "other").ID, Live: true}
	var all []frontdesk.Request
	for i := range 500 {
		all = append(all, requestOf([]frontdesk.Owner{owner, other}[i%2], day.Add(time.Duration(i)*time.Second), "POST", 200, "r"))
	}
	keepRequests(t, s, slices.Concat(all[250:], all[:250])...)
	before := day.Add(100 * time.Second)
	for _, want := range []int64{60, 40, 0} {
		if n, err := s.PruneRequestsForWorker(ctx, before, 60); err != nil || n != want {
			t.Fatalf("forgot %d, %v; want %d", n, err, want)
		}
	}
	for i, o := range []frontdesk.Owner{owner, other} {
		list, err := s.Requests(ctx, o, frontdesk.RequestFilter{}, frontdesk.Page{Limit: 1000})
		if err != nil || len(list.Items) != 200 || !list.Items[199].At.Equal(day.Add(time.Duration(100+i)*time.Second)) {
			t.Errorf("left are %d, %v", len(list.Items), err)
		}
	}
}

// A database from before requests were kept takes them.
func TestMigrateToRequests(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "requests", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	r := requestOf(owner, day, "POST", 201, "order-1")
	keepRequests(t, s, r)
	if got, err := s.Request(ctx, owner, r.ID); err != nil || got.RequestID != "order-1" {
		t.Errorf("got %+v, %v", got, err)
	}
}
