package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) eventCommands() *cobra.Command {
	return group("event", "Events that connections are told of", p.eventEmit())
}

func (p *program) eventEmit() *cobra.Command {
	var tenant, mode, kind, agent string
	var count int
	cmd := &cobra.Command{
		Use:   "emit",
		Short: "Make an event by hand, as a call would",
		Long: `Make an event by hand: it is about the newest call or capture of the tenant in
that mode, and goes the way of every other, to each active connection that
subscribes to it. For trying a receiver out.`,
		Example: `  frontdesk event emit --tenant demo --mode test --type capture.created`,
		Args:    cobra.NoArgs,
	}
	cmd.RunE = p.onStore(func(s *session, _ []string) error {
		if mode != modeLive && mode != modeTest {
			return misused("--mode is %q: expected live or test", mode)
		}
		if count < 1 {
			return misused("--count must be 1 or more")
		}
		return s.emit(tenant, mode == modeLive, kind, agent, count)
	})
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&mode, "mode", "", "live, or test for the sandbox")
	cmd.Flags().StringVar(&kind, "type", "", "capture.created or call.completed")
	cmd.Flags().StringVar(&agent, "agent", "", "slug of the agent that it names; none if not given")
	cmd.Flags().IntVar(&count, "count", 1, "how many")
	require(cmd, "mode", "type")
	p.completeWords(cmd, "mode", []string{modeLive, modeTest})
	p.completeWords(cmd, "type", frontdesk.EventTypes)
	return cmd
}

func (s *session) emit(tenant string, live bool, kind, agent string, count int) error {
	from := wire.EventSource{Live: live}
	var err error
	if from.Tenant, err = s.findTenant(tenant); err != nil {
		return err
	}
	owner := frontdesk.Owner{TenantID: from.Tenant.ID, Live: live}
	if agent != "" {
		a, err := s.store.AgentBySlug(s.ctx, owner, agent)
		if err != nil {
			return err
		}
		from.Agent = &a
	}
	object, err := s.newest(owner, kind)
	if err != nil {
		return err
	}
	var ids []frontdesk.ID
	for range count {
		e, err := wire.Event(from, kind, s.now(), object)
		if err != nil {
			return err
		}
		if err := s.store.Emit(s.ctx, owner, e); err != nil {
			return err
		}
		ids = append(ids, e.ID)
	}
	return s.print(map[string]any{"type": kind, "events": ids}, func(w io.Writer) {
		for _, id := range ids {
			fmt.Fprintf(w, "Emitted %s %s.\n", kind, id)
		}
	})
}

// newest is the newest object that an event of a type can be about.
func (s *session) newest(owner frontdesk.Owner, kind string) ([]byte, error) {
	one := frontdesk.Page{Limit: 1}
	switch kind {
	case frontdesk.CallCompleted:
		calls, err := s.store.Calls(s.ctx, owner, frontdesk.CallFilter{}, one)
		if err != nil || len(calls.Items) > 0 {
			return firstOf(calls.Items, wire.Call), err
		}
	case frontdesk.CaptureCreated:
		captures, err := s.store.Captures(s.ctx, owner, frontdesk.CaptureFilter{}, one)
		if err != nil || len(captures.Items) > 0 {
			return firstOf(captures.Items, wire.Capture), err
		}
	default:
		return nil, misused("--type is %q: expected capture.created or call.completed", kind)
	}
	return nil, refused("nothing_yet", "type", "this tenant has nothing in this mode yet that a %s could be about", kind)
}

func firstOf[T any](items []T, spell func(T) []byte) []byte {
	if len(items) == 0 {
		return nil
	}
	return spell(items[0])
}
