package cli

import (
	"os"

	"frontdesk.dev/frontdesk/internal/config"
)

// databaseExists says whether there is a database to ask. A server may be; a
// file is looked for, because opening it would make it.
func databaseExists(s config.Settings) bool {
	if s.Database != "" {
		return true
	}
	_, err := os.Stat(s.DatabaseFile())
	return err == nil
}
