// Package privacy is what becomes of what people say. A [Keeper] forgets it when a
// tenant's days for it are over, and gives out or erases, when one asks, all that is
// known of a caller.
//
// It knows where in the store a person can stand. What a row means, it leaves to
// others.
package privacy
