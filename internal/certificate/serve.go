package certificate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/acme"
)

// lookTime bounds what a handshake asks the store.
const lookTime = 5 * time.Second

// TLS is the configuration of a server of these certificates: TLS 1.2 or later, with
// the standard library's choice of ciphers. HTTP/2 is not offered: a server's own
// answers to broken requests are written by who speaks HTTP/1.1.
func (k *Keeper) TLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1", acme.ALPNProto}, GetCertificate: k.certificate}
}

var (
	errUnknownName = errors.New("no certificate is kept for this name")
	errNoneYet     = errors.New("there is no certificate for this name yet")
)

// certificate is what a handshake is answered with.
func (k *Keeper) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := strings.TrimSuffix(strings.ToLower(hello.ServerName), ".")
	if !k.knows(name) {
		return nil, errUnknownName
	}
	ctx, cancel := context.WithTimeout(hello.Context(), lookTime)
	defer cancel()
	if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
		return k.challengeCertificate(ctx, name)
	}
	if cert := k.certificateOf(name); cert != nil {
		return cert, nil
	}
	if err := k.lookNow(ctx); err != nil {
		return nil, err
	}
	if cert := k.certificateOf(name); cert != nil {
		return cert, nil
	}
	return nil, errNoneYet
}

// lookNow looks whether another node has ordered what is missing here, once a second
// at most, however many handshakes there are.
func (k *Keeper) lookNow(ctx context.Context) error {
	k.mu.Lock()
	now := time.Now()
	early := now.Sub(k.lookedAt) < time.Second
	if !early {
		k.lookedAt = now
	}
	k.mu.Unlock()
	if early {
		return nil
	}
	return k.load(ctx)
}

// challengeCertificate answers an authority that asks by TLS.
func (k *Keeper) challengeCertificate(ctx context.Context, domain string) (*tls.Certificate, error) {
	tokens, err := k.Store.ChallengesForWorker(ctx, domain, k.Now())
	if err != nil {
		return nil, err
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("no authority is expected to ask for %s", domain)
	}
	key, err := k.accountKey(ctx)
	if err != nil {
		return nil, err
	}
	cert, err := (&acme.Client{Key: key}).TLSALPN01ChallengeCert(tokens[0], domain)
	return &cert, err
}

const challengePath = "/.well-known/acme-challenge/"

// Plain serves plain HTTP: it answers an authority that asks so, and sends everybody
// else to the same address by TLS. What is not for one of the names, or would send
// something, is refused.
func (k *Keeper) Plain() http.Handler {
	port := ""
	if u, err := url.Parse(k.PublicURL); err == nil && u.Port() != "" {
		port = ":" + u.Port()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r)
		token, asked := strings.CutPrefix(r.URL.Path, challengePath)
		switch {
		case !k.knows(host):
			http.Error(w, "This server does not serve that name.", http.StatusMisdirectedRequest)
		case asked:
			k.answerChallenge(w, r, host, token)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Connection", "close") // what comes with it is not read
			http.Error(w, "Use https. What was sent here could be read on the way.", http.StatusForbidden)
		default:
			w.Header().Set("Cache-Control", "max-age=3600")
			http.Redirect(w, r, "https://"+host+port+target(r.URL), http.StatusMovedPermanently)
		}
	})
}

// target is the path and query of an address. What has no path, such as "x:y", would
// otherwise go on with the name of the host.
func target(u *url.URL) string {
	to := "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		to += "?" + u.RawQuery
	}
	return to
}

func (k *Keeper) answerChallenge(w http.ResponseWriter, r *http.Request, domain, token string) {
	tokens, err := k.Store.ChallengesForWorker(r.Context(), domain, k.Now())
	if err == nil && !slices.Contains(tokens, token) {
		http.NotFound(w, r)
		return
	}
	var answer string
	if err == nil {
		answer, err = k.challengeAnswer(r.Context(), token)
	}
	if err != nil {
		k.Log.Error("an authority's challenge could not be answered", "domain", domain, "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Write([]byte(answer))
}

func (k *Keeper) challengeAnswer(ctx context.Context, token string) (string, error) {
	key, err := k.accountKey(ctx)
	if err != nil {
		return "", err
	}
	return (&acme.Client{Key: key}).HTTP01ChallengeResponse(token)
}

func (k *Keeper) knows(name string) bool { return slices.Contains(k.Domains, name) }

func hostOf(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// Strict tells browsers to use nothing but TLS with this name for a year. Names
// below it are not ours to decide about.
func Strict(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		h.ServeHTTP(w, r)
	})
}
