package cli

import (
	"context"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// lookTime is how long a server may take to answer the doctor.
const lookTime = 5 * time.Second

// addresses is the part of the doctor that looks at where serve listens and is reached.
type addresses struct{ *doctor }

// checkListen sees whether serve could listen, or does so already: on this
// database, or on another.
func (d addresses) checkListen() {
	const check, fix = "listen", "Stop what uses it, or choose another address with FRONTDESK_LISTEN or --listen."
	addr := d.settings.Listen
	l, err := new(net.ListenConfig).Listen(d.ctx, "tcp", addr)
	if err == nil {
		l.Close()
		d.ok(check, "%s is free", addr)
		return
	}
	answer, asked := d.look(app.LocalURL(addr), "/healthz", "")
	switch id := answer.Get(app.InstallationHeader); {
	case asked != nil || id == "":
		d.fail(check, fix, "%v, and what answers there is no frontdesk of this version", err)
	case d.installation != "" && id != string(d.installation):
		d.fail(check, fix, "%s is in use by another frontdesk, which serves another database", addr)
	default:
		d.ok(check, "frontdesk serves on %s", addr)
		d.checkPublic()
	}
}

// checkFronts sees whether serve could listen for TLS and for figures. Where it
// serves already, it has these addresses.
func (d addresses) checkFronts() {
	fronts := map[string]string{"FRONTDESK_METRICS_LISTEN": d.settings.MetricsListen}
	if len(d.settings.Domains()) > 0 {
		fronts["FRONTDESK_TLS_LISTEN"], fronts["FRONTDESK_HTTP_LISTEN"] = d.settings.TLSListen, d.settings.HTTPListen
	}
	if answer, err := d.look(app.LocalURL(d.settings.Listen), "/healthz", ""); err == nil && answer.Get(app.InstallationHeader) != "" {
		return
	}
	for _, setting := range slices.Sorted(maps.Keys(fronts)) {
		if fronts[setting] == "" {
			continue
		}
		l, err := new(net.ListenConfig).Listen(d.ctx, "tcp", fronts[setting])
		if err != nil {
			d.fail("listen", "Stop what uses it, or choose another address with "+setting+". Ports below 1024 are for root, unless the program has CAP_NET_BIND_SERVICE.", "%v", err)
			continue
		}
		l.Close()
		d.ok("listen", "%s is free", fronts[setting])
	}
}

// checkPublic sees whether visitors reach the server that runs under its public
// address: a proxy in front of it may let other addresses through than those.
func (d addresses) checkPublic() {
	const check, fix = "public address", "Let the proxy pass /talk/, /web/ and what docs/operations.md names to this server, with Upgrade and Connection for WebSockets."
	address := strings.TrimSuffix(d.settings.PublicURL, "/")
	if address == "" {
		return
	}
	answer, err := d.look(address, d.talkPath, "websocket")
	switch id := answer.Get(app.InstallationHeader); {
	case err != nil:
		d.warn(check, "See that the name leads to this server; a network may also keep a machine from its own public address. "+fix, "%s%s does not answer from here: %v", address, d.talkPath, err)
	case id == "":
		d.warn(check, fix, "%s%s is not answered by this server: a proxy hides it", address, d.talkPath)
	case d.installation != "" && id != string(d.installation):
		d.warn(check, "Correct FRONTDESK_PUBLIC_URL, or where its name leads.", "%s leads to another frontdesk, which serves another database", address)
	case answer.Get(app.UpgradeHeader) == "":
		d.warn(check, fix, "a proxy in front of %s does not let WebSockets through: visitors cannot speak, and carriers' calls fail", address)
	default:
		d.ok(check, "%s%s leads here, WebSockets too", address, d.talkPath)
	}
}

// look asks a server and returns the header of its answer.
func (d addresses) look(origin, path, upgrade string) (http.Header, error) {
	guard, err := egress.New(egress.Options{Allow: []string{origin}})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(d.ctx, lookTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+path, nil)
	if err != nil {
		return nil, err
	}
	if upgrade != "" {
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", upgrade)
	}
	res, err := guard.Client(lookTime, 1).Do(req)
	if err != nil {
		return nil, err
	}
	res.Body.Close()
	return res.Header, nil
}

// knowInstallation notes what the server on this database calls itself, and a page
// of visitors that it should serve.
func (d *doctor) knowInstallation(s *store.Store) {
	if in, known, err := s.InstallationForWorker(d.ctx); err == nil && known {
		d.installation = in.ID
	}
	tenants, err := s.Tenants(d.ctx)
	if err != nil || len(tenants) == 0 {
		return
	}
	if agents, err := s.Agents(d.ctx, frontdesk.Owner{TenantID: tenants[0].ID, Live: true}); err == nil && len(agents) > 0 {
		d.talkPath = "/talk/" + tenants[0].Slug + "/" + agents[0].Slug
	}
}
