package reception

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// However many ask at once for an agent that has changed, its engine is made
// once.
func TestAnEngineIsMadeOnce(t *testing.T) {
	t.Parallel()
	bs := newBusinesses(nil, nil, time.Now)
	agent := frontdesk.Agent{ID: frontdesk.NewID(time.Now()), Timezone: "Europe/Madrid", Languages: frontdesk.Languages, UpdatedAt: time.Now()}
	made := func() *conversation.Engine {
		b, err := bs.keep(agent.ID, frontdesk.Tenant{}, agent).business()
		if err != nil {
			t.Error(err)
			return nil
		}
		return b.engine
	}
	engines := make([]*conversation.Engine, 20)
	var all sync.WaitGroup
	for i := range engines {
		all.Go(func() { engines[i] = made() })
	}
	all.Wait()
	for i, e := range engines {
		if e == nil || e != engines[0] {
			t.Errorf("the engine of %d is another one", i)
		}
	}
	agent.UpdatedAt = agent.UpdatedAt.Add(time.Second)
	if made() == engines[0] {
		t.Error("a changed agent has its old engine")
	}
}

// Who goes while waiting is gone; it is no fault of the house.
func TestLeavingTheLine(t *testing.T) {
	t.Parallel()
	var q queue
	id := frontdesk.NewID(time.Now())
	leave, err := q.enter(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var ours *frontdesk.Error
	if _, err := q.enter(ctx, id); !errors.Is(err, context.Canceled) || errors.As(err, &ours) {
		t.Errorf("got %v", err)
	}
	leave()
	if len(q.lines) != 0 {
		t.Errorf("%d lines are left", len(q.lines))
	}
}
