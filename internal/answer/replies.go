package answer

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/passage"
)

// ask asks the business's own data, also for what the question leaves
// out because it was talked about before: "how much is it?" in the middle of a
// booking, "and on Saturdays?" after the hours.
func (r Replies) ask(question string) (catalogue.Reply, bool) {
	reply, known := r.Catalogue.AskOf(question, r.Lang, r.Now, r.Focus)
	if told := r.dietTold(question); told != "" {
		fuller, ok := r.Certain(told + " " + question)
		return fuller, ok && fuller.Topic != "services"
	}
	if fuller, ok := r.askOfService(question); ok {
		return fuller, true
	}
	if fuller, ok := r.askFollowUp(question); ok {
		return fuller, true
	}
	if known && reply.Certain {
		return reply, true
	}
	if fuller, ok := r.askOnTopic(question); ok {
		return fuller, true
	}
	if fuller, ok := r.askWithRest(question); ok {
		return fuller, true
	}
	if fuller, ok := r.askOpenThen(question); ok && !known {
		return fuller, true
	}
	return reply, known
}

// askOpenThen asks for the hours of a day that is all that a question names: "and on
// Sundays?"
func (r Replies) askOpenThen(question string) (catalogue.Reply, bool) {
	const most = 5 // words
	if r.Busy || len(r.Heard.When.Mentions) == 0 || len(strings.Fields(question)) > most {
		return catalogue.Reply{}, false
	}
	reply, ok := r.Certain(r.wording("topic_hours") + " " + question)
	return reply, ok && reply.Topic == "hours"
}

// Certain is what the catalogue answers, where it is certain of it.
func (r Replies) Certain(question string) (catalogue.Reply, bool) {
	reply, known := r.Catalogue.Ask(question, r.Lang, r.Now)
	return reply, known && reply.Certain
}

// askOfService asks for the price or the length of the service that is being
// arranged, where no other was named.
func (r Replies) askOfService(question string) (catalogue.Reply, bool) {
	name := r.Arranging.Say(r.Lang)
	if name == "" || len(r.Heard.Services) > 0 {
		return catalogue.Reply{}, false
	}
	reply, ok := r.Certain(question + " " + name)
	return reply, ok && (reply.Topic == "price" || reply.Topic == "duration")
}

// askFollowUp asks of something else what was answered before: the whole last
// question where the caller adds to it, else its topic.
func (r Replies) askFollowUp(question string) (catalogue.Reply, bool) {
	topic := r.wording("topic_" + r.Topic)
	if topic == "" || !r.FollowsUp() {
		return catalogue.Reply{}, false
	}
	_, thing, _ := strings.Cut(strings.TrimSpace(question), " ")
	if r.has("follows_up_with", question) {
		if reply, ok := r.Certain(r.LastAnswered + " " + thing); ok {
			return reply, true
		}
	}
	return r.Certain(topic + " " + thing)
}

// askOnTopic asks a short question together with the topic that was talked about,
// which it may leave out.
func (r Replies) askOnTopic(question string) (catalogue.Reply, bool) {
	const most = 5 // words
	topic := r.wording("topic_" + r.Topic)
	if topic == "" || len(strings.Fields(question)) > most {
		return catalogue.Reply{}, false
	}
	reply, ok := r.Certain(topic + " " + question)
	return reply, ok && reply.Topic == r.Topic
}

// askWithRest asks with all that was said: "I'm allergic to nuts, what can I eat?"
// asks with its first half too.
func (r Replies) askWithRest(question string) (catalogue.Reply, bool) {
	whole := r.Heard.Text
	if whole == question || len(r.Heard.Questions) >= 2 {
		return catalogue.Reply{}, false
	}
	return r.Certain(frontdesk.Clip(whole, frontdesk.MaxQuestion))
}

// listsIdly says whether a list of all prices is no answer to a question, which
// has a matter of its own: "if we bring our own wine, do you charge for that?"
func (r Replies) listsIdly(question string, reply catalogue.Reply) bool {
	if !reply.All {
		return false
	}
	return r.thin(question) && r.tellsBeside(question) || r.has("means_that", question)
}

// tellsBeside says whether more was said than the question.
func (r Replies) tellsBeside(question string) bool {
	return len(r.TellingWords(hearing.Without(r.Heard.Text, question))) > 0
}

// quotes are the topics that the catalogue answers with what the business wrote
// about them, whole: a document may say just what was asked.
var quotes = map[string]bool{"shipping": true, "returns": true, "policy": true, "zones": true}

// lists are the topics that the catalogue answers with what there is: it is no answer
// where a document has what was asked about it.
var lists = map[string]bool{"services": true, "listings": true, "products": true, "hours": true, "duration": true}

// betterThanQuote says whether a document answers a question better than a text
// of the business about its matter: it fits well, and has more of what was asked.
func betterThanQuote(question string, a frontdesk.Answer, quote catalogue.Reply) bool {
	return a.Answered && a.MatchPct >= ExactMatch && passage.Signs(question, a.Text) > passage.Signs(question, quote.Text)
}

// Say answers a question with what the catalogue has replied to it.
func (r Replies) Say(question string, reply catalogue.Reply) Answer {
	a := Answer{Text: reply.Text, Topic: reply.Topic}
	if reply.Topic != "price" && reply.Topic != "duration" {
		return a
	}
	if found := r.Catalogue.FindServices(question, r.Lang); len(found) > 0 {
		a.Service = found[0].Entry.ID
	}
	if reply.Topic == "price" && a.Service != "" {
		a.Text = r.Prices().withSurcharge(question, a.Service, a.Text)
	}
	return a
}
