package demo

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// caller is somebody who does not exist.
type caller struct {
	first, last string
	phone       string // as it is kept: +34600001234
}

var firstNames = map[string][]string{
	"es": {
		"Lucía", "Martín", "Sofía", "Pablo", "Carmen", "Javier", "Elena", "Diego", "Marta", "Álvaro", "Paula", "Sergio",
		"Nuria", "Andrés", "Rocío", "Iván", "Clara", "Óscar", "Silvia", "Rubén", "Teresa", "Hugo", "Inés", "Gonzalo",
	},
	"en": {
		"Emily", "James", "Hannah", "Oliver", "Grace", "Thomas", "Charlotte", "Daniel", "Alice", "Matthew", "Lucy",
		"Andrew", "Rachel", "Peter", "Megan", "Samuel", "Laura", "Henry", "Julia", "Simon",
	},
}

var lastNames = map[string][]string{
	"es": {
		"García", "Romero", "Navarro", "Ortega", "Molina", "Serrano", "Castro", "Vega", "Iglesias", "Medina", "Cortés",
		"Herrera", "Prieto", "Campos", "Lozano", "Fuentes", "Rivas", "Pascual", "Bravo", "Marín", "Soler", "Crespo",
	},
	"en": {
		"Carter", "Hughes", "Bennett", "Fisher", "Morgan", "Palmer", "Webb", "Harper", "Doyle", "Marsh", "Fleming",
		"Barnes", "Holt", "Sutton", "Page", "Walsh", "Turner", "Dixon",
	},
}

func newCaller(rng *rand.Rand, language string) caller {
	return caller{
		first: pick(rng, firstNames[language]),
		last:  pick(rng, lastNames[language]),
		phone: fmt.Sprintf("+34600%06d", rng.IntN(10_000)),
	}
}

func (c caller) name() string { return c.first + " " + c.last }

// slots are what the caller says of themselves. The number is spoken in threes.
func (c caller) slots(s slots) {
	local := strings.TrimPrefix(c.phone, "+34")
	s["name"], s["first"] = same(c.name()), same(c.first)
	s["phone"] = same(local[:3] + " " + local[3:6] + " " + local[6:])
}
