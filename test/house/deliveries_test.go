package house

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestTheDrawingOfDeliveries walks the rules and compares with the drawing of
// docs/deliveries.md.
func TestTheDrawingOfDeliveries(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/deliveries.md")
	if err != nil {
		t.Fatal(err)
	}
	var drawn []string
	for _, m := range regexp.MustCompile(`(?m)^    ([a-z]+) --> ([a-z]+):`).FindAllStringSubmatch(string(text), -1) {
		drawn = append(drawn, m[1]+" "+m[2])
	}
	moves := map[string]bool{"pending delivering": true, "delivering delivering": true} // claimed; the lease ran out
	now := time.Now()
	for _, s := range frontdesk.DeliveryStatuses {
		if (frontdesk.Delivery{Status: s}).Retryable() == nil {
			moves[string(s)+" delivering"] = true
		}
	}
	for attempts := range frontdesk.MaxAttempts + 1 {
		for _, a := range []frontdesk.Attempt{{HTTPStatus: 200}, {ErrorCode: frontdesk.Gone}, {ErrorCode: frontdesk.HTTP5xx}} {
			d := frontdesk.Delivery{Status: frontdesk.DeliveryDelivering, Attempts: attempts, MaxAttempts: frontdesk.MaxAttempts}
			moves["delivering "+string(d.After(a, now, 0.5).Status)] = true
		}
	}
	for _, move := range drawn {
		if !moves[move] {
			t.Errorf("drawn, but never made: %s", move)
		}
		delete(moves, move)
	}
	for move := range moves {
		t.Errorf("made, but not drawn: %s", move)
	}
	rows := regexp.MustCompile(`(?m)^\| (\d) \| (.+) \|$`).FindAllStringSubmatch(string(text), -1)
	var told, want []string
	for _, row := range rows {
		told = append(told, row[2])
	}
	for i, wait := range frontdesk.RetrySchedule() {
		switch {
		case i == 0:
			want = append(want, "nothing")
		case wait < time.Minute:
			want = append(want, fmt.Sprintf("%.0f s", wait.Seconds()))
		case wait < time.Hour:
			want = append(want, fmt.Sprintf("%.0f min", wait.Minutes()))
		default:
			want = append(want, fmt.Sprintf("%.0f h", wait.Hours()))
		}
	}
	if !slices.Equal(told, want) {
		t.Errorf("the schedule is told as %v, it is %v", told, want)
	}
}
