package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// vocabulary are words that are alike but for what is folded, words that are syntax
// to a database, and letters that fold to more than letters.
var vocabulary = []string{
	"mesa", "Mesa", "MÉSA", "terraza", "uña", "una", "ñandú", "AND", "OR", "NOT", "NEAR", "near", "words", "rank", "rowid", "null", "it's", "ŀl", "ﷺ", "ﬁn", "fin",
	"東京", "Привет", "привет", "İstanbul", "ß", "ss", "12", "1", "2", "e\u0301t", "ét", "\u0301", "a\x00b", "x_y", "x-y", `"quoted"`, "star*", "^caret", "{curly}", "col:on", "w", "owmesa",
	strings.Repeat("largo", 9), strings.Repeat("larguisimo", 300),
}

// talker makes calls in which such words are said, several in a millisecond.
type talker struct {
	random *rand.Rand
	agents []frontdesk.ID
}

func newTalker(seed uint64) *talker {
	return &talker{rand.New(rand.NewPCG(seed, 7)), []frontdesk.ID{"", rareAgent, commonAgent}}
}

func (k *talker) text(most int) string {
	words := make([]string, k.random.IntN(most+1))
	for i := range words {
		words[i] = vocabulary[k.random.IntN(len(vocabulary))]
	}
	return strings.Join(words, []string{" ", ", ", ". ", "\n"}[k.random.IntN(4)])
}

func (k *talker) recordings(n int) []store.Recording {
	rs := make([]store.Recording, n)
	for i := range rs {
		at := day.Add(time.Duration(k.random.IntN(40)) * 250 * time.Microsecond)
		rs[i] = recording(at, 10, 0)
		c := &rs[i].Call
		c.AgentID, c.Channel = k.agents[k.random.IntN(3)], frontdesk.Channels[k.random.IntN(2)]
		c.Outcome, c.Language = frontdesk.Outcomes[k.random.IntN(6)], frontdesk.Languages[k.random.IntN(2)]
		c.Caller = []string{"", "+34600000001", "+34600000002"}[k.random.IntN(3)]
		c.Transcript = transcriptOf(k.text(4), k.text(8))
	}
	return rs
}

func (k *talker) filter() frontdesk.CallFilter {
	f := frontdesk.CallFilter{Search: k.text(2) + " " + vocabulary[k.random.IntN(len(vocabulary))]}
	switch k.random.IntN(8) {
	case 0:
		f.Outcome, f.AgentID = frontdesk.Outcomes[k.random.IntN(6)], rareAgent
	case 1:
		f.Channel, f.Caller = frontdesk.Phone, "+34600000001"
	case 2:
		f.Language = "en"
	case 3:
		f.StartedFrom, f.StartedTo = day.Add(2*time.Millisecond), day.Add(7*time.Millisecond)
	}
	return f
}

func transcriptOf(texts ...string) json.RawMessage {
	turns := []any{}
	for _, text := range texts {
		turns = append(turns, map[string]string{"role": "caller", "text": text})
	}
	b, err := json.Marshal(map[string]any{"language": "es", "turns": turns})
	if err != nil {
		panic(err)
	}
	return b
}

type searching func(context.Context, frontdesk.Owner, frontdesk.CallFilter, frontdesk.Page) (frontdesk.List[frontdesk.Call], error)

// allFound are the calls of all pages of a search.
func allFound(t testing.TB, search searching, owner frontdesk.Owner, f frontdesk.CallFilter, limit int) (ids []frontdesk.ID) {
	t.Helper()
	p := frontdesk.Page{Limit: limit}
	for {
		list, err := search(ctx, owner, f, p)
		if err != nil || len(list.Items) > limit {
			t.Fatalf("%+q: %d calls, %v", f.Search, len(list.Items), err)
		}
		for _, c := range list.Items {
			ids = append(ids, c.ID)
			p.StartingAfter = c.ID
		}
		if list.Next != "" {
			p.StartingAfter = list.Next
		}
		if !list.More {
			return ids
		}
	}
}

// sameAsLookingThrough compares what is found with what is found without an index.
func sameAsLookingThrough(t testing.TB, s *store.Store, owner frontdesk.Owner, f frontdesk.CallFilter, limit int) int {
	t.Helper()
	lookThrough := func(ctx context.Context, owner frontdesk.Owner, f frontdesk.CallFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Call], error) {
		return store.LookThrough(ctx, s, owner, f, p)
	}
	got, want := allFound(t, s.Calls, owner, f, limit), allFound(t, lookThrough, owner, f, 100)
	if !slices.Equal(got, want) {
		t.Errorf("%+v in pages of %d:\ngot  %v\nwant %v", f, limit, got, want)
	}
	return len(want)
}

func TestTheIndexFindsWhatLookingThroughFinds(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	others := []frontdesk.Owner{{TenantID: owner.TenantID, Live: !owner.Live}, {TenantID: storetest.Tenant(t, s, "other").ID, Live: owner.Live}}
	k := newTalker(1)
	record(t, s, owner, k.recordings(700)...) // more than PostgreSQL looks at before it asks its index
	for _, other := range others {
		record(t, s, other, k.recordings(60)...)
	}
	found := 0
	for range 60 {
		f := k.filter()
		found += sameAsLookingThrough(t, s, owner, f, []int{4, 25, 100}[k.random.IntN(3)])
		sameAsLookingThrough(t, s, others[0], f, 25)
		sameAsLookingThrough(t, s, others[1], f, 25)
	}
	for _, word := range vocabulary {
		found += sameAsLookingThrough(t, s, owner, frontdesk.CallFilter{Search: word}, 30)
	}
	if found < 1000 {
		t.Errorf("only %d calls were found", found)
	}
	var many []string
	for i := range 500 {
		many = append(many, fmt.Sprint("mesa w", i))
	}
	sameAsLookingThrough(t, s, owner, frontdesk.CallFilter{Search: strings.Join(many, " ")}, 25)
}

// Calls of years are found month by month, behind those that PostgreSQL looks at
// before it asks its index.
func TestAWordOfLongAgoIsFound(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	other := frontdesk.Owner{TenantID: owner.TenantID, Live: !owner.Live}
	k, now := newTalker(5), time.Now()
	var recent []store.Recording
	for i := range 520 {
		r := recording(now.Add(-time.Duration(i)*time.Minute), 10, 0)
		r.Call.Transcript = transcriptOf([]string{"nada", "una mesa"}[min(1, i%200/199)])
		recent = append(recent, r)
	}
	var past []store.Recording
	for i := range 42 {
		at := now.AddDate(0, i-42, 0)
		if _, err := s.KeepPartitionsForWorker(ctx, at); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			r := recording(at.Add(time.Duration(k.random.IntN(600))*time.Hour), 10, 0)
			r.Call.Transcript = transcriptOf([]string{"una mesa", "mesa", fmt.Sprint("mesa mes", i)}[k.random.IntN(3)])
			past = append(past, r)
		}
	}
	record(t, s, owner, append(past, recent...)...)
	record(t, s, other, recording(now.AddDate(-1, 0, 0), 10, 0))
	found := 0
	for _, f := range []frontdesk.CallFilter{
		{Search: "mesa"},
		{Search: "una mesa"},
		{Search: "mes3"},
		{Search: "mesa", StartedFrom: now.AddDate(0, -20, 0)},
		{Search: "mesa", StartedTo: now.AddDate(0, -5, 0)},
		{Search: "mesa", StartedFrom: now.AddDate(0, -20, 0), StartedTo: now.AddDate(0, -5, 0)},
	} {
		for _, limit := range []int{4, 25, 100} {
			found += sameAsLookingThrough(t, s, owner, f, limit)
			sameAsLookingThrough(t, s, other, f, limit)
		}
	}
	if found < 1000 {
		t.Errorf("only %d calls were found", found)
	}
}

// A database from before the index: everything is found from the first moment on,
// while older calls are put into it by two nodes, and new ones are recorded.
func TestOlderCallsAreIndexed(t *testing.T) {
	t.Parallel()
	url := storetest.Unmigrated(t)
	s := unmigrated(t, url)
	if err := s.MigrateBefore(ctx, "call_words", day); err != nil {
		t.Fatal(err)
	}
	k := newTalker(2)
	var owners []frontdesk.Owner
	for i := range 2 {
		owners = append(owners, frontdesk.Owner{TenantID: storetest.Tenant(t, s, fmt.Sprint("t", i)).ID, Live: i == 0})
		insertOldTranscripts(t, s, owners[i], k.recordings(70))
	}
	if _, err := s.Migrate(ctx, day); err != nil {
		t.Fatal(err)
	}
	nodes := []*store.Store{s, storetest.Open(t, url)}
	check := func() {
		t.Helper()
		for _, owner := range owners {
			for _, word := range []string{"mesa", "fin", "привет", "nobody"} {
				sameAsLookingThrough(t, nodes[1], owner, frontdesk.CallFilter{Search: word}, 25)
			}
		}
	}
	check()
	rounds := 0
	for more := true; more; rounds++ {
		var err error
		if more, err = nodes[rounds%2].BackfillWordsForWorker(ctx, 20); err != nil {
			t.Fatal(err)
		}
		record(t, s, owners[rounds%2], k.recordings(2)...)
		check()
	}
	if n := rowsIn(t, s, "word_backfills"); n != 0 || rounds < 8 {
		t.Errorf("%d owners are left after %d rounds", n, rounds)
	}
	if n, all := rowsIn(t, s, "call_words"), rowsIn(t, s, "transcripts"); n != all {
		t.Errorf("%d of %d transcripts are in the index", n, all)
	}
}

// Workers that index older calls at once do none twice, also when they are cut off.
func TestManyIndexOlderCallsAtOnce(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	insertOldTranscripts(t, nodes[0], owner, newTalker(3).recordings(150))
	change(t, nodes[0], `INSERT INTO word_backfills (tenant_id, live, after) SELECT id, TRUE, '00000000-0000-0000-0000-000000000000' FROM tenants`)
	for _, err := range atOnce(4, func(i int) error {
		random := rand.New(rand.NewPCG(uint64(i), 6))
		for {
			short, cancel := context.WithTimeout(ctx, time.Duration(random.IntN(3000))*time.Microsecond)
			nodes[i%2].BackfillWordsForWorker(short, 7)
			cancel()
			if _, err := nodes[i%2].BackfillWordsForWorker(ctx, 7); err != nil {
				return err
			}
			var left int
			if err := nodes[i%2].Beside().QueryRow(`SELECT COUNT(*) FROM word_backfills`).Scan(&left); err != nil || left == 0 {
				return err
			}
		}
	}) {
		t.Error(err)
	}
	if n := rowsIn(t, nodes[0], "call_words"); n != 150 {
		t.Errorf("%d calls are in the index", n)
	}
	for _, word := range []string{"mesa", "fin", "nobody"} {
		sameAsLookingThrough(t, nodes[0], owner, frontdesk.CallFilter{Search: word}, 25)
	}
}

// insertOldTranscripts writes calls as a binary without the index does.
func insertOldTranscripts(t testing.TB, s *store.Store, owner frontdesk.Owner, rs []store.Recording) {
	t.Helper()
	insertOld(t, s, owner, rs)
	for _, r := range rs {
		if _, err := s.Beside().Exec(`INSERT INTO transcripts (tenant_id, live, call_id, transcript) VALUES ($1, $2, $3, $4)`,
			string(owner.TenantID), owner.Live, string(r.Call.ID), string(r.Call.Transcript)); err != nil {
			t.Fatal(err)
		}
	}
}

// A transcript that is deleted is found no more, and nothing of it stays.
func TestADeletedTranscriptLeavesTheIndex(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	gone, stays := recording(day, 10, 0), recording(day, 10, 0)
	gone.Call.Transcript, stays.Call.Transcript = transcriptOf("una mesa"), transcriptOf("otra mesa")
	record(t, s, owner, gone, stays)
	if err := s.WriteAll(nil, `DELETE FROM transcripts WHERE call_id = '`+string(gone.Call.ID)+`'`); err != nil {
		t.Fatal(err)
	}
	if got := allFound(t, s.Calls, owner, frontdesk.CallFilter{Search: "mesa"}, 25); !slices.Equal(got, []frontdesk.ID{stays.Call.ID}) {
		t.Errorf("found %v", got)
	}
	if n := rowsIn(t, s, "call_words"); n != 1 {
		t.Errorf("%d calls are in the index", n)
	}
	if !storetest.IsPostgres() {
		if n := rowsIn(t, s, `call_words_index WHERE call_words_index MATCH '`+store.WordQuery(s, owner, "mesa")+`'`); n != 1 {
			t.Errorf("%d rows of the index have its word", n)
		}
	}
}

// A transcript that cannot be read does not keep its call from being recorded.
func TestABrokenTranscriptIsRecorded(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	broken, whole := recording(day, 10, 0), recording(day, 10, 0)
	broken.Call.Transcript, whole.Call.Transcript = json.RawMessage(`{"turns":`), transcriptOf("una mesa")
	record(t, s, owner, broken, whole)
	if got := allFound(t, s.Calls, owner, frontdesk.CallFilter{Search: "mesa"}, 25); !slices.Equal(got, []frontdesk.ID{whole.Call.ID}) {
		t.Errorf("found %v", got)
	}
}

// A search walks the index in its order on SQLite, and is answered by it on
// PostgreSQL, whatever the planner thinks of the words.
func TestASearchHasItsIndex(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	if storetest.IsPostgres() {
		change(t, s, `INSERT INTO transcripts (tenant_id, live, call_id, transcript)
			SELECT '`+string(owner.TenantID)+`', TRUE, ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, '{}' FROM generate_series(1, 20000) i`,
			`INSERT INTO call_words (tenant_id, live, call_id, words)
			SELECT tenant_id, live, call_id, string_to_array('`+store.WordQuery(s, owner, "una mesa para dos")+`', ' ') FROM transcripts`)
		analyze(t, s, "call_words")
	}
	query, args := store.FindWords(s, owner, "mesa")
	for _, plan := range plans(t, s, query, args) {
		want := "call_words_index VIRTUAL TABLE INDEX"
		if storetest.IsPostgres() {
			want = "Bitmap Index Scan on call_words_index"
		}
		if !strings.Contains(plan, want) || regexp.MustCompile(`Seq Scan on call|TEMP B-TREE|SCAN (w|c) `).MatchString(plan) {
			t.Errorf("the index is not used:\n%s", plan)
		}
	}
}

// Whatever is searched for, nothing but letters and digits reaches the database's
// own language of queries, and the same is found as without the index.
func FuzzSearchCalls(f *testing.F) {
	s, owner := owned(f)
	k := newTalker(4)
	record(f, s, owner, k.recordings(30)...)
	for _, text := range append(slices.Clone(vocabulary), `"`, `mesa"`, `mesa" OR "fin`, "mesa*", "NEAR(mesa fin, 2)", "^mesa", "(mesa", "words : mesa", "mesa NOT fin", "-mesa", "a & b | !c", `'mesa' & `, "mesa:*", `\`, "\x00", "mesa\x00fin", "\xff\xfe", "", "{}", "a,b", "NULL") {
		f.Add(text)
	}
	harmless := regexp.MustCompile(`^[a-z0-9]+( [a-z0-9]+)*$`)
	if !storetest.IsPostgres() {
		harmless = regexp.MustCompile(`^"[a-z0-9]+"( AND "[a-z0-9]+")*$`)
	}
	f.Fuzz(func(t *testing.T, text string) {
		search := frontdesk.CallFilter{Search: text}
		list, err := store.LookThrough(ctx, s, owner, search, frontdesk.Page{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		if query := store.WordQuery(s, owner, text); !harmless.MatchString(query) && len(query) > 2 {
			t.Errorf("%q asks for %q", text, query)
		}
		got, err := s.Calls(ctx, owner, search, frontdesk.Page{Limit: 100})
		if err != nil || !slices.EqualFunc(got.Items, list.Items, func(a, b frontdesk.Call) bool { return a.ID == b.ID }) {
			t.Errorf("%q: found %d, %v, want %d", text, len(got.Items), err, len(list.Items))
		}
	})
}
