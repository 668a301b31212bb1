package cli

import (
	"strings"
	"testing"
)

func TestTenantsAndAgentsAreDeleted(t *testing.T) {
	d := newDesk(t)
	for _, tenant := range []string{"gone", "stays"} {
		d.must("tenant", "create", tenant)
		for _, agent := range []string{"first", "second"} {
			d.must("agent", "create", "--tenant", tenant, "--slug", agent, "--vertical", "salon", "--name", "Salón "+agent)
		}
	}
	if out := d.must("agent", "delete", "--tenant", "gone", "first"); !strings.Contains(out, "add --yes") || !strings.Contains(d.must("agent", "list", "--tenant", "gone"), "first") {
		t.Errorf("without a yes: %s", out)
	}
	d.must("agent", "delete", "--tenant", "gone", "first", "--yes")
	if out := d.must("agent", "list", "--tenant", "gone"); strings.Contains(out, "first") || !strings.Contains(out, "second") {
		t.Errorf("the agents are %s", out)
	}
	if out := d.must("audit", "--tenant", "gone"); !strings.Contains(out, "agent.deleted") {
		t.Errorf("the audit log is %s", out)
	}
	if out := d.must("tenant", "delete", "gone"); !strings.Contains(out, "1 receptionists") || !strings.Contains(d.must("tenant", "list"), "gone") {
		t.Errorf("without a yes: %s", out)
	}
	d.must("tenant", "delete", "gone", "--yes")
	if out := d.must("tenant", "list"); strings.Contains(out, "gone") || !strings.Contains(out, "stays") {
		t.Errorf("the tenants are %s", out)
	}
	if out := d.must("agent", "list", "--tenant", "stays"); !strings.Contains(out, "first") || !strings.Contains(out, "second") {
		t.Errorf("the other's agents are %s", out)
	}
}
