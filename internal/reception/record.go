// Package reception is the desk itself: it holds conversations, and writes down
// what came of a call.
//
//	Sessions.Hear -> conversation.Engine.Step -> callDesk (calendar, documents) -> store
//	              -> at the end: recording -> Prepare -> Events -> store
//
// A conversation is a row that is written after every turn, so that any node can
// take the next one. What a caller agrees to is written, and told of, at once.
// When it ends it becomes, in ONE transaction, a call with its transcript, its
// seconds in the usage of its month, and the events and deliveries that tell of
// it. Whatever channel a caller came through, and be it the demo, this is the
// way into the books: so the figures agree.
//
// It does not know what is said, which is the engine's affair, nor how a channel
// carries it, nor who reads the books.
package reception

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// Events are what subscribers are told of a recording: each capture when it was
// made, the call when it ended.
func Events(from wire.EventSource, r store.Recording) ([]frontdesk.Event, error) {
	var events []frontdesk.Event
	for _, capture := range r.Captures {
		e, err := wire.Event(from, frontdesk.CaptureCreated, capture.CreatedAt, wire.Capture(capture))
		if err != nil {
			return nil, fmt.Errorf("making an event: %w", err)
		}
		events = append(events, e)
	}
	end := r.Call.StartedAt.Add(time.Duration(r.Call.Duration) * time.Second)
	e, err := wire.Event(from, frontdesk.CallCompleted, end, wire.Call(r.Call))
	if err != nil {
		return nil, fmt.Errorf("making an event: %w", err)
	}
	return append(events, e), nil
}

// Prepare turns a finished call into what is written: its summary and
// transcript encoded, its captures tied to it, its month named in the tenant's
// zone. Ids that are missing are minted.
func Prepare(tenant frontdesk.Tenant, c frontdesk.FinishedCall) (store.Recording, error) {
	loc, err := frontdesk.LoadZone(tenant.Timezone)
	if err != nil {
		return store.Recording{}, fmt.Errorf("recording a call of %s: %w", tenant.Slug, err)
	}
	if c.ID == "" {
		c.ID = frontdesk.NewID(c.StartedAt)
	}
	captures := tieCaptures(tenant, c)
	for _, capture := range captures {
		c.Summary.CaptureIDs = append(c.Summary.CaptureIDs, capture.ID)
	}
	call := frontdesk.Call{
		ID: c.ID, AgentID: c.AgentID, StartedAt: c.StartedAt.Truncate(time.Microsecond), Duration: int(c.Duration / time.Second),
		Language: c.Language, Outcome: c.Outcome, Channel: c.Channel,
		Uncounted: c.Uncounted, Caller: c.Caller, Number: c.Number, CaptureIDs: broughtIn(c),
	}
	if call.Summary, err = fitSummary(c.Summary); err != nil {
		return store.Recording{}, fmt.Errorf("encoding a summary: %w", err)
	}
	if call.Transcript, err = wire.Transcript(c.Transcript); err != nil {
		return store.Recording{}, fmt.Errorf("encoding a transcript: %w", err)
	}
	return store.Recording{Call: call, Captures: captures, Period: frontdesk.PeriodOf(call.StartedAt, loc), Unanswered: c.Summary.UnansweredQuestions}, nil
}

// mostCaptures is how many captures a call can name: its event has room for so
// many.
const mostCaptures = 50

// broughtIn are the captures that a call made, moved or cancelled, each once.
func broughtIn(c frontdesk.FinishedCall) []frontdesk.ID {
	ids := []frontdesk.ID{}
	for _, id := range slices.Concat(c.Summary.CaptureIDs, c.Touched) {
		if id != "" && len(ids) < mostCaptures && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// tieCaptures gives the captures of a call what they take from it.
func tieCaptures(tenant frontdesk.Tenant, c frontdesk.FinishedCall) []frontdesk.Capture {
	tied := make([]frontdesk.Capture, len(c.Captures))
	for i, capture := range c.Captures {
		capture.CallID, capture.AgentID, capture.Channel = c.ID, c.AgentID, c.Channel
		if capture.CreatedAt.IsZero() {
			capture.CreatedAt = c.StartedAt.Add(c.Duration)
		}
		if capture.ID == "" {
			capture.ID = frontdesk.NewID(capture.CreatedAt)
		}
		if capture.Status == "" {
			capture.Status = frontdesk.PendingConfirm
		}
		if capture.ConfirmationCode == "" {
			capture.ConfirmationCode = frontdesk.NewConfirmationCode()
		}
		capture.Source = cmp.Or(capture.Source, frontdesk.FromCall)
		capture.Timezone = cmp.Or(capture.Timezone, tenant.Timezone)
		if capture.UpdatedAt.IsZero() {
			capture.UpdatedAt = capture.CreatedAt
		}
		tied[i] = wire.FitCapture(capture)
	}
	return tied
}
