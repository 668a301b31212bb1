package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// The words of a transcript are written, in the transaction that records the call,
// into an index of the database's own: FTS5 of SQLite, GIN of PostgreSQL. What a
// word is, both are told: they get tokens of a to z and 0 to 9, split at spaces,
// and have nothing to fold. So they find the same, and nothing that somebody said
// or searches for is ever read as a part of a query.
//
// A token begins with a mark of its owner: how long a search takes depends on what
// was said to that owner, not on what was said to all. Two owners may share a mark,
// which is why a search names its owner beside. What calls can be filtered by is in
// the index as well, as tokens of other kinds.

// tokenKind tells words from what calls are filtered by.
type tokenKind byte

const (
	wordToken     tokenKind = 'w'
	outcomeToken  tokenKind = 'o'
	channelToken  tokenKind = 'c'
	agentToken    tokenKind = 'a'
	languageToken tokenKind = 'l'
	callerToken   tokenKind = 'n'
)

// ownerMark is what an owner's tokens begin with.
func ownerMark(owner frontdesk.Owner) string {
	sum := sha256.Sum256([]byte(string(owner.TenantID) + strconv.FormatBool(owner.Live)))
	return hex.EncodeToString(sum[:3])
}

// longestPlain bounds what stands in the index as it is: databases have bounds of
// their own.
const longestPlain = 40

// token is a value as it stands in the index. One of other letters than a to z
// stands there as a hash.
func token(mark string, kind tokenKind, value string) string {
	if plainToken(value) {
		return mark + string(kind) + value
	}
	sum := sha256.Sum256([]byte(string(kind) + value))
	return mark + "0" + hex.EncodeToString(sum[:10])
}

func plainToken(value string) bool {
	for i := range len(value) {
		if c := value[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return value != "" && len(value) <= longestPlain
}

// callTokens are all tokens of a call, each once, with spaces between them. In a
// transcript that cannot be read there are no words: the call is not lost for it.
func callTokens(mark string, c frontdesk.Call) string {
	said, _ := wordsSaid(c.Transcript)
	tokens := make([]string, 0, len(said)+5)
	for w := range said {
		tokens = append(tokens, token(mark, wordToken, w))
	}
	tokens = append(tokens, filterTokens(mark, frontdesk.CallFilter{
		Outcome: c.Outcome, Channel: c.Channel, AgentID: c.AgentID, Language: c.Language, Caller: c.Caller,
	})...)
	slices.Sort(tokens)
	return strings.Join(tokens, " ")
}

// filterTokens are the tokens that a call has if a filter keeps it.
func filterTokens(mark string, f frontdesk.CallFilter) (tokens []string) {
	for _, t := range []struct {
		kind  tokenKind
		value string
	}{
		{outcomeToken, string(f.Outcome)},
		{channelToken, string(f.Channel)},
		{agentToken, string(f.AgentID)},
		{languageToken, f.Language},
		{callerToken, f.Caller},
	} {
		if t.value != "" {
			tokens = append(tokens, token(mark, t.kind, t.value))
		}
	}
	return tokens
}

// wordsSaid are the words of a transcript as they are compared.
func wordsSaid(transcript []byte) (map[string]bool, error) {
	var said struct {
		Turns []struct {
			Text string `json:"text"`
		} `json:"turns"`
	}
	if len(transcript) > 0 {
		if err := json.Unmarshal(transcript, &said); err != nil {
			return nil, err
		}
	}
	words := map[string]bool{}
	for _, turn := range said.Turns {
		for _, w := range searchWords(turn.Text) {
			words[w] = true
		}
	}
	return words, nil
}

// indexWords puts calls whose transcripts are written into the index. Those that
// are in it already stay as they are.
func (t *tx) indexWords(owner frontdesk.Owner, calls []frontdesk.Call) error {
	mark := ownerMark(owner)
	for _, c := range calls {
		if err := t.dialect.indexWords(t, owner, c.ID, callTokens(mark, c)); err != nil {
			return err
		}
	}
	return nil
}

// inOneMillisecond is how many calls that began in one millisecond have an n of
// their own in SQLite's index.
const inOneMillisecond = 1 << 20

// firstOf is the first n of the millisecond in which an id was minted.
func firstOf(id frontdesk.ID) (int64, error) {
	at, err := strconv.ParseInt(strings.Replace(string(id[:13]), "-", "", 1), 16, 64)
	return min(at, 1<<42) * inOneMillisecond, err
}

func sqliteIndexWords(t *tx, owner frontdesk.Owner, id frontdesk.ID, tokens string) error {
	first, err := firstOf(id)
	if err != nil {
		return err
	}
	call := []any{string(owner.TenantID), owner.Live, string(id)}
	added, err := t.exec(`INSERT INTO call_words (tenant_id, live, call_id, n)
		SELECT $1, $2, $3, COALESCE(MAX(n) + 1, $4) FROM call_words WHERE n >= $4 AND n < $4 + $5
		ON CONFLICT (tenant_id, live, call_id) DO NOTHING`, append(call, first, inOneMillisecond)...)
	if err != nil || added == 0 {
		return err
	}
	_, err = t.exec(`INSERT INTO call_words_index (rowid, words)
		SELECT n, $4 FROM call_words WHERE tenant_id = $1 AND live = $2 AND call_id = $3`, append(call, tokens)...)
	return err
}

func postgresIndexWords(t *tx, owner frontdesk.Owner, id frontdesk.ID, tokens string) error {
	return t.later(`INSERT INTO call_words (tenant_id, live, call_id, words) VALUES ($1, $2, $3, string_to_array($4, ' '))
		ON CONFLICT (tenant_id, live, call_id) DO NOTHING`, string(owner.TenantID), owner.Live, string(id), tokens)
}

// wordSearch is a search for calls that have all of some tokens.
type wordSearch struct {
	owner  frontdesk.Owner
	tokens []string
	before frontdesk.ID // only calls before it
	from   frontdesk.ID // only calls from it on; "": all
	limit  int          // so many are wanted; more may be found
}

// sqliteFindWords walks the index from the newest call on. $6 is behind the first
// row that can be meant. Calls of one millisecond come in any order.
func sqliteFindWords(w wordSearch) (query string, args []any, err error) {
	first, err := firstOf(w.before)
	args = []any{
		string(w.owner.TenantID), w.owner.Live, string(w.before), `"` + strings.Join(w.tokens, `" AND "`) + `"`,
		string(cmp.Or(w.from, allAgents)), first + inOneMillisecond,
	}
	return selectCalls + ` FROM call_words_index
	CROSS JOIN call_words w ON w.n = call_words_index.rowid
	CROSS JOIN calls c ON c.tenant_id = w.tenant_id AND c.live = w.live AND c.id = w.call_id
	WHERE call_words_index MATCH $4 AND call_words_index.rowid < $6
		AND w.tenant_id = $1 AND w.live = $2 AND w.call_id < $3 AND w.call_id >= $5
	ORDER BY call_words_index.rowid DESC`, args, err
}

// postgresFindWords looks at the newest calls first, where enough of them are soon
// found if the words are common. Else it asks the index, which has no order: it asks
// for one span of time after the other, and sorts what it finds in each.
//
// The planner is kept from some of its guesses, since with many partitions it takes
// longer to plan this question than to answer it, and a plan is kept only if it seems
// as good as one for the very arguments. So limits are literals, and words and spans
// come out of a SELECT: how many calls have the words, and how many spans there are,
// is not guessed. And the owner is told by a CASE, so that the index of words is not
// passed over for all calls of the owner.
func postgresFindWords(w wordSearch) (query string, args []any, err error) {
	firsts, ends := searchSpans(time.Now())
	args = []any{string(w.owner.TenantID), w.owner.Live, string(w.before), strings.Join(w.tokens, " "), firsts, ends}
	most, from := atMost(w.limit), ""
	if w.from != "" {
		args, from = append(args, string(w.from)), ` AND call_id >= $7`
	}
	return `WITH newest AS MATERIALIZED (
		SELECT call_id, words FROM call_words WHERE tenant_id = $1 AND live = $2 AND call_id < $3` + from + `
		ORDER BY call_id DESC LIMIT 500),
	near AS MATERIALIZED (SELECT call_id FROM newest WHERE words @> string_to_array($4, ' ') ORDER BY call_id DESC LIMIT ` + most + `),
	last AS MATERIALIZED (SELECT call_id FROM newest ORDER BY call_id LIMIT 1),
	far AS MATERIALIZED (
		SELECT hit.call_id FROM unnest((SELECT CAST($5 AS uuid[])), (SELECT CAST($6 AS uuid[]))) span (first, behind), LATERAL (
			SELECT call_id FROM call_words WHERE words @> (SELECT string_to_array($4, ' '))
				AND CASE WHEN tenant_id = $1 AND live = $2 THEN TRUE ELSE FALSE END
				AND call_id >= span.first AND call_id < LEAST(span.behind, (SELECT call_id FROM last))` + from + `
			ORDER BY call_id DESC LIMIT ` + most + `) hit
		WHERE (SELECT COUNT(*) FROM near) < ` + most + ` AND span.first < (SELECT call_id FROM last)
		LIMIT ` + most + `),
	found AS MATERIALIZED (SELECT call_id FROM near UNION ALL SELECT call_id FROM far ORDER BY call_id DESC LIMIT ` + most + `)
	` + selectCalls + ` FROM found JOIN calls c ON c.tenant_id = $1 AND c.live = $2 AND c.id = found.call_id
	ORDER BY id DESC`, args, nil
}

// searchSpans are the spans of ids that a search asks the index for, from the newest
// on: this month and what is to come, the month before, the two before that, the four
// before those, and so on. Partitions begin with months, so that each is asked in one
// span alone.
func searchSpans(now time.Time) (firsts, ends []string) {
	edges := []string{string(afterAll)}
	month := monthAfter(now)
	for months := 1; months <= 32; months *= 2 {
		edges = append(edges, firstIDFrom(month.AddDate(0, -months, 0)))
	}
	edges = append(edges, string(allAgents))
	return edges[1:], edges[:len(edges)-1]
}

// mostWords is how many words are looked for in the index at once.
const mostWords = 64

// indexed says whether all calls of an owner are in the index.
func (s *Store) indexed(ctx context.Context, owner frontdesk.Owner) (all bool, err error) {
	err = s.row(ctx, "looking for calls that are not in the index", `SELECT NOT EXISTS (SELECT 1 FROM word_backfills WHERE tenant_id = $1 AND live = $2)`,
		[]any{string(owner.TenantID), owner.Live}, &all)
	return all, err
}

// findCalls lists the owner's calls in whose transcript all words occur, as the
// index has them.
func (s *Store) findCalls(ctx context.Context, owner frontdesk.Owner, words []string, f frontdesk.CallFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Call], error) {
	found := foundCalls{limit: p.Limit}
	query, args, err := s.findWords(owner, words, f, p)
	if err != nil {
		return frontdesk.List[frontdesk.Call]{}, err
	}
	err = s.eachHeavy(ctx, &s.heavy.searching, "searching calls", query, args, found.add)
	if err != nil && !errors.Is(err, errFoundEnough) {
		return frontdesk.List[frontdesk.Call]{}, err
	}
	return found.list(), nil
}

// findWords is the question for a page of calls that have words.
func (s *Store) findWords(owner frontdesk.Owner, words []string, f frontdesk.CallFilter, p frontdesk.Page) (query string, args []any, err error) {
	mark := ownerMark(owner)
	tokens := filterTokens(mark, f)
	for _, w := range words {
		tokens = append(tokens, token(mark, wordToken, w))
	}
	return s.dialect.findWords(wordSearch{
		owner: owner, tokens: tokens, before: cmp.Or(p.StartingAfter, afterAll), from: frontdesk.ID(firstIDFrom(f.StartedFrom)), limit: p.Limit + 1,
	})
}

// foundCalls are calls as a search finds them: newest first, but for those that
// began in the same millisecond.
type foundCalls struct {
	limit int
	calls []frontdesk.Call
}

// errFoundEnough ends a search.
var errFoundEnough = errors.New("found enough")

func (f *foundCalls) add(r row) error {
	c, err := scanCall(r)
	if err != nil {
		return err
	}
	const millisecond = len("01900000-0000")
	if n := len(f.calls); n > f.limit && c.ID[:millisecond] != f.calls[n-1].ID[:millisecond] {
		return errFoundEnough
	}
	f.calls = append(f.calls, c)
	return nil
}

func (f *foundCalls) list() frontdesk.List[frontdesk.Call] {
	slices.SortFunc(f.calls, func(a, b frontdesk.Call) int { return strings.Compare(string(b.ID), string(a.ID)) })
	list := frontdesk.List[frontdesk.Call]{Items: f.calls[:min(len(f.calls), f.limit)], More: len(f.calls) > f.limit}
	if list.Items == nil {
		list.Items = []frontdesk.Call{}
	}
	return list
}

// wordBackfill is how far the calls of an owner from before the index are in it.
type wordBackfill struct {
	owner frontdesk.Owner
	after frontdesk.ID
}

// BackfillWordsForWorker puts up to most calls from before the index into it. It
// says whether there is more to do. Of several workers that do so at once, one
// gets on, and to the others it says that there is nothing to do for now.
func (s *Store) BackfillWordsForWorker(ctx context.Context, most int) (more bool, err error) {
	var b wordBackfill
	err = s.row(ctx, "looking for older calls to index",
		`SELECT tenant_id, live, after FROM word_backfills ORDER BY tenant_id, live LIMIT 1`, nil, &b.owner.TenantID, &b.owner.Live, &b.after)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = s.transactFor(ctx, foldTime, "indexing older calls", func(t *tx) error {
		more, err = t.backfillWords(b, most)
		return err
	})
	return more && err == nil, err
}

// backfillWords indexes the next calls, if it is still this worker's to do so. The
// mark is moved before the calls are read: that keeps other workers out, and the
// transcripts that are read are there until the transaction ends.
func (t *tx) backfillWords(b wordBackfill, most int) (mine bool, err error) {
	me := []any{string(b.owner.TenantID), b.owner.Live, string(b.after)}
	changed, err := t.exec(`UPDATE word_backfills SET after = after WHERE tenant_id = $1 AND live = $2 AND after = $3`, me...)
	if err != nil || changed == 0 {
		return false, err
	}
	var calls []frontdesk.Call
	err = t.each(`SELECT c.id, c.agent_id, c.language, c.outcome, c.channel, c.caller, t.transcript
		FROM transcripts t JOIN calls c ON c.tenant_id = t.tenant_id AND c.live = t.live AND c.id = t.call_id
		WHERE t.tenant_id = $1 AND t.live = $2 AND t.call_id > $3 ORDER BY t.call_id LIMIT $4 + 0`+t.dialect.keepTranscripts,
		append(me, most), func(r row) error {
			var c frontdesk.Call
			var agentID, caller sql.NullString
			err := r.Scan(&c.ID, &agentID, &c.Language, &c.Outcome, &c.Channel, &caller, (*[]byte)(&c.Transcript))
			c.AgentID, c.Caller = frontdesk.ID(agentID.String), caller.String
			calls = append(calls, c)
			return err
		})
	if err != nil {
		return false, err
	}
	if err := t.indexWords(b.owner, calls); err != nil {
		return false, err
	}
	if len(calls) < most {
		return true, t.later(`DELETE FROM word_backfills WHERE tenant_id = $1 AND live = $2`, me[:2]...)
	}
	return true, t.later(`UPDATE word_backfills SET after = $3 WHERE tenant_id = $1 AND live = $2`, me[0], me[1], string(calls[len(calls)-1].ID))
}
