package frontdesk_test

import (
	"errors"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

var (
	sent    = time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC)
	ok200   = frontdesk.Attempt{HTTPStatus: 200, Latency: 40 * time.Millisecond}
	bad500  = frontdesk.Attempt{HTTPStatus: 500, ErrorCode: frontdesk.HTTP5xx, Message: "The receiver answered 500."}
	gone410 = frontdesk.Attempt{HTTPStatus: 410, ErrorCode: frontdesk.Gone}
)

// flying is a delivery that a worker has, after so many attempts before.
func flying(attempts int) frontdesk.Delivery {
	d := frontdesk.Delivery{ID: "d", Status: frontdesk.DeliveryFailed, Attempts: attempts, MaxAttempts: frontdesk.MaxAttempts, CreatedAt: sent}
	return d.Begin(sent.Add(frontdesk.DeliveryLease))
}

func TestTheScheduleOfADelivery(t *testing.T) {
	t.Parallel()
	waits := []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
	}
	for _, chance := range []float64{0, 0.25, 0.5, 0.75, 1} {
		d, now := flying(0), sent
		for i, wait := range waits {
			d = d.After(bad500, now, chance)
			if d.Status != frontdesk.DeliveryFailed || d.Attempts != i+1 {
				t.Fatalf("after attempt %d it is %s with %d attempts", i+1, d.Status, d.Attempts)
			}
			got, want := d.NextAttemptAt.Sub(now), time.Duration(float64(wait)*(0.8+0.4*chance))
			if (got - want).Abs() > time.Millisecond {
				t.Errorf("chance %v: attempt %d waits %v, not %v", chance, i+2, got, want)
			}
			now = d.NextAttemptAt
			d = d.Begin(now.Add(frontdesk.DeliveryLease))
		}
		d = d.After(bad500, now, chance)
		if d.Status != frontdesk.DeliveryDead || d.Attempts != 8 || !d.NextAttemptAt.IsZero() {
			t.Errorf("after the last attempt: %+v", d)
		}
	}
	if frontdesk.MaxAttempts != 8 {
		t.Errorf("%d attempts", frontdesk.MaxAttempts)
	}
}

func TestRetrySchedule(t *testing.T) {
	t.Parallel()
	got := frontdesk.RetrySchedule()
	if len(got) != 8 || got[0] != 0 || got[7] != 10*time.Hour {
		t.Errorf("got %v", got)
	}
	got[1] = time.Hour
	if frontdesk.RetrySchedule()[1] != 5*time.Second {
		t.Error("a caller can change the schedule")
	}
}

func TestRetryAfterMovesTheNextAttempt(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		attempts    int
		asked, want time.Duration
	}{
		"nothing asked":                      {0, 0, 5 * time.Second},
		"later than planned":                 {0, time.Hour, time.Hour},
		"earlier than planned":               {1, 10 * time.Second, 5 * time.Minute},
		"a day":                              {0, 24 * time.Hour, 24 * time.Hour},
		"more than a day is a day":           {0, 25 * time.Hour, 24 * time.Hour},
		"a year is a day":                    {3, 365 * 24 * time.Hour, 24 * time.Hour},
		"earlier than a late attempt":        {6, 9 * time.Hour, 10 * time.Hour},
		"less than nothing":                  {0, -time.Hour, 5 * time.Second},
		"later than the last planned retry":  {6, 20 * time.Hour, 20 * time.Hour},
		"as long as planned makes no change": {0, 5 * time.Second, 5 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := frontdesk.Attempt{HTTPStatus: 503, ErrorCode: frontdesk.HTTP5xx, RetryAfter: tt.asked}
			if got := flying(tt.attempts).After(a, sent, 0.5).NextAttemptAt.Sub(sent); got != tt.want {
				t.Errorf("waits %v, not %v", got, tt.want)
			}
		})
	}
}

func TestAfterAnAttempt(t *testing.T) {
	t.Parallel()
	test := flying(0)
	test.MaxAttempts = 1
	tests := map[string]struct {
		before  frontdesk.Delivery
		attempt frontdesk.Attempt
		want    frontdesk.DeliveryStatus
		next    bool
	}{
		"a first attempt that succeeds":        {flying(0), ok200, frontdesk.DeliveryDelivered, false},
		"a first attempt that fails":           {flying(0), bad500, frontdesk.DeliveryFailed, true},
		"the seventh fails":                    {flying(6), bad500, frontdesk.DeliveryFailed, true},
		"the eighth fails":                     {flying(7), bad500, frontdesk.DeliveryDead, false},
		"the eighth succeeds":                  {flying(7), ok200, frontdesk.DeliveryDelivered, false},
		"gone at the first attempt":            {flying(0), gone410, frontdesk.DeliveryDead, false},
		"a manual retry of a dead one fails":   {flying(8), bad500, frontdesk.DeliveryDead, false},
		"another manual retry of it fails":     {flying(30), bad500, frontdesk.DeliveryDead, false},
		"a manual retry of a dead one is good": {flying(8), ok200, frontdesk.DeliveryDelivered, false},
		"a test that fails":                    {test, bad500, frontdesk.DeliveryDead, false},
		"a test that succeeds":                 {test, ok200, frontdesk.DeliveryDelivered, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := tt.before
			d := before.After(tt.attempt, sent, 0.5)
			if d.Status != tt.want || d.NextAttemptAt.IsZero() == tt.next || d.Attempts != before.Attempts {
				t.Errorf("got %+v", d)
			}
			if !d.LeaseUntil.IsZero() || !d.Tried || d.Latency != tt.attempt.Latency || d.HTTPStatus != tt.attempt.HTTPStatus ||
				d.ErrorCode != tt.attempt.ErrorCode || d.Message != tt.attempt.Message {
				t.Errorf("the attempt is not in it: %+v", d)
			}
			if delivered := d.DeliveredAt.Equal(sent); delivered != tt.attempt.OK() {
				t.Errorf("delivered at %v", d.DeliveredAt)
			}
			if before != tt.before {
				t.Error("After changed what it was called on")
			}
		})
	}
}

// What went wrong before is not told of a delivery that arrived in the end.
func TestASuccessForgetsTheFailure(t *testing.T) {
	t.Parallel()
	d := flying(0).After(bad500, sent, 0.5)
	d = d.Begin(sent.Add(time.Hour)).After(ok200, sent.Add(time.Minute), 0.5)
	if d.ErrorCode != "" || d.Message != "" || d.HTTPStatus != 200 || !d.NextAttemptAt.IsZero() || d.Attempts != 2 {
		t.Errorf("got %+v", d)
	}
}

func TestWhatCanBeRetried(t *testing.T) {
	t.Parallel()
	tests := map[frontdesk.DeliveryStatus]bool{
		frontdesk.DeliveryPending: false, frontdesk.DeliveryDelivering: false, frontdesk.DeliveryDelivered: false,
		frontdesk.DeliveryFailed: true, frontdesk.DeliveryDead: true,
	}
	if len(tests) != len(frontdesk.DeliveryStatuses) {
		t.Errorf("there are %d statuses", len(frontdesk.DeliveryStatuses))
	}
	for status, can := range tests {
		err := frontdesk.Delivery{Status: status}.Retryable()
		var e *frontdesk.Error
		if can != (err == nil) || !can && (!errors.As(err, &e) || e.Kind != frontdesk.Invalid || e.Code != "delivery_not_retryable") {
			t.Errorf("%s: %v", status, err)
		}
	}
}

// The drawing: from where to where, and how. Every walk of it ends, and no move
// leads out of it.
func TestTheDrawingOfDeliveries(t *testing.T) {
	t.Parallel()
	claim := func(d frontdesk.Delivery) frontdesk.Delivery {
		d.Status, d.LeaseUntil, d.NextAttemptAt = frontdesk.DeliveryDelivering, sent.Add(frontdesk.DeliveryLease), time.Time{}
		return d
	}
	drawn := map[frontdesk.DeliveryStatus][]frontdesk.DeliveryStatus{
		frontdesk.DeliveryPending:    {frontdesk.DeliveryDelivering},
		frontdesk.DeliveryDelivering: {frontdesk.DeliveryDelivered, frontdesk.DeliveryFailed, frontdesk.DeliveryDead},
		frontdesk.DeliveryFailed:     {frontdesk.DeliveryDelivering},
		frontdesk.DeliveryDead:       {frontdesk.DeliveryDelivering}, // by hand
		frontdesk.DeliveryDelivered:  nil,
	}
	moves := map[frontdesk.DeliveryStatus]map[frontdesk.DeliveryStatus]bool{}
	var walk func(d frontdesk.Delivery, steps int)
	walk = func(d frontdesk.Delivery, steps int) {
		var next []frontdesk.Delivery
		switch {
		case d.Status == frontdesk.DeliveryDelivering:
			for _, a := range []frontdesk.Attempt{ok200, bad500, gone410} {
				next = append(next, d.After(a, sent, 0.5))
			}
		case d.Status == frontdesk.DeliveryPending || d.Retryable() == nil:
			next = append(next, claim(d))
		}
		for _, n := range next {
			if moves[d.Status] == nil {
				moves[d.Status] = map[frontdesk.DeliveryStatus]bool{}
			}
			moves[d.Status][n.Status] = true
			if steps > 0 && n.Status != d.Status {
				walk(n, steps-1)
			}
		}
	}
	walk(frontdesk.Delivery{Status: frontdesk.DeliveryPending, MaxAttempts: 3, NextAttemptAt: sent}, 12)
	for from, all := range drawn {
		if len(moves[from]) != len(all) {
			t.Errorf("from %s lead %v, drawn are %v", from, moves[from], all)
		}
		for _, to := range all {
			if !moves[from][to] {
				t.Errorf("nothing leads from %s to %s", from, to)
			}
		}
	}
}
