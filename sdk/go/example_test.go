package frontdesk_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	frontdesk "frontdesk.dev/frontdesk/sdk/go"
)

// What the examples share. A program makes its client once.
var (
	ctx    = context.Background()
	client *frontdesk.Client
)

func ExampleNew() {
	client, err := frontdesk.New(frontdesk.Options{
		APIKey:     os.Getenv("MY_KEY"),
		BaseURL:    "https://frontdesk.example.com",
		Timeout:    10 * time.Second,
		MaxRetries: 4,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(client)
}

func ExampleCallsClient_All() {
	for call, err := range client.Calls.All(ctx, frontdesk.CallListParams{
		Outcome:     frontdesk.OutcomeBooking,
		StartedFrom: time.Now().AddDate(0, 0, -7),
	}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(call.ID, call.StartedAt, call.DurationSeconds)
	}
}

func ExampleCallsClient_List() {
	page, err := client.Calls.List(ctx, frontdesk.CallListParams{Limit: 10})
	for page != nil && err == nil {
		fmt.Println(len(page.Data), "calls")
		page, err = page.NextPage(ctx)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func ExampleCallsClient_Get() {
	callID := "01a1cf40-1300-7942-bd9b-256f44904ab7"
	call, err := client.Calls.Get(ctx, callID)
	if err != nil {
		log.Fatal(err)
	}
	if call.Summary != nil {
		fmt.Println(call.Summary.Text)
	}
	if call.Transcript != nil { // nil once it is older than it may be kept
		for _, turn := range call.Transcript.Turns {
			fmt.Println(turn.Role, turn.Text)
		}
	}
}

func ExampleCapturesClient_Create() {
	from := time.Now().AddDate(0, 0, 1)
	free, err := client.Agents.Availability(ctx, "dental-la-plaza", frontdesk.AvailabilityParams{
		From: from.Format(time.DateOnly),
		To:   from.AddDate(0, 0, 14).Format(time.DateOnly),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, day := range free.Days {
		if len(day.Slots) == 0 {
			continue
		}
		capture, err := client.Captures.Create(ctx, frontdesk.CaptureInput{
			Agent:         "dental-la-plaza",
			ScheduledAt:   day.Slots[0].ScheduledAt,
			CustomerName:  "Lucía Ejemplo",
			CustomerPhone: "+34600000012",
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("booked", *capture.ScheduledAt, capture.ConfirmationCode)
		break
	}
}

func ExampleCapturesClient_Change() {
	captureID := "01a1cf42-4ce8-73d6-85a3-a72be55533f4"
	_, err := client.Captures.Change(ctx, captureID, frontdesk.CaptureChange{
		ScheduledAt: frontdesk.Set("2027-03-04T17:30:00"),
		Notes:       frontdesk.Set("By the window"),
		PartySize:   frontdesk.Null[int](), // clears it; what is left out stays
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Captures.SetStatus(ctx, captureID, frontdesk.CaptureStatusCancelled)
	if err != nil {
		log.Fatal(err)
	}
}

func ExampleAgentsClient_Preview() {
	patch := frontdesk.AgentPatch{Policy: frontdesk.Ptr("Dogs are welcome.")} // Ptr("") would clear it
	preview, err := client.Agents.Preview(ctx, "dental-la-plaza", patch)
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range preview.Changes {
		fmt.Println(change.Path, change.From, "->", change.To)
	}
	if _, err := client.Agents.Update(ctx, "dental-la-plaza", patch); err != nil {
		log.Fatal(err)
	}
}

func ExampleRequestOptions_ifMatch() {
	var read frontdesk.Response
	calendar, err := client.Agents.Calendar.Get(ctx, "dental-la-plaza", frontdesk.RequestOptions{Response: &read})
	if err != nil {
		log.Fatal(err)
	}
	calendar.Exceptions = append(calendar.Exceptions, frontdesk.CalendarException{
		From: "2027-08-01", To: "2027-08-16", Reason: "Holidays",
	})
	_, err = client.Agents.Calendar.Replace(ctx, "dental-la-plaza", *calendar, frontdesk.RequestOptions{IfMatch: read.ETag()})
	if err != nil {
		log.Fatal(err) // Code is version_mismatch where somebody else was faster
	}
}

func ExampleDocumentsClient_Upload() {
	file, err := os.Open("questions.md")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	uploaded, err := client.Knowledge.Documents.Upload(ctx, file, frontdesk.Upload{Title: "Questions and answers"})
	if err != nil {
		log.Fatal(err)
	}
	document := &uploaded.Document
	for document.Status == frontdesk.DocumentStatusPending || document.Status == frontdesk.DocumentStatusProcessing {
		<-time.After(500 * time.Millisecond)
		if document, err = client.Knowledge.Documents.Get(ctx, document.ID); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(document.Title, document.Status, document.StatusHelp)
}

func ExampleKnowledgeClient_Ask() {
	answer, err := client.Knowledge.Ask(ctx, frontdesk.KnowledgeQuestion{Question: "Can I pay by card?"})
	if err != nil {
		log.Fatal(err)
	}
	if answer.Answered {
		fmt.Println(*answer.Answer, answer.MatchPct)
	}
}

func ExampleAnalyticsClient_Get() {
	week, err := client.Analytics.Get(ctx, frontdesk.AnalyticsParams{Days: 7})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(week.Totals.Calls, "calls,", week.Totals.Captures, "captures")
}

func ExampleConnectionsClient_Create() {
	connection, err := client.Connections.Create(ctx, frontdesk.ConnectionInput{
		Name:   "CRM",
		URL:    "https://crm.example.com/frontdesk",
		Events: []frontdesk.EventType{frontdesk.EventTypeCaptureCreated, frontdesk.EventTypeCallCompleted},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("keep this, it is not shown again:", connection.Secret)
}

func ExampleWebhookVerifier() {
	verifier := frontdesk.WebhookVerifier{
		Secrets: []string{os.Getenv("WEBHOOK_SECRET"), os.Getenv("WEBHOOK_SECRET_BEFORE")}, // an empty one is passed over
	}
	http.HandleFunc("POST /frontdesk", func(w http.ResponseWriter, r *http.Request) {
		event, err := verifier.VerifyRequest(r)
		if err != nil {
			log.Print(err)
			http.Error(w, "bad signature", http.StatusUnauthorized)
			return
		}
		switch event.Type {
		case frontdesk.EventTypeCaptureCreated, frontdesk.EventTypeCaptureUpdated:
			capture := event.Capture()
			log.Println(event.ID, capture.Kind, capture.CustomerName, capture.Status)
		case frontdesk.EventTypeCallCompleted:
			log.Println(event.ID, event.Call().Outcome)
		}
		w.WriteHeader(http.StatusNoContent) // any 2xx: received
	})
}

func ExampleEventsClient_All() {
	lastSeen := time.Now().Add(-time.Hour)
	for event, err := range client.Events.All(ctx, frontdesk.EventListParams{
		CreatedFrom: lastSeen.Add(-10 * time.Second),
	}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.ID, event.Type) // pass over the ids that you know
	}
}

func ExampleError() {
	_, err := client.Captures.Create(ctx, frontdesk.CaptureInput{Agent: "dental-la-plaza", ScheduledAt: "2027-01-01T03:00:00"})
	var answered *frontdesk.Error
	switch {
	case errors.Is(err, frontdesk.ErrConflict):
		fmt.Println("taken:", err) // its Message names what is free nearest
	case errors.Is(err, frontdesk.ErrTimeout):
		fmt.Println("no answer in time:", err)
	case errors.As(err, &answered):
		fmt.Println(answered.Status, answered.Code, answered.Param, answered.RequestID)
	case err != nil:
		fmt.Println("no answer:", err)
	}
}

func ExampleClient_Request() {
	var out struct {
		Calls []frontdesk.Call `json:"data"`
	}
	if err := client.Request(ctx, "GET", "/calls", frontdesk.Input{}, &out); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(out.Calls))
}
