package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var lastNumber atomic.Int64

// newNumber is a telephone number that no other test has.
func newNumber() string { return fmt.Sprintf("+34910%06d", lastNumber.Add(1)) }

func telephone(number string, agent frontdesk.ID) frontdesk.Number {
	return frontdesk.Number{Number: number, AgentID: agent, Carrier: frontdesk.Twilio, CreatedAt: day}
}

func addNumber(t *testing.T, s *store.Store, owner frontdesk.Owner, agent frontdesk.ID) string {
	t.Helper()
	number := newNumber()
	if err := s.AddNumber(ctx, owner, frontdesk.Actor{}, telephone(number, agent), []byte("sealed "+number)); err != nil {
		t.Fatal(err)
	}
	return number
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "lola").ID
	agent := newAgent(t, s, tenant)
	live, test := frontdesk.Owner{TenantID: tenant, Live: true}, frontdesk.Owner{TenantID: tenant}
	number := addNumber(t, s, live, agent.ID)
	tried := addNumber(t, s, test, agent.ID)
	want := frontdesk.Number{Number: number, TenantID: tenant, AgentID: agent.ID, Live: true, Carrier: frontdesk.Twilio, CreatedAt: day}
	got, sealed, err := s.NumberForWorker(ctx, number)
	if err != nil || got != want || string(sealed) != "sealed "+number {
		t.Errorf("got %+v, %q, %v", got, sealed, err)
	}
	if _, _, err := s.NumberForWorker(ctx, "+34999999999"); true {
		isMissing(t, err)
	}
	var taken *frontdesk.Error
	if err := s.AddNumber(ctx, test, frontdesk.Actor{}, telephone(number, agent.ID), nil); !errors.As(err, &taken) || taken.Kind != frontdesk.Conflict || !strings.Contains(taken.Message, "number remove") {
		t.Errorf("the same number twice: %v", err)
	}
	plain := telephone(newNumber(), agent.ID)
	plain.Carrier = frontdesk.SIP
	if err := s.AddNumber(ctx, live, frontdesk.Actor{}, plain, nil); err != nil {
		t.Fatal(err)
	}
	all, err := s.NumbersForWorker(ctx)
	if err != nil || len(all) != 3 || all[0].Number != want || all[1].Number.Number != tried || all[2].Sealed != nil {
		t.Errorf("got %+v, %v", all, err)
	}
	if err := s.RemoveNumber(ctx, live, frontdesk.Actor{}, number); err != nil {
		t.Error(err)
	}
	isMissing(t, s.RemoveNumber(ctx, live, frontdesk.Actor{}, number))
	if mine, err := s.Numbers(ctx, live); err != nil || len(mine) != 1 || mine[0].Number != plain.Number {
		t.Errorf("got %v, %v", mine, err)
	}
}

func TestNumbersAreSealedAnew(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "lola").ID
	agent, owner := newAgent(t, s, tenant), frontdesk.Owner{TenantID: tenant, Live: true}
	first, second := addNumber(t, s, owner, agent.ID), addNumber(t, s, owner, agent.ID)
	if err := s.AddNumber(ctx, owner, frontdesk.Actor{}, telephone(newNumber(), agent.ID), nil); err != nil {
		t.Fatal(err)
	}
	no := errors.New("not this one")
	if n, err := s.ResealNumbersForWorker(ctx, func(string, []byte) ([]byte, error) { return nil, no }); n != 0 || !errors.Is(err, no) {
		t.Errorf("got %d, %v", n, err)
	}
	n, err := s.ResealNumbersForWorker(ctx, func(number string, sealed []byte) ([]byte, error) {
		if number == second { // it is given another secret meanwhile
			if err := s.RemoveNumber(ctx, owner, frontdesk.Actor{}, second); err != nil {
				t.Error(err)
			}
			if err := s.AddNumber(ctx, owner, frontdesk.Actor{}, telephone(second, agent.ID), []byte("newer")); err != nil {
				t.Error(err)
			}
		}
		return append([]byte("anew "), sealed...), nil
	})
	if err != nil || n != 2 {
		t.Fatalf("got %d, %v", n, err)
	}
	for number, want := range map[string]string{first: "anew sealed " + first, second: "newer"} {
		if _, sealed, err := s.NumberForWorker(ctx, number); err != nil || string(sealed) != want {
			t.Errorf("%s: %q, %v", number, sealed, err)
		}
	}
}
