package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func (p *program) migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database up to date",
		Long: `Bring the database up to date and say what was done.

serve and all other commands do so by themselves when they start; any number of
nodes may do it at once.`,
		Args: cobra.NoArgs,
		RunE: p.onOpenStore(func(s *session, _ []string) error { return s.migrate() }),
	}
}

func (s *session) migrate() error {
	applied, err := s.store.Migrate(s.ctx, s.now())
	if err != nil {
		return err
	}
	type shape struct {
		Version int    `json:"version"`
		Name    string `json:"name"`
	}
	shapes := make([]shape, len(applied))
	for i, m := range applied {
		shapes[i] = shape{m.Version, m.Name}
	}
	return s.print(map[string]any{"database": s.store.Name(), "applied": shapes}, func(w io.Writer) {
		for _, m := range applied {
			fmt.Fprintf(w, "Applied %s.\n", m.Name)
		}
		fmt.Fprintln(w, "The database is up to date.")
	})
}
