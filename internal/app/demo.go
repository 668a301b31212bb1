package app

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/demo"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/webhook"
)

// openDemo makes sure that the demo tenant is there, with a live and a test
// key, and prints how to use them. The keys are derived from the master key, so
// that they can be shown at every start without being kept.
func (p *parts) openDemo(ctx context.Context, out io.Writer, addr net.Addr) error {
	tenant, err := p.demoTenant(ctx)
	if err != nil {
		return fmt.Errorf("opening the demo: %w", err)
	}
	live, err := p.demoKey(ctx, tenant, true)
	if err != nil {
		return fmt.Errorf("opening the demo: %w", err)
	}
	test, err := p.demoKey(ctx, tenant, false)
	if err != nil {
		return fmt.Errorf("opening the demo: %w", err)
	}
	link, err := p.consoleLink(ctx, tenant, addr)
	if err != nil {
		return fmt.Errorf("opening the demo: %w", err)
	}
	_, err = fmt.Fprintf(out, demoText, addr, live.Reveal(), test.Reveal(), link)
	return err
}

func (p *parts) demoTenant(ctx context.Context) (frontdesk.Tenant, error) {
	tenant, err := p.store.TenantBySlug(ctx, demo.Slug)
	var e *frontdesk.Error
	if err == nil || !errors.As(err, &e) || e.Kind != frontdesk.NotFound {
		return tenant, err
	}
	business, err := demo.Build(demo.Seed, p.now(), p.demoSecret)
	if err != nil {
		return tenant, err
	}
	if business.Documents, err = demo.Lay(ctx, p.library, business.Tenant, business.Agents, demo.Documents()); err != nil {
		return tenant, err
	}
	err = p.store.CreateTenant(ctx, business)
	if errors.As(err, &e) && e.Code == "slug_taken" { // another node was faster
		return p.store.TenantBySlug(ctx, demo.Slug)
	}
	debug.FreeOSMemory() // the sample was large; serving is not
	return business.Tenant, err
}

func (p *parts) demoKey(ctx context.Context, t frontdesk.Tenant, live bool) (frontdesk.Secret, error) {
	purpose := "demo test key " + string(t.ID)
	if live {
		purpose = "demo live key " + string(t.ID)
	}
	secret := frontdesk.KeySecretFrom(live, p.box.Derive(purpose))
	return secret, p.keys.Ensure(ctx, account.NewKey{Tenant: t, Live: live, Name: "demo", Scopes: []string{"all"}}, secret)
}

// demoSecret is the secret of one of the demo's connections: derived from the
// master key, so that it is nobody's guess.
func (p *parts) demoSecret(connection frontdesk.ID, at time.Time) frontdesk.SealedSecret {
	raw := p.box.Derive("demo connection secret " + string(connection))[:32]
	return webhook.SealSecret(p.box, connection, frontdesk.Secret("whsec_"+base64.StdEncoding.EncodeToString(raw)), at)
}

const demoText = `
frontdesk demo, four businesses with 90 days of calls.

Open the console as their owner (one click, good for an hour):

  %[4]s

Paste these:

  export FRONTDESK_URL=http://%[1]s/v1
  export FRONTDESK_KEY=%[2]s   # live
  export FRONTDESK_TEST_KEY=%[3]s   # test

  curl -s "$FRONTDESK_URL/whoami"  -H "Authorization: Bearer $FRONTDESK_KEY"
  curl -s "$FRONTDESK_URL/agents"  -H "Authorization: Bearer $FRONTDESK_KEY"
  curl -s "$FRONTDESK_URL/calls?limit=3&outcome=booking" -H "Authorization: Bearer $FRONTDESK_KEY"
  curl -s "$FRONTDESK_URL/captures?status=pending_confirm" -H "Authorization: Bearer $FRONTDESK_KEY"
  curl -s "$FRONTDESK_URL/connections" -H "Authorization: Bearer $FRONTDESK_KEY"
  curl -s "$FRONTDESK_URL/analytics?days=7" -H "Authorization: Bearer $FRONTDESK_KEY"
  curl -s "$FRONTDESK_URL/knowledge/documents" -H "Authorization: Bearer $FRONTDESK_KEY"
  curl -s "$FRONTDESK_URL/knowledge/test" -H "Authorization: Bearer $FRONTDESK_KEY" \
       -d '{"question": "Can I pay by card?"}'
  curl -s -X PATCH "$FRONTDESK_URL/agents/casa-lola" -H "Authorization: Bearer $FRONTDESK_KEY" \
       -d '{"specials": "Hoy: arroz con bogavante"}'

  # The SDKs and "frontdesk mcp" read these:
  export FRONTDESK_BASE_URL=http://%[1]s FRONTDESK_API_KEY=$FRONTDESK_KEY

  # Talk to the receptionists in a browser:
  #   http://%[1]s/talk/demo/casa-lola
  #   http://%[1]s/talk/demo/dental-la-plaza?lang=en
  #   http://%[1]s/talk/demo/harbour-store
  #   http://%[1]s/talk/demo/costa-clara
  # Or call one, as a carrier does, in another terminal:
  #   frontdesk phone try --tenant demo --agent casa-lola --server http://%[1]s

`
