package frontdesk

// Trade is what a business does that matters to the conversations it has. The
// verticals are values of it: who holds a conversation asks the trade, never the
// name of a vertical.
type Trade struct {
	SeatsParties    bool // people come in parties, and each takes a seat
	ShowsListings   bool // single homes or other offers are visited
	TakesOrders     bool // goods are ordered, for collection or delivery
	HasEmergencies  bool // callers may need help at once: pain, a leak, a locked door
	StaysOvernight  bool // what is booked has nights, not hours
	ComesToCustomer bool // the work may be done where the customer is: an address that is said belongs to it
	BooksPeople     bool // an appointment is with somebody, and callers may ask for whom
}

// TradeOf is the trade of a vertical; one that is not known has nothing special.
func TradeOf(vertical string) Trade {
	switch vertical {
	case "restaurant":
		return Trade{SeatsParties: true, TakesOrders: true}
	case "clinic": // of people or animals
		return Trade{HasEmergencies: true, BooksPeople: true}
	case "salon":
		return Trade{BooksPeople: true}
	case "real_estate":
		return Trade{ShowsListings: true, HasEmergencies: true, BooksPeople: true} // the repairs of what is let
	case "retail":
		return Trade{TakesOrders: true}
	case "services": // plumbers, garages, cleaners, lawyers
		return Trade{HasEmergencies: true, ComesToCustomer: true, BooksPeople: true}
	case "hotel":
		return Trade{StaysOvernight: true, HasEmergencies: true}
	}
	return Trade{}
}

// Trade is what the agent's business does.
func (a Agent) Trade() Trade { return TradeOf(a.Vertical) }

// What an appointment is to the people of a trade. The words for each are data of
// the languages.
const (
	AnAppointment = "appointment"
	ATable        = "table"
	AViewing      = "viewing"
	AStay         = "stay"
)

// Appointment is what an appointment is to the people of the trade.
func (t Trade) Appointment() string {
	switch {
	case t.SeatsParties:
		return ATable
	case t.ShowsListings:
		return AViewing
	case t.StaysOvernight:
		return AStay
	}
	return AnAppointment
}
