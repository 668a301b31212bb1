package cli

import (
	"context"
	"net"
	"net/http"
	"time"
)

// checkListen sees whether serve could listen, or does so already.
func (d *doctor) checkListen() {
	const check = "listen"
	addr := d.settings.Listen
	l, err := new(net.ListenConfig).Listen(d.ctx, "tcp", addr)
	switch {
	case err == nil:
		l.Close()
		d.ok(check, "%s is free", addr)
	case d.serves(addr):
		d.ok(check, "frontdesk serves on %s", addr)
	default:
		d.fail(check, "Stop what uses it, or choose another address with FRONTDESK_LISTEN or --listen.", "%v", err)
	}
}

// serves says whether a frontdesk answers at the address.
func (d *doctor) serves(addr string) bool {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(d.ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.StatusCode == http.StatusOK
}
