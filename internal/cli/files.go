package cli

import (
	"os"
	"path/filepath"

	"frontdesk.dev/frontdesk/internal/config"
)

// databaseFile is where the embedded database is.
func databaseFile(s config.Settings) string { return filepath.Join(s.Data, "frontdesk.db") }

// masterKeyFile is where the master key is, unless it comes by a setting.
func masterKeyFile(s config.Settings) string { return filepath.Join(s.Data, "master.key") }

// databaseExists says whether there is a database to ask. A server may be; a
// file is looked for, because opening it would make it.
func databaseExists(s config.Settings) bool {
	if s.Database != "" {
		return true
	}
	_, err := os.Stat(databaseFile(s))
	return err == nil
}
