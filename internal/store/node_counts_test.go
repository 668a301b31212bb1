package store_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestNodesTellWhatTheyCount(t *testing.T) {
	t.Parallel()
	ctx, s := t.Context(), storetest.New(t)
	here, there := frontdesk.NewID(day), frontdesk.NewID(day)
	tell := func(node frontdesk.ID, beat int64, counts string) {
		t.Helper()
		if err := s.TellCountsForWorker(ctx, store.NodeCounts{Node: node, Beat: beat, Counts: []byte(counts)}); err != nil {
			t.Fatal(err)
		}
	}
	tell(here, 1, `{}`)
	tell(there, 1, `{"a":{"b":1}}`)
	tell(there, 2, `{"a":{"b":2}}`)
	heard := func() []store.NodeCounts {
		t.Helper()
		all, err := s.CountsForWorker(ctx, here)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if all := heard(); len(all) != 1 || all[0].Node != there || all[0].Beat != 2 || string(all[0].Counts) != `{"a":{"b":2}}` {
		t.Errorf("the other node tells %+v", all)
	}
	// It has told something since: it is not gone.
	if err := s.ForgetCountsForWorker(ctx, there, 1); err != nil || len(heard()) != 1 {
		t.Errorf("%+v is left, %v", heard(), err)
	}
	if err := s.ForgetCountsForWorker(ctx, there, 2); err != nil || len(heard()) != 0 {
		t.Errorf("%+v is left, %v", heard(), err)
	}
}
