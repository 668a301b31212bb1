package certificate

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"

	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

// The places that sealed keys are bound to.
func certificatePlace(domain string) string { return "certificate " + domain }
func accountPlace(directory string) string  { return "certificate account " + directory }

// sealed is a certificate as the store keeps it: the key and the chain, in PEM. It
// is refused when it is not for the name and the key.
func sealed(box *seal.Box, domain, directory string, key *ecdsa.PrivateKey, chain [][]byte) (store.Certificate, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return store.Certificate{}, err
	}
	var text bytes.Buffer
	pem.Encode(&text, &pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	for _, one := range chain {
		pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: one})
	}
	made, err := tls.X509KeyPair(text.Bytes(), text.Bytes())
	if err == nil {
		err = made.Leaf.VerifyHostname(domain)
	}
	if err != nil {
		return store.Certificate{}, fmt.Errorf("the authority sent a certificate that cannot be used: %w", err)
	}
	return store.Certificate{
		Domain: domain, Directory: directory, Sealed: box.Seal(certificatePlace(domain), text.Bytes()),
		IssuedAt: made.Leaf.NotBefore, ExpiresAt: made.Leaf.NotAfter,
	}, nil
}

func open(box *seal.Box, c store.Certificate) (*tls.Certificate, error) {
	text, err := box.Open(certificatePlace(c.Domain), c.Sealed)
	if err != nil {
		return nil, err
	}
	made, err := tls.X509KeyPair(text, text)
	return &made, err
}

// Rekey seals the private keys of certificates and accounts anew with the present
// master key, and says how many. With lost, those that no key opens are told to it and
// forgotten: others are ordered.
func Rekey(ctx context.Context, s *store.Store, box *seal.Box, lost func(error)) (int, error) {
	anew := func(place func(string) string) func(string, []byte) ([]byte, error) {
		return func(name string, sealed []byte) ([]byte, error) {
			text, err := box.Open(place(name), sealed)
			if err == nil {
				return box.Seal(place(name), text), nil
			}
			err = fmt.Errorf("the key of %s: %w", place(name), err)
			if lost == nil {
				return nil, err
			}
			lost(err)
			return nil, nil
		}
	}
	return s.ResealCertificatesForWorker(ctx, anew(certificatePlace), anew(accountPlace))
}
