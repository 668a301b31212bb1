// Command frontdesk is a voice receptionist that you host yourself.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"frontdesk.dev/frontdesk/internal/cli"
)

// version and commit are set by the linker when a release is built.
var version, commit string

func main() {
	cli.Version, cli.Commit = version, commit
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal does not wait for the first one's work
	os.Exit(cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ()))
}
