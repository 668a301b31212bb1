package cli

import (
	"slices"
	"strings"
	"testing"
)

// Each command that changes something is in the log under its own name, newest
// first.
func TestAudit(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	d.must("agent", "create", "--tenant", "acme", "--slug", "a", "--vertical", "hotel", "--name", "Reception")
	d.must("agent", "pause", "--tenant", "acme", "a")
	d.must("plan", "set", "--tenant", "acme", "--max-documents", "7")
	key := d.read("key", "create", "--tenant", "acme", "--mode", "test", "--name", "crm")
	d.must("key", "revoke", key["id"].(string))
	d.must("capture", "add", "--tenant", "acme", "--name", "Ana", "--phone", "+34600000001")

	var got []string
	for _, e := range d.read("audit", "--tenant", "acme")["entries"].([]any) {
		entry := e.(map[string]any)
		by := entry["by"].(map[string]any)
		got = append(got, entry["action"].(string)+" by "+by["kind"].(string)+" "+by["name"].(string))
	}
	want := []string{
		"capture.created by operator capture add", "key.revoked by operator key revoke", "key.created by operator key create",
		"plan.set by operator plan set", "agent.paused by operator agent pause", "agent.created by operator agent create",
		"tenant.created by operator tenant create",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the log has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	test := d.must("audit", "--tenant", "acme", "--mode", "test")
	if strings.Contains(test, "capture.created") || !strings.Contains(test, "key.revoked") {
		t.Errorf("in test mode:\n%s", test)
	}
	keys := d.must("audit", "--tenant", "acme", "--action", "key", "--limit", "1")
	hold(t, "audit", keys, "key.revoked", "operator key revoke", "crm", "There are more")
	if strings.Contains(keys, key["key"].(string)) {
		t.Error("the key itself is shown")
	}
	if got := d.run("audit", "--tenant", "acme", "--limit", "0"); got.code != 2 {
		t.Errorf("a limit of 0: %+v", got)
	}
}
