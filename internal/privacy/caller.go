package privacy

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// Caller is all that is known of one, in one mode of a tenant.
type Caller struct {
	Captures []frontdesk.Capture
	Calls    []frontdesk.Call // with their transcripts
	// Others are the rows in which the caller stands besides, by their kind: the text
	// of each.
	Others map[store.TraceKind][]string

	keys map[store.TraceKind][]string
}

// callerShape is a caller as given out.
type callerShape struct {
	Captures []json.RawMessage            `json:"captures"`
	Calls    []json.RawMessage            `json:"calls"`
	Others   map[store.TraceKind][]string `json:"others"`
}

// MarshalJSON spells captures and calls as the API does, and what the other rows say.
func (c Caller) MarshalJSON() ([]byte, error) {
	shape := callerShape{Captures: []json.RawMessage{}, Calls: []json.RawMessage{}, Others: c.Others}
	for _, capture := range c.Captures {
		shape.Captures = append(shape.Captures, wire.Capture(capture))
	}
	for _, call := range c.Calls {
		shape.Calls = append(shape.Calls, wire.CallEnvelope(call))
	}
	return json.Marshal(shape)
}

// Rows counts the rows of each kind.
func (c Caller) Rows() map[store.TraceKind]int {
	n := map[store.TraceKind]int{}
	for kind, keys := range c.keys {
		n[kind] = len(keys)
	}
	return n
}

// Find looks for all that is known of the caller with a telephone number, however it
// is written. It looks through everything that the owner has, which takes a while
// where that is much.
func (k *Keeper) Find(ctx context.Context, owner frontdesk.Owner, phone string) (c Caller, err error) {
	h, err := k.houses(ctx, owner)
	if err != nil {
		return c, err
	}
	n, ok := numberOf(phone, h.all)
	if !ok {
		return c, frontdesk.InvalidParam("phone", "%q is no telephone number: give it with its country code, such as +34 600 111 222.", frontdesk.Clip(phone, 40))
	}
	if ours, err := k.isOurs(ctx, owner, h, n); err != nil || ours {
		return c, cmp.Or(err, error(frontdesk.InvalidParam("phone", "%s is a number of the business itself: every call that came in by it, or in which it was told, would be found.", frontdesk.Clip(phone, 40))))
	}
	who := person{number: n, houses: h, captures: map[frontdesk.ID]string{}, calls: map[frontdesk.ID]bool{}, others: map[frontdesk.ID]bool{}}
	c = Caller{Others: map[store.TraceKind][]string{}, keys: map[store.TraceKind][]string{}}
	for _, kind := range store.TraceKinds {
		if err := k.look(ctx, owner, kind, &c, who); err != nil {
			return c, err
		}
		switch kind {
		case store.TraceCapture:
			err = k.readCaptures(ctx, owner, &c, who)
		case store.TraceCall:
			err = k.readCalls(ctx, owner, &c, who)
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// look looks for the person in the rows of one kind.
func (k *Keeper) look(ctx context.Context, owner frontdesk.Owner, kind store.TraceKind, c *Caller, who person) error {
	return k.store.Traces(ctx, owner, kind, func(t store.Trace) error {
		text, err := k.read(owner, t)
		if err != nil {
			return err
		}
		id, mine := frontdesk.ID(t.Key), false
		switch kind {
		case store.TraceCapture:
			agent, phone, _ := strings.Cut(text, "|")
			mine = who.number.is(phone, who.houses.of(frontdesk.ID(agent)))
		case store.TraceNote, store.TraceWish:
			_, theirs := who.captures[id]
			mine = !theirs && who.standsIn(text) // with the capture both go
		default:
			mine = who.calls[id] || who.standsIn(text)
		}
		if !mine {
			return nil
		}
		c.keys[kind] = append(c.keys[kind], t.Key)
		if kind != store.TraceCapture && kind != store.TraceCall {
			c.Others[kind] = append(c.Others[kind], text)
		}
		return nil
	})
}

// readCaptures reads the captures that were found, and learns from them by what else
// the person is known.
func (k *Keeper) readCaptures(ctx context.Context, owner frontdesk.Owner, c *Caller, who person) (err error) {
	c.Captures, err = k.store.CapturesByID(ctx, owner, c.ids(store.TraceCapture))
	for _, capture := range c.Captures {
		who.captures[capture.ID] = ""
		if capture.UpdatedAt.After(capture.CreatedAt) { // it may have been somebody else's
			who.captures[capture.ID] = capture.CustomerName
		}
	}
	return err
}

// readCalls reads the calls that were found.
func (k *Keeper) readCalls(ctx context.Context, owner frontdesk.Owner, c *Caller, who person) (err error) {
	c.Calls, err = k.store.CallsByID(ctx, owner, c.ids(store.TraceCall))
	for _, call := range c.Calls {
		who.calls[call.ID] = true
		summary, err := wire.ReadSummary(call)
		if err != nil { // then the call itself names them, or nobody does
			summary = frontdesk.Summary{}
		}
		for _, id := range append(summary.CaptureIDs, call.CaptureIDs...) {
			if _, theirs := who.captures[id]; !theirs {
				who.others[id] = true
			}
		}
	}
	return err
}

// ids are those of the rows of a kind that were found.
func (c Caller) ids(kind store.TraceKind) []frontdesk.ID {
	all := make([]frontdesk.ID, len(c.keys[kind]))
	for i, key := range c.keys[kind] {
		all[i] = frontdesk.ID(key)
	}
	return all
}

// houses are the countries that an owner's receptionists are in: a number without the
// code of its country is of the one that it was given to.
type houses struct {
	all     []string // without repeats; the account's own where there is no receptionist
	ofAgent map[frontdesk.ID]string
	agents  []frontdesk.Agent
}

// of is the country of a receptionist; of one that is not known, the first of all.
func (h houses) of(agent frontdesk.ID) string {
	if home := h.ofAgent[agent]; home != "" || len(h.all) == 0 {
		return cmp.Or(home, "ZZ")
	}
	return h.all[0]
}

func (k *Keeper) houses(ctx context.Context, owner frontdesk.Owner) (h houses, err error) {
	tenant, err := k.store.Tenant(ctx, owner)
	if err != nil {
		return h, err
	}
	h.agents, err = k.store.Agents(ctx, owner)
	h.ofAgent = map[frontdesk.ID]string{}
	for _, a := range h.agents {
		home := frontdesk.CountryOf(a.Timezone)
		h.ofAgent[a.ID] = home
		if home != "" && !slices.Contains(h.all, home) {
			h.all = append(h.all, home)
		}
	}
	if home := frontdesk.CountryOf(tenant.Timezone); len(h.all) == 0 && home != "" {
		h.all = []string{home}
	}
	return h, err
}

// isOurs says whether a number is one of the business itself: a line, which stands in
// every call that came in by it, or one that receptionists tell their callers or put
// them through to.
func (k *Keeper) isOurs(ctx context.Context, owner frontdesk.Owner, h houses, n number) (bool, error) {
	lines, err := k.store.Numbers(ctx, owner)
	for _, a := range h.agents {
		for _, own := range []string{a.Config.Business.Phone, a.Settings.TransferNumber} {
			if own != "" && n.is(own, h.of(a.ID)) {
				return true, err
			}
		}
	}
	return slices.ContainsFunc(lines, func(l frontdesk.Number) bool { return n.is(l.Number, "ZZ") }), err
}

// read is what a row says.
func (k *Keeper) read(owner frontdesk.Owner, t store.Trace) (string, error) {
	if t.Sealed == nil || k.open == nil {
		return t.Text, nil
	}
	text, err := k.open(owner, t.Key, t.Sealed)
	if err != nil { // a lost key sealed it: nobody can read it, and it is forgotten within a day
		k.log.Warn("a kept answer cannot be opened and is passed over", "tenant_id", owner.TenantID, "error", err)
		return t.Text, nil
	}
	return t.Text + " | " + string(text), nil
}

// Erase takes all out that Find finds of a caller, in one transaction, and says what
// it was. Copies in connected calendars are taken out within moments. What cannot be
// reached from here is named in docs/privacy.md.
func (k *Keeper) Erase(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, phone string) (Caller, error) {
	c, err := k.Find(ctx, owner, phone)
	if err != nil {
		return c, err
	}
	if len(c.keys) == 0 {
		return c, nil
	}
	return c, k.store.Erase(ctx, owner, by, c.keys)
}
