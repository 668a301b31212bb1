package frontdesk

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Agent is one receptionist of a business. Agents belong to the tenant and are
// the same in both modes.
type Agent struct {
	ID          ID
	TenantID    ID
	Slug        string
	Vertical    string
	DisplayName string
	Status      string
	Languages   []string // es, en; the first is the one it greets in
	Timezone    string
	Config      AgentConfig
	Settings    AgentSettings
	Revision    ID // of its last change that has a history; "": none has been made
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// What an agent can be.
const (
	AgentActive = "active"
	AgentPaused = "paused"
	AgentDraft  = "draft"
)

// TakesCalls says whether callers of a mode reach the agent. One that is not
// finished yet can be tried in test mode.
func (a Agent) TakesCalls(live bool) bool {
	return a.Status == AgentActive || a.Status == AgentDraft && !live
}

// Verticals are the trades an agent can be made for.
var Verticals = []string{"restaurant", "clinic", "salon", "real_estate", "retail", "services", "hotel", "general"}

// AgentStatuses are all values of Agent.Status.
var AgentStatuses = []string{AgentActive, AgentPaused, AgentDraft}

// Languages are those a receptionist speaks.
var Languages = []string{"es", "en"}

// AgentConfig is the part of an agent that its business writes. The lists of
// entries are kept as they were sent; nil means not set.
type AgentConfig struct {
	Business    Business
	Assistant   Assistant
	Voice       VoiceChoice
	PromptExtra string
	Specials    string
	Dietary     string
	Policy      string
	Services    json.RawMessage // an array of objects
	Listings    json.RawMessage // an array of objects
	Menu        json.RawMessage // an object of arrays of objects
	Products    json.RawMessage // an object of arrays of objects
	Hours       *Hours
}

// AgentSettings is the part of an agent that its operator writes; zero means the
// default.
type AgentSettings struct {
	ThresholdPct int // of a match, for an answer from the knowledge base to be given

	Capacity        int            // appointments at once; seats of a restaurant
	ServiceCapacity map[string]int // of services that have a capacity of their own, by id
	Notice          time.Duration  // that an appointment needs
	Horizon         time.Duration  // how far ahead appointments are made
	MaxParty        int            // people in one appointment
	Origins         []string       // of web pages that may show the agent; none: all may
	PrivacyURL      string         // the business's own page on privacy, for its visitors; "": there is none

	Rules    Rules  // for its calls
	Currency string // ISO 4217, of a price that is a bare number
	Calendar Calendar
	Notices  NoticeSettings

	TransferNumber string // of the person that calls are put through to, in E.164; "": nobody
}

// The defaults of an agent's settings.
const (
	DefaultThresholdPct = 60 // how likely an answer from the knowledge base must be right
	DefaultNotice       = 15 * time.Minute
	DefaultHorizon      = 180 * 24 * time.Hour
	DefaultSeats        = 40 // of a restaurant
	DefaultMaxParty     = 12 // of a restaurant
)

// Threshold is ThresholdPct, or the default.
func (s AgentSettings) Threshold() int { return cmp.Or(s.ThresholdPct, DefaultThresholdPct) }

// NoNotice is a Notice of none: who comes by can book for this minute.
const NoNotice = time.Duration(-1)

// MinimumNotice is Notice, or the default.
func (s AgentSettings) MinimumNotice() time.Duration { return max(0, cmp.Or(s.Notice, DefaultNotice)) }

// BookingHorizon is Horizon, or the default.
func (s AgentSettings) BookingHorizon() time.Duration { return cmp.Or(s.Horizon, DefaultHorizon) }

// The bounds of an agent's settings.
const (
	maxCapacity = 10_000
	maxNotice   = 30 * 24 * time.Hour
	maxHorizon  = 730 * 24 * time.Hour
	maxOrigins  = 100
)

// Check holds the settings to their bounds.
func (s AgentSettings) Check() error {
	if s.ThresholdPct < 0 || s.ThresholdPct > 100 {
		return InvalidParam("threshold", "threshold must be 1 to 100.")
	}
	if s.Capacity < 0 || s.Capacity > maxCapacity {
		return InvalidParam("capacity", "capacity must be 1 to %d.", maxCapacity)
	}
	for id, n := range s.ServiceCapacity {
		if id == "" || n < 1 || n > maxCapacity {
			return InvalidParam("service_capacity", "The capacity of the service %q must be 1 to %d.", id, maxCapacity)
		}
	}
	if s.MaxParty < 0 || s.MaxParty > maxCapacity {
		return InvalidParam("max_party", "max_party must be 1 to %d.", maxCapacity)
	}
	if s.Notice < 0 && s.Notice != NoNotice || s.Notice > maxNotice {
		return InvalidParam("notice", "notice must be 30 days at most.")
	}
	if s.Horizon < 0 || s.Horizon > maxHorizon {
		return InvalidParam("horizon", "horizon must be 730 days at most.")
	}
	if s.BookingHorizon() <= s.MinimumNotice() {
		return InvalidParam("horizon", "horizon must be longer than notice, or nothing can be booked.")
	}
	return s.checkRest()
}

// checkRest checks what has rules of its own.
func (s AgentSettings) checkRest() error {
	if s.Currency != "" && !isCurrency(s.Currency) {
		return InvalidParam("currency", "There is no currency %q; expected a code of ISO 4217 such as EUR.", s.Currency)
	}
	if err := s.Rules.Check(); err != nil {
		return err
	}
	if err := s.Notices.Check(); err != nil {
		return err
	}
	if s.TransferNumber != "" {
		if err := CheckE164("transfer_number", s.TransferNumber); err != nil {
			return err
		}
	}
	if err := checkPrivacyURL(s.PrivacyURL); err != nil {
		return err
	}
	return checkOrigins(s.Origins)
}

const maxPrivacyURL = 500

func checkPrivacyURL(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil || len(address) > maxPrivacyURL {
		return InvalidParam("privacy_url", "privacy_url must be the address of a page, such as https://www.example.com/privacy, of %d characters at most.", maxPrivacyURL)
	}
	return nil
}

func checkOrigins(origins []string) error {
	if len(origins) > maxOrigins {
		return InvalidParam("origins", "There can be %d origins at most.", maxOrigins)
	}
	for _, o := range origins {
		if strings.Contains(o, "*") {
			return InvalidParam("origins", "%q names no single site: a list has no wildcards. Write each site out, or leave the list empty to allow every site.", o)
		}
		if !isOrigin(o) {
			return InvalidParam("origins", "%q is no origin: expected a scheme and a host in lower case and nothing after them, such as https://www.example.com.", o)
		}
	}
	return nil
}

// isOrigin says whether s is an origin as browsers send it. The list stands in a
// header of the hosted page, where other characters would have a meaning.
func isOrigin(s string) bool {
	u, err := url.Parse(s)
	return err == nil && isWebsite(s) && s == u.Scheme+"://"+u.Host && !strings.ContainsFunc(u.Host, notInHosts)
}

func notInHosts(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("-.:[]_", r))
}

// Business is what the receptionist can say about the house it answers for.
type Business struct {
	Name          string
	Address       string
	Phone         string
	Website       string
	HoursHuman    string
	ShippingHuman string
	ReturnsHuman  string
	ZonesHuman    string
}

// Assistant is how the receptionist presents itself.
type Assistant struct {
	Name     string
	Greeting string
}

// VoiceChoice is the voice for each language, by id.
type VoiceChoice struct {
	ES string
	EN string
}

// AgentPatch is a change to an agent's configuration; nil fields stay as they
// are. Business, Assistant and Voice are merged property by property; the
// lists and the hours are replaced whole.
type AgentPatch struct {
	Business    BusinessPatch
	Assistant   AssistantPatch
	Voice       VoicePatch
	PromptExtra *string
	Specials    *string
	Dietary     *string
	Policy      *string
	Services    json.RawMessage
	Listings    json.RawMessage
	Menu        json.RawMessage
	Products    json.RawMessage
	Hours       *Hours
}

// BusinessPatch changes the properties of Business that it names.
type BusinessPatch struct {
	Name, Address, Phone, Website                       *string
	HoursHuman, ShippingHuman, ReturnsHuman, ZonesHuman *string
}

// AssistantPatch changes the properties of Assistant that it names.
type AssistantPatch struct{ Name, Greeting *string }

// VoicePatch changes the voices of the languages that it names.
type VoicePatch struct{ ES, EN *string }

// Apply returns the configuration with the patch laid over it.
func (p AgentPatch) Apply(c AgentConfig) AgentConfig {
	b := p.Business
	set(&c.Business.Name, b.Name)
	set(&c.Business.Address, b.Address)
	set(&c.Business.Phone, b.Phone)
	set(&c.Business.Website, b.Website)
	set(&c.Business.HoursHuman, b.HoursHuman)
	set(&c.Business.ShippingHuman, b.ShippingHuman)
	set(&c.Business.ReturnsHuman, b.ReturnsHuman)
	set(&c.Business.ZonesHuman, b.ZonesHuman)
	set(&c.Assistant.Name, p.Assistant.Name)
	set(&c.Assistant.Greeting, p.Assistant.Greeting)
	set(&c.Voice.ES, p.Voice.ES)
	set(&c.Voice.EN, p.Voice.EN)
	set(&c.PromptExtra, p.PromptExtra)
	set(&c.Specials, p.Specials)
	set(&c.Dietary, p.Dietary)
	set(&c.Policy, p.Policy)
	replace(&c.Services, p.Services)
	replace(&c.Listings, p.Listings)
	replace(&c.Menu, p.Menu)
	replace(&c.Products, p.Products)
	if p.Hours != nil {
		c.Hours = p.Hours
	}
	return c
}

// Check holds the rules that a schema cannot say: voices that exist in their
// language, and a website that a browser could open. "" clears either.
func (p AgentPatch) Check() error {
	if err := checkVoice("voice.es", "es", p.Voice.ES); err != nil {
		return err
	}
	if err := checkVoice("voice.en", "en", p.Voice.EN); err != nil {
		return err
	}
	if site := p.Business.Website; site != nil && *site != "" && !isWebsite(*site) {
		return InvalidParam("business.website", "business.website must be an absolute http or https address such as https://example.com.")
	}
	return nil
}

func checkVoice(param, language string, id *string) error {
	if id == nil || *id == "" {
		return nil
	}
	if v, ok := VoiceByID(*id); !ok || v.Language != language {
		return InvalidParam(param, "%s must be the id of a voice with language %q; GET /voices lists them.", param, language)
	}
	return nil
}

func isWebsite(s string) bool {
	if strings.ContainsAny(s, " \t\r\n<>\"\\^`{|}") {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.Opaque == ""
}

func set(dst, src *string) {
	if src != nil {
		*dst = *src
	}
}

func replace(dst *json.RawMessage, src json.RawMessage) {
	if src != nil {
		*dst = src
	}
}

// protected are the fields of an agent that its business cannot write.
var protected = []string{
	"slug", "vertical", "status", "display_name", "demo_fixtures", "id", "tenant_id", "livemode",
	"transfer_number", "provider", "providers", "provider_settings", "model", "llm", "stt", "tts",
	"prompt", "system_prompt", "tools", "behavior", "behaviour", "plan", "limits", "plan_limits",
	"timezone", "languages", "rules", "currency", "calendar",
}

// IsProtectedAgentField says whether a customer who names this field is told
// that it is protected, rather than unknown.
func IsProtectedAgentField(name string) bool { return slices.Contains(protected, name) }

// Check says whether the agent as a whole is fit to be stored.
func (a Agent) Check() error {
	if err := CheckSlug(a.Slug); err != nil {
		return err
	}
	if !slices.Contains(Verticals, a.Vertical) {
		return InvalidParam("vertical", "There is no vertical %q; there are: %s.", a.Vertical, strings.Join(Verticals, ", "))
	}
	if !slices.Contains(AgentStatuses, a.Status) {
		return InvalidParam("status", "There is no status %q; there are: %s.", a.Status, strings.Join(AgentStatuses, ", "))
	}
	if a.DisplayName == "" {
		return InvalidParam("display_name", "An agent needs a name.")
	}
	if len(a.Languages) == 0 {
		return InvalidParam("languages", "An agent needs at least one language: es, en.")
	}
	for _, l := range a.Languages {
		if !slices.Contains(Languages, l) {
			return InvalidParam("languages", "There is no language %q; there are: es, en.", l)
		}
	}
	_, err := LoadZone(a.Timezone)
	return err
}

// Currency is what a price that is a bare number means: as the operator set it,
// else that of the country which the time zone suggests.
func (a Agent) Currency() string { return cmp.Or(a.Settings.Currency, CurrencyOf(a.Timezone)) }

// Patched is the agent with a change to its configuration. Where its calendar
// has openings, a change of the hours is one of the days that differ from what
// the hours showed: the others keep their breaks.
func (a Agent) Patched(p AgentPatch) Agent {
	a.Config = p.Apply(a.Config)
	if week := a.Settings.Calendar.Openings; week != nil && p.Hours != nil {
		changed := week.Patched(*p.Hours)
		hull := changed.Hull()
		a.Settings.Calendar.Openings, a.Config.Hours = &changed, &hull
	}
	return a
}

// AgentBasics lists what differs between two versions of an agent, of what a new
// one is given; its configuration is in its history.
func AgentBasics(before, after Agent) []FieldChange {
	var c changes
	c.text("slug", before.Slug, after.Slug)
	c.text("display_name", before.DisplayName, after.DisplayName)
	c.text("vertical", before.Vertical, after.Vertical)
	c.text("status", before.Status, after.Status)
	c.list("languages", before.Languages, after.Languages)
	c.text("timezone", before.Timezone, after.Timezone)
	return append(c, OperatorChanges(before.Settings, after.Settings)...)
}

// OperatorChanges lists what differs between two settings, of those that only an
// operator writes and that have no history.
func OperatorChanges(before, after AgentSettings) []FieldChange {
	var c changes
	c.number("threshold", int64(before.ThresholdPct), int64(after.ThresholdPct))
	c.list("origins", before.Origins, after.Origins)
	c.text("privacy_url", before.PrivacyURL, after.PrivacyURL)
	c.text("transfer_number", before.TransferNumber, after.TransferNumber)
	return c
}
