//go:build linux || darwin || freebsd

package cli

import "syscall"

// freeSpace is what this user can still write on the disk of dir.
func freeSpace(dir string) (uint64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return uint64(max(0, st.Bavail)) * uint64(st.Bsize), nil
}
