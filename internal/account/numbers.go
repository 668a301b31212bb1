package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

// Numbers are the telephone numbers that agents answer. It is safe for
// concurrent use.
type Numbers struct {
	store *store.Store
	box   *seal.Box
	now   func() time.Time
}

// NewNumbers returns the numbers kept in s, whose secrets are sealed by box.
func NewNumbers(s *store.Store, box *seal.Box, now func() time.Time) *Numbers {
	return &Numbers{store: s, box: box, now: now}
}

// NumberInput asks for a number.
type NumberInput struct {
	By        frontdesk.Actor
	Number    string
	AgentSlug string
	Carrier   frontdesk.Carrier
	Trunk     string           // of SIP: where it is registered; "": nowhere
	Secret    frontdesk.Secret // what the carrier's requests are checked by, or the trunk's password; "": none
}

// Add has one of the owner's agents answer a number.
func (n *Numbers) Add(ctx context.Context, owner frontdesk.Owner, in NumberInput) (frontdesk.Number, error) {
	added := frontdesk.Number{
		Number: frontdesk.E164(in.Number), TenantID: owner.TenantID, Live: owner.Live, Carrier: in.Carrier, Trunk: strings.TrimSpace(in.Trunk), CreatedAt: n.now().Truncate(time.Microsecond),
	}
	if added.Number == "" {
		return added, frontdesk.CheckE164("number", in.Number)
	}
	if err := added.Check(); err != nil {
		return added, err
	}
	secret := frontdesk.Secret(strings.TrimSpace(in.Secret.Reveal()))
	if err := added.CheckSecret(secret); err != nil {
		return added, err
	}
	agent, err := n.store.AgentBySlug(ctx, owner, in.AgentSlug)
	if err != nil {
		return added, err
	}
	added.AgentID = agent.ID
	var sealed []byte
	if secret != "" {
		sealed = n.box.Seal(numberPlace(added.Number), []byte(secret.Reveal()))
	}
	return added, n.store.AddNumber(ctx, owner, in.By, added, sealed)
}

// List lists the owner's numbers in their order.
func (n *Numbers) List(ctx context.Context, owner frontdesk.Owner) ([]frontdesk.Number, error) {
	return n.store.Numbers(ctx, owner)
}

// Remove has nobody answer one of the owner's numbers any more.
func (n *Numbers) Remove(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, number string) error {
	return n.store.RemoveNumber(ctx, owner, by, frontdesk.E164(number))
}

// Find finds a number that somebody calls, whoever's it is, and the secret by
// which its carrier's requests are checked. Who asks has not been checked yet:
// nothing of it is to be shown to them.
func (n *Numbers) Find(ctx context.Context, number string) (frontdesk.Number, frontdesk.Secret, error) {
	found, sealed, err := n.store.NumberForWorker(ctx, frontdesk.E164(number))
	if err != nil {
		return frontdesk.Number{}, "", err
	}
	secret, err := OpenNumberSecret(n.box, found, sealed)
	return found, secret, err
}

// OpenNumberSecret opens the sealed secret of a number; it is "" where the
// number has none.
func OpenNumberSecret(box *seal.Box, n frontdesk.Number, sealed []byte) (frontdesk.Secret, error) {
	if sealed == nil {
		return "", nil
	}
	secret, err := box.Open(numberPlace(n.Number), sealed)
	if err != nil {
		return "", fmt.Errorf("the secret of the number %s: %w", n.Number, err)
	}
	return frontdesk.Secret(secret), nil
}

// RekeyNumbers seals the secrets of all numbers anew with the box's present key,
// whichever of its keys sealed them before. It can be run again at any time. A
// secret that none of its keys opens is an error, or, where lost is not nil, is
// left as it is and told to lost.
func RekeyNumbers(ctx context.Context, s *store.Store, box *seal.Box, lost func(error)) (int, error) {
	return s.ResealNumbersForWorker(ctx, func(number string, sealed []byte) ([]byte, error) {
		secret, err := OpenNumberSecret(box, frontdesk.Number{Number: number}, sealed)
		switch {
		case err == nil:
			return box.Seal(numberPlace(number), []byte(secret.Reveal())), nil
		case lost == nil:
			return nil, err
		}
		lost(err)
		return sealed, nil
	})
}

// SealedNumbers returns the secrets of numbers, to try a master key on.
func SealedNumbers(ctx context.Context, s *store.Store) (values []seal.Value, err error) {
	numbers, err := s.NumbersForWorker(ctx)
	for _, n := range numbers {
		if n.Sealed != nil {
			values = append(values, seal.Value{Place: numberPlace(n.Number.Number), Sealed: n.Sealed})
		}
	}
	return values, err
}

func numberPlace(number string) string { return "number " + number }
