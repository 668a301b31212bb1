package app

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/provider"
)

// modelTime is how long a caller waits for a model before the rules go on alone.
const modelTime = 4 * time.Second

// OpenModel returns the language model that helps to understand callers, nil
// when the settings name none.
func OpenModel(s config.Settings, log *slog.Logger) (conversation.Model, error) {
	if s.ModelURL == "" {
		if s.ModelName != "" {
			return nil, &config.ValueError{Name: "FRONTDESK_MODEL_NAME", Value: s.ModelName, Want: "a name together with FRONTDESK_MODEL_URL, or neither"}
		}
		return nil, nil
	}
	client, err := vendorClient("FRONTDESK_MODEL_URL", s.ModelURL, modelTime)
	if err != nil {
		return nil, err
	}
	chat, err := provider.NewChat(provider.ChatOptions{
		URL: s.ModelURL, Model: s.ModelName, Key: s.ModelKey, Client: client, Timeout: modelTime, Log: log,
	})
	if err != nil {
		return nil, fmt.Errorf("reading FRONTDESK_MODEL_URL and FRONTDESK_MODEL_NAME: %w", err)
	}
	return chat, nil
}

// vendorClient is a client for an address that the operator has set. It may be
// on this machine: the guard is opened for it, and for nothing else.
func vendorClient(setting, address string, timeout time.Duration) (*http.Client, error) {
	const kept = 32 // connections between two questions
	origin, err := originOf(address)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", setting, err)
	}
	guard, err := egress.New(egress.Options{Allow: []string{origin}})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", setting, err)
	}
	return guard.Client(timeout, kept), nil
}

func originOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + u.Host, nil
}
