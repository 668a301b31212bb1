package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

// session is a command that has been understood and works.
type session struct {
	*program
	ctx      context.Context
	command  string // its name, such as "key revoke"
	settings config.Settings
	now      func() time.Time
	store    *store.Store // nil in commands that open none
	made     string       // the file of an embedded database that was not there before
}

// onStore is a command that works on an open, migrated database, so that the
// first command on an empty data directory works as well as any later one.
func (p *program) onStore(work func(s *session, args []string) error) func(*cobra.Command, []string) error {
	return p.onOpenStore(func(s *session, args []string) error {
		if _, err := s.store.Migrate(s.ctx, s.now()); err != nil {
			return err
		}
		if s.made != "" {
			s.warn(fmt.Sprintf("there was no database: a new and empty one was made at %s; if yours is elsewhere, name its directory with --data or FRONTDESK_DATA", s.made))
		}
		return work(s, args)
	})
}

// onOpenStore is a command that works on the database as it is.
func (p *program) onOpenStore(work func(s *session, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		s, err := p.begin(cmd)
		if err != nil {
			return err
		}
		if _, err := os.Stat(s.settings.DatabaseFile()); errors.Is(err, fs.ErrNotExist) && s.settings.Database == "" {
			s.made = s.settings.DatabaseFile()
		}
		if s.store, err = app.OpenStore(s.settings); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.store.Close()) }()
		return work(s, args)
	}
}

// begin reads the settings and says aloud what is unusual about them.
func (p *program) begin(cmd *cobra.Command) (*session, error) {
	p.begun = true
	settings, err := p.settings(cmd)
	if err != nil {
		return nil, err
	}
	for _, w := range p.warnings(settings) {
		p.warn(w)
	}
	_, command, _ := strings.Cut(cmd.CommandPath(), " ")
	return &session{program: p, ctx: cmd.Context(), command: command, settings: settings, now: service.Clock(settings.Now)}, nil
}

// by is who makes the changes of the command.
func (s *session) by() frontdesk.Actor {
	return frontdesk.Actor{Kind: frontdesk.ByOperatorActing, Name: s.command}
}

// settings are the flags over the environment over the defaults.
func (p *program) settings(cmd *cobra.Command) (config.Settings, error) {
	flags, values := map[string]string{}, map[string]string{}
	for _, d := range config.Describe() {
		if f := cmd.Flags().Lookup(d.Flag); f != nil && f.Changed {
			flags[d.Env], values[d.Env] = "--"+d.Flag, f.Value.String()
		}
	}
	settings, err := config.Load(func(name string) (string, bool) {
		if value, ok := values[name]; ok {
			return value, true
		}
		return p.lookup(name)
	})
	var wrong *config.ValueError
	if errors.As(err, &wrong) && flags[wrong.Name] != "" {
		wrong.Name = flags[wrong.Name]
	}
	return settings, err
}

// warnings are what an operator should know before anything is done.
func (p *program) warnings(s config.Settings) []string {
	warnings := config.Unknown(p.environ)
	if !s.Now.IsZero() {
		warnings = append(warnings, fmt.Sprintf(
			"FRONTDESK_NOW is set: the clock starts at %s, not at the real time; this is for development and tests only", s.Now.Format(time.RFC3339)))
	}
	return warnings
}

// findTenant finds a tenant by its slug or its id.
func (s *session) findTenant(name string) (frontdesk.Tenant, error) {
	t, err := s.store.TenantBySlug(s.ctx, name)
	if !isMissing(err) {
		return t, err
	}
	if id, ok := frontdesk.ParseID(name); ok {
		all, err := s.store.Tenants(s.ctx)
		if err != nil {
			return frontdesk.Tenant{}, err
		}
		for _, t := range all {
			if t.ID == id {
				return t, nil
			}
		}
	}
	return frontdesk.Tenant{}, refused("not_found", "tenant", "there is no tenant %q; `frontdesk tenant list` shows them", name)
}
