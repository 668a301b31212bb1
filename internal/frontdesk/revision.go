package frontdesk

import "time"

// Actor is who changed something. The zero one is nobody that is asked about it:
// a caller, the receptionist, the program itself.
type Actor struct {
	Kind string // ByKey, ByPerson or ByOperatorActing
	Name string
	ID   ID // of the key or the person, which may share a name; kept in the audit log alone
}

// The kinds of actors.
const (
	ByKey            = "key"      // a customer's program
	ByPerson         = "person"   // a person in the console
	ByOperatorActing = "operator" // the command line, or an operator in the console
)

// Revision is an agent as it was from a change on.
type Revision struct {
	ID        ID // minted at ChangedAt
	AgentID   ID
	By        Actor
	Fields    []string // what the change touched
	Config    AgentConfig
	Settings  AgentSettings
	ChangedAt time.Time
}

// Restored is the agent with the configuration, the calendar and the rules that
// it had after a change. What only its operator sets beside stays as it is.
func (a Agent) Restored(r Revision) Agent {
	a.Config = r.Config
	s := a.Settings
	a.Settings = r.Settings
	a.Settings.ThresholdPct, a.Settings.Origins, a.Settings.PrivacyURL, a.Settings.TransferNumber = s.ThresholdPct, s.Origins, s.PrivacyURL, s.TransferNumber
	return a
}
