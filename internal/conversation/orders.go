package conversation

import (
	"slices"
	"strconv"
)

// slotItems is asked for without being a slot of the channel.
const slotItems Slot = "items"

// nextOrder asks for what an order needs.
func (t messages) nextOrder() {
	task := &t.s.Task
	if len(task.Items) == 0 {
		t.askItems()
		return
	}
	if !t.booking().haveName() || !t.booking().havePhone() {
		return
	}
	t.arrangement().readBack(t.withNotes(t.words("read_back_order", "items", spokenItems(task.Items), "name", t.s.Person.Name, "phone", t.contact())))
}

// contact is how the caller can be reached, as it is said.
func (t messages) contact() string {
	if t.s.Person.Phone == "" {
		return t.s.Person.Email
	}
	return spokenPhone(t.s.Person.Phone)
}

func (t messages) askItems() {
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

func (t messages) takeItems() {
	for _, item := range t.heard.Items {
		if left, counted := t.inStock(item.Name); counted && left > 0 && item.Quantity > left {
			t.say("only_left", "n", strconv.Itoa(left), "what", item.Name)
			item.Quantity = left
		}
		at := slices.IndexFunc(t.s.Task.Items, func(i Item) bool { return i.Name == item.Name })
		switch {
		case t.soldOut(item.Name):
			t.say("out_of_stock", "what", item.Name)
		case at >= 0:
			t.s.Task.Items[at] = item
		case len(t.s.Task.Items) < 20:
			t.s.Task.Items = append(t.s.Task.Items, item)
		}
	}
}

// inStock is how many of a product are left, where the business counts them.
func (t messages) inStock(name string) (left int, counted bool) {
	for _, p := range t.catalogue.Products {
		if p.Name == name {
			return p.Stock, p.Counted
		}
	}
	return 0, false
}

// soldOut says whether something cannot be ordered now.
func (t messages) soldOut(name string) bool {
	if left, counted := t.inStock(name); counted {
		return left <= 0
	}
	for _, d := range t.catalogue.Dishes {
		if d.Name == name {
			return !d.Available
		}
	}
	return false
}
