package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"frontdesk.dev/frontdesk/internal/app"
)

// What must be free on the disk of the data directory.
const (
	diskWarn = 1 << 30
	diskFail = 64 << 20
)

// checkData looks at the data directory, unless nothing is kept there.
func (d *doctor) checkData() {
	const check = "data"
	dir := d.settings.Data
	if d.postgres() && d.settings.MasterKey != "" {
		d.ok(check, "not used: the database is PostgreSQL and the master key comes by a setting")
		return
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !d.canMake(dir):
		d.fail(check, "Make it and give it to this user, or point FRONTDESK_DATA or --data at a directory that this user can write.", "%s does not exist, and this user cannot make it", dir)
		return
	case errors.Is(err, fs.ErrNotExist):
		d.warn(check, "Nothing, if this is a new installation; else point FRONTDESK_DATA or --data at the right directory.", "%s does not exist yet; the first start makes it", dir)
		return
	case err != nil:
		d.fail(check, "Give this user access to the directory and those above it.", "%v", err)
		return
	case !info.IsDir():
		d.fail(check, "Point FRONTDESK_DATA or --data at a directory.", "%s is not a directory", dir)
		return
	}
	d.checkDirectory(dir, info)
	d.checkDisk(dir)
}

// canMake says whether a directory that is missing can be made: whether the
// nearest one above it that is there can be written.
func (d *doctor) canMake(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for above := filepath.Dir(dir); ; above = filepath.Dir(above) {
		probe, err := os.MkdirTemp(above, ".doctor-*")
		if err == nil {
			os.Remove(probe)
			return true
		}
		if !errors.Is(err, fs.ErrNotExist) || above == filepath.Dir(above) {
			return false
		}
	}
}

func (d *doctor) checkDirectory(dir string, info fs.FileInfo) {
	const check = "data"
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		d.fail(check, "Let this user write there: chown or chmod the directory.", "%s cannot be written: %v", dir, err)
		return
	}
	probe.Close()
	os.Remove(probe.Name())
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		d.warn(check, "chmod 700 "+dir, "%s is open to other users (mode %04o)", dir, mode)
		return
	}
	d.ok(check, "%s is writable and closed to others", dir)
}

func (d *doctor) checkDisk(dir string) {
	const check, fix = "disk", "Make room on that disk, or move the data directory to a larger one."
	free, err := app.FreeSpace(dir)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		d.ok(check, "free space is not known on this system")
	case err != nil:
		d.warn(check, "Check the disk by hand.", "the free space of %s cannot be told: %v", dir, err)
	case free < diskFail:
		d.fail(check, fix, "only %s are free", bytesText(free))
	case free < diskWarn:
		d.warn(check, fix, "only %s are free", bytesText(free))
	default:
		d.ok(check, "%s are free", bytesText(free))
	}
}

// bytesText spells a size for people.
func bytesText(n uint64) string {
	size, unit := float64(n), "bytes"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if size < 1024 {
			break
		}
		size, unit = size/1024, next
	}
	if unit == "bytes" {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f %s", size, unit)
}
