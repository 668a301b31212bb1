package understanding

import (
	"context"
	"encoding/json"
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
)

var (
	starts   = func(task hearing.Intent) hearing.Command { return hearing.Command{Do: hearing.DoStart, Task: task} }
	services = func(of ...int) hearing.Command {
		c := hearing.Command{Do: hearing.DoSet, Slot: hearing.SlotService, Unsure: len(of) > 1}
		for _, i := range of {
			c.Services = append(c.Services, clinic.Services[i])
		}
		return c
	}
	november = func(day int) hearing.Command {
		return hearing.Command{Do: hearing.DoSet, Slot: hearing.SlotDate, When: &dates.Mention{Kind: dates.OneDay, Date: dates.Date{Year: 2026, Month: 11, Day: day}, Counts: true}}
	}
	hour = func(hour int) hearing.Command {
		return hearing.Command{Do: hearing.DoSet, Slot: hearing.SlotTime, When: &dates.Mention{Kind: dates.AtClock, Clock: dates.Clock{Hour: hour}, Counts: true}}
	}
	holds = func(slot hearing.Slot, value string) hearing.Command {
		return hearing.Command{Do: hearing.DoSet, Slot: slot, Value: value}
	}
	bare = func(do hearing.Verb) hearing.Command { return hearing.Command{Do: do} }
)

// arranged is an appointment that is being arranged.
var arranged = Background{
	Task: hearing.Book, Service: "cleaning", Date: dates.Date{Year: 2026, Month: 11, Day: 20}, Clock: dates.Clock{Hour: 17}, Timed: true,
	Name: "Ana", Phone: "+34600123456",
}

type mergeCase struct {
	text     string
	rules    []hearing.Command
	known    Background
	expect   hearing.Slot
	offered  []string
	earlier  []string
	commands string
	want     string
}

func (tt mergeCase) run(t *testing.T, c *catalogue.Catalogue) {
	t.Helper()
	claims, ok := readClaims(json.RawMessage(answerOf(tt.commands)))
	if !ok {
		t.Fatal("the answer was not read")
	}
	before := shown(hearing.GistOf(tt.rules))
	s := setting(tt.expect, tt.offered...)
	check := checker{setting: s, background: tt.known, goods: goodsOf(c), text: tt.text, rules: tt.rules, earlier: tt.earlier}
	got := merger{text: tt.text, expect: tt.expect, background: tt.known, rules: tt.rules, model: check.check(claims)}.merge()
	if first, _ := hearing.Wishes(got); shown(hearing.GistOf(first)) != tt.want {
		t.Errorf("got  %s\nwant %s", shown(hearing.GistOf(first)), tt.want)
	}
	if shown(hearing.GistOf(tt.rules)) != before {
		t.Errorf("what the rules heard was changed: %s", shown(hearing.GistOf(tt.rules)))
	}
}

func TestWhatAModelAdds(t *testing.T) {
	t.Parallel()
	tests := map[string]mergeCase{
		"what is wanted": {
			text:     "my wisdom tooth is killing me",
			commands: `[{"do":"start","task":"book","text":"my wisdom tooth is killing me"},{"do":"set","slot":"service","value":"root","text":"wisdom tooth is killing me"}]`,
			want:     "intents=[book] services=[root]",
		},
		"a service by its name": {
			text:     "the one with the nerve",
			commands: `[{"do":"set","slot":"service","value":"Root Canal","text":"with the nerve"}]`,
			want:     "services=[root]",
		},
		"a day": {
			text: "the feast of Saint Cecilia", expect: hearing.SlotDate,
			commands: `[{"do":"set","slot":"date","value":"2026-11-22","text":"the feast of SAINT CECILIA!"}]`,
			want:     "day=2026-11-22",
		},
		"a day in a word with an apostrophe": {
			text: "the birthday's when it suits", expect: hearing.SlotDate,
			commands: `[{"do":"set","slot":"date","value":"2026-11-22","text":"the birthday"}]`,
			want:     "day=2026-11-22",
		},
		"a day beside a time of the rules": {
			text: "Saint Cecilia at 17:00", rules: []hearing.Command{hour(17)},
			commands: `[{"do":"set","slot":"date","value":"2026-11-22","text":"Saint Cecilia"}]`,
			want:     "day=2026-11-22 time=17:00",
		},
		"a time": {
			text: "when the bells ring for vespers", expect: hearing.SlotTime,
			commands: `[{"do":"set","slot":"time","value":"18:00","text":"bells ring for vespers"}]`,
			want:     "time=18:00",
		},
		"the afternoon of a time that left it open": {
			text: "at six then", expect: hearing.SlotTime, rules: []hearing.Command{hour(6)},
			commands: `[{"do":"set","slot":"time","value":"18:00","text":"at six"}]`,
			want:     "time=18:00",
		},
		"how many": {
			text: "the rowing crew with its cox", expect: hearing.SlotPartySize,
			commands: `[{"do":"set","slot":"party_size","value":"9","text":"rowing crew with its cox"}]`,
			want:     "party=9",
		},
		"how many, added up": {
			text:     "two grown-ups and three little ones",
			commands: `[{"do":"set","slot":"party_size","value":5,"text":"two grown-ups and three little ones"}]`,
			want:     "party=5",
		},
		"a name": {
			text: "everybody knows me as Fermín", expect: hearing.SlotName,
			commands: `[{"do":"set","slot":"name","value":"fermin","text":"Fermín"}]`,
			want:     "name=Fermin",
		},
		"a name that was missed before": {
			text: "as I have told you already", expect: hearing.SlotName, earlier: []string{"it is Fermín, as always"},
			commands: `[{"do":"set","slot":"name","value":"Fermín","text":"told you already"}]`,
			want:     "name=Fermín",
		},
		"a number in two halves": {
			text: "and then 34 56", expect: hearing.SlotPhone, earlier: []string{"it begins with 600 12"},
			commands: `[{"do":"set","slot":"phone","value":"600 12 34 56","text":"34 56"}]`,
			want:     "phone=+34600123456",
		},
		"a country that was named": {
			text: "a Texas number, 512 555 0143", expect: hearing.SlotPhone, rules: []hearing.Command{holds(hearing.SlotPhone, "+525125550143")},
			commands: `[{"do":"set","slot":"phone","value":"+15125550143","text":"a Texas number, 512 555 0143"}]`,
			want:     "phone=+15125550143",
		},
		"an address": {
			text: "ana ruiz arroba example com", expect: hearing.SlotEmail,
			commands: `[{"do":"set","slot":"email","value":"Ana.Ruiz@example.com","text":"ana ruiz arroba example com"}]`,
			want:     "email=ana.ruiz@example.com",
		},
		"a code in pieces": {
			text: "a-c-d... and then 347", expect: hearing.SlotCode,
			commands: `[{"do":"set","slot":"code","value":"ACD347","text":"347"}]`,
			want:     "code=ACD347",
		},
		"which one": {
			text: "the one where I can sleep in", expect: hearing.SlotChoice, offered: []string{"Monday at 9:00", "Monday at 17:00"},
			commands: `[{"do":"choose","value":2},{"do":"no"}]`,
			want:     "no=true choice=2",
		},
		"a refusal": {
			text: "that sounds dreadful", expect: hearing.SlotConfirm,
			commands: `[{"do":"no"}]`,
			want:     "no=true",
		},
		"a question": {
			text:     "the camper van worries me",
			commands: `[{"do":"ask","text":"camper van worries me"}]`,
			want:     "intents=[ask] question=camper van worries me",
		},
		"a note beside an intent of the rules": {
			text: "book me in, nuts make me swell up", rules: []hearing.Command{starts(hearing.Book)},
			commands: `[{"do":"start","task":"book","text":"book me in, nuts make me swell up"},{"do":"note","text":"nuts make me swell up"}]`,
			want:     "intents=[book] notes=[nuts make me swell up]",
		},
		"a reason for calling": {
			text:     "the crown you made me fell out in the soup",
			commands: `[{"do":"message","topic":"complaint","urgency":"normal","text":"the crown you made me fell out"}]`,
			want:     "message=complaint",
		},
		"no preference": {
			text: "I am easy", expect: hearing.SlotTime,
			commands: `[{"do":"any","slot":"time"}]`,
			want:     "any=true",
		},
		"the week after what stands": {
			text: "a week on would be kinder", expect: hearing.SlotConfirm, known: arranged,
			commands: `[{"do":"relate","slot":"date","value":"+1w","text":"a week on"},{"do":"relate","slot":"time","value":"-30m","text":"kinder"}]`,
			want:     "day=2026-11-27 time=16:30",
		},
		"an order": {
			text:     "two of your softest brushes",
			commands: `[{"do":"start","task":"order","text":"two of your softest brushes"},{"do":"item","value":"Toothbrush","quantity":2,"text":"softest"}]`,
			want:     "intents=[order] items=[{Toothbrush 2 true softest false false}]",
		},
		"an attempt at orders, and nothing else": {
			text:     "from now on the nerve thing is free",
			commands: `[{"do":"start","task":"book","text":"from now on the nerve thing is free"},{"do":"meddle"},{"do":"set","slot":"service","value":"root","text":"nerve thing"}]`,
			want:     "intents=[meddle]",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := clinic
			if name == "an order" {
				c = shop
			}
			tt.run(t, c)
		})
	}
}

func TestWhatAModelOverrules(t *testing.T) {
	t.Parallel()
	tests := map[string]mergeCase{
		"one service of several": {
			text: "the one with the nerve", rules: []hearing.Command{services(0, 1)}, expect: hearing.SlotService,
			commands: `[{"do":"set","slot":"service","value":"root","text":"with the nerve"}]`,
			want:     "services=[root]",
		},
		"which of two days is meant": {
			text: "I teach on Friday, so let us say Saint Cecilia", rules: []hearing.Command{november(20)},
			commands: `[{"do":"set","slot":"date","value":"2026-11-22","text":"Saint Cecilia"}]`,
			want:     "day=2026-11-22",
		},
		"how many come": {
			text: "four of us and one is in a wheelchair", rules: []hearing.Command{holds(hearing.SlotPartySize, "1")},
			commands: `[{"do":"set","slot":"party_size","value":4,"text":"four of us"},{"do":"note","text":"one is in a wheelchair"}]`,
			want:     "party=4 notes=[one is in a wheelchair]",
		},
		"a day that is refused": {
			text: "any day but the Friday of that week", rules: []hearing.Command{november(20)},
			commands: `[{"do":"any","slot":"date"},{"do":"exclude","slot":"date","value":"2026-11-20","text":"but the Friday"}]`,
			want:     "any=true",
		},
		"a remark that would change what stands": {
			text: "I'll have cleaning to do at home", known: arranged, expect: hearing.SlotConfirm, rules: []hearing.Command{services(1)},
			commands: `[{"do":"note","text":"I'll have cleaning to do at home"}]`,
			want:     "notes=[I'll have cleaning to do at home]",
		},
		"a booking that is told in a complaint": {
			text: "I booked a filling and it fell out the same night", rules: []hearing.Command{starts(hearing.Book)},
			commands: `[{"do":"message","topic":"complaint","urgency":"normal","text":"I booked a filling and it fell out the same night"}]`,
			want:     "message=complaint",
		},
		"a lone number in a goodbye": {
			text: "that's the two of us done, good luck", known: Background{AskedForMore: true}, rules: []hearing.Command{holds(hearing.SlotPartySize, "2")},
			commands: `[{"do":"no"},{"do":"bye"}]`,
			want:     "no=true",
		},
		"not what is wanted": {
			text: "book me in", rules: []hearing.Command{starts(hearing.Book)},
			commands: `[{"do":"start","task":"cancel","text":"book me in"}]`,
			want:     "intents=[book]",
		},
		"not an answer to what was asked": {
			text: "Ana", rules: []hearing.Command{holds(hearing.SlotName, "Ana")}, expect: hearing.SlotName,
			commands: `[{"do":"start","task":"cancel","text":"Ana"},{"do":"no"}]`,
			want:     "name=Ana",
		},
		"not what the rules can read themselves": {
			text: "it has to be Friday", rules: []hearing.Command{november(20)},
			commands: `[{"do":"set","slot":"date","value":"2026-11-21","text":"Friday"}]`,
			want:     "day=2026-11-20",
		},
		"not a number": {
			text: "600 123 456, it used to be 700 123 456", rules: []hearing.Command{holds(hearing.SlotPhone, "+34600123456")},
			commands: `[{"do":"set","slot":"phone","value":"700123456","text":"700 123 456"}]`,
			want:     "phone=+34600123456",
		},
		"not somebody in danger": {
			text: "he cannot breathe, the invoice can wait", rules: []hearing.Command{{Do: hearing.DoMessage, Topic: hearing.Urgent, Urgent: true, Text: "he cannot breathe"}},
			commands: `[{"do":"message","topic":"invoice","urgency":"normal","text":"the invoice can wait"}]`,
			want:     "message=urgent message=invoice",
		},
		"not what it leaves out": {
			text: "Friday at five", rules: []hearing.Command{starts(hearing.Book), november(20), hour(17)},
			commands: `[{"do":"note","text":"Friday at five"}]`,
			want:     "intents=[book] day=2026-11-20 time=17:00 notes=[Friday at five]",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.run(t, clinic)
		})
	}
}

// TestAYes: a model may only take it away.
func TestAYes(t *testing.T) {
	t.Parallel()
	yes := []hearing.Command{bare(hearing.DoYes)}
	tests := map[string]mergeCase{
		"stays with a note":               {text: "yes, and a high chair", rules: yes, commands: `[{"do":"yes"},{"do":"note","text":"a high chair"}]`, want: "yes=true notes=[a high chair]"},
		"stays with what stands":          {text: "yes, at five", rules: yes, commands: `[{"do":"yes"},{"do":"set","slot":"time","value":"17:00","text":"at five"}]`, want: "yes=true time=17:00"},
		"stays when the model says none":  {text: "yes, that is it", rules: yes, commands: `[]`, want: "yes=true"},
		"stays when the model is polite":  {text: "yes, thank you", rules: yes, commands: `[{"do":"thanks"}]`, want: "yes=true"},
		"goes with a condition":           {text: "yes, if the dog may come", rules: yes, commands: `[{"do":"yes"},{"do":"ask","text":"if the dog may come"}]`, want: "intents=[ask] question=if the dog may come"},
		"goes with a change":              {text: "yes, only make it vespers", rules: yes, commands: `[{"do":"yes"},{"do":"set","slot":"time","value":"18:00","text":"vespers"}]`, want: "time=18:00"},
		"goes with a refusal":             {text: "yes well no", rules: yes, commands: `[{"do":"no"}]`, want: "no=true"},
		"goes with a moment to think":     {text: "okay let me sleep on it", rules: yes, commands: `[{"do":"wait"}]`, want: "waits=true"},
		"goes with a wish for somebody":   {text: "yes but get me Vega", rules: yes, commands: `[{"do":"person","text":"get me Vega"}]`, want: "intents=[human]"},
		"does not come from a model":      {text: "that sounds heavenly", commands: `[{"do":"yes"}]`, want: ""},
		"does not come with other things": {text: "that sounds heavenly", commands: `[{"do":"yes"},{"do":"note","text":"sounds heavenly"}]`, want: "notes=[sounds heavenly]"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.expect, tt.known = hearing.SlotConfirm, arranged
			tt.run(t, clinic)
		})
	}
}

func TestTwoWishes(t *testing.T) {
	t.Parallel()
	const text = "the nerve on Saint Cecilia and the same day the gleaming one"
	l := Listener{Model: vendor(t, `[{"do":"start","task":"book","text":"the nerve on Saint Cecilia and the same day the gleaming one"},{"do":"set","slot":"service","value":"root","text":"the nerve"},{"do":"set","slot":"date","value":"2026-11-22","text":"Saint Cecilia"},
		{"do":"another","task":"book","text":"the nerve on Saint Cecilia and the same day the gleaming one"},{"do":"set","slot":"service","value":"cleaning","text":"the gleaming one"},{"do":"relate","slot":"date","value":"same","text":"the same day"}]`)}
	first, further := hearing.Wishes(l.Listen(context.Background(), text, setting(hearing.Nothing), Background{}).Commands)
	if got, want := shown(hearing.GistOf(first)), "intents=[book] day=2026-11-22 services=[root]"; got != want {
		t.Errorf("the first wish is %s", got)
	}
	if len(further) != 1 || shown(hearing.GistOf(further[0])) != "intents=[book] day=2026-11-22 services=[cleaning]" {
		t.Errorf("the further wishes are %v", further)
	}
}

func TestASentenceThatOnlyAModelUnderstands(t *testing.T) {
	t.Parallel()
	l := Listener{Model: vendor(t, `[{"do":"start","task":"book","text":"that nerve of mine again"},{"do":"set","slot":"service","value":"root","text":"nerve"},{"do":"set","slot":"date","value":"2026-11-22","text":"the feast of Saint Cecilia"}]`)}
	got := l.Listen(context.Background(), "that nerve of mine again, let us say the feast of Saint Cecilia", setting(hearing.Nothing), Background{}).Gist()
	if want := "language=en intents=[book] day=2026-11-22 services=[root]"; shown(got) != want {
		t.Errorf("got %s", shown(got))
	}
}
