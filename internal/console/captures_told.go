package console

import "frontdesk.dev/frontdesk/internal/frontdesk"

// toldOf says whether a customer is told of what was just done with their appointment:
// who confirms or moves one should know whether to call. "": nothing that matters to
// them has changed, or it is a test, of which nobody is told.
func (c *Console) toldOf(v *visit, agent frontdesk.Agent, before, after frontdesk.Capture) string {
	news := frontdesk.News{Agent: agent, Live: v.mode.live, Old: before, New: after, Now: v.now}
	if !v.mode.live || news.ForCustomer() == "" {
		return ""
	}
	for _, n := range news.Telling().Notices {
		if n.Kind == news.ForCustomer() && c.sends(n.Channel) {
			return " " + v.say("customer_told", "address", n.Address)
		}
	}
	return " " + v.say("customer_not_told")
}

// sends says whether notices go out by a channel.
func (c *Console) sends(channel frontdesk.NoticeChannel) bool {
	if channel == frontdesk.ByText {
		return c.texts
	}
	return c.mail != nil
}
