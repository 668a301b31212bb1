package console

import (
	"encoding/json"
	"net/http"
	"strconv"

	"frontdesk.dev/frontdesk/internal/privacy"
	"frontdesk.dev/frontdesk/internal/store"
)

// privacyPage says what is kept and for how long, and gives out or erases what is
// known of one person.
type privacyPage struct {
	Calls, Transcripts, Captures, Questions, Events string // how long

	Phone, Fault string
	Searched     bool
	Found        []foundRows // of the person with that number
}

// foundRows is how much of one kind is known of a person.
type foundRows struct {
	What string
	N    int
}

func (c peopleScreen) privacy(v *visit) (answer, error) {
	return c.showPrivacy(v, http.StatusOK, privacyPage{})
}

func (c peopleScreen) showPrivacy(v *visit, status int, p privacyPage) (answer, error) {
	tenant, err := c.store.Tenant(v.Context(), v.owner())
	if err != nil {
		return answer{}, err
	}
	plan := tenant.Plan
	p.Calls, p.Transcripts, p.Captures = daysKept(v, plan.CallDays), daysKept(v, plan.TranscriptDays), daysKept(v, plan.CaptureDays)
	p.Questions, p.Events = daysKept(v, plan.QuestionsKept()), daysKept(v, plan.EventsKept())
	return v.render(status, "privacy", p)
}

func daysKept(v *visit, days int) string {
	switch days {
	case 0:
		return v.say("kept_for_good")
	case 1:
		return v.say("kept_days_one")
	}
	return v.say("kept_days", "n", strconv.Itoa(days))
}

// findCaller says how much is known of a person. The number comes in the body: an
// address would be logged.
func (c peopleScreen) findCaller(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	return c.showCaller(v, http.StatusOK, "")
}

// showCaller shows the page with what is known of who was asked for.
func (c peopleScreen) showCaller(v *visit, status int, fault string) (answer, error) {
	page := privacyPage{Phone: v.field("phone"), Fault: fault}
	found, err := c.keeper.Find(v.Context(), v.owner(), page.Phone)
	if _, text, ok := faultOf(v, err); ok {
		page.Fault = text
		return c.showPrivacy(v, http.StatusBadRequest, page)
	}
	if err != nil {
		return answer{}, err
	}
	page.Searched = true
	rows := found.Rows()
	for _, kind := range store.TraceKinds {
		if rows[kind] > 0 {
			page.Found = append(page.Found, foundRows{v.say("found_" + string(kind)), rows[kind]})
		}
	}
	return c.showPrivacy(v, status, page)
}

// exportCaller is all that is known of a person as a file.
func (c peopleScreen) exportCaller(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	found, err := c.keeper.Find(v.Context(), v.owner(), v.field("phone"))
	if err != nil {
		return answer{}, err
	}
	text, err := json.MarshalIndent(map[string]privacy.Caller{v.mode.name: found}, "", "  ")
	return v.download("caller.json", "application/json", text), err
}

// eraseCaller erases all that is known of a person, once who asks has said so. It
// cannot be undone.
func (c peopleScreen) eraseCaller(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	if v.field("sure") != "yes" {
		return c.showCaller(v, http.StatusBadRequest, v.say("erase_say_sure"))
	}
	if _, err := c.keeper.Erase(v.Context(), v.owner(), v.person.Actor(), v.field("phone")); err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"people/privacy", said{Text: v.say("erased")}), nil
}
