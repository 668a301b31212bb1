package web

import (
	"cmp"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// The answers, as visitors read them; what is said in between, wire spells.
type (
	introduction struct {
		Agent profile `json:"agent"`
		Voice bool    `json:"voice"` // visitors can speak with a microphone

		Privacy kept `json:"privacy"`
	}
	// kept is what a visitor is told of what becomes of their words.
	kept struct {
		URL  *string `json:"url"`             // the business's own page on it
		Days *int    `json:"transcript_days"` // null: they are kept until somebody erases them
	}
	profile struct {
		Name      string   `json:"name"`
		Business  string   `json:"business"`
		Phone     *string  `json:"phone"`
		Address   *string  `json:"address"`
		Languages []string `json:"languages"`
	}

	begun struct {
		Conversation opening `json:"conversation"`
	}
	opening struct {
		ID           frontdesk.ID `json:"id"`
		Token        string       `json:"token"`
		Language     string       `json:"language"`
		Greeting     string       `json:"greeting"`
		Voice        string       `json:"voice"`
		QuickReplies []string     `json:"quick_replies"`
	}

	farewell struct {
		CallID  *frontdesk.ID     `json:"call_id"` // null: nothing was said, so there is no call
		Outcome frontdesk.Outcome `json:"outcome"`
	}
)

func profileOf(a frontdesk.Agent) profile {
	c := a.Config
	business := cmp.Or(c.Business.Name, a.DisplayName)
	return profile{
		Name: cmp.Or(c.Assistant.Name, a.DisplayName, business), Business: business,
		Phone: given(c.Business.Phone), Address: given(c.Business.Address), Languages: a.Languages,
	}
}

func keptOf(t frontdesk.Tenant, a frontdesk.Agent) kept {
	k := kept{URL: given(a.Settings.PrivacyURL)}
	for _, days := range []int{t.Plan.TranscriptDays, t.Plan.CallDays} { // with a call its words go
		if days > 0 && (k.Days == nil || days < *k.Days) {
			k.Days = &days
		}
	}
	return k
}

// given is nil for what has no value.
func given[T ~string](v T) *T {
	if v == "" {
		return nil
	}
	return &v
}
