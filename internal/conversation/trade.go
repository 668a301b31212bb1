package conversation

// Trade is what the engine asks of a business's trade, instead of its name.
type Trade struct {
	SeatsParties   bool // how many come is asked for
	UsualService   bool // what is booked without being named is the first service: a table
	HasEmergencies bool
	ShowsListings  bool
}

// tradeOf is the trade of a vertical.
func tradeOf(vertical string) Trade {
	switch vertical {
	case "restaurant":
		return Trade{SeatsParties: true, UsualService: true}
	case "hotel":
		return Trade{SeatsParties: true}
	case "real_estate":
		return Trade{ShowsListings: true}
	}
	return Trade{HasEmergencies: true}
}
