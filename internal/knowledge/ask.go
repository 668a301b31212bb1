package knowledge

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/search"
	"frontdesk.dev/frontdesk/internal/table"
	"frontdesk.dev/frontdesk/internal/trace"
)

// Question is what somebody wants to know.
type Question struct {
	Text         string
	AgentID      frontdesk.ID // whose documents to answer from; "": those for all agents
	ThresholdPct int          // how likely an answer must be right to be given
	Money        string       // ISO 4217: that of prices in tables that tell none
	WordsOnly    bool         // nobody outside is asked for what they mean
}

// Ask answers a question from the owner's documents, or says that it cannot.
func (s *Shelves) Ask(ctx context.Context, owner frontdesk.Owner, q Question) (frontdesk.Answer, error) {
	began := time.Now()
	ctx, span := trace.Start(ctx, trace.Inside, "asking the documents")
	defer span.End()
	b, err := s.book(ctx, name{owner, q.AgentID})
	if err != nil {
		span.Fail("unavailable")
		return frontdesk.Answer{}, err
	}
	query := search.Query{Text: q.Text, Money: q.Money, Reader: s.reads}
	if b.vectors && s.embed != nil && !q.WordsOnly {
		query.Vector = s.vectorOf(ctx, q.Text)
	}
	a := b.answer(q, b.index.Ask(query))
	a.Took = time.Since(began)
	span.Set(trace.Yes("frontdesk.answered", a.Answered), trace.Yes("frontdesk.by_meaning", len(query.Vector) > 0))
	return a, nil
}

func (b *book) answer(q Question, r search.Result) frontdesk.Answer {
	a := frontdesk.Answer{Question: q.Text, MatchPct: pct(r.Match), ThresholdPct: q.ThresholdPct, Matched: r.Matched, Missing: r.Missing}
	a.Answered = r.Answer != "" && a.MatchPct >= float64(q.ThresholdPct)
	a.Worded = r.Worded
	if a.Answered {
		a.Text = r.Answer
	}
	for _, h := range r.Hits {
		d := b.titles[h.Fragment.DocumentID]
		a.Hits = append(a.Hits, frontdesk.AnswerHit{
			Fragment: h.Fragment, Title: d.Title, Kind: d.Kind, MatchPct: pct(h.Match), Used: a.Answered && h.Used,
		})
	}
	a.Confidence = confidence(a)
	a.Explanation = b.explanation(a, r)
	if a.Answered {
		a.Language = cmp.Or(r.Language, lexicon.Language(a.Text), a.Hits[0].Fragment.Language)
		wordShort(&a)
	}
	return a
}

// wordShort words in the other languages what of a sentence is no prose.
func wordShort(a *frontdesk.Answer) {
	if a.Worded != nil {
		return
	}
	a.Worded, a.Leads = map[string]string{}, map[string]string{}
	for _, code := range language.Codes() {
		if code == a.Language {
			continue
		}
		if said, ok := table.Short(a.Question, a.Text, code, a.Language); ok {
			a.Worded[code] = said
		} else if lead := table.Lead(a.Question, a.Text, code); lead != "" {
			a.Leads[code] = lead
		}
	}
}

// pct is a probability in percent, with one decimal.
func pct(p float64) float64 { return math.Round(p*1000) / 10 }

func confidence(a frontdesk.Answer) string {
	switch {
	case len(a.Hits) == 0 || a.MatchPct < 20:
		return "none"
	case !a.Answered:
		return "low"
	case a.MatchPct < 85:
		return "medium"
	}
	return "high"
}

// explanation says in one sentence what the answer rests on.
func (b *book) explanation(a frontdesk.Answer, r search.Result) string {
	switch {
	case b.index.Len() == 0:
		return "There is no document to answer from: upload one, or wait until it is ready."
	case len(a.Hits) == 0:
		return "No passage speaks of anything in the question."
	}
	about := fmt.Sprintf("The best passage is in %q", a.Hits[0].Title)
	switch {
	case len(r.Matched) > 0 && len(r.Missing) > 0:
		about += " and speaks of " + quoted(r.Matched) + ", but not of " + quoted(r.Missing)
	case len(r.Matched) > 0:
		about += " and speaks of " + quoted(r.Matched)
	case len(r.Missing) > 0:
		about += ", the nearest in meaning, though it does not name " + quoted(r.Missing)
	}
	if a.Answered {
		return about + "."
	}
	return about + fmt.Sprintf("; at %g %% it is below the threshold of %d %%.", a.MatchPct, a.ThresholdPct)
}

func quoted(words []string) string {
	const most = 6
	var all []string
	for _, w := range words[:min(most, len(words))] {
		all = append(all, fmt.Sprintf("%q", w))
	}
	return strings.Join(all, ", ")
}
