package store

import (
	"cmp"
	"context"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// LookThrough is Calls without the index of words.
func LookThrough(ctx context.Context, s *Store, owner frontdesk.Owner, f frontdesk.CallFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Call], error) {
	filters, p := callFilters(f, p)
	p.Limit = cmp.Or(p.Limit, frontdesk.DefaultPageSize)
	return s.lookThrough(ctx, owner, searchWords(f.Search), p, filters)
}

// WordQuery is what the database is asked for the words of a text.
func WordQuery(s *Store, owner frontdesk.Owner, text string) string {
	_, args := FindWords(s, owner, text)
	return args[3].(string)
}

// FindWords is the question that finds calls by their words.
func FindWords(s *Store, owner frontdesk.Owner, text string) (query string, args []any) {
	query, args, err := s.findWords(owner, searchWords(text), frontdesk.CallFilter{}, frontdesk.Page{Limit: frontdesk.DefaultPageSize})
	if err != nil {
		panic(err)
	}
	return query, args
}
