package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// KnowledgeVersion changes whenever what the owner's agents can answer from does.
func (s *Store) KnowledgeVersion(ctx context.Context, owner frontdesk.Owner) (version int64, err error) {
	err = s.row(ctx, "reading the version of the knowledge base", `SELECT version FROM knowledge WHERE tenant_id = $1 AND live = $2`,
		[]any{string(owner.TenantID), owner.Live}, &version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return version, err
}

// AgentHasDocuments says whether documents of the owner serve this agent alone.
func (s *Store) AgentHasDocuments(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID) (has bool, err error) {
	err = s.row(ctx, "looking for an agent's own documents", `SELECT EXISTS (SELECT 1 FROM documents WHERE tenant_id = $1 AND live = $2 AND shelf = $3)`,
		[]any{string(owner.TenantID), owner.Live, shelf(owner, agent)}, &has)
	return has, err
}

// DocumentsWait says whether some of the owner's documents wait to be read.
func (s *Store) DocumentsWait(ctx context.Context, owner frontdesk.Owner) (wait bool, err error) {
	err = s.row(ctx, "looking for documents that wait", `SELECT EXISTS (SELECT 1 FROM documents WHERE tenant_id = $1 AND live = $2 AND status = 'pending')`,
		[]any{string(owner.TenantID), owner.Live}, &wait)
	return wait, err
}

func (t *tx) raiseKnowledge(owner frontdesk.Owner) error {
	return t.later(`INSERT INTO knowledge (tenant_id, live, version) VALUES ($1, $2, 1)
		ON CONFLICT (tenant_id, live) DO UPDATE SET version = knowledge.version + 1`, string(owner.TenantID), owner.Live)
}

// Fragments calls each with all fragments that an agent of the owner answers
// from: those of documents that are ready and serve it. Without an agent they
// are those that serve all.
func (s *Store) Fragments(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID, each func(frontdesk.Fragment) error) error {
	var stopped error
	err := s.ask(ctx, bulk, "reading fragments", `SELECT f.id, f.document_id, f.position, f.page, f.line, f.language, f.heading, f.question, f.text, f.vector
		FROM documents d JOIN fragments f ON f.tenant_id = d.tenant_id AND f.live = d.live AND f.document_id = d.id
		WHERE d.tenant_id = $1 AND d.live = $2 AND d.status = 'ready' AND d.shelf IN ($1, $3) ORDER BY d.id, f.position`,
		[]any{string(owner.TenantID), owner.Live, shelf(owner, agent)}, func(r row) error {
			var f frontdesk.Fragment
			var vector []byte
			if err := r.Scan(&f.ID, &f.DocumentID, &f.Position, &f.Page, &f.Line, &f.Language, &f.Heading, &f.Question, &f.Text, &vector); err != nil {
				return err
			}
			f.Vector = vectorOf(vector)
			stopped = each(f)
			return stopped
		})
	if stopped != nil {
		return stopped
	}
	return err
}

// DocumentFragments are the first fragments of one of the owner's documents, in
// their order and without their vectors.
func (s *Store) DocumentFragments(ctx context.Context, owner frontdesk.Owner, document frontdesk.ID, most int) (all []frontdesk.Fragment, err error) {
	err = s.each(ctx, "reading the fragments of a document", `SELECT id, document_id, position, page, line, language, heading, question, text FROM fragments
		WHERE tenant_id = $1 AND live = $2 AND document_id = $3 ORDER BY position LIMIT $4 + 0`,
		[]any{string(owner.TenantID), owner.Live, string(document), most}, func(r row) error {
			var f frontdesk.Fragment
			err := r.Scan(&f.ID, &f.DocumentID, &f.Position, &f.Page, &f.Line, &f.Language, &f.Heading, &f.Question, &f.Text)
			all = append(all, f)
			return err
		})
	return all, err
}

// Titles are the titles and kinds of the owner's documents that are ready.
func (s *Store) Titles(ctx context.Context, owner frontdesk.Owner) (map[frontdesk.ID]frontdesk.Document, error) {
	titles := map[frontdesk.ID]frontdesk.Document{}
	err := s.each(ctx, "reading titles", `SELECT id, title, kind FROM documents WHERE tenant_id = $1 AND live = $2 AND status = 'ready'`,
		[]any{string(owner.TenantID), owner.Live}, func(r row) error {
			var d frontdesk.Document
			err := r.Scan(&d.ID, &d.Title, &d.Kind)
			titles[d.ID] = d
			return err
		})
	return titles, err
}

// KnowledgeSummary tells how the owner's knowledge base stands: its documents,
// and the questions since an instant that it had no answer to.
func (s *Store) KnowledgeSummary(ctx context.Context, owner frontdesk.Owner, since time.Time, top int) (k frontdesk.KnowledgeSummary, err error) {
	k.ByStatus = map[frontdesk.DocumentStatus]int{}
	me := []any{string(owner.TenantID), owner.Live}
	err = s.eachHeavy(ctx, &s.heavy.summing, "summing documents up",
		`SELECT status, languages, COUNT(*), SUM(fragments), SUM(size_bytes), MAX(ready_at) FROM documents
		WHERE tenant_id = $1 AND live = $2 GROUP BY status, languages`, me, func(r row) error {
			var status frontdesk.DocumentStatus
			var languages string
			var documents, fragments int
			var size int64
			var readyAt sql.NullInt64
			if err := r.Scan(&status, &languages, &documents, &fragments, &size, &readyAt); err != nil {
				return err
			}
			k.Documents += documents
			k.ByStatus[status] += documents
			k.SizeBytes += size
			if status == frontdesk.DocumentReady {
				k.Fragments += fragments
				k.Languages = append(k.Languages, strings.Fields(languages)...)
			}
			if at := fromMaybeMicros(readyAt); at.After(k.LastReadyAt) {
				k.LastReadyAt = at
			}
			return nil
		})
	if err != nil {
		return k, err
	}
	slices.Sort(k.Languages)
	k.Languages = slices.Compact(k.Languages)
	open, err := s.Unanswered(ctx, owner, "", since, top)
	k.Unanswered, k.TopUnanswered = open.Times, open.Top
	return k, err
}

// Unanswered tells which questions since an instant found no answer: those that
// were put to an agent with those of which no agent is known, or with "" all.
func (s *Store) Unanswered(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID, since time.Time, top int) (u frontdesk.Unanswered, err error) {
	args := []any{string(owner.TenantID), owner.Live, dayOf(since)}
	where := ""
	if agent != "" {
		args, where = append(args, string(agent)), ` AND agent_id = $4`
	}
	if err := s.row(ctx, "counting unanswered questions", `SELECT COALESCE(SUM(times), 0) FROM (
			SELECT times FROM unanswered WHERE tenant_id = $1 AND live = $2 AND day >= $3
			UNION ALL SELECT times FROM unanswered_of_agents WHERE tenant_id = $1 AND live = $2 AND day >= $3`+where+`) AS asked`,
		args, &u.Times); err != nil {
		return u, err
	}
	args = append(args, top)
	err = s.eachHeavy(ctx, &s.heavy.summing, "listing unanswered questions",
		`SELECT MAX(question), SUM(times) AS asked, MAX(last_asked_at) AS latest, MIN(agent), MAX(agent) FROM (
			SELECT spelling, question, times, last_asked_at, '' AS agent FROM unanswered WHERE tenant_id = $1 AND live = $2 AND day >= $3
			UNION ALL SELECT spelling, question, times, last_asked_at, CAST(agent_id AS TEXT) FROM unanswered_of_agents
			WHERE tenant_id = $1 AND live = $2 AND day >= $3`+where+`) AS questions
		GROUP BY spelling ORDER BY asked DESC, latest DESC, spelling LIMIT $`+strconv.Itoa(len(args))+` + 0`, args, func(r row) error {
			var q frontdesk.UnansweredQuestion
			var last int64
			var first frontdesk.ID
			err := r.Scan(&q.Question, &q.Count, &last, &first, &q.AgentID)
			q.LastAskedAt = fromMicros(last)
			if agent == "" && first != q.AgentID {
				q.AgentID = "" // several were asked
			}
			u.Top = append(u.Top, q)
			return err
		})
	return u, err
}

// insertUnanswered counts questions of a call that found no answer.
func (t *tx) insertUnanswered(owner frontdesk.Owner, agent frontdesk.ID, questions []string, at time.Time) error {
	// Calls that end at once asked the same things: each takes the rows in the
	// same order, so that none waits for one that waits for it.
	questions = slices.SortedStableFunc(slices.Values(questions), func(a, b string) int {
		return strings.Compare(frontdesk.Spelling(a), frontdesk.Spelling(b))
	})
	for _, q := range questions {
		spelling := frontdesk.Spelling(q)
		if spelling == "" {
			continue
		}
		if err := t.countUnanswered(owner, agent, spelling, q, at); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) countUnanswered(owner frontdesk.Owner, agent frontdesk.ID, spelling, question string, at time.Time) error {
	args := []any{string(owner.TenantID), owner.Live, dayOf(at), spelling, question, micros(at)}
	if agent == "" {
		return t.later(`INSERT INTO unanswered (tenant_id, live, day, spelling, question, times, last_asked_at) VALUES ($1, $2, $3, $4, $5, 1, $6)
			ON CONFLICT (tenant_id, live, day, spelling) DO UPDATE SET times = unanswered.times + 1,
				last_asked_at = CASE WHEN unanswered.last_asked_at > excluded.last_asked_at THEN unanswered.last_asked_at ELSE excluded.last_asked_at END`, args...)
	}
	return t.later(`INSERT INTO unanswered_of_agents (tenant_id, live, day, spelling, question, times, last_asked_at, agent_id) VALUES ($1, $2, $3, $4, $5, 1, $6, $7)
		ON CONFLICT (tenant_id, live, day, agent_id, spelling) DO UPDATE SET times = unanswered_of_agents.times + 1,
			last_asked_at = CASE WHEN unanswered_of_agents.last_asked_at > excluded.last_asked_at THEN unanswered_of_agents.last_asked_at ELSE excluded.last_asked_at END`,
		append(args, string(agent))...)
}

// PruneUnansweredForWorker forgets questions that are too old to be shown.
func (s *Store) PruneUnansweredForWorker(ctx context.Context, before time.Time) error {
	for _, statement := range []string{`DELETE FROM unanswered WHERE day < $1`, `DELETE FROM unanswered_of_agents WHERE day < $1`} {
		if _, err := s.exec(ctx, "forgetting unanswered questions", statement, dayOf(before)); err != nil {
			return err
		}
	}
	return nil
}

func dayOf(t time.Time) int64 { return t.Unix() / 86_400 }

// vectorBytes keeps a vector as its 32-bit floats, NULL without one.
func vectorBytes(v []float32) any {
	if v == nil {
		return nil
	}
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func vectorOf(b []byte) []float32 {
	if len(b) == 0 {
		return nil
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
