package web

import (
	"cmp"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
)

// The answers, as visitors read them.
type (
	introduction struct {
		Agent profile `json:"agent"`
	}
	profile struct {
		Name      string   `json:"name"`
		Business  string   `json:"business"`
		Phone     *string  `json:"phone"`
		Languages []string `json:"languages"`
	}

	begun struct {
		Conversation opening `json:"conversation"`
	}
	opening struct {
		ID       frontdesk.ID `json:"id"`
		Token    string       `json:"token"`
		Language string       `json:"language"`
		Greeting string       `json:"greeting"`
		Voice    string       `json:"voice"`
	}

	turn struct {
		Reply   said               `json:"reply"`
		Capture *card              `json:"capture"`
		Ended   bool               `json:"ended"`
		Outcome *frontdesk.Outcome `json:"outcome"`
	}
	said struct {
		Text         string             `json:"text"`
		Language     string             `json:"language"`
		Expect       *conversation.Slot `json:"expect"`
		QuickReplies []string           `json:"quick_replies"`
	}
	card struct {
		Kind             string               `json:"kind"`
		ConfirmationCode *string              `json:"confirmation_code"`
		ScheduledAt      *frontdesk.LocalTime `json:"scheduled_at"`
		Service          *string              `json:"service"`
	}

	farewell struct {
		CallID  frontdesk.ID      `json:"call_id"`
		Outcome frontdesk.Outcome `json:"outcome"`
	}
)

func profileOf(a frontdesk.Agent) profile {
	c := a.Config
	business := cmp.Or(c.Business.Name, a.DisplayName)
	return profile{
		Name: cmp.Or(c.Assistant.Name, a.DisplayName, business), Business: business,
		Phone: given(c.Business.Phone), Languages: a.Languages,
	}
}

func turnOf(r reception.Reply) turn {
	t := turn{
		Reply: said{Text: r.Text, Language: r.Language, Expect: given(r.Expect), QuickReplies: r.QuickReplies},
		Ended: r.Ended, Outcome: given(r.Outcome),
	}
	if c := r.Capture; c != nil {
		t.Capture = &card{
			Kind: c.Kind, ConfirmationCode: given(c.ConfirmationCode),
			ScheduledAt: given(c.ScheduledAt), Service: given(c.Service),
		}
	}
	return t
}

// given is nil for what has no value.
func given[T ~string](v T) *T {
	if v == "" {
		return nil
	}
	return &v
}
