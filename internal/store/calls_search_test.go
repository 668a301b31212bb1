package store_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// Words of a transcript are found whatever their case and accents, among all that
// was said and nothing else, page by page, however far back.
func TestSearchCalls(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	stranger := frontdesk.Owner{TenantID: owner.TenantID, Live: !owner.Live}
	said := func(text string) json.RawMessage {
		b, err := json.Marshal(map[string]any{"language": "es", "turns": []any{map[string]any{"role": "caller", "text": text}, map[string]any{"role": "agent", "text": "Muy bien."}}})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const calls = 2300 // more than one page looks through
	var all []store.Recording
	for i := range calls {
		r := recording(day.Add(time.Duration(i)*time.Second), 10, 0)
		r.Call.Transcript = said(fmt.Sprint("Quería saber algo, ", i))
		switch i {
		case 3:
			r.Call.Transcript = said("Es por el CUMPLEAÑOS de mi hija")
		case 2200, 2250:
			r.Call.Transcript = said("Una tarta de cumpleaños")
		}
		all = append(all, r)
	}
	if err := s.RecordCalls(ctx, owner, all...); err != nil {
		t.Fatal(err)
	}
	found := func(owner frontdesk.Owner, words string, limit int) (ids []frontdesk.ID, pages int) {
		p := frontdesk.Page{Limit: limit}
		for more := true; more; pages++ {
			list, err := s.Calls(ctx, owner, frontdesk.CallFilter{Search: words}, p)
			if err != nil || len(list.Items) > limit {
				t.Fatalf("%d calls, %v", len(list.Items), err)
			}
			for _, c := range list.Items {
				ids = append(ids, c.ID)
				p.StartingAfter = c.ID
			}
			if list.Next != "" {
				p.StartingAfter = list.Next
			}
			more = list.More
		}
		return ids, pages
	}
	id := func(i int) frontdesk.ID { return all[i].Call.ID }
	for words, want := range map[string][]frontdesk.ID{
		"cumpleanos": {id(2250), id(2200), id(3)}, "TARTA, cumpleaños": {id(2250), id(2200)}, "hija bien": {id(3)}, "cumple": nil, "role": nil, "algo 17": {id(17)},
	} {
		for _, limit := range []int{1, 2, 25} {
			if got, _ := found(owner, words, limit); !slices.Equal(got, want) {
				t.Errorf("%q in pages of %d: got %v, want %v", words, limit, got, want)
			}
		}
	}
	if got, _ := found(stranger, "cumpleanos", 25); len(got) != 0 {
		t.Errorf("a stranger finds %v", got)
	}
}
