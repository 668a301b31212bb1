package cli

import (
	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
)

func (p *program) serveCommand() *cobra.Command {
	var demo bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run everything in one process",
		Long: `Run everything in one process: the customer API, health and metrics.

The database is SQLite in the data directory, or PostgreSQL with --database; it
is brought up to date first. --domain serves TLS under a name, with certificates
that it orders and renews by itself: docs/operations.md. --demo creates, once, a tenant with four businesses
and 90 days of calls, and prints its keys and curl lines that work.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.serve(cmd, demo) },
	}
	cmd.Flags().BoolVar(&demo, "demo", false, "create the demo tenant, once, and print its keys and curl lines")
	listenFlag(cmd)
	domainFlag(cmd)
	cmd.Flags().String("metrics-listen", "", "address and port for /metrics apart from everything else, such as 127.0.0.1:9090 (FRONTDESK_METRICS_LISTEN)")
	cmd.Flags().String("debug-listen", "", "loopback address and port for net/http/pprof, such as 127.0.0.1:6060; none by default (FRONTDESK_DEBUG_LISTEN)")
	return cmd
}

func (p *program) serve(cmd *cobra.Command, demo bool) error {
	p.begun = true
	settings, err := p.settings(cmd)
	if err != nil {
		return err
	}
	log := logger(p.stderr, settings)
	for _, w := range p.warnings(settings) {
		log.Warn(w)
	}
	return app.Serve(cmd.Context(), settings, app.Options{Demo: demo, Log: log, Out: p.stdout, Version: buildVersion()})
}

func listenFlag(cmd *cobra.Command) {
	cmd.Flags().String("listen", "", "address and port, 127.0.0.1:8080 by default (FRONTDESK_LISTEN)")
}

func domainFlag(cmd *cobra.Command) {
	cmd.Flags().String("domain", "", "names such as desk.example.com to serve by TLS on :443 and :80, with certificates by ACME (FRONTDESK_DOMAIN)")
}
