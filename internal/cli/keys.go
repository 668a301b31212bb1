package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func (p *program) keyCommands() *cobra.Command {
	return group("key", "API keys", p.keyCreate(), p.keyList(), p.keyRevoke(), p.keyRotate())
}

// The values of --mode.
const (
	modeLive = "live"
	modeTest = "test"
)

func (p *program) keyCreate() *cobra.Command {
	var tenant, mode, name string
	var scopes []string
	var expires span
	cmd := &cobra.Command{
		Use:     "create",
		Short:   "Create an API key and show it, once",
		Example: `  frontdesk key create --tenant casa-lola --mode live --scopes calls:read,captures:read --expires 90d`,
		Args:    cobra.NoArgs,
	}
	cmd.RunE = p.onStore(func(s *session, _ []string) error {
		if mode != modeLive && mode != modeTest {
			return misused("--mode is %q: expected live or test", mode)
		}
		if cmd.Flags().Changed("expires") && expires <= 0 {
			return misused("--expires must be more than 0; leave it out for a key that never expires")
		}
		return s.createKey(tenant, account.NewKey{Live: mode == modeLive, Name: name, Scopes: scopes, ExpiresIn: time.Duration(expires)})
	})
	p.tenantFlag(cmd, &tenant)
	cmd.Flags().StringVar(&mode, "mode", "", "live, or test for the sandbox")
	cmd.Flags().StringSliceVar(&scopes, "scopes", []string{"all"}, "what the key may do, comma-separated; all: everything of its mode")
	cmd.Flags().Var(&expires, "expires", "how long the key works, such as 90d; never expires if not given")
	cmd.Flags().StringVar(&name, "name", "", "what the key is for")
	require(cmd, "mode")
	p.completeWords(cmd, "mode", []string{modeLive, modeTest})
	p.completeScopes(cmd)
	return cmd
}

func (s *session) createKey(tenant string, n account.NewKey) (err error) {
	if n.Tenant, err = s.findTenant(tenant); err != nil {
		return err
	}
	n.By = s.by()
	key, secret, err := account.NewKeys(s.store, s.now).Create(s.ctx, n)
	if err != nil {
		return err
	}
	return s.print(newKeyJSON(key, secret, n.Tenant), func(w io.Writer) {
		printNewKey(w, key, secret, n.Tenant)
	})
}

// newKeyShape is the only place where a key itself is shown.
type newKeyShape struct {
	ID       frontdesk.ID `json:"id"`
	Key      string       `json:"key"`
	Prefix   string       `json:"prefix"`
	Tenant   string       `json:"tenant"`
	Livemode bool         `json:"livemode"`
	Scopes   []string     `json:"scopes"`
}

func newKeyJSON(k frontdesk.Key, secret frontdesk.Secret, t frontdesk.Tenant) newKeyShape {
	return newKeyShape{k.ID, secret.Reveal(), k.Prefix, t.Slug, k.Live, k.Scopes}
}

func printNewKey(w io.Writer, k frontdesk.Key, secret frontdesk.Secret, t frontdesk.Tenant) {
	row(w, "key", secret.Reveal())
	row(w, "id", string(k.ID))
	row(w, "tenant", t.Slug)
	row(w, "mode", modeOf(k))
	row(w, "scopes", strings.Join(k.Scopes, " "))
	row(w, "expires", when(k.ExpiresAt))
	fmt.Fprintln(w, "\nKeep the key now: it is never shown again.")
}

func (p *program) keyList() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use: "list", Short: "List a tenant's keys, newest first; never the keys themselves", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.listKeys(tenant) }),
	}
	p.tenantFlag(cmd, &tenant)
	return cmd
}

func (s *session) listKeys(tenant string) error {
	t, err := s.findTenant(tenant)
	if err != nil {
		return err
	}
	keys, err := s.store.Keys(s.ctx, t.ID)
	if err != nil {
		return err
	}
	now := s.now()
	shapes := make([]keyShape, len(keys))
	for i, k := range keys {
		shapes[i] = keyJSON(k, now)
	}
	return s.print(map[string]any{"keys": shapes}, func(w io.Writer) {
		row(w, "PREFIX", "MODE", "STATUS", "NAME", "SCOPES", "CREATED", "EXPIRES", "LAST USED", "ID")
		for _, k := range keys {
			row(w, k.Prefix, modeOf(k), statusOf(k, now), k.Name, scopesOf(k), when(k.CreatedAt), when(k.ExpiresAt), when(k.LastUsedAt), string(k.ID))
		}
	})
}

type keyShape struct {
	ID         frontdesk.ID `json:"id"`
	Prefix     string       `json:"prefix"`
	Name       string       `json:"name"`
	Livemode   bool         `json:"livemode"`
	Status     string       `json:"status"`
	Scopes     []string     `json:"scopes"`
	CreatedAt  *string      `json:"created_at"`
	ExpiresAt  *string      `json:"expires_at"`
	RevokedAt  *string      `json:"revoked_at"`
	LastUsedAt *string      `json:"last_used_at"`
}

func keyJSON(k frontdesk.Key, now time.Time) keyShape {
	return keyShape{
		k.ID, k.Prefix, k.Name, k.Live, statusOf(k, now), k.Scopes,
		stamp(k.CreatedAt), stamp(k.ExpiresAt), stamp(k.RevokedAt), stamp(k.LastUsedAt),
	}
}

func modeOf(k frontdesk.Key) string {
	if k.Live {
		return modeLive
	}
	return modeTest
}

// statusOf is active, ending (replaced, in its grace), revoked or expired.
func statusOf(k frontdesk.Key, now time.Time) string {
	var e *frontdesk.Error
	switch {
	case errors.As(k.Usable(now), &e):
		return strings.TrimPrefix(e.Code, "api_key_")
	case !k.RevokedAt.IsZero():
		return "ending"
	}
	return "active"
}

// scopesOf is short where it can be.
func scopesOf(k frontdesk.Key) string {
	if len(k.Scopes) == len(frontdesk.ScopesFor(k.Live)) {
		return "all"
	}
	return strings.Join(k.Scopes, ",")
}

func (p *program) keyRevoke() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "End a key now; it stops working within 5 seconds on every node", Args: cobra.ExactArgs(1),
		RunE: p.onStore(func(s *session, args []string) error { return s.revokeKey(args[0]) }),
	}
}

func (s *session) revokeKey(text string) error {
	id, err := s.keyID(text)
	if err != nil {
		return err
	}
	if err := account.NewKeys(s.store, s.now).Revoke(s.ctx, s.by(), id); err != nil {
		return err
	}
	k, err := s.store.Key(s.ctx, id)
	if err != nil {
		return err
	}
	return s.print(keyJSON(k, s.now()), func(w io.Writer) {
		fmt.Fprintf(w, "Revoked %s (%s), which ended at %s.\n", k.Prefix, k.ID, when(k.RevokedAt))
	})
}

func (p *program) keyRotate() *cobra.Command {
	grace := span(day)
	cmd := &cobra.Command{
		Use: "rotate ID", Short: "Replace a key by a new one; the old one works on for a while", Args: cobra.ExactArgs(1),
		Example: `  frontdesk key rotate 01993c5e-… --grace 24h`,
		RunE:    p.onStore(func(s *session, args []string) error { return s.rotateKey(args[0], time.Duration(grace)) }),
	}
	cmd.Flags().Var(&grace, "grace", "how long the old key works on; 0s: not at all")
	return cmd
}

func (s *session) rotateKey(text string, grace time.Duration) error {
	id, err := s.keyID(text)
	if err != nil {
		return err
	}
	key, secret, err := account.NewKeys(s.store, s.now).Rotate(s.ctx, s.by(), id, grace)
	if err != nil {
		return endedKey(id, err)
	}
	t, err := s.findTenant(string(key.TenantID))
	if err != nil {
		return err
	}
	old, err := s.store.Key(s.ctx, id)
	if err != nil {
		return err
	}
	value := struct {
		newKeyShape
		Replaces  frontdesk.ID `json:"replaces"`
		OldEndsAt *string      `json:"old_key_ends_at"`
	}{newKeyJSON(key, secret, t), old.ID, stamp(old.RevokedAt)}
	return s.print(value, func(w io.Writer) {
		printNewKey(w, key, secret, t)
		fmt.Fprintf(w, "The old key %s works until %s.\n", old.Prefix, when(old.RevokedAt))
	})
}

// keyID reads the id of a key that exists.
func (s *session) keyID(text string) (frontdesk.ID, error) {
	missing := refused("not_found", "id", "there is no key with the id %q; `frontdesk key list --tenant …` shows the ids", text)
	id, ok := frontdesk.ParseID(text)
	if !ok {
		return "", missing
	}
	if _, err := s.store.Key(s.ctx, id); isMissing(err) {
		return "", missing
	} else if err != nil {
		return "", err
	}
	return id, nil
}

// endedKey says to an operator what Usable says to the key's holder.
func endedKey(id frontdesk.ID, err error) error {
	var e *frontdesk.Error
	if errors.As(err, &e) && e.Kind == frontdesk.Unauthorized {
		return refused(e.Code, "id", "the key %s has ended and cannot be rotated; make a new one with `frontdesk key create`", id)
	}
	return err
}
