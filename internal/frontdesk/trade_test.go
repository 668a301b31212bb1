package frontdesk_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestTrades(t *testing.T) {
	t.Parallel()
	for _, vertical := range frontdesk.Verticals {
		trade := frontdesk.Agent{Vertical: vertical}.Trade()
		if special := trade != (frontdesk.Trade{}); special != (vertical != "general") {
			t.Errorf("%s: %+v", vertical, trade)
		}
		if trade.SeatsParties != (vertical == "restaurant") || trade.StaysOvernight != (vertical == "hotel") || trade.ShowsListings != (vertical == "real_estate") {
			t.Errorf("%s: %+v", vertical, trade)
		}
	}
	if got := frontdesk.TradeOf("smithy"); got != (frontdesk.Trade{}) {
		t.Errorf("a trade that is not known: %+v", got)
	}
}
