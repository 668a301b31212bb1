package console

import (
	"cmp"
	"net/http"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// talk is a rehearsal with the draft, as a page shows it.
type talk struct {
	ID    frontdesk.ID // "": it has not begun
	Token string
	Turns []talkTurn
	Quick []string
	Ended bool
	Lost  bool // it is not there any more
	Alone bool // on a page of its own
}

// talkTurn is one thing said.
type talkTurn struct {
	Mine bool
	Text string
	Done []string // what the receptionist looked up or did
}

// showTalk is the rehearsal on a page of its own, for small screens.
func (c businessScreen) showTalk(v *visit) (answer, error) {
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	return c.talkPage(v, b, &talk{})
}

func (c businessScreen) talkPage(v *visit, b business, t *talk) (answer, error) {
	if c.sessions == nil {
		return answer{}, frontdesk.Missing("page")
	}
	p := c.newPage(v, b, "", nil)
	t.Alone = true
	p.Title, p.Talk = v.say("talk_title"), t
	return v.page("business_talk", p)
}

// answerTalk is the rehearsal in its place in a page, or on its own.
func (c businessScreen) answerTalk(v *visit, b business, t *talk) (answer, error) {
	if !v.htmx() {
		return c.talkPage(v, b, t)
	}
	t.Alone = v.field("alone") != ""
	return v.page("business_chat", t)
}

// say says something in a rehearsal. Without one, it begins.
func (c businessScreen) say(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	b, elsewhere, err := c.readBusiness(v)
	if err != nil || elsewhere != nil {
		return orAnswer(elsewhere), err
	}
	if c.sessions == nil {
		return answer{}, frontdesk.Missing("page")
	}
	if !v.http.PostForm.Has("conversation") {
		return c.startTalk(v, b)
	}
	id, ok := frontdesk.ParseID(v.field("conversation"))
	if !ok {
		return answer{}, frontdesk.Missing("conversation")
	}
	t := &talk{ID: id, Token: v.field("token")}
	// Only a rehearsal has turns to be read, so no call of somebody else can be
	// spoken into from here.
	if _, err := c.sessions.Turns(v.Context(), id, t.Token); err != nil {
		return c.lostTalk(v, b, err)
	}
	if text := cmp.Or(v.field("text"), v.field("quick")); text != "" {
		reply, err := c.sessions.Hear(v.Context(), id, t.Token, conversation.Input{Kind: conversation.Text, Text: text})
		if err != nil {
			return c.lostTalk(v, b, err)
		}
		t.Quick, t.Ended = reply.QuickReplies, reply.Ended
	}
	turns, err := c.sessions.Turns(v.Context(), id, t.Token)
	if err != nil {
		return c.lostTalk(v, b, err)
	}
	t.Turns = talkTurns(v, turns)
	return c.answerTalk(v, b, t)
}

// startTalk begins a rehearsal with the draft as it is now.
func (c businessScreen) startTalk(v *visit, b business) (answer, error) {
	welcome, err := c.sessions.Rehearse(v.Context(), v.tenant, b.edited, "")
	if err != nil {
		return answer{}, err
	}
	t := &talk{ID: welcome.ID, Token: welcome.Token.Reveal(), Quick: welcome.Reply.QuickReplies}
	t.Turns = []talkTurn{{Text: welcome.Reply.Text}}
	return c.answerTalk(v, b, t)
}

// lostTalk is a rehearsal that is not there any more: it can be begun again.
func (c businessScreen) lostTalk(v *visit, b business, err error) (answer, error) {
	if e := exchange.Domain(err); e == nil || exchange.Statuses[e.Kind].Code >= http.StatusInternalServerError {
		return answer{}, err
	}
	return c.answerTalk(v, b, &talk{Lost: true})
}

// talkTurns are the turns of a rehearsal as a page shows them: what the
// receptionist did stands with what it then said.
func talkTurns(v *visit, turns []frontdesk.Turn) (all []talkTurn) {
	var done []string
	for _, t := range turns {
		switch t.Role {
		case frontdesk.RoleTool:
			if text := v.say("tool_" + t.Name); text != "" {
				done = append(done, text)
			}
		default:
			all = append(all, talkTurn{Mine: t.Role == frontdesk.RoleCaller, Text: t.Text, Done: done})
			done = nil
		}
	}
	return all
}
