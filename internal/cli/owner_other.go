//go:build !linux && !darwin && !freebsd

package cli

// giveTo has nothing to do where files belong to who may write their directory.
func giveTo(string, ...string) error { return nil }
