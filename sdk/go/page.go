package frontdesk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
)

// Page is a part of a list, newest first. All goes over its items and those of
// the pages after it:
//
//	for call, err := range page.All(ctx) { … }
//
// or page by page:
//
//	for page != nil && err == nil {
//		…
//		page, err = page.NextPage(ctx)
//	}
type Page[T any] struct {
	Data    []T
	HasMore bool
	// NextStartingAfter is where the next page begins; "": there is none.
	NextStartingAfter string
	// Extra is what came beside, such as the limits of connections.
	Extra map[string]json.RawMessage

	next func(context.Context) (*Page[T], error)
}

// NextPage reads the page after this one. After the last page it returns nil
// and no error.
func (p *Page[T]) NextPage(ctx context.Context) (*Page[T], error) {
	if !p.HasMore || p.next == nil {
		return nil, nil
	}
	return p.next(ctx)
}

// All goes over the items of this page and of all pages after it. An error ends
// it.
func (p *Page[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for page, err := p, error(nil); page != nil || err != nil; page, err = page.NextPage(ctx) {
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// UnmarshalJSON reads the API's list envelope.
func (p *Page[T]) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for name, to := range map[string]any{
		"data": &p.Data, "has_more": &p.HasMore, "next_starting_after": &p.NextStartingAfter, "object": new(string),
	} {
		value, there := fields[name]
		delete(fields, name)
		if !there {
			continue
		}
		if err := json.Unmarshal(value, to); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	p.Extra = fields
	return nil
}

// list reads a page, and knows how to read the next one.
func list[T any](ctx context.Context, c *Client, path string, query url.Values, opts []RequestOptions) (*Page[T], error) {
	page, err := get[Page[T]](ctx, c, path, query, opts)
	if err != nil {
		return nil, err
	}
	if page.HasMore && (page.NextStartingAfter == "" || page.NextStartingAfter == query.Get("starting_after")) {
		return nil, errors.New("frontdesk: the server says that " + path + " has more, but not from where")
	}
	page.next = func(ctx context.Context) (*Page[T], error) {
		following := url.Values{}
		for name, values := range query {
			following[name] = values
		}
		following.Set("starting_after", page.NextStartingAfter)
		return list[T](ctx, c, path, following, opts)
	}
	return page, nil
}

// whole reads a list that comes whole, as a single page.
func whole[T any](ctx context.Context, c *Client, key, path string, opts []RequestOptions) (*Page[T], error) {
	items, err := one[[]T](ctx, c, key, http.MethodGet, path, nil, nil, opts)
	if err != nil {
		return nil, err
	}
	return &Page[T]{Data: *items}, nil
}

// all goes over the items of a list from its first page on.
func all[T any](ctx context.Context, first func() (*Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		page, err := first()
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		page.All(ctx)(yield)
	}
}
