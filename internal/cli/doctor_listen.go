package cli

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
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
	const check = "listen"
	addr := d.settings.Listen
	l, err := new(net.ListenConfig).Listen(d.ctx, "tcp", addr)
	if err == nil {
		l.Close()
		d.ok(check, "%s is free", addr)
		return
	}
	fix := listenFix(err, "FRONTDESK_LISTEN or --listen")
	if errors.Is(err, syscall.EADDRNOTAVAIL) { // whoever answers there is on another machine
		d.fail(check, fix, "%v", err)
		return
	}
	answer, asked := d.look(app.LocalURL(addr), "/healthz", "")
	switch id := answer.Get(app.InstallationHeader); {
	case asked != nil:
		d.fail(check, fix, "%v, and no frontdesk answers there", err)
	case id == "":
		d.fail(check, fix, "%v, and what answers there is no frontdesk of this version", err)
	case !d.isOurs(answer):
		d.fail(check, fix, "%s is in use by another frontdesk, which serves another database", addr)
	default:
		d.ok(check, "frontdesk serves on %s", addr)
		d.checkPublic()
	}
}

// listenFix is app.ListenAdvice as a sentence.
func listenFix(err error, setting string) string {
	advice := app.ListenAdvice(err, setting)
	return strings.ToUpper(advice[:1]) + advice[1:] + "."
}

// isOurs says whether an answer is that of a server on this database, as far as that
// is known.
func (d addresses) isOurs(answer http.Header) bool {
	id := answer.Get(app.InstallationHeader)
	return id != "" && (d.installation == "" || id == string(d.installation))
}

// checkFronts sees whether serve could listen for TLS and for figures. Where it
// serves this database already, it has these addresses.
func (d addresses) checkFronts() {
	fronts := map[string]string{"FRONTDESK_METRICS_LISTEN": d.settings.MetricsListen}
	if len(d.settings.Domains()) > 0 {
		fronts["FRONTDESK_TLS_LISTEN"], fronts["FRONTDESK_HTTP_LISTEN"] = d.settings.TLSListen, d.settings.HTTPListen
	}
	if answer, err := d.look(app.LocalURL(d.settings.Listen), "/healthz", ""); err == nil && d.isOurs(answer) {
		return
	}
	for _, setting := range slices.Sorted(maps.Keys(fronts)) {
		if fronts[setting] == "" {
			continue
		}
		l, err := new(net.ListenConfig).Listen(d.ctx, "tcp", fronts[setting])
		if err != nil {
			d.fail("listen", listenFix(err, setting), "%v", err)
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
