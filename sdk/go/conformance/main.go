// Conformance goes through the scenarios that the clients of all languages go
// through, against a running server behind a proxy that misbehaves as the header
// X-Conformance asks. It prints a line of JSON for each.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	frontdesk "frontdesk.dev/frontdesk/sdk/go"
)

// values are what a scenario found out.
type values map[string]any

var scenarios = []struct {
	name string
	run  func(context.Context, *frontdesk.Client, frontdesk.RequestOptions) (values, error)
}{
	{"rate-limited", rateLimited},
	{"unavailable-twice", createCapture},
	{"reset-in-post", createCapture},
	{"three-pages", threePages},
	{"upload", upload},
	{"timeout", timeout},
	{"rotated-secret", rotatedSecret},
	{"error-with-request-id", errorWithRequestID},
	{"unknown-enum", unknownEnum},
	{"retry-gives-up", retryGivesUp},
	{"long-retry-after", longRetryAfter},
	{"cancelled", cancelled},
}

func main() {
	client, err := frontdesk.New(frontdesk.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := json.NewEncoder(os.Stdout)
	for _, s := range scenarios {
		marked := frontdesk.RequestOptions{Header: http.Header{"X-Conformance": {s.name}}}
		line, err := s.run(context.Background(), client, marked)
		if line == nil {
			line = values{}
		}
		line["scenario"], line["ok"], line["detail"] = s.name, err == nil, ""
		if err != nil {
			line["detail"] = err.Error()
		}
		if err := out.Encode(line); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func rateLimited(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	_, err := client.Whoami(ctx, marked)
	return nil, err
}

func createCapture(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	agents, err := client.Agents.List(ctx)
	if err != nil {
		return nil, err
	}
	capture, err := client.Captures.Create(ctx, frontdesk.CaptureInput{
		Agent: agents.Data[0].Slug, Kind: "lead", CustomerName: "Conformance in Go", CustomerPhone: "+34600000099",
	}, marked)
	if err != nil {
		return nil, err
	}
	return values{"capture_id": capture.ID}, nil
}

func threePages(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	ids := []string{}
	for capture, err := range client.Captures.All(ctx, frontdesk.CaptureListParams{Limit: 2}, marked) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, capture.ID)
	}
	return values{"ids": ids}, nil
}

func upload(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	file, err := os.Open(os.Getenv("CONFORMANCE_UPLOAD"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	out, err := client.Knowledge.Documents.Upload(ctx, file, frontdesk.Upload{Filename: "conformance.txt"}, marked)
	if err != nil {
		return nil, err
	}
	return values{"document_id": out.Document.ID, "size_bytes": out.Document.SizeBytes}, nil
}

func timeout(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	_, err := client.Whoami(ctx, marked, frontdesk.RequestOptions{Timeout: 300 * time.Millisecond, MaxRetries: frontdesk.NoRetries})
	if !errors.Is(err, frontdesk.ErrTimeout) {
		return nil, fmt.Errorf("the error is no ErrTimeout: %v", err)
	}
	return values{"error": err.Error()}, nil
}

func rotatedSecret(context.Context, *frontdesk.Client, frontdesk.RequestOptions) (values, error) {
	text, err := os.ReadFile(os.Getenv("CONFORMANCE_WEBHOOK"))
	if err != nil {
		return nil, err
	}
	var hooks struct {
		SecretOld, SecretNew string
		Cases                []struct {
			Name, Body, Secrets string
			Headers             map[string]string
		}
	}
	if err := json.Unmarshal(text, &hooks); err != nil {
		return nil, err
	}
	secrets := map[string][]string{"old": {hooks.SecretOld}, "new": {hooks.SecretNew}, "both": {hooks.SecretNew, hooks.SecretOld}}
	results := map[string]bool{}
	for _, c := range hooks.Cases {
		header := http.Header{}
		for name, value := range c.Headers {
			header[name] = []string{value}
		}
		event, err := frontdesk.VerifyWebhook([]byte(c.Body), header, secrets[c.Secrets]...)
		if err != nil && !errors.Is(err, frontdesk.ErrSignature) {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		results[c.Name] = err == nil && event.ID != ""
	}
	return values{"results": results}, nil
}

func errorWithRequestID(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	_, err := client.Calls.Get(ctx, "01900000-0000-7000-8000-000000000000", marked)
	var answered *frontdesk.Error
	if !errors.As(err, &answered) || !errors.Is(err, frontdesk.ErrNotFound) {
		return nil, fmt.Errorf("the error is no ErrNotFound: %v", err)
	}
	return values{"status": answered.Status, "type": answered.Type, "code": answered.Code, "request_id": answered.RequestID}, nil
}

func unknownEnum(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	page, err := client.Captures.List(ctx, frontdesk.CaptureListParams{Limit: 1})
	if err != nil {
		return nil, err
	}
	capture, err := client.Captures.Get(ctx, page.Data[0].ID, marked)
	if err != nil {
		return nil, err
	}
	return values{"status": capture.Status, "kind": capture.Kind, "future": capture.Extra["future"]}, nil
}

func retryGivesUp(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	_, err := client.Whoami(ctx, marked, frontdesk.RequestOptions{MaxRetries: 2})
	var answered *frontdesk.Error
	if !errors.As(err, &answered) {
		return nil, fmt.Errorf("the error is no answer: %v", err)
	}
	return values{"attempts_error": answered.Status}, nil
}

func longRetryAfter(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	_, err := client.Whoami(ctx, marked)
	var answered *frontdesk.Error
	if !errors.As(err, &answered) || !errors.Is(err, frontdesk.ErrRateLimit) {
		return nil, fmt.Errorf("the error is no ErrRateLimit: %v", err)
	}
	return values{"retry_after": answered.RetryAfter.Seconds()}, nil
}

// cancelled cancels while the client waits to try again.
func cancelled(ctx context.Context, client *frontdesk.Client, marked frontdesk.RequestOptions) (values, error) {
	ctx, cancel := context.WithCancel(ctx)
	time.AfterFunc(200*time.Millisecond, cancel)
	_, err := client.Whoami(ctx, marked)
	if !errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("the error is no context.Canceled: %v", err)
	}
	return nil, nil
}
