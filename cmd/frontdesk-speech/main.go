// Command frontdesk-speech hears and speaks on the machine it runs on. It is an
// optional companion of frontdesk, and no part of it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"frontdesk.dev/frontdesk/internal/companion"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal does not wait for the first one's work
	os.Exit(companion.Main(ctx, os.Args[1:], os.Stderr, os.Getenv))
}
