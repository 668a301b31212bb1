package console

import (
	"math"
	"net/http"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// route is one address: who may come to it, and who serves it.
type route struct {
	method string
	path   string // below a place, or below Path for what is in none
	roles  roles
	handle func(*visit) (answer, error)
	limit  int64         // bytes of a form; 0: formLimit
	takes  time.Duration // how long it may take; 0: patience

	pattern string // of all addresses that it has, for logs and figures
}

// roles are those that may come to an address.
type roles []frontdesk.Role

var (
	everyone   = roles{frontdesk.RoleOwner, frontdesk.RoleStaff, frontdesk.RoleDeveloper}
	staff      = roles{frontdesk.RoleOwner, frontdesk.RoleStaff}
	owners     = roles{frontdesk.RoleOwner}
	developers = roles{frontdesk.RoleOwner, frontdesk.RoleDeveloper}
	operators  = roles{frontdesk.RoleOperator}
	anybody    = roles{frontdesk.RoleOwner, frontdesk.RoleStaff, frontdesk.RoleDeveloper, frontdesk.RoleOperator}
)

// strangers marks addresses that need no session.
var strangers roles

// formLimit is how large a form can be.
const formLimit = 256 << 10

// outside are the addresses that are in no place.
func (c *Console) outside() []*route {
	door, me, operator := doorScreen{c}, meScreen{c}, operatorScreen{c}
	return []*route{
		{method: get, path: "", roles: anybody, handle: c.home},
		{method: get, path: "/{$}", roles: anybody, handle: c.home},
		{method: get, path: "/enter", roles: strangers, handle: c.showEntrance},
		{method: get, path: "/enter/{token}", roles: strangers, handle: c.showLink},
		{method: post, path: "/enter/{token}", roles: strangers, handle: c.useLink},
		{method: post, path: "/enter", roles: strangers, handle: door.askForLink},
		{method: post, path: "/enter/passkey/begin", roles: strangers, handle: door.beginPasskey},
		{method: post, path: "/enter/passkey/finish", roles: strangers, handle: door.finishPasskey},
		{method: post, path: "/leave", roles: anybody, handle: c.leave},
		{method: post, path: "/language", roles: strangers, handle: c.setLanguage},
		{method: get, path: "/static/{version}/{file}", roles: strangers, handle: c.static},

		{method: get, path: "/me", roles: anybody, handle: me.show},
		{method: post, path: "/me", roles: anybody, handle: me.change},
		{method: post, path: "/me/sessions/{id}/end", roles: anybody, handle: me.endSession},
		{method: post, path: "/me/sessions/end-others", roles: anybody, handle: me.endOthers},
		{method: post, path: "/me/passkeys/begin", roles: anybody, handle: me.beginPasskey},
		{method: post, path: "/me/passkeys/finish", roles: anybody, handle: me.finishPasskey},
		{method: post, path: "/me/passkeys/{passkey}/rename", roles: anybody, handle: me.renamePasskey},
		{method: post, path: "/me/passkeys/{passkey}/remove", roles: anybody, handle: me.removePasskey},

		{method: get, path: "/operator", roles: operators, handle: operator.show},
		{method: get, path: "/operator/health", roles: operators, handle: operator.health},
		{method: post, path: "/operator/tenants", roles: operators, handle: operator.create},
		{method: get, path: "/operator/tenants/{tenant}", roles: operators, handle: operator.tenant},
		{method: post, path: "/operator/tenants/{tenant}/plan", roles: operators, handle: operator.setPlan},
		{method: post, path: "/operator/tenants/{tenant}/link", roles: operators, handle: operator.link},
		{method: post, path: "/operator/tenants/{tenant}/keys/{id}/revoke", roles: operators, handle: operator.revoke},
	}
}

// inPlaces are the addresses below /console/{mode}/{agent}: which role may do
// what stands on this one screen.
func (c *Console) inPlaces() []*route {
	today, capture := todayScreen{c}, captureScreen{c}
	insights, dev := insightsScreen{c}, developersScreen{c}
	agenda, entry, block, days := agendaScreen{c}, entryScreen{c}, blockScreen{c}, daysScreen{c}
	calls := callScreen{c}
	business := businessScreen{c}
	teach, channels := teachScreen{c}, channelScreen{c}
	people := peopleScreen{c}
	return []*route{
		{method: get, path: "", roles: everyone, handle: today.enter},
		{method: get, path: "/{$}", roles: everyone, handle: today.enter},
		{method: get, path: "/more", roles: everyone, handle: c.more},

		{method: get, path: "/today", roles: everyone, handle: today.show},
		{method: get, path: "/today/now", roles: everyone, handle: today.renew},
		{method: post, path: "/today/reception", roles: owners, handle: today.switchReception},

		{method: get, path: "/agenda", roles: staff, handle: agenda.show},
		{method: get, path: "/agenda/now/{view}/{date}/{with...}", roles: staff, handle: agenda.renew},
		{method: get, path: "/agenda/new", roles: staff, handle: entry.ask},
		{method: post, path: "/agenda/new", roles: staff, handle: entry.add},
		{method: get, path: "/agenda/new/times", roles: staff, handle: entry.times},
		{method: get, path: "/agenda/block", roles: staff, handle: block.ask},
		{method: post, path: "/agenda/block", roles: staff, handle: changesHours(block.add)},
		{method: post, path: "/agenda/block/remove", roles: staff, handle: changesHours(block.remove)},
		{method: get, path: "/agenda/days", roles: staff, handle: days.ask},
		{method: post, path: "/agenda/days", roles: staff, handle: changesHours(days.add)},
		{method: post, path: "/agenda/days/open", roles: staff, handle: changesHours(days.open)},
		{method: post, path: "/agenda/days/remove", roles: staff, handle: changesHours(days.remove)},
		{method: post, path: "/agenda/days/restore", roles: staff, handle: changesHours(days.restore)},
		{method: post, path: "/agenda/days/holidays", roles: staff, handle: changesHours(days.setHolidays)},

		{method: get, path: "/captures", roles: staff, handle: capture.list},
		{method: get, path: "/captures/{id}", roles: staff, handle: capture.show},
		{method: post, path: "/captures/{id}/status", roles: staff, handle: capture.setStatus},
		{method: get, path: "/captures/{id}/move", roles: staff, handle: capture.askToMove},
		{method: post, path: "/captures/{id}/move", roles: staff, handle: capture.move},
		{method: get, path: "/captures/{id}/edit", roles: staff, handle: capture.askToEdit},
		{method: post, path: "/captures/{id}/edit", roles: staff, handle: capture.edit},

		{method: get, path: "/calls", roles: everyone, handle: calls.list},
		{method: get, path: "/calls.csv", roles: everyone, handle: calls.export},
		{method: get, path: "/calls/now", roles: everyone, handle: calls.renew},
		{method: get, path: "/calls/{id}", roles: everyone, handle: calls.show},
		{method: post, path: "/calls/{id}/done", roles: staff, handle: calls.markDone},
		{method: get, path: "/calls/{id}/answer", roles: staff, handle: calls.askAnswer},
		{method: post, path: "/calls/{id}/answer", roles: staff, handle: calls.giveAnswer},
		{method: get, path: "/calls/{id}/rule", roles: owners, handle: calls.askRule},
		{method: post, path: "/calls/{id}/rule", roles: owners, handle: calls.makeRule},
		{method: post, path: "/calls/{id}/rule/undo", roles: owners, handle: calls.undoRule},

		{method: post, path: "/answers/{id}/undo", roles: staff, handle: c.undoAnswer},

		{method: get, path: "/teach", roles: staff, handle: teach.show},
		{method: get, path: "/teach/open", roles: staff, handle: teach.renewOpen},
		{method: get, path: "/teach/documents", roles: staff, handle: teach.renew},
		{method: post, path: "/teach/documents", roles: staff, handle: teach.upload, limit: math.MaxInt64, takes: uploadTime},
		{method: get, path: "/teach/documents/{id}", roles: staff, handle: teach.showDocument},
		{method: post, path: "/teach/documents/{id}/archive", roles: staff, handle: teach.archive},
		{method: post, path: "/teach/documents/{id}/restore", roles: staff, handle: teach.restore},
		{method: get, path: "/teach/documents/{id}/delete", roles: staff, handle: teach.showDelete},
		{method: post, path: "/teach/documents/{id}/delete", roles: staff, handle: teach.delete},
		{method: get, path: "/teach/ask", roles: staff, handle: teach.ask},
		{method: get, path: "/teach/answer", roles: staff, handle: teach.showAnswer},
		{method: post, path: "/teach/answer", roles: staff, handle: teach.answer},

		{method: get, path: "/business", roles: everyone, handle: business.show},
		{method: get, path: "/business/draft", roles: everyone, handle: business.showDraft},
		{method: post, path: "/business/draft", roles: owners, handle: business.publish},
		{method: post, path: "/business/draft/discard", roles: owners, handle: business.discard},
		{method: get, path: "/business/history", roles: everyone, handle: business.showHistory},
		{method: get, path: "/business/history/{id}", roles: everyone, handle: business.showRevision},
		{method: post, path: "/business/history/{id}/restore", roles: owners, handle: business.restore},
		{method: get, path: "/business/talk", roles: everyone, handle: business.showTalk},
		{method: post, path: "/business/talk", roles: everyone, handle: business.say},
		{method: post, path: "/business/check", roles: owners, handle: business.check},
		{method: get, path: "/business/{section}", roles: everyone, handle: business.showSection},
		{method: post, path: "/business/{section}", roles: owners, handle: business.save},
		{method: post, path: "/business/{section}/groups", roles: owners, handle: business.changeGroups},
		{method: get, path: "/business/{section}/{entry}", roles: everyone, handle: business.showEntry},
		{method: post, path: "/business/{section}/{entry}", roles: owners, handle: business.save},
		{method: post, path: "/business/{section}/{entry}/remove", roles: owners, handle: business.remove},
		{method: post, path: "/business/{section}/{entry}/back", roles: owners, handle: business.putBack},
		{method: post, path: "/business/{section}/{entry}/move", roles: owners, handle: business.move},

		{method: get, path: "/insights", roles: owners, handle: insights.show},
		{method: get, path: "/insights.csv", roles: owners, handle: insights.downloadDays},

		{method: get, path: "/channels", roles: owners, handle: channels.show},
		{method: get, path: "/channels/poster", roles: owners, handle: channels.paper("channels_poster")},
		{method: get, path: "/channels/stickers", roles: owners, handle: channels.paper("channels_stickers")},
		{method: get, path: "/channels/qr.svg", roles: owners, handle: channels.downloadCode},
		{method: get, path: "/channels/preview", roles: owners, handle: channels.preview},
		{method: post, path: "/channels/origins", roles: owners, handle: channels.setOrigins},
		{method: post, path: "/channels/privacy", roles: owners, handle: channels.setPrivacy},
		{method: post, path: "/channels/transfer", roles: owners, handle: channels.setTransfer},
		{method: post, path: "/channels/notices", roles: owners, handle: channels.setNotices},

		{method: get, path: "/developers", roles: developers, handle: dev.listKeys},
		{method: get, path: "/developers/start", roles: developers, handle: dev.start},
		{method: get, path: "/developers/keys/new", roles: developers, handle: dev.newKey},
		{method: post, path: "/developers/keys", roles: developers, handle: dev.createKey},
		{method: get, path: "/developers/keys/{id}", roles: developers, handle: dev.showKey},
		{method: post, path: "/developers/keys/{id}/rotate", roles: developers, handle: dev.rotateKey},
		{method: post, path: "/developers/keys/{id}/revoke", roles: developers, handle: dev.revokeKey},
		{method: get, path: "/developers/connections", roles: developers, handle: dev.listConnections},
		{method: get, path: "/developers/connections/new", roles: developers, handle: dev.newConnection},
		{method: post, path: "/developers/connections", roles: developers, handle: dev.createConnection},
		{method: get, path: "/developers/connections/{id}", roles: developers, handle: dev.showConnection},
		{method: get, path: "/developers/connections/{id}/edit", roles: developers, handle: dev.editConnection},
		{method: post, path: "/developers/connections/{id}", roles: developers, handle: dev.changeConnection},
		{method: post, path: "/developers/connections/{id}/enable", roles: developers, handle: dev.enableConnection},
		{method: post, path: "/developers/connections/{id}/disable", roles: developers, handle: dev.disableConnection},
		{method: post, path: "/developers/connections/{id}/test", roles: developers, handle: dev.testConnection},
		{method: post, path: "/developers/connections/{id}/rotate", roles: developers, handle: dev.rotateConnection},
		{method: post, path: "/developers/connections/{id}/delete", roles: developers, handle: dev.deleteConnection},
		{method: get, path: "/developers/deliveries/{id}", roles: developers, handle: dev.showDelivery},
		{method: post, path: "/developers/deliveries/{id}/retry", roles: developers, handle: dev.retryDelivery},
		{method: get, path: "/developers/events", roles: developers, handle: dev.listEvents},
		{method: get, path: "/developers/events/{id}", roles: developers, handle: dev.showEvent},
		{method: get, path: "/developers/requests", roles: developers, handle: dev.listRequests},
		{method: get, path: "/developers/requests/{id}", roles: developers, handle: dev.showRequest},

		{method: get, path: "/people", roles: owners, handle: people.show},
		{method: post, path: "/people", roles: owners, handle: people.invite},
		{method: get, path: "/people/audit", roles: owners, handle: people.audit},
		{method: get, path: "/people/privacy", roles: owners, handle: people.privacy},
		{method: post, path: "/people/privacy", roles: owners, handle: people.findCaller},
		{method: post, path: "/people/privacy/export", roles: owners, handle: people.exportCaller},
		{method: post, path: "/people/privacy/erase", roles: owners, handle: people.eraseCaller},
		{method: get, path: "/people/{id}", roles: owners, handle: people.person},
		{method: post, path: "/people/{id}/role", roles: owners, handle: people.setRole},
		{method: post, path: "/people/{id}/link", roles: owners, handle: people.link},
		{method: post, path: "/people/{id}/sign-out", roles: owners, handle: people.signOut},
		{method: post, path: "/people/{id}/remove", roles: owners, handle: people.remove},
		{method: get, path: "/people/{id}/left", roles: owners, handle: people.showLeft},
		{method: post, path: "/people/{id}/left", roles: owners, handle: people.revokeLeft},
	}
}

// screens are the entries of the menu, in the order of worth.
var screens = []screen{
	{"today", everyone},
	{"agenda", staff},
	{"calls", everyone},
	{"teach", staff},
	{"business", everyone},
	{"insights", owners},
	{"channels", owners},
	{"developers", developers},
	{"people", owners},
}

// screen is an entry of the menu.
type screen struct {
	name  string // of its address, its icon and its words
	roles roles
}

const (
	get  = http.MethodGet
	post = http.MethodPost
)

// let says whether a role may come in.
func (r roles) let(role frontdesk.Role) bool { return slices.Contains(r, role) }
