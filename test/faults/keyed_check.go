package faults

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// check holds what is there against what was answered.
func (d *desk) check(n *Node) {
	d.t.Helper()
	for _, k := range d.posts {
		if k.cut > 0 {
			d.figures.Cut++
			if k.answer.header.Get("Idempotent-Replayed") == "true" {
				d.figures.Replayed++
			}
		}
	}
	d.checkConnections(n)
	d.checkDocuments(n)
	d.checkRequests(n)
	d.checkSecrets()
	d.checkReplays(n)
}

// wrong notes that a POST was done twice, or lost.
func (d *desk) wrong(where map[string]int, k *keyed, format string, args ...any) {
	d.t.Helper()
	where[k.kind]++
	d.t.Errorf("%v (on its way at %d kills): %s; it was answered %v; what came last: %s", k, k.cut, fmt.Sprintf(format, args...), k.answer, k.last)
}

func (d *desk) of(wanted ...string) (some []*keyed) {
	for _, k := range d.posts {
		if slices.Contains(wanted, k.kind) {
			some = append(some, k)
		}
	}
	return some
}

// checkConnections looks for what POSTs made of connections.
func (d *desk) checkConnections(n *Node) {
	d.t.Helper()
	byName := map[string][]Connection{}
	for _, c := range walk[Connection](n, "/connections", d.tenant.Test) {
		byName[c.Name] = append(byName[c.Name], c)
	}
	for _, k := range d.of(createKind, enableKind, disableKind, rotateKind) {
		var got struct{ Connection Connection }
		there := byName[k.name()]
		switch {
		case k.answer.status >= 300 || !k.decode(&got):
			d.wrong(d.figures.Lost, k, "no success")
		case len(there) > 1:
			d.wrong(d.figures.Twice, k, "there are %d such connections", len(there))
		case len(there) == 0 || got.Connection.ID != there[0].ID:
			d.wrong(d.figures.Lost, k, "there is %v", there)
		case k.kind == enableKind && there[0].Status != "active",
			k.kind == disableKind && (there[0].Status != "disabled" || there[0].DisabledReason != "reason of "+k.name()):
			d.wrong(d.figures.Lost, k, "the connection is %+v", there[0])
		}
	}
}

// checkDocuments looks for what POSTs made of documents, and for answers.
func (d *desk) checkDocuments(n *Node) {
	d.t.Helper()
	byTitle := map[string][]string{}
	for _, doc := range walk[struct{ ID, Title string }](n, "/knowledge/documents", d.live) {
		byTitle[doc.Title] = append(byTitle[doc.Title], doc.ID)
	}
	for _, k := range d.of(uploadKind) {
		var got struct {
			Document struct{ ID string }
			Deduped  bool
		}
		there := byTitle[k.name()]
		switch {
		case k.answer.status != http.StatusCreated || !k.decode(&got):
			d.wrong(d.figures.Lost, k, "no success")
		case len(there) != 1 || there[0] != got.Document.ID:
			d.wrong(d.figures.Lost, k, "there is %v", there)
		case got.Deduped:
			d.wrong(d.figures.Twice, k, "it was taken for a second upload")
		}
	}
	for _, k := range d.of(questionKind) {
		if k.answer.status != http.StatusOK {
			d.wrong(d.figures.Lost, k, "no success")
		}
	}
}

// checkRequests counts what tests and retries have sent.
func (d *desk) checkRequests(n *Node) {
	d.t.Helper()
	came := map[string][]Arrival{}
	for _, a := range d.inbox.arrivals() {
		name := strings.TrimPrefix(a.Path, "/")
		came[name] = append(came[name], a)
	}
	for _, k := range d.of(testKind, retryKind) {
		var got struct{ OK bool }
		requests, known := len(came[k.name()]), 0
		if k.kind == retryKind {
			known = 1 // the one that was answered with 410
		}
		delivered := k.answer.status == http.StatusOK && k.decode(&got) && got.OK
		// A retry that was on its way may have been taken over by then.
		if k.kind == retryKind && k.cut > 0 && k.answer.code() == "delivery_not_retryable" {
			delivered = len(walk[delivery](n, "/connections/"+k.subject.ID+"/deliveries?status=delivered", d.tenant.Test)) == 1
		}
		switch {
		case !delivered || requests == known:
			d.wrong(d.figures.Lost, k, "%d requests came", requests-known)
		case requests > known+1+k.kills:
			d.wrong(d.figures.Twice, k, "%d requests came", requests-known)
		case requests > known+1:
			d.figures.Sent += requests - known - 1
		}
		if k.kind == retryKind && slices.ContainsFunc(came[k.name()], func(a Arrival) bool { return a.ID != came[k.name()][0].ID }) {
			d.wrong(d.figures.Twice, k, "it came with another webhook-id")
		}
	}
}

// checkSecrets makes an event for every connection: the secret that was
// answered signs it. After one rotation the one before signs as well; a second
// rotation would have dropped it.
func (d *desk) checkSecrets() {
	d.t.Helper()
	posts := d.of(createKind, rotateKind)
	before := d.inbox.Requests()
	d.place.mustEmit(d.tenant.Slug, completed, 1)
	signed := func(k *keyed, secret string) bool {
		return slices.ContainsFunc(d.inbox.arrivals()[before:], func(a Arrival) bool { return a.Path == "/"+k.name() && a.Signed(secret) })
	}
	mustReach(d.t, "connections that are told of an event", func() int {
		told := map[string]bool{}
		for _, a := range d.inbox.arrivals()[before:] {
			if strings.HasPrefix(a.Path, "/"+createKind) || strings.HasPrefix(a.Path, "/"+rotateKind) {
				told[a.Path] = true
			}
		}
		return len(told)
	}, len(posts))
	for _, k := range posts {
		var got struct{ Connection Connection }
		if !k.decode(&got) || !signed(k, got.Connection.Secret) {
			d.wrong(d.figures.Lost, k, "the secret of the answer does not sign")
		}
		if k.kind == rotateKind && !signed(k, k.subject.Secret) {
			d.wrong(d.figures.Twice, k, "the secret before does not sign")
		}
	}
}

// checkReplays repeats every POST once more: it is answered as before, and does
// nothing.
func (d *desk) checkReplays(n *Node) {
	d.t.Helper()
	for _, k := range d.of(disableKind) {
		n.do(nil, "POST /v1/connections/"+k.subject.ID+"/enable", d.tenant.Test, "")
	}
	atOnce(d.posts, func(k *keyed) {
		got, err := k.send(n)
		if err != nil {
			d.t.Errorf("%v: %v", k, err)
			return
		}
		same := got.status == k.answer.status && (got.status >= 300 || bytes.Equal(got.body, k.answer.body))
		if !same || got.header.Get("Idempotent-Replayed") != "true" {
			d.t.Errorf("%v: answered again with %v, before with %v", k, got, k.answer)
		}
	})
	for _, k := range d.of(disableKind) {
		var got struct{ Connection Connection }
		if n.do(&got, "GET /v1/connections/"+k.subject.ID, d.tenant.Test, ""); got.Connection.Status != "active" {
			d.t.Errorf("%v: its repeat disabled the connection again", k)
		}
	}
}

// atOnce does something with everything, a few at a time.
func atOnce[T any](all []T, do func(T)) {
	const few = 16
	var working sync.WaitGroup
	for i := range few {
		working.Go(func() {
			for n := i; n < len(all); n += few {
				do(all[n])
			}
		})
	}
	working.Wait()
}
