package conversation

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/passage"
)

// slotItems is asked for without being a slot of the channel.
const slotItems Slot = "items"

// mostLines is how many different things one order has.
const mostLines = 20

// nextOrder asks for what an order needs.
func (t orders) nextOrder() {
	task := &t.s.Task
	if len(task.Items) == 0 {
		t.askItems()
		return
	}
	if !t.haveOrderTime() || !t.contacts().haveName() || !t.contacts().havePhone() {
		return
	}
	t.consent().readBack(t.notes().withNotes(t.words("read_back_order", "items", spokenItems(task.Items)+t.orderWhen(), "name", t.s.Person.Name, "contact", t.contacts().spokenContact())))
}

func (t orders) askItems() {
	task := &t.s.Task
	if t.changed || task.Tries[slotItems] == 0 || t.s.Expect == Nothing {
		if !t.changed && task.try(slotItems) {
			t.arrangement().stuck(slotItems)
			return
		}
		if task.Tries[slotItems] == 0 {
			task.try(slotItems)
		}
	}
	t.say("ask_items")
	t.expect(Nothing)
}

// takeOrder takes what is said for an order. It says whether its time cannot be,
// which has then been told.
func (t orders) takeOrder() (troubled bool) {
	t.takeItems()
	t.takeDelivery()
	if t.s.Expect == SlotTime || t.s.Expect == SlotDate {
		t.values().takeChoice()
	}
	if t.times().takeWhen() {
		return true
	}
	t.settleOrderDay()
	t.noteHours()
	return false
}

// takeDelivery takes whether an order is brought to the caller: they say so, or give an
// address. Where the house brings nothing home they are told, and it is collected.
func (t orders) takeDelivery() {
	task, words := &t.s.Task, t.tokens(t.heard.Text)
	switch {
	case t.mix.Phrases("collected").In(words):
		task.Delivered = false
	case t.mix.Phrases("delivered").In(words), hearing.NamesPlace(t.heard.Text, t.talk().setting()):
		business := t.agent.Config.Business
		said := strings.Join([]string{business.ZonesHuman, business.ShippingHuman, t.agent.Config.Policy}, ". ")
		if t.mix.Phrases("no_delivery").In(t.tokens(said)) {
			t.say("no_delivery")
			return
		}
		task.Delivered = true
	}
}

// noteHours keeps in the caller's words what no single day or time says: "after
// six", "in the morning", "as soon as you can".
func (t orders) noteHours() {
	if t.s.Task.Timed {
		return
	}
	for _, m := range t.heard.When.Mentions {
		exact := m.Kind == dates.OneDay || m.Kind == dates.AtClock || m.Kind == dates.Instant
		if m.Counts && !m.Negated && !exact && m.Start < m.End && m.End <= len(t.heard.Text) {
			t.notes().keepNote(t.heard.Text[m.Start:m.End], true)
		}
	}
}

// settleOrderDay takes a time without a day for today's, while it is still to
// come.
func (t orders) settleOrderDay() {
	task := &t.s.Task
	today := dates.DateOf(t.now)
	if !task.Date.IsZero() || !task.Timed && len(task.Clocks) == 0 {
		return
	}
	if task.Timed {
		if !t.times().passed(task.Clock) {
			task.Date = today
		}
		return
	}
	ahead := slices.DeleteFunc(slices.Clone(task.Clocks), t.times().passed)
	if open := slices.DeleteFunc(slices.Clone(ahead), func(c dates.Clock) bool { return !t.openOn(today, c) }); len(open) == 1 {
		ahead = open
	}
	if len(ahead) == 1 {
		task.Date, task.Clock, task.Timed, task.Clocks = today, ahead[0], true, nil
	}
}

// haveOrderTime asks for what is missing of a time that was begun. An order for
// which none was named needs none.
func (t orders) haveOrderTime() bool {
	task := t.s.Task
	dated := len(t.s.Choices) > 1 && !t.s.Choices[0].Timed && !t.s.Choices[0].Date.IsZero()
	switch {
	case dated, task.Date.IsZero() && (task.Timed || len(task.Clocks) > 0):
		return t.booking().haveDay()
	case !task.Timed && len(task.Clocks) > 1:
		return t.booking().haveTime()
	}
	return true
}

// orderWhen is when an order is wanted, as it is read back.
func (t orders) orderWhen() string {
	task, delivered := t.s.Task, ""
	if task.Delivered {
		delivered = t.words("order_delivered")
	}
	switch {
	case task.Date.IsZero() || !task.Last.IsZero():
		return delivered
	case task.Timed:
		return delivered + t.words("order_when", "when", t.moment(task.Date, task.Clock))
	}
	return delivered + t.words("order_when", "when", t.day(task.Date))
}

// orderLine is when an order is wanted, as it is written down: the day in full
// and the time in figures.
func (t orders) orderLine(task Task) string {
	switch undated := task.Date.IsZero() || !task.Last.IsZero(); {
	case undated && task.Delivered:
		return t.words("delivery_plain")
	case undated:
		return ""
	}
	const away = 20 // days: not today, nor tomorrow
	d := task.Date
	when := dates.SayDate(d, t.s.Lang, time.Date(d.Year, d.Month, d.Day-away, 0, 0, 0, 0, time.UTC))
	if task.Timed {
		when += ", " + task.Clock.String()
	}
	if task.Delivered {
		return t.words("delivery_line", "when", when)
	}
	return t.words("pick_up_line", "when", when)
}

// takeItems puts what is ordered into the order, and takes out what is not wanted
// any more.
func (t orders) takeItems() {
	var heard []Item
	for _, item := range t.heard.Items {
		left, counted := t.inStock(item.Name)
		switch {
		case item.Less, item.Part:
		case t.soldOut(item):
			t.say("out_of_stock", "what", t.asOrdered(item))
			continue
		case counted && item.Quantity > left:
			t.say("only_left", "n", strconv.Itoa(left), "what", item.Name)
			item.Quantity = left
		}
		heard = append(heard, item)
	}
	t.s.Task.Items = t.ordered(t.s.Task.Items, heard)
	for _, text := range t.heard.Unlisted {
		t.say("not_sold", "what", text)
		if len(t.s.Task.Items) == 0 { // a person may be told of it
			t.notes().keepNote(text, false)
		}
	}
}

// ordered is an order with what was heard in one turn.
func (t orders) ordered(items, heard []Item) []Item {
	items = slices.Clone(items)
	for _, item := range heard {
		if item.Less {
			items = t.withLess(items, item)
		}
	}
	for _, item := range heard {
		if item.Part {
			items = t.withPart(items, item)
		}
	}
	stood := len(items)
	adds := t.mix.Phrases("order_adds").In(t.tokens(t.heard.Text))
	for _, item := range heard {
		at := t.line(items[:stood], item, adds)
		switch {
		case item.Less, item.Part:
		case at >= 0:
			items[at] = t.changedLine(items[at], item, adds)
		case len(items) < mostLines:
			items = append(items, item)
		}
	}
	return items
}

// line is which line of an order an item is about, -1 when it is a new one: the
// same thing in the same way, or the only one of that name when it is changed.
func (t orders) line(items []Item, item Item, adds bool) int {
	same := slices.IndexFunc(items, func(i Item) bool {
		return i.Name == item.Name && language.Fold(i.Detail) == language.Fold(item.Detail)
	})
	if same >= 0 || adds {
		return same
	}
	at := slices.IndexFunc(items, func(i Item) bool { return i.Name == item.Name })
	if at >= 0 && slices.ContainsFunc(items[at+1:], func(i Item) bool { return i.Name == item.Name }) {
		return -1
	}
	return at
}

// changedLine is a line of an order once it is spoken of again: with a number it
// is that many, with a wish it is wanted so.
func (t orders) changedLine(line, item Item, adds bool) Item {
	switch {
	case adds:
		line.Quantity += item.Quantity
	case item.Counted:
		line.Quantity, line.Counted = item.Quantity, true
	}
	before, after := t.catalogue.VariantOf(line.Name, line.Detail), t.catalogue.VariantOf(line.Name, item.Detail)
	switch {
	case item.Detail == "" || line.Detail != "" && says(line.Detail, item.Detail):
	case line.Detail == "" || before != "" && after != "" && before != after || says(item.Detail, line.Detail):
		line.Detail = item.Detail
	default:
		line.Detail += ", " + item.Detail
	}
	return line
}

// withLess takes something out of an order: a thing in it, one of several, or
// what goes with one. What is not in it is noted.
func (t orders) withLess(items []Item, less Item) []Item {
	words := t.tokens(less.Name)
	telling := slices.DeleteFunc(slices.Clone(words), func(w language.Token) bool { return passage.Small(w.Word) || t.count(w) > 0 })
	if len(telling) == 0 {
		return items
	}
	if at := slices.IndexFunc(items, func(i Item) bool { return t.named(i, telling[:1]) }); at >= 0 {
		if n := t.count(words[0]); n > 0 && n < items[at].Quantity {
			items[at].Quantity -= n
			return items
		}
		return slices.Delete(items, at, at+1)
	}
	without := t.words("order_less", "what", telling[0].Word)
	if at := slices.IndexFunc(items, func(i Item) bool { return t.named(i, telling[1:]) }); at >= 0 {
		items[at].Detail = strings.TrimPrefix(items[at].Detail+", "+without, ", ")
		return items
	}
	t.notes().keepNote(t.words("order_less", "what", less.Name), true)
	return items
}

// withPart changes some of what is ordered: with a wish so many of a line are wanted
// that way, without one the line is that many.
func (t orders) withPart(items []Item, part Item) []Item {
	at := t.lineOf(items, part)
	switch {
	case at < 0:
	case part.Detail == "":
		items[at].Quantity, items[at].Counted = part.Quantity, true
		kept := items[at]
		items = slices.DeleteFunc(items, func(i Item) bool { return i.Name == kept.Name && i.Detail != kept.Detail })
	case items[at].Quantity <= part.Quantity:
		items[at] = t.changedLine(items[at], Item{Name: items[at].Name, Detail: part.Detail}, false)
	case len(items) < mostLines:
		changed := items[at]
		changed.Quantity, changed.Counted = part.Quantity, true
		items[at].Quantity -= part.Quantity
		items = slices.Insert(items, at+1, t.changedLine(changed, Item{Name: changed.Name, Detail: part.Detail}, false))
	}
	return items
}

// lineOf is the line of an order that is spoken of by what it is called, or by nothing
// but a number: the last one of which there are so many. -1: there is none.
func (t orders) lineOf(items []Item, part Item) int {
	said := t.tokens(part.Name)
	for i, item := range slices.Backward(items) {
		switch {
		case part.Name != "" && !t.named(item, said) && !t.ofKind(item, said):
		case part.Detail != "" && item.Quantity < part.Quantity:
		default:
			return i
		}
	}
	return -1
}

// ofKind says whether words name the heading that an item stands under.
func (t orders) ofKind(item Item, said []language.Token) bool {
	kind := ""
	for _, d := range t.catalogue.Dishes {
		if d.Name == item.Name {
			kind = d.Course
		}
	}
	for _, p := range t.catalogue.Products {
		if p.Name == item.Name {
			kind = p.Shelf
		}
	}
	return slices.ContainsFunc(language.Tokenize(kind), func(w language.Token) bool {
		return slices.ContainsFunc(said, func(s language.Token) bool { return lexicon.Stem(t.s.Lang, s.Word) == lexicon.Stem(t.s.Lang, w.Word) })
	})
}

// count is the number that a word says, 0 when it says none.
func (t orders) count(w language.Token) int {
	said := w.Word
	if value, ok := t.mix.Value("cardinals", said); ok {
		said = value
	}
	n, _ := strconv.Atoi(said)
	return n
}

// named says whether one of the words is in a name of an item.
func (t orders) named(item Item, words []language.Token) bool {
	stems := language.Set{}
	for _, label := range t.catalogue.Labels(item.Name) {
		for _, w := range language.Tokenize(label) {
			stems[lexicon.Stem(t.s.Lang, w.Word)] = !passage.Small(w.Word)
		}
	}
	return slices.ContainsFunc(words, func(w language.Token) bool { return stems[lexicon.Stem(t.s.Lang, w.Word)] })
}

// inStock is how many of a product are left, where the business counts them.
func (t orders) inStock(name string) (left int, counted bool) {
	for _, p := range t.catalogue.Products {
		if p.Name == name {
			return p.Stock, p.Counted
		}
	}
	return 0, false
}

// soldOut says whether something cannot be ordered now.
func (t orders) soldOut(item Item) bool {
	if left, counted := t.inStock(item.Name); counted && left <= 0 || t.catalogue.SoldOutIn(item.Name, item.Detail) {
		return true
	}
	return slices.ContainsFunc(t.catalogue.Dishes, func(d catalogue.Dish) bool { return d.Name == item.Name && !d.Available })
}

// asOrdered is the name of an item with its wish.
func (t orders) asOrdered(item Item) string {
	if item.Detail == "" {
		return item.Name
	}
	return item.Name + " (" + item.Detail + ")"
}

// answerTotal answers what an order costs, or the things in it that are asked
// about: each price, and the sum where all are known.
func (t orders) answerTotal(question string) bool {
	if t.s.Task.Kind != Order && !t.heard.Has(Order) || !t.mix.Phrases("order_total").In(t.tokens(question)) {
		return false
	}
	setting := t.talk().setting()
	items := t.asStanding(hearing.Hear(question, setting).Gist().Items)
	if len(items) == 0 {
		rest := hearing.Hear(hearing.Without(t.heard.Text, question), setting).Gist().Items
		items = t.ordered(t.s.Task.Items, rest)
	}
	if len(items) == 0 {
		return false
	}
	t.questions().answered(question, t.spokenPrices(items))
	return true
}

// asStanding gives the items that are asked about the wishes with which they
// stand in the order.
func (t orders) asStanding(asked []Item) []Item {
	asked = slices.DeleteFunc(asked, func(i Item) bool { return i.Less })
	for i, item := range asked {
		at := slices.IndexFunc(t.s.Task.Items, func(line Item) bool { return line.Name == item.Name })
		if at >= 0 && item.Detail == "" {
			asked[i].Detail = t.s.Task.Items[at].Detail
		}
	}
	return asked
}

// spokenPrices are the prices of items, and their sum where all are known and
// there is something to add.
func (t orders) spokenPrices(items []Item) string {
	var said []string
	var sum catalogue.Price
	known, pieces := true, 0
	for _, item := range items {
		cost, exact := t.catalogue.Ordered(item.Name, item.Detail, t.s.Lang)
		price := cost.Say(t.s.Lang)
		if price == "" {
			price = t.words("price_unknown")
		}
		known = known && exact && (sum.Currency == "" || sum.Currency == cost.Currency)
		sum, pieces = sum.Plus(max(item.Quantity, 1), cost), pieces+max(item.Quantity, 1)
		phrase := "item_price"
		if item.Quantity > 1 && exact {
			phrase = "item_price_each"
		}
		said = append(said, t.words(phrase, "item", t.asOrdered(item), "price", price))
	}
	text := upper(strings.Join(said, "; ")) + "."
	if known && pieces > 1 {
		text += " " + t.words("order_sum", "total", sum.Say(t.s.Lang))
	}
	return text
}
