package store_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const (
	lease = time.Minute
	kept  = 24 * time.Hour
)

// claim is a claim at a time, told as one word.
func claim(t *testing.T, s *store.Store, owner frontdesk.Owner, fingerprint string, at time.Time) string {
	t.Helper()
	a, mine, err := s.ClaimAnswer(ctx, owner, "k", []byte(fingerprint), at, at.Add(lease), at.Add(kept))
	switch {
	case err != nil:
		t.Fatal(err)
		return ""
	case mine:
		return "mine"
	case string(a.Fingerprint) != fingerprint:
		return "reused"
	case a.Status == 0:
		return "in use"
	}
	return fmt.Sprint(a.Status, " ", string(a.Body))
}

func TestTheLifeOfAnIdempotencyKey(t *testing.T) {
	t.Parallel()
	type step struct {
		do   string // claim F, keep, release
		at   time.Duration
		want string
	}
	tests := map[string][]step{
		"claimed, kept, replayed": {
			{"claim a", 0, "mine"},
			{"claim a", 1, "in use"},
			{"claim b", 1, "reused"},
			{"keep", 0, ""},
			{"claim a", 2, "201 body"},
			{"claim b", 2, "reused"},
			{"claim a", lease + 1, "201 body"},
			{"claim a", kept - 1, "201 body"},
			{"claim b", kept, "mine"},
		},
		"released, and free again": {
			{"claim a", 0, "mine"}, {"release", 0, ""}, {"claim b", 1, "mine"},
		},
		"what is kept is not released": {
			{"claim a", 0, "mine"}, {"keep", 0, ""}, {"release", 0, ""}, {"claim a", 1, "201 body"},
		},
		"a holder that died is followed by the same request": {
			{"claim a", 0, "mine"},
			{"claim a", lease - time.Microsecond, "in use"},
			{"claim b", lease, "reused"},
			{"claim a", lease, "mine"},
			{"claim a", lease, "in use"},
		},
		"one that lost its claim keeps nothing": {
			{"claim a", 0, "mine"},
			{"claim a", lease, "mine"},
			{"keep", 0, ""},
			{"claim a", lease + 1, "in use"},
			{"release", 0, ""},
			{"claim a", lease + 1, "in use"},
			{"keep", lease, ""},
			{"claim a", lease + 1, "201 body"},
		},
		"expired while running": {
			{"claim a", 0, "mine"}, {"claim b", kept, "mine"},
		},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, owner := owned(t)
			for i, st := range steps {
				at := day.Add(st.at)
				var got string
				var err error
				switch st.do {
				case "keep":
					err = s.KeepAnswer(ctx, owner, "k", at.Add(lease), 201, []byte("body"))
				case "release":
					err = s.ReleaseAnswer(ctx, owner, "k", at.Add(lease))
				default:
					got = claim(t, s, owner, st.do[len("claim "):], at)
				}
				if err != nil || got != st.want {
					t.Fatalf("step %d, %s: %q, %v, want %q", i, st.do, got, err, st.want)
				}
			}
		})
	}
}

func TestOfManyClaimsAtOnceOneWins(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	// Free, then held by somebody who died, then expired.
	for round, at := range []time.Time{day, day.Add(lease), day.Add(2 * kept)} {
		var wins atomic.Int64
		for _, err := range atOnce(50, func(i int) error {
			_, mine, err := nodes[i%2].ClaimAnswer(ctx, owner, "k", []byte("f"), at, at.Add(lease), at.Add(kept))
			if mine {
				wins.Add(1)
			}
			return err
		}) {
			t.Error(err)
		}
		if wins.Load() != 1 {
			t.Errorf("in round %d there are %d winners", round, wins.Load())
		}
	}
}

func TestForgetAnswers(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	for i := range 10 {
		expires := day.Add(time.Duration(i) * time.Hour)
		if _, mine, err := s.ClaimAnswer(ctx, owner, fmt.Sprint(i), []byte("f"), day, day, expires); err != nil || !mine {
			t.Fatal(mine, err)
		}
	}
	for _, want := range []int64{3, 2, 0} { // those of the hours 0 to 4
		if n, err := s.ForgetAnswersForWorker(ctx, day.Add(4*time.Hour), 3); err != nil || n != want {
			t.Errorf("forgot %d, %v, want %d", n, err, want)
		}
	}
}
