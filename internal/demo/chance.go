package demo

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// today is the beginning of the UTC day of now.
func today(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// stream is one of the streams of random numbers of a seed and a day.
func stream(seed uint64, now time.Time, n uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(today(now).Unix())<<8|n))
}

func randomID(rng *rand.Rand, at time.Time) frontdesk.ID {
	var random [8]byte
	binary.BigEndian.PutUint64(random[:], rng.Uint64())
	return frontdesk.IDFrom(at, random)
}

func randomCode(rng *rand.Rand) string {
	return frontdesk.ConfirmationCodeFrom(func() byte { return byte(rng.Uint32()) })
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

// deck deals its cards in random order and starts again when all are dealt:
// what is rare still comes, and nothing comes too often.
type deck[T any] struct {
	cards []T
	dealt int
}

func newDeck[T any](cards []T) *deck[T] {
	own := append([]T(nil), cards...)
	return &deck[T]{cards: own, dealt: len(own)}
}

func (d *deck[T]) deal(rng *rand.Rand) T {
	if d.dealt == len(d.cards) {
		rng.Shuffle(len(d.cards), func(i, j int) { d.cards[i], d.cards[j] = d.cards[j], d.cards[i] })
		d.dealt = 0
	}
	d.dealt++
	return d.cards[d.dealt-1]
}

// cards makes a deck's cards of how many there are of each, in a given order.
func cards[T comparable](counts map[T]int, order []T) []T {
	var all []T
	for _, card := range order {
		for range counts[card] {
			all = append(all, card)
		}
	}
	return all
}
