package conversation

// A turn is made by several parts, each with its own concern. They share the
// turn: what was heard, the state, what is said.
type (
	talk        struct{ *turn } // what to do first, and small talk
	questions   struct{ *turn } // what is asked, and what is done about an answer
	underway    struct{ *turn } // what is asked of what is being arranged
	arrangement struct{ *turn } // what is being arranged, whatever it is
	values      struct{ *turn } // what was said for an arrangement, put where it belongs
	consent     struct{ *turn } // what is read back, and the answer to it
	booking     struct{ *turn } // an appointment to be made
	matter      struct{ *turn } // what an appointment is for
	contacts    struct{ *turn } // who the caller is, and how they are reached
	times       struct{ *turn } // the days and times that were said
	own         struct{ *turn } // an appointment that exists
	messages    struct{ *turn } // messages for the business
	orders      struct{ *turn } // things that are ordered
	emergencies struct{ *turn } // what cannot wait
	notes       struct{ *turn } // what is noted beside what is arranged
)

func (t *turn) talk() talk               { return talk{t} }
func (t *turn) questions() questions     { return questions{t} }
func (t *turn) arrangement() arrangement { return arrangement{t} }
func (t *turn) values() values           { return values{t} }
func (t *turn) underway() underway       { return underway{t} }
func (t *turn) matter() matter           { return matter{t} }
func (t *turn) attendants() attendants   { return attendants{t} }
func (t *turn) consent() consent         { return consent{t} }
func (t *turn) booking() booking         { return booking{t} }
func (t *turn) contacts() contacts       { return contacts{t} }
func (t *turn) times() times             { return times{t} }
func (t *turn) own() own                 { return own{t} }
func (t *turn) messages() messages       { return messages{t} }
func (t *turn) orders() orders           { return orders{t} }
func (t *turn) emergencies() emergencies { return emergencies{t} }
func (t *turn) notes() notes             { return notes{t} }
