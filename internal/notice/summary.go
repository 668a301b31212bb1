package notice

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// summaryLate is how long after its time a summary is still of use.
const summaryLate = 6 * time.Hour

// PlanSummaries writes the summaries of the day that are due, each once.
func (n *Notices) PlanSummaries(ctx context.Context) error {
	agents, err := n.store.AgentsToldDailyForWorker(ctx)
	if err != nil {
		return err
	}
	for _, a := range agents {
		owner := frontdesk.Owner{TenantID: a.TenantID, Live: true}
		if due := summaries(a, n.now()); len(due) > 0 {
			if err := n.store.AddNotices(ctx, owner, due...); err != nil {
				return err
			}
		}
	}
	return nil
}

// summaries are those of an agent that are due.
func summaries(a frontdesk.Agent, now time.Time) (all []frontdesk.Notice) {
	o := a.Settings.Notices.Owner
	zone, err := frontdesk.LoadZone(a.Timezone)
	if err != nil || !o.Daily || a.Status != frontdesk.AgentActive {
		return nil
	}
	today := frontdesk.DateOf(now.In(zone))
	at := today.At(o.SummaryAt(), zone)
	if now.Before(at) || now.Sub(at) > summaryLate {
		return nil
	}
	now = now.UTC().Truncate(time.Microsecond)
	for _, address := range o.Emails {
		all = append(all, frontdesk.Notice{
			ID: frontdesk.NewID(now), AgentID: a.ID, Live: true, Kind: frontdesk.OwnerSummary, Channel: frontdesk.ByEmail, Address: address,
			Language: a.Languages[0], Once: strings.Join([]string{"summary", string(a.ID), today.String(), address}, " "),
			Status: frontdesk.NoticePending, CreatedAt: now, DueAt: now,
		})
	}
	return all
}

// mostListed is how many lines a list of a summary has.
const mostListed = 50

// day is the page of a summary: what came in since the one before, and who comes
// today.
func (w writer) day(ctx context.Context, l letter) (page, error) {
	owner, zone := l.claim.Owner, time.UTC
	if z, err := frontdesk.LoadZone(l.agent.Timezone); err == nil {
		zone = z
	}
	since := l.now.Add(-24 * time.Hour)
	calls, err := w.store.Calls(ctx, owner, frontdesk.CallFilter{AgentID: l.agent.ID, StartedFrom: since}, frontdesk.Page{Limit: 100})
	if err != nil {
		return page{}, err
	}
	news, err := w.store.Captures(ctx, owner, frontdesk.CaptureFilter{AgentID: l.agent.ID, UpdatedFrom: since}, frontdesk.Page{Limit: 100})
	if err != nil {
		return page{}, err
	}
	today := frontdesk.DateOf(l.now.In(zone))
	var coming []frontdesk.Capture
	err = w.store.Agenda(ctx, owner, store.Look{
		AgentID: l.agent.ID, From: frontdesk.LocalTime(today.String() + "T00:00:00"), To: frontdesk.LocalTime(today.AddDays(1).String() + "T00:00:00"),
	}, func(c frontdesk.Capture) { coming = append(coming, c) })
	if err != nil {
		return page{}, err
	}
	l.capture.ScheduledAt = frontdesk.LocalTime(today.String() + "T00:00:00")
	p := page{Subject: l.say("notice_owner_summary_subject"), Lead: l.say("notice_owner_summary")}
	p.Facts = l.facts("notice_calls", counted(len(calls.Items), calls.More), "notice_coming", strconv.Itoa(len(coming)))
	p.add(l, "notice_today", coming)
	made, messages := sorted(news.Items, since)
	p.add(l, "notice_made", made)
	p.add(l, "notice_messages", messages)
	return p, nil
}

func counted(n int, more bool) string {
	if more {
		return strconv.Itoa(n) + "+"
	}
	return strconv.Itoa(n)
}

// sorted are the captures made since an instant: appointments and orders, and
// what else came in.
func sorted(all []frontdesk.Capture, since time.Time) (made, messages []frontdesk.Capture) {
	for _, c := range all {
		switch {
		case c.CreatedAt.Before(since) || c.Status == frontdesk.Cancelled:
		case c.Kind == frontdesk.Appointment || c.Kind == frontdesk.Order:
			made = append(made, c)
		default:
			messages = append(messages, c)
		}
	}
	return made, messages
}

// add adds a list of captures, if there are any.
func (p *page) add(l letter, title string, all []frontdesk.Capture) {
	if len(all) == 0 {
		return
	}
	one := list{Title: l.language.Say(title, "")}
	for i, c := range all {
		if i == mostListed {
			one.Lines = append(one.Lines, "…")
			break
		}
		var parts []string
		for _, part := range []string{l.when(c.ScheduledAt), c.Service, c.CustomerName, c.CustomerPhone, c.Visit.Resource, strings.ReplaceAll(c.Notes, "\n", "; ")} {
			if part = plain(part); part != "" {
				parts = append(parts, part)
			}
		}
		one.Lines = append(one.Lines, strings.Join(parts, ", "))
	}
	p.Lists = append(p.Lists, one)
}

// summaryText is what the summary of a call says in words.
func summaryText(c frontdesk.Call) string {
	var summary struct {
		Summary string `json:"summary"`
		Text    string `json:"text"`
		Notes   string `json:"notes"`
	}
	_ = json.Unmarshal(c.Summary, &summary) // a call without one says nothing
	return plain(strings.Join([]string{summary.Summary, summary.Text, summary.Notes}, " "))
}
