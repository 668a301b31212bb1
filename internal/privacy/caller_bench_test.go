package privacy_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// BenchmarkFind looks for who has made every call of a tenant, and for who has made
// none.
func BenchmarkFind(b *testing.B) {
	const calls, atOnce = 20_000, 200
	s := storetest.New(b)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(b, s, "mine").ID, Live: true}
	for i := range calls / atOnce {
		var some []store.Recording
		for range atOnce {
			some = append(some, store.Recording{Call: frontdesk.Call{
				ID: frontdesk.NewID(now), StartedAt: now, Language: "es", Outcome: "message", Channel: "phone", Caller: "+34611222333",
				Summary: json.RawMessage(`{"text":"llamó"}`), Transcript: json.RawMessage(fmt.Sprintf(`{"turns":[{"text":"Quería saber si abren el %d de enero, de 10 a 14."}]}`, i)),
			}})
		}
		if err := s.RecordCalls(b.Context(), owner, some...); err != nil {
			b.Fatal(err)
		}
	}
	for name, want := range map[string]int{"+34611222333": calls, "+34644555666": 0} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if c, err := newKeeper(b, s).Find(b.Context(), owner, name); err != nil || len(c.Calls) != want {
					b.Fatal(len(c.Calls), err)
				}
			}
		})
	}
}
