package app

import (
	"fmt"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/egress"
)

// CheckOutbound says what serve would refuse about the settings of the way out.
func CheckOutbound(s config.Settings) error {
	if _, err := webhookGuard(s); err != nil {
		return err
	}
	_, err := calendarGuard(s)
	return err
}

func webhookGuard(s config.Settings) (*egress.Guard, error) {
	guard, err := egress.New(egress.Options{Allow: fields(s.WebhookAllow), CAFile: s.WebhookCA, Proxy: s.WebhookProxy})
	if err != nil {
		return nil, fmt.Errorf("FRONTDESK_WEBHOOK_ALLOW, FRONTDESK_WEBHOOK_CA or FRONTDESK_WEBHOOK_PROXY: %w", err)
	}
	return guard, nil
}

func calendarGuard(s config.Settings) (*egress.Guard, error) {
	guard, err := egress.New(egress.Options{Allow: fields(s.CalendarAllow), CAFile: s.CalendarCA, Proxy: s.WebhookProxy})
	if err != nil {
		return nil, fmt.Errorf("FRONTDESK_CALENDAR_ALLOW, FRONTDESK_CALENDAR_CA or FRONTDESK_WEBHOOK_PROXY: %w", err)
	}
	return guard, nil
}
