package console

import (
	"net/http"
	"strings"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// peopleScreen is who works with the console, and what they did.
type peopleScreen struct{ *Console }

// peoplePage lists the people of the tenant, with a form to invite one more.
type peoplePage struct {
	People       []personLine
	Form         inviteForm
	Field, Fault string
	Mails        bool
	Businesses   string // that whoever is invited sees; "": there is but one
}

// personLine is one of them.
type personLine struct {
	ID          frontdesk.ID
	Name, Email string
	Role        frontdesk.Role
	Seen        string // "": never
	Me          bool
}

// inviteForm is what was typed.
type inviteForm struct {
	Name, Email string
	Roles       []choice
	Languages   []choice
}

func (c peopleScreen) show(v *visit) (answer, error) {
	return c.list(v, http.StatusOK, peoplePage{Form: newInvite(v, string(frontdesk.RoleStaff), v.lang.Code)})
}

func newInvite(v *visit, role, language string) (f inviteForm) {
	f.Roles = roleChoices(v, frontdesk.Role(role))
	for _, code := range frontdesk.Languages {
		f.Languages = append(f.Languages, choice{v.say("language_" + code), code, code == language})
	}
	return f
}

// roleChoices are the roles with what each may do.
func roleChoices(v *visit, chosen frontdesk.Role) (all []choice) {
	for _, r := range frontdesk.TenantRoles {
		all = append(all, choice{v.say("role_" + string(r)), string(r), r == chosen})
	}
	return all
}

func (c peopleScreen) list(v *visit, status int, p peoplePage) (answer, error) {
	all, err := c.people.People(v.Context(), v.owner())
	if err != nil {
		return answer{}, err
	}
	for _, one := range all {
		p.People = append(p.People, newPersonLine(v, one))
	}
	p.Mails = c.mail != nil
	if len(v.agents) > 1 {
		var names []string
		for _, a := range v.agents {
			names = append(names, a.DisplayName)
		}
		p.Businesses = strings.Join(names, ", ")
	}
	return v.render(status, "people", p)
}

func newPersonLine(v *visit, p frontdesk.Person) personLine {
	line := personLine{ID: p.ID, Name: p.Name, Email: p.Email, Role: p.Role, Me: p.ID == v.person.ID}
	if !p.LastSeenAt.IsZero() {
		line.Seen = v.ago(p.LastSeenAt)
	}
	return line
}

// invite makes a person, and mails or shows the link that lets them in.
func (c peopleScreen) invite(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	n := account.NewPerson{By: v.person.Actor(), Name: v.field("name"), Email: v.field("email"), Role: frontdesk.Role(v.field("role")), Language: v.field("language")}
	person, token, err := c.people.Invite(v.Context(), v.owner(), n)
	if field, text, ok := faultOf(v, err); ok {
		form := newInvite(v, string(n.Role), n.Language)
		form.Name, form.Email = n.Name, n.Email
		return c.list(v, http.StatusBadRequest, peoplePage{Form: form, Field: field, Fault: text})
	}
	if err != nil {
		return answer{}, err
	}
	return c.hand(v, person, token)
}

// hand mails a link, or shows it to be handed over.
func (c peopleScreen) hand(v *visit, person frontdesk.Person, token frontdesk.Secret) (answer, error) {
	link, sent := c.mailOrHand(v, person, v.tenant.Name, frontdesk.LinkInvites, token)
	if sent {
		return v.done(v.base()+"people", said{Text: v.say("people_mailed", "who", person.Name, "email", person.Email)}), nil
	}
	link.Back = "people"
	return v.page("people_link", link)
}

// onePerson is the page about one of the people.
type onePerson struct {
	personLine
	Roles []choice
	Since string
	Fault string
	Mails bool
}

// find is the person of the address.
func (c peopleScreen) find(v *visit) (frontdesk.Person, error) {
	id, err := v.pathID("person")
	if err != nil {
		return frontdesk.Person{}, err
	}
	return c.people.Person(v.Context(), v.owner(), id)
}

func (c peopleScreen) person(v *visit) (answer, error) {
	p, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	return c.showPerson(v, http.StatusOK, p, "")
}

func (c peopleScreen) showPerson(v *visit, status int, p frontdesk.Person, fault string) (answer, error) {
	return v.render(status, "person", onePerson{
		personLine: newPersonLine(v, p), Roles: roleChoices(v, p.Role), Since: v.moment(p.CreatedAt.In(v.zone)), Fault: fault,
		Mails: c.mail != nil && p.Email != "",
	})
}

// setRole gives a person another role, and offers the way back.
func (c peopleScreen) setRole(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	before, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	role := frontdesk.Role(v.field("role"))
	after, err := c.people.Change(v.Context(), v.owner(), v.person.Actor(), before.ID, frontdesk.PersonChange{Role: &role})
	if _, text, ok := faultOf(v, err); ok {
		return c.showPerson(v, http.StatusConflict, before, text)
	}
	if err != nil {
		return answer{}, err
	}
	if after.ID == v.person.ID && after.Role != frontdesk.RoleOwner { // who may not come here any more
		return v.redirect(Path), nil
	}
	text := v.say("people_role_set", "who", after.Name, "role", v.say("role_"+string(after.Role)))
	return v.done(v.base()+"people", said{text, "people/" + string(after.ID) + "/role", [][2]string{{"role", string(before.Role)}}}), nil
}

// link makes a new link for a person who is here already.
func (c peopleScreen) link(v *visit) (answer, error) {
	p, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	token, err := c.people.LinkBy(v.Context(), v.person.Actor(), p, frontdesk.LinkInvites)
	if err != nil {
		return answer{}, err
	}
	return c.hand(v, p, token)
}

// signOut ends all sessions of a person, who has lost a telephone.
func (c peopleScreen) signOut(v *visit) (answer, error) {
	p, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	if err := c.people.SignOut(v.Context(), v.owner(), v.person.Actor(), p.ID); err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"people/"+string(p.ID), said{Text: v.say("people_signed_out", "who", p.Name)}), nil
}

func (c peopleScreen) remove(v *visit) (answer, error) {
	p, err := c.find(v)
	if err != nil {
		return answer{}, err
	}
	err = c.people.Remove(v.Context(), v.owner(), v.person.Actor(), p.ID)
	if _, text, ok := faultOf(v, err); ok {
		return c.showPerson(v, http.StatusConflict, p, text)
	}
	if err != nil {
		return answer{}, err
	}
	left, err := c.store.LeftBy(v.Context(), v.owner(), p.ID, c.now())
	if err != nil {
		return answer{}, err
	}
	address := "people"
	if len(left.Keys)+len(left.Connections) > 0 {
		address += "/" + string(p.ID) + "/left"
	}
	return v.done(v.base()+address, said{Text: v.say("people_removed", "who", p.Name)}), nil
}
