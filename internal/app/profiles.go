package app

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"time"

	"frontdesk.dev/frontdesk/internal/service"
)

// serveProfiles serves net/http/pprof on a listener of its own, apart from
// customers and visitors, until it is told to stop. The settings have seen to it
// that the address is a loopback one.
func serveProfiles(address string, log *slog.Logger) (stop func(), err error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening on %s for debugging: %w", address, err)
	}
	server := &http.Server{
		Handler: profiles(), ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	service.Go(log, "debug listener", func() error { return server.Serve(l) })
	log.Warn("profiles of this process are served to everybody on this machine; this is for debugging", "debug_listen", "http://"+l.Addr().String()+"/debug/pprof/")
	return func() { server.Close() }, nil
}

// profiles are the pages of net/http/pprof. They are shown to who asks for a
// loopback address: a web page that had its own name lead here would ask for
// that name.
func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !namesLoopback(r.Host) {
			http.Error(w, "profiles are served at a loopback address alone", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func namesLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
