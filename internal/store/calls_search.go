package store

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

const (
	mostSearched = 2000 // calls are looked through for one page
	searchBatch  = 200  // of them are read at once
)

const selectSearched = selectCalls + `, (SELECT transcript FROM transcripts t
	WHERE t.tenant_id = calls.tenant_id AND t.live = calls.live AND t.call_id = calls.id) FROM calls`

// searchCalls lists the owner's calls in whose transcript all words occur. While
// some of them are not in the index yet, all are looked through; and so they are
// for more words than anybody means.
func (s *Store) searchCalls(ctx context.Context, owner frontdesk.Owner, words []string, f frontdesk.CallFilter, p frontdesk.Page, filters []filter) (frontdesk.List[frontdesk.Call], error) {
	slices.Sort(words)
	if words = slices.Compact(words); len(words) > mostWords {
		return s.lookThrough(ctx, owner, words, p, filters)
	}
	indexed, err := s.indexed(ctx, owner)
	if err != nil {
		return frontdesk.List[frontdesk.Call]{}, err
	}
	if !indexed {
		return s.lookThrough(ctx, owner, words, p, filters)
	}
	return s.findCalls(ctx, owner, words, f, p)
}

// lookThrough looks through calls for words without the index, newest first. A page
// that is not full after many says where the next one goes on.
func (s *Store) lookThrough(ctx context.Context, owner frontdesk.Owner, words []string, p frontdesk.Page, filters []filter) (frontdesk.List[frontdesk.Call], error) {
	list := frontdesk.List[frontdesk.Call]{Items: []frontdesk.Call{}}
	for looked := 0; looked < mostSearched; looked += searchBatch {
		n, err := s.searchSome(ctx, owner, words, &p, filters, &list)
		if err != nil {
			return frontdesk.List[frontdesk.Call]{}, err
		}
		if list.More || n < searchBatch {
			return list, nil
		}
	}
	list.More, list.Next = true, p.StartingAfter
	return list, nil
}

// searchSome adds what it finds in the next calls to a list until that is full,
// moves the page on, and says how many calls it has looked at.
func (s *Store) searchSome(ctx context.Context, owner frontdesk.Owner, words []string, p *frontdesk.Page, filters []filter, list *frontdesk.List[frontdesk.Call]) (n int, err error) {
	query, args := pageQuery(selectSearched, owner, p.StartingAfter, searchBatch, filters)
	err = s.eachHeavy(ctx, &s.heavy.searching, "searching calls", query, args, func(r row) error {
		var transcript []byte
		c, err := scanCall(r, &transcript)
		if err != nil || list.More {
			return err
		}
		n++
		p.StartingAfter = c.ID
		switch found, err := says(transcript, words); {
		case err != nil || !found:
			return err
		case len(list.Items) == p.Limit:
			list.More = true
		default:
			list.Items = append(list.Items, c)
		}
		return nil
	})
	return n, err
}

// searchWords are the words of a text as they are compared: in lower case and
// without accents.
func searchWords(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	})
	for i, w := range words {
		words[i] = language.Fold(w)
	}
	return words
}

// says tells whether all words occur in what was said.
func says(transcript []byte, words []string) (bool, error) {
	said, err := wordsSaid(transcript)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !said[w] }), nil
}
