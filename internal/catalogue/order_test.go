package catalogue_test

import (
	"encoding/json"
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestOrdered: what something costs as it is ordered.
func TestOrdered(t *testing.T) {
	t.Parallel()
	var a frontdesk.Agent
	a.Languages = []string{"es", "en"}
	a.Config.Menu = json.RawMessage(`{
		"Pizzas": [{"name": "Diavola", "price": "chica 8 €, mediana 11 €, grande 14 €", "variants": ["chica", "mediana", "grande"]}],
		"Extras": [{"name": "Borde relleno", "price": 2.5}, {"name": "Cebolla", "price": 1}],
		"Postres": [{"name": "Flan", "price": 4}, {"name": "Sorpresa"}]}`)
	a.Config.Products = json.RawMessage(`[{"name": "Camiseta", "price": 15, "variants": [{"size": "M", "color": "rojo"}, {"size": "L", "color": "azul", "price": 17, "stock": 0}]}]`)
	c := catalogue.Read(a)
	for name, tt := range map[string]struct {
		what, detail string
		amount       float64
		exact        bool
	}{
		"one price":                       {"Flan", "", 4, true},
		"a wish changes no price":         {"Flan", "sin caramelo", 4, true},
		"a size in a row of prices":       {"Diavola", "grandes", 14, true},
		"a size with an extra":            {"Diavola", "mediana con borde relleno", 13.5, true},
		"what is left out costs nothing":  {"Diavola", "chica sin cebolla", 8, true},
		"without its size it is not told": {"Diavola", "sin cebolla", 0, false},
		"a variant with its own price":    {"Camiseta", "azul talla L", 17, true},
		"no price at all":                 {"Sorpresa", "", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cost, exact := c.Ordered(tt.what, tt.detail, "es")
			if exact != tt.exact || exact && cost.Amount != tt.amount {
				t.Errorf("%s (%s) costs %+v, exactly: %t", tt.what, tt.detail, cost, exact)
			}
		})
	}
	if !c.SoldOutIn("Camiseta", "la azul") || c.SoldOutIn("Camiseta", "la roja") {
		t.Error("the blue one is sold out, the red one is not")
	}
}
