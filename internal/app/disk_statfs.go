//go:build linux || darwin || freebsd

package app

import "syscall"

// FreeSpace is what this user can still write on the disk of dir.
func FreeSpace(dir string) (uint64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return uint64(max(0, st.Bavail)) * uint64(st.Bsize), nil
}
