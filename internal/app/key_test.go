package app

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func keyOf(b byte) frontdesk.Secret {
	return frontdesk.Secret(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32)))
}

func isRefused(t *testing.T, err error, code string, parts ...string) {
	t.Helper()
	var refused *frontdesk.Error
	if !errors.As(err, &refused) || refused.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	for _, part := range parts {
		if !strings.Contains(refused.Message, part) {
			t.Errorf("%q is missing in %q", part, refused.Message)
		}
	}
}

// TestADatabaseWithoutItsKey: the file is lost, and no new one is made.
func TestADatabaseWithoutItsKey(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := config.Settings{Data: filepath.Join(t.TempDir(), "data")}
	for range 2 { // the first makes the key, the second finds it
		if _, err := OpenBox(t.Context(), s, db, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	key, err := os.ReadFile(s.MasterKeyFile())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(s.MasterKeyFile()); err != nil {
		t.Fatal(err)
	}
	_, err = OpenBox(t.Context(), s, db, time.Now())
	isRefused(t, err, "master_key_missing", s.MasterKeyFile(), "FRONTDESK_MASTER_KEY", "frontdesk rekey --abandon-sealed --yes")
	if _, err := os.Stat(s.MasterKeyFile()); err == nil {
		t.Error("a new key was made")
	}
	given := s
	given.MasterKey = frontdesk.Secret(key)
	if _, err := OpenBox(t.Context(), given, db, time.Now()); err != nil {
		t.Errorf("the key by a setting: %v", err)
	}
	given.MasterKey = keyOf(1)
	_, err = OpenBox(t.Context(), given, db, time.Now())
	isRefused(t, err, "master_key_wrong", "FRONTDESK_MASTER_KEY is not", "FRONTDESK_MASTER_KEY_OLD")
	given.OldMasterKeys = frontdesk.Secret(strings.TrimSpace(string(key)))
	box, err := OpenBox(t.Context(), given, db, time.Now())
	if err != nil {
		t.Fatalf("while the key is changed: %v", err)
	}
	if err := Rekeyed(t.Context(), db, box, time.Now()); err != nil {
		t.Fatal(err)
	}
	given.OldMasterKeys = ""
	if _, err := OpenBox(t.Context(), given, db, time.Now()); err != nil {
		t.Errorf("after it was changed: %v", err)
	}
	given.MasterKey = frontdesk.Secret(key)
	_, err = OpenBox(t.Context(), given, db, time.Now())
	isRefused(t, err, "master_key_wrong")
}

// TestNodesWithKeysOfTheirOwn start at once on one database: one of the keys is
// the database's, and whoever has another is refused.
func TestNodesWithKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	const nodes = 6
	results := make(chan error, nodes)
	for i := range nodes {
		go func() {
			_, err := OpenBox(t.Context(), config.Settings{MasterKey: keyOf(byte(i % 2))}, db, time.Now())
			results <- err
		}()
	}
	fine := 0
	for range nodes {
		if err := <-results; err == nil {
			fine++
		} else {
			isRefused(t, err, "master_key_wrong")
		}
	}
	if fine != nodes/2 {
		t.Errorf("%d of %d nodes have the database's key", fine, nodes)
	}
}

// TestANodeThatJoins is told where to get the key from: with a database of its own
// there is nobody to ask.
func TestANodeThatJoins(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	if _, err := OpenBox(t.Context(), config.Settings{MasterKey: keyOf(1)}, db, time.Now()); err != nil {
		t.Fatal(err)
	}
	alone := config.Settings{Data: filepath.Join(t.TempDir(), "data")}
	joins := alone
	joins.Database = "postgres://frontdesk@db.example.com/frontdesk"
	copied := "copy their master.key to " + joins.MasterKeyFile()
	_, err := OpenBox(t.Context(), joins, db, time.Now())
	isRefused(t, err, "master_key_missing", "set FRONTDESK_MASTER_KEY to theirs", copied)
	joins.MasterKey, alone.MasterKey = keyOf(2), keyOf(2)
	_, err = OpenBox(t.Context(), joins, db, time.Now())
	isRefused(t, err, "master_key_wrong", "set FRONTDESK_MASTER_KEY to theirs", copied)
	if _, err = OpenBox(t.Context(), alone, db, time.Now()); err == nil || strings.Contains(err.Error(), "other nodes") {
		t.Errorf("with the embedded database: %v", err)
	}
}

// TestADatabaseFromBefore has sealed values and does not say whose it is.
func TestADatabaseFromBefore(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	now := time.Now()
	agent := frontdesk.Agent{
		ID: frontdesk.NewID(now), TenantID: storetest.Tenant(t, db, "lola").ID, Slug: "desk", Vertical: "general", DisplayName: "Desk",
		Status: frontdesk.AgentActive, Languages: frontdesk.Languages, Timezone: "UTC", CreatedAt: now, UpdatedAt: now,
	}
	must(t, db.CreateAgent(t.Context(), frontdesk.Actor{}, agent))
	seal := func(number string, key frontdesk.Secret) {
		box, err := NewBox(config.Settings{MasterKey: key})
		if err != nil {
			t.Fatal(err)
		}
		in := account.NumberInput{Number: number, AgentSlug: agent.Slug, Carrier: frontdesk.Twilio, Secret: "0123456789abcdef0123456789abcdef"}
		if _, err := account.NewNumbers(db, box, time.Now).Add(t.Context(), frontdesk.Owner{TenantID: agent.TenantID, Live: true}, in); err != nil {
			t.Fatal(err)
		}
	}
	seal("+34910000000", keyOf(1))
	s := config.Settings{Data: t.TempDir()}
	_, err := OpenBox(t.Context(), s, db, time.Now())
	isRefused(t, err, "master_key_missing")
	s.MasterKey = keyOf(2)
	_, err = OpenBox(t.Context(), s, db, time.Now())
	isRefused(t, err, "master_key_wrong")
	if _, known, err := db.InstallationForWorker(t.Context()); known || err != nil {
		t.Errorf("who was refused wrote something: %v, %v", known, err)
	}
	seal("+34910000001", keyOf(2)) // entered anew after the first key was lost
	if _, err := OpenBox(t.Context(), s, db, time.Now()); err != nil {
		t.Errorf("a key that opens some: %v", err)
	}
	s.MasterKey = keyOf(1)
	_, err = OpenBox(t.Context(), s, db, time.Now())
	isRefused(t, err, "master_key_wrong")
}

// TestAKeyThatCannotBeChecked is not replaced.
func TestAKeyThatCannotBeChecked(t *testing.T) {
	t.Parallel()
	db, err := store.Open(store.Options{URL: filepath.Join(t.TempDir(), "empty.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := config.Settings{Data: t.TempDir()}
	if _, err := OpenBox(t.Context(), s, db, time.Now()); err == nil {
		t.Error("a database without tables has a key")
	}
	if !KeyFileMissing(s) {
		t.Error("a key was made")
	}
}
