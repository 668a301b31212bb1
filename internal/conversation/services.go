package conversation

import "frontdesk.dev/frontdesk/internal/catalogue"

// Services are those of the engine's agent, bookable or not, as its catalogue
// has them.
func (e *Engine) Services() []catalogue.Service { return e.catalogue.Services }
