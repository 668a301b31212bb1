package demo

import (
	"reflect"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestSampleIsSound(t *testing.T) {
	t.Parallel()
	zones := []string{"Europe/Madrid", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "UTC"}
	for name, now := range oddDays {
		for _, zone := range zones {
			t.Run(name+" in "+zone, func(t *testing.T) {
				t.Parallel()
				sample, err := Sample(sampleTenant(zone), now)
				if err != nil {
					t.Fatal(err)
				}
				if n := len(sample); n < 30 || n > 60 {
					t.Errorf("%d calls", n)
				}
				for _, r := range sample {
					if r.Call.AgentID != "" {
						t.Fatal("a sample call has an agent")
					}
				}
				checkRecordings(t, nil, sample, now)
				checkVariety(t, sample)
			})
		}
	}
}

func TestSampleIsTheTenantsOwn(t *testing.T) {
	t.Parallel()
	tenant := sampleTenant("Europe/Madrid")
	sample := func(tenant frontdesk.Tenant) any {
		rs, err := Sample(tenant, noon)
		if err != nil {
			t.Fatal(err)
		}
		return rs
	}
	if !reflect.DeepEqual(sample(tenant), sample(tenant)) {
		t.Error("two samples of the same tenant differ")
	}
	other := tenant
	other.ID = frontdesk.IDFrom(noon, [8]byte{2})
	if reflect.DeepEqual(sample(tenant), sample(other)) {
		t.Error("two tenants have the same sample")
	}
	tenant.Timezone = "Nowhere/Land"
	if _, err := Sample(tenant, noon); err == nil {
		t.Error("a zone that does not exist is taken")
	}
}

func sampleTenant(zone string) frontdesk.Tenant {
	return frontdesk.Tenant{
		ID: frontdesk.IDFrom(noon, [8]byte{1}), Slug: "acme", Name: "Acme", Timezone: zone,
		Plan: frontdesk.DefaultPlan(), CreatedAt: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
	}
}
