package catalogue_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// demo reads one of the businesses that the demo is about.
func demo(t testing.TB, slug string) *catalogue.Catalogue {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "demo", "businesses", slug+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return business(t, string(text))
}

// business reads an agent's file.
func business(t testing.TB, text string) *catalogue.Catalogue {
	t.Helper()
	return catalogue.Read(agent(t, text))
}

func agent(t testing.TB, text string) frontdesk.Agent {
	t.Helper()
	file, err := wire.DecodeAgentFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	a, err := file.Agent()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// wednesday is 11 in the morning of Wednesday, March 4th 2026, in Madrid.
var wednesday = time.Date(2026, time.March, 4, 11, 0, 0, 0, time.FixedZone("CET", 3600))
