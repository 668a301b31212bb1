package certificate

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"

	"golang.org/x/crypto/acme"

	"frontdesk.dev/frontdesk/internal/store"
)

// challenges are the ways to show that a name is ours, in the order in which they
// are tried: the port that is served in any case comes first.
var challenges = []string{"tls-alpn-01", "http-01"}

// order gets a certificate from the authority: for each way to show that the name
// is ours a new order, until one of them is granted.
func (k *Keeper) order(ctx context.Context, domain string) (store.Certificate, error) {
	ctx, cancel := context.WithTimeout(ctx, orderTime)
	defer cancel()
	client, err := k.client(ctx)
	if err != nil {
		return store.Certificate{}, err
	}
	var refused []error
	for _, kind := range challenges {
		granted, err := k.authorize(ctx, client, domain, kind)
		if err == nil {
			return k.finalize(ctx, client, domain, granted)
		}
		refused = append(refused, fmt.Errorf("by %s: %w", kind, err))
		if _, unproven := errors.AsType[*acme.AuthorizationError](err); !unproven {
			break // asking in another way would not help
		}
	}
	return store.Certificate{}, errors.Join(refused...)
}

// client speaks to the authority under our account, which is made on first use. To
// use this server with a name is to accept the authority's terms.
func (k *Keeper) client(ctx context.Context) (*acme.Client, error) {
	key, err := k.accountKey(ctx)
	if err != nil {
		return nil, err
	}
	// A new one for every order: it remembers what an authority may have forgotten.
	client := &acme.Client{Key: key, HTTPClient: k.Client, DirectoryURL: k.Directory, UserAgent: "frontdesk"}
	account := &acme.Account{}
	if k.Email != "" {
		account.Contact = []string{"mailto:" + k.Email}
	}
	if _, err := client.Register(ctx, account, acme.AcceptTOS); err != nil && !errors.Is(err, acme.ErrAccountAlreadyExists) {
		return nil, fmt.Errorf("opening an account: %w", err)
	}
	return client, nil
}

// accountKey is the key of our account, the same for all nodes.
func (k *Keeper) accountKey(ctx context.Context) (crypto.Signer, error) {
	k.mu.RLock()
	known := k.account
	k.mu.RUnlock()
	if known != nil {
		return known, nil
	}
	sealed, err := k.Store.CertificateAccountForWorker(ctx, k.Directory)
	if err == nil && sealed == nil {
		sealed, err = k.newAccountKey(ctx)
	}
	if err != nil {
		return nil, err
	}
	der, err := k.Box.Open(accountPlace(k.Directory), sealed)
	if err != nil {
		return nil, fmt.Errorf("the key of the account with %s: %w", k.Directory, err)
	}
	key, err := x509.ParseECPrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("the key of the account with %s: %w", k.Directory, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.account = key
	return key, nil
}

func (k *Keeper) newAccountKey(ctx context.Context) (sealed []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return k.Store.AddCertificateAccountForWorker(ctx, k.Directory, k.Box.Seal(accountPlace(k.Directory), der), k.Now())
}

// authorize places an order and shows in one way that the name is ours.
func (k *Keeper) authorize(ctx context.Context, client *acme.Client, domain, kind string) (*acme.Order, error) {
	order, err := client.AuthorizeOrder(ctx, acme.DomainIDs(domain))
	if err != nil {
		return nil, err
	}
	for _, address := range order.AuthzURLs {
		asked, err := client.GetAuthorization(ctx, address)
		if err != nil {
			return nil, err
		}
		if asked.Status != acme.StatusPending {
			continue // it remembers an earlier time
		}
		if err := k.prove(ctx, client, domain, kind, asked); err != nil {
			return nil, err
		}
	}
	return client.WaitOrder(ctx, order.URI)
}

// prove lets the authority find its token under the name, on whatever node it asks.
func (k *Keeper) prove(ctx context.Context, client *acme.Client, domain, kind string, asked *acme.Authorization) error {
	for _, c := range asked.Challenges {
		if c.Type != kind {
			continue
		}
		now := k.Now()
		if err := k.Store.AddChallengeForWorker(ctx, domain, c.Token, now, now.Add(claimTime)); err != nil {
			return err
		}
		defer k.forget(ctx, domain, c.Token)
		if _, err := client.Accept(ctx, c); err != nil {
			return err
		}
		_, err := client.WaitAuthorization(ctx, asked.URI)
		return err
	}
	return &acme.AuthorizationError{Identifier: domain, Errors: []error{errors.New("the authority does not offer it")}}
}

// forget deletes a challenge. One that stays is forgotten with the next order.
func (k *Keeper) forget(ctx context.Context, domain, token string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := k.Store.ForgetChallengeForWorker(ctx, domain, token); err != nil {
		k.Log.Debug("a challenge stays until the next order", "domain", domain, "error", err)
	}
}

// finalize has the certificate made for a new key.
func (k *Keeper) finalize(ctx context.Context, client *acme.Client, domain string, granted *acme.Order) (store.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return store.Certificate{}, err
	}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: []string{domain}}, key)
	if err != nil {
		return store.Certificate{}, err
	}
	const withChain = true
	chain, _, err := client.CreateOrderCert(ctx, granted.FinalizeURL, request, withChain)
	if err != nil {
		return store.Certificate{}, err
	}
	return sealed(k.Box, domain, k.Directory, key, chain)
}
