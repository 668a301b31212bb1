package main

import (
	"fmt"
	"io"
)

// examine tells how often a question is nearest to its own fact, among those of
// its trade and among those of its topic, and how well nearness tells whether the
// fact is there at all.
func (l *learner) examine(w io.Writer, facts []fact) {
	var exam []lesson
	for _, f := range facts {
		exam = append(exam, l.lesson(f))
	}
	fmt.Fprintln(w, "direction  trade  topic  AUROC")
	for _, from := range languages {
		for _, to := range languages {
			first, inTopic, there := l.examineIn(exam, from, to)
			fmt.Fprintf(w, "%s→%s      %.3f  %.3f  %.3f\n", from, to, first, inTopic, there)
		}
	}
}

func (l *learner) examineIn(exam []lesson, from, to string) (first, inTopic, there float64) {
	c := newClass(l)
	for _, k := range exam {
		c.addText(k.written[to])
	}
	var with, without []float64
	for i, k := range exam {
		for _, signs := range k.asked[from] {
			own, sibling, other := c.rivals(exam, i, signs)
			first += one(own > other)
			inTopic += one(own > sibling)
			with, without = append(with, max(own, other)), append(without, other)
		}
	}
	n := float64(len(with))
	return first / n, inTopic / n, auroc(with, without)
}

// rivals is how near a question is to its own fact, to the nearest other of its
// topic, and to the nearest other of its trade.
func (c *class) rivals(exam []lesson, own int, signs []int) (near, sibling, other float64) {
	q := c.text(signs)
	w, total := c.weights(q)
	for i, t := range c.texts {
		if exam[i].trade != exam[own].trade {
			continue
		}
		m := c.meet(q, w, total, t)
		switch {
		case i == own:
			near = m.nearness()
		case exam[i].topic == exam[own].topic:
			sibling = max(sibling, m.nearness())
		}
		if i != own {
			other = max(other, m.nearness())
		}
	}
	return near, sibling, other
}
