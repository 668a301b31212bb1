package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Whether a call was after hours is not written down: Analytics decides it by the
// hours that agents have now, and so does this list, with the same analysis. It goes
// back in time from one span in which an agent was closed to the one before, and asks
// for the calls of each by their ids, which any index of a list ends with.

const (
	daysAtOnce     = 4   // of all agents, before what was found is put in order
	daysAnalysed   = 32  // by one analysis; a multiple of daysAtOnce
	mostSpans      = 120 // are asked for one page
	searchedPages  = 5   // of what a search finds are looked at for one page
	searchedOfPage = 100
)

// CallsAfterHours lists the owner's calls as Calls does, of those that began while
// their agent was closed by its hours. A page that is not full after many spans says
// where the next one goes on.
func (s *Store) CallsAfterHours(ctx context.Context, owner frontdesk.Owner, f frontdesk.CallFilter, p frontdesk.Page, agents []frontdesk.Agent) (frontdesk.List[frontdesk.Call], error) {
	p.Limit = cmp.Or(p.Limit, frontdesk.DefaultPageSize)
	if f.AgentID != "" {
		agents = slices.DeleteFunc(slices.Clone(agents), func(a frontdesk.Agent) bool { return a.ID != f.AgentID })
	}
	c := &closedTimes{agents: agents, blocks: map[int64]*frontdesk.Analysis{}}
	if f.Search != "" {
		return s.searchAfterHours(ctx, owner, f, p, c)
	}
	// The newest call that can be meant, and the oldest of all: between them is all
	// that has to be looked at.
	newest, err := s.Calls(ctx, owner, f, frontdesk.Page{Limit: 1, StartingAfter: p.StartingAfter})
	if err != nil || len(newest.Items) == 0 {
		return newest, err
	}
	oldest := f.StartedFrom
	if oldest.IsZero() {
		if oldest, err = s.oldestCall(ctx, owner); err != nil {
			return frontdesk.List[frontdesk.Call]{}, err
		}
	}
	return s.walkBack(ctx, owner, f, p, c, groupOf(newest.Items[0].StartedAt), groupOf(oldest))
}

// walkBack lists the calls after hours from one group of days back to another.
func (s *Store) walkBack(ctx context.Context, owner frontdesk.Owner, f frontdesk.CallFilter, p frontdesk.Page, c *closedTimes, last, first int64) (list frontdesk.List[frontdesk.Call], err error) {
	list.Items = []frontdesk.Call{}
	for group, asked := last, 0; group >= first; group-- {
		var found []frontdesk.Call
		for _, agent := range c.agents {
			some, n, err := s.callsOfGroup(ctx, owner, f, p, c.spans(agent.ID, group), agent.ID)
			if err != nil {
				return frontdesk.List[frontdesk.Call]{}, err
			}
			found, asked = append(found, some...), asked+n
		}
		slices.SortFunc(found, func(a, b frontdesk.Call) int { return cmp.Compare(b.ID, a.ID) })
		if list.Items = append(list.Items, found...); len(list.Items) > p.Limit {
			list.Items, list.More = list.Items[:p.Limit], true
			return list, nil
		}
		if asked >= mostSpans && group > first {
			list.More, list.Next = true, frontdesk.FirstIDAt(groupStart(group))
			return list, nil
		}
	}
	return list, nil
}

// callsOfGroup are the newest calls of an agent in spans, newest first: one more than
// a page has, if there are as many. It says how many spans it has asked for.
func (s *Store) callsOfGroup(ctx context.Context, owner frontdesk.Owner, f frontdesk.CallFilter, p frontdesk.Page, spans [][2]time.Time, agent frontdesk.ID) (found []frontdesk.Call, asked int, err error) {
	for _, span := range spans {
		narrow := f
		narrow.AgentID, narrow.StartedFrom, narrow.StartedTo = agent, span[0], span[1]
		if f.StartedFrom.After(narrow.StartedFrom) {
			narrow.StartedFrom = f.StartedFrom
		}
		if !f.StartedTo.IsZero() && f.StartedTo.Before(narrow.StartedTo) {
			narrow.StartedTo = f.StartedTo
		}
		if !narrow.StartedFrom.Before(narrow.StartedTo) {
			continue
		}
		asked++
		some, err := s.Calls(ctx, owner, narrow, frontdesk.Page{Limit: p.Limit + 1 - len(found), StartingAfter: p.StartingAfter})
		if err != nil {
			return nil, asked, err
		}
		if found = append(found, some.Items...); len(found) > p.Limit {
			break
		}
	}
	return found, asked, nil
}

// searchAfterHours lists those calls that a search finds and that were after hours.
func (s *Store) searchAfterHours(ctx context.Context, owner frontdesk.Owner, f frontdesk.CallFilter, p frontdesk.Page, c *closedTimes) (list frontdesk.List[frontdesk.Call], err error) {
	list.Items = []frontdesk.Call{}
	at := p.StartingAfter
	for range searchedPages {
		some, err := s.Calls(ctx, owner, f, frontdesk.Page{Limit: searchedOfPage, StartingAfter: at})
		if err != nil {
			return frontdesk.List[frontdesk.Call]{}, err
		}
		for _, call := range some.Items {
			if at = call.ID; !c.at(call) {
				continue
			}
			if len(list.Items) == p.Limit {
				list.More = true
				return list, nil
			}
			list.Items = append(list.Items, call)
		}
		if at = cmp.Or(some.Next, at); !some.More {
			return list, nil
		}
	}
	list.More, list.Next = true, at
	return list, nil
}

// oldestCall is when the first of the owner's calls began.
func (s *Store) oldestCall(ctx context.Context, owner frontdesk.Owner) (time.Time, error) {
	var startedAt int64
	err := s.row(ctx, "looking for the oldest call", `SELECT started_at FROM calls WHERE tenant_id = $1 AND live = $2 ORDER BY id LIMIT 1`,
		[]any{string(owner.TenantID), owner.Live}, &startedAt)
	return fromMicros(startedAt), err
}

// closedTimes knows when agents are closed, as Analytics does.
type closedTimes struct {
	agents []frontdesk.Agent
	blocks map[int64]*frontdesk.Analysis
}

// groupOf numbers groups of daysAtOnce days.
func groupOf(t time.Time) int64 {
	day, _ := frontdesk.DayAndQuarter(t)
	return day / daysAtOnce
}

func groupStart(group int64) time.Time { return time.Unix(group*daysAtOnce*86_400, 0).UTC() }

// block is the analysis of the days around a group.
func (c *closedTimes) block(group int64) *frontdesk.Analysis {
	const groups = daysAnalysed / daysAtOnce
	n := group / groups
	if c.blocks[n] == nil {
		from := groupStart(n * groups)
		c.blocks[n] = newAnalysis(frontdesk.Window{
			Days: daysAnalysed, Location: time.UTC, Previous: from, From: from, To: from.AddDate(0, 0, daysAnalysed),
		}, c.agents)
	}
	return c.blocks[n]
}

// at says whether a call was after hours.
func (c *closedTimes) at(call frontdesk.Call) bool {
	return c.block(groupOf(call.StartedAt)).ClosedAt(call.AgentID, call.StartedAt)
}

// spans are when an agent is closed in a group of days, newest first.
func (c *closedTimes) spans(agent frontdesk.ID, group int64) (all [][2]time.Time) {
	block, start := c.block(group), groupStart(group)
	for t := start.AddDate(0, 0, daysAtOnce).Add(-frontdesk.Quarter); !t.Before(start); t = t.Add(-frontdesk.Quarter) {
		switch n := len(all); {
		case !block.ClosedAt(agent, t):
		case n > 0 && all[n-1][0].Equal(t.Add(frontdesk.Quarter)):
			all[n-1][0] = t
		default:
			all = append(all, [2]time.Time{t, t.Add(frontdesk.Quarter)})
		}
	}
	return all
}
