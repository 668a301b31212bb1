//go:build unix

package backup

import (
	"errors"
	"os"
)

// syncDir has the names in a directory on the disk.
func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
