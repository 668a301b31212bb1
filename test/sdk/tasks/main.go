// Command tasks does the tasks of docs/sdk.md, which shows what stands between the
// marks.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	frontdesk "frontdesk.dev/frontdesk/sdk/go"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	// task 1
	client, err := frontdesk.New(frontdesk.Options{}) // FRONTDESK_API_KEY, FRONTDESK_BASE_URL
	if err != nil {
		return err
	}
	me, err := client.Whoami(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("1: key of %s, live: %t\n", me.Tenant.Slug, me.Livemode)
	// end
	for _, task := range []func(context.Context, *frontdesk.Client) error{
		goThroughCalls, readCall, bookAndMove, changeReceptionist, uploadAndAsk, connect, verify, handleErrors,
	} {
		if err := task(ctx, client); err != nil {
			return err
		}
	}
	return nil
}

func goThroughCalls(ctx context.Context, client *frontdesk.Client) error {
	// task 2
	booked := 0
	for call, err := range client.Calls.All(ctx, frontdesk.CallListParams{
		Outcome:     frontdesk.OutcomeBooking,
		StartedFrom: time.Now().AddDate(0, 0, -7),
	}) {
		if err != nil {
			return err
		}
		if booked == 0 && call.Summary != nil {
			fmt.Println("2: newest:", call.Summary.Title)
		}
		booked++
	}
	fmt.Printf("2: %d bookings in a week\n", booked)
	// end
	return nil
}

func readCall(ctx context.Context, client *frontdesk.Client) error {
	// task 3
	page, err := client.Calls.List(ctx, frontdesk.CallListParams{Limit: 1})
	if err != nil {
		return err
	}
	call, err := client.Calls.Get(ctx, page.Data[0].ID)
	if err != nil {
		return err
	}
	if call.Transcript != nil {
		for _, turn := range call.Transcript.Turns {
			fmt.Printf("3: %s: %s\n", turn.Role, turn.Text)
		}
	}
	// end
	return nil
}

func bookAndMove(ctx context.Context, client *frontdesk.Client) error {
	// task 4
	free, err := client.Agents.Availability(ctx, "dental-la-plaza", frontdesk.AvailabilityParams{
		From:      time.Now().AddDate(0, 0, 1).Format(time.DateOnly),
		To:        time.Now().AddDate(0, 0, 8).Format(time.DateOnly),
		ServiceID: "limpieza",
	})
	if err != nil {
		return err
	}
	var slots []frontdesk.Slot
	for _, day := range free.Days {
		slots = append(slots, day.Slots...)
	}
	appointment, err := client.Captures.Create(ctx, frontdesk.CaptureInput{
		Agent:         "dental-la-plaza",
		ServiceID:     "limpieza",
		ScheduledAt:   slots[0].ScheduledAt,
		CustomerName:  "Lucía Ejemplo",
		CustomerPhone: "+34600000012",
	})
	if err != nil {
		return err
	}
	fmt.Printf("4: booked %s, code %s\n", appointment.Service, appointment.ConfirmationCode)
	// end

	// task 5
	var response frontdesk.Response
	if _, err := client.Captures.Get(ctx, appointment.ID, frontdesk.RequestOptions{Response: &response}); err != nil {
		return err
	}
	_, err = client.Captures.Change(ctx, appointment.ID, frontdesk.CaptureChange{
		ScheduledAt: frontdesk.Set(slots[len(slots)-1].ScheduledAt),
		Notes:       frontdesk.Null[string](),
	}, frontdesk.RequestOptions{IfMatch: response.ETag()})
	if err != nil {
		return err
	}
	appointment, err = client.Captures.SetStatus(ctx, appointment.ID, frontdesk.CaptureStatusCancelled)
	if err != nil {
		return err
	}
	fmt.Println("5: the appointment is", appointment.Status)
	// end
	return nil
}

func changeReceptionist(ctx context.Context, client *frontdesk.Client) error {
	// task 6
	patch := frontdesk.AgentPatch{Specials: frontdesk.Ptr("Hoy: arroz con bogavante")}
	preview, err := client.Agents.Preview(ctx, "casa-lola", patch)
	if err != nil {
		return err
	}
	for _, change := range preview.Changes {
		fmt.Printf("6: %s would be %v\n", change.Path, change.To)
	}
	agent, err := client.Agents.Update(ctx, "casa-lola", patch)
	if err != nil {
		return err
	}
	fmt.Println("6: now", agent.Config.Specials)
	// end
	return nil
}

func uploadAndAsk(ctx context.Context, client *frontdesk.Client) error {
	// task 7
	text := strings.NewReader("# Parking\n\nThere is free parking behind the shop for two hours.\n")
	uploaded, err := client.Knowledge.Documents.Upload(ctx, text, frontdesk.Upload{Filename: "parking.md"})
	if err != nil {
		return err
	}
	document := &uploaded.Document
	for document.Status == frontdesk.DocumentStatusPending || document.Status == frontdesk.DocumentStatusProcessing {
		time.Sleep(500 * time.Millisecond)
		if document, err = client.Knowledge.Documents.Get(ctx, document.ID); err != nil {
			return err
		}
	}
	answer, err := client.Knowledge.Ask(ctx, frontdesk.KnowledgeQuestion{Question: "Is there parking behind the shop?"})
	if err != nil {
		return err
	}
	fmt.Printf("7: answered: %t, from %s\n", answer.Answered, answer.Sources[0].Title)
	// end
	return nil
}

func connect(ctx context.Context, client *frontdesk.Client) error {
	// task 8
	connection, err := client.Connections.Create(ctx, frontdesk.ConnectionInput{
		Name:   "CRM",
		URL:    "https://crm.example.com/frontdesk",
		Events: []frontdesk.EventType{frontdesk.EventTypeCaptureCreated, frontdesk.EventTypeCallCompleted},
	})
	if err != nil {
		return err
	}
	fmt.Printf("8: keep the secret %s…\n", connection.Secret[:10]) // it is not shown again
	// end
	return nil
}

func verify(context.Context, *frontdesk.Client) error {
	body, header, secrets, err := received()
	if err != nil {
		return err
	}

	// task 9
	// In your receiver: body is the bytes as they came, secrets is one or, after a rotation, two.
	event, err := frontdesk.VerifyWebhook(body, header, secrets...)
	if err != nil {
		return err
	}
	if capture := event.Capture(); capture != nil && event.Type == frontdesk.EventTypeCaptureCreated {
		fmt.Printf("9: %s left a %s\n", capture.CustomerName, capture.Kind)
	}
	// end
	return nil
}

// received reads a delivery.
func received() ([]byte, http.Header, []string, error) {
	text, err := os.ReadFile(os.Getenv("TASKS_WEBHOOK"))
	if err != nil {
		return nil, nil, nil, err
	}
	var in struct {
		Body    string
		Headers map[string]string
		Secrets []string
	}
	err = json.Unmarshal(text, &in)
	header := http.Header{}
	for name, value := range in.Headers {
		header.Set(name, value)
	}
	return []byte(in.Body), header, in.Secrets, err
}

func handleErrors(ctx context.Context, client *frontdesk.Client) error {
	// task 10
	_, err := client.Calls.Get(ctx, "no-such-call",
		frontdesk.RequestOptions{Timeout: 5 * time.Second, MaxRetries: frontdesk.NoRetries})
	var apiError *frontdesk.Error
	switch {
	case errors.Is(err, frontdesk.ErrNotFound) && errors.As(err, &apiError):
		fmt.Println("10: not there:", apiError.Code)
	case errors.As(err, &apiError):
		fmt.Println("10:", err) // names the request id
	case errors.Is(err, frontdesk.ErrConnection):
		fmt.Println("10: no answer")
	}
	// end
	return nil
}
