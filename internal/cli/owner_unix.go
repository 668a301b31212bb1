//go:build linux || darwin || freebsd

package cli

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// giveTo gives files to whom a directory belongs, where root has made them for the user
// who serves. What is not there is passed over.
func giveTo(dir string, files ...string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 || owner.Uid == 0 {
		return nil
	}
	for _, file := range files {
		if err := os.Lchown(file, int(owner.Uid), int(owner.Gid)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
