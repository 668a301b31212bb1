package conversation

// A turn is made by several parts, each with its own concern. They share the
// turn: what was heard, the state, what is said.
type (
	talk        struct{ *turn } // what to do first, and small talk
	questions   struct{ *turn } // what data and documents answer
	prices      struct{ *turn } // what services cost, and what that includes
	arrangement struct{ *turn } // what is being arranged, whatever it is
	booking     struct{ *turn } // an appointment to be made
	times       struct{ *turn } // the days and times that were said
	own         struct{ *turn } // an appointment that exists
	messages    struct{ *turn } // messages, orders, emergencies
)

func (t *turn) talk() talk               { return talk{t} }
func (t *turn) questions() questions     { return questions{t} }
func (t *turn) prices() prices           { return prices{t} }
func (t *turn) arrangement() arrangement { return arrangement{t} }
func (t *turn) booking() booking         { return booking{t} }
func (t *turn) times() times             { return times{t} }
func (t *turn) own() own                 { return own{t} }
func (t *turn) messages() messages       { return messages{t} }
