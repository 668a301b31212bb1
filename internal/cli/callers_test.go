package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A caller is given out in one file, and erased once --yes is said.
func TestCallers(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	d.must("agent", "create", "--tenant", "acme", "--slug", "a", "--vertical", "hotel", "--name", "Reception")
	d.must("capture", "add", "--tenant", "acme", "--name", "Ana Ruiz", "--phone", "+34611222333")
	d.must("capture", "add", "--tenant", "acme", "--name", "Luis Gil", "--phone", "+34644555666")
	phone := []string{"--tenant", "acme", "--phone", "611 22 23 33"}
	file := filepath.Join(t.TempDir(), "ana.json")
	hold(t, "caller export", d.must(append([]string{"caller", "export", "--output", file}, phone...)...), "1 captures and 0 calls")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "Ana Ruiz") || strings.Contains(string(text), "Luis Gil") {
		t.Errorf("the file: %v %s", err, text)
	}
	hold(t, "caller erase", d.must(append([]string{"caller", "erase"}, phone...)...), "captures", "Nothing is erased yet")
	if list := d.must("capture", "list", "--tenant", "acme"); !strings.Contains(list, "Ana Ruiz") {
		t.Error("it was erased without --yes")
	}
	hold(t, "caller erase", d.must(append([]string{"caller", "erase", "--yes"}, phone...)...), "Erased.")
	if list := d.must("capture", "list", "--tenant", "acme") + d.must("audit", "--tenant", "acme", "--json"); strings.Contains(list, "Ana Ruiz") || !strings.Contains(list, "Luis Gil") {
		t.Errorf("left is %s", list)
	}
	hold(t, "caller erase", d.must(append([]string{"caller", "erase"}, phone...)...), "Nothing is known of this number.")
	if got := d.run("caller", "export", "--tenant", "acme", "--phone", "Ana"); got.code == 0 {
		t.Errorf("a name is taken for a number: %+v", got)
	}
}
