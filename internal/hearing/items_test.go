package hearing_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// grill takes orders of dishes with sizes and extras.
func grill() hearing.Setting {
	var a frontdesk.Agent
	a.Languages = []string{"es", "en"}
	a.Config.Menu = json.RawMessage(`{
		"Pizzas": [
			{"name": "Diavola", "price": "chica $120, grande $220", "variants": ["chica", "grande"]},
			{"name": "Tres carnes", "name_en": "Three meats", "variants": ["chica", "mediana", "grande"]},
			{"name": "Campesina", "aliases": ["de verduras"], "variants": ["chica", "mediana", "grande"]}],
		"Extras": [{"name": "Borde relleno", "name_en": "Stuffed crust", "price": 30}, {"name": "Aceitunas", "name_en": "Olives", "price": 12}],
		"Empanadas": [{"name": "Empanada de carne", "price": 3}, {"name": "Empanada de espinaca", "price": 3}, {"name": "Empanada de pollo y maíz", "price": 3}],
		"Postres": [{"name": "Flan", "price": 5}, {"name": "Helado", "name_en": "Ice cream", "price": 4}]}`)
	return hearing.Setting{Now: hearNow, Language: "es", Trade: frontdesk.TradeOf("restaurant"), Catalogue: catalogue.Read(a)}
}

// outfitter sells things in colours and sizes.
func outfitter() hearing.Setting {
	var a frontdesk.Agent
	a.Languages = []string{"en", "es"}
	a.Config.Products = json.RawMessage(`{
		"Shoes": [{"name": "Walking boots", "name_es": "Botas de montaña", "price": 90, "variants": [{"size": "38", "color": "blue"}, {"size": "39", "color": "red"}]}],
		"Garden": [{"name": "Potting soil", "name_es": "Tierra para macetas", "aliases": ["tierra"], "price": 8, "variants": ["10 litres", "40 litres"]},
			{"name": "Beeswax polish", "name_es": "Cera para muebles", "aliases": ["cera"], "variants": ["mate", "brillante"]},
			{"name": "Clay pot", "name_es": "Maceta de barro", "price": 12, "variants": ["small", "large"]}]}`)
	return hearing.Setting{Now: hearNow, Language: "en", Trade: frontdesk.TradeOf("retail"), Catalogue: catalogue.Read(a)}
}

func items(text string, s hearing.Setting) string {
	var all []string
	for _, i := range hearing.Hear(text, s).Gist().Items {
		said := fmt.Sprintf("%d×%s", i.Quantity, i.Name)
		if i.Less {
			said = "less " + i.Name
		}
		if i.Detail != "" {
			said += " (" + i.Detail + ")"
		}
		all = append(all, said)
	}
	return strings.Join(all, ", ")
}

// TestHearDetails: what stands beside an item belongs to it, up to the next one.
func TestHearDetails(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"quiero una diavola grande con borde relleno y dos campesinas chicas sin cebolla":                              "1×Diavola (grande con borde relleno), 2×Campesina (chicas sin cebolla)",
		"me pone dos tres carnes medianas para recoger hoy a las nueve":                                                "2×Tres carnes (medianas)",
		"quería encargar empanadas para el viernes, cuatro de carne y seis de espinaca":                                "4×Empanada de carne, 6×Empanada de espinaca",
		"para encargar unas empanadas para el sábado tres de carne con aceitunas y dos de pollo y maíz paso a las dos": "3×Empanada de carne (con aceitunas), 2×Empanada de pollo y maíz",
		"una diavola grande, pero sin orégano, y un flan":                                                              "1×Diavola (grande, pero sin orégano), 1×Flan",
		"una campesina en masa integral y unas aceitunas":                                                              "1×Campesina (en masa integral), 1×Aceitunas",
		"tres diavolas, una grande y dos chicas":                                                                       "1×Diavola (grande), 2×Diavola (chicas)",
		"una diavola grande y una diavola chica para llevar":                                                           "1×Diavola (grande), 1×Diavola (chica)",
		"una pizza diavola grande los recojo a las ocho y media":                                                       "1×Diavola (grande)",
		"i'd like to order two large diavola pizzas with stuffed crust and an ice cream please":                        "2×Diavola (large with stuffed crust), 1×Helado",
		"can I order one three meats, no olives, for tonight at eight":                                                 "1×Tres carnes (no olives)",
		"I want to order a diavola with no onions and extra olives i'll pick it up at seven thirty":                    "1×Diavola (with no onions and extra olives)",
		"quería una empanada de carne sin picante y unas de espinaca":                                                  "1×Empanada de carne (sin picante), 1×Empanada de espinaca",
		"quiero tres carnes grande":                                                                                    "1×Tres carnes (grande)",
	} {
		if got := items(text, grill()); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"I'd like to buy the walking boots, the blue ones, size 38":                         "1×Walking boots (blue ones, size 38)",
		"quiero comprar unas botas de montaña rojas del 39 para recoger mañana a las cinco": "1×Walking boots (rojas del 39)",
		"can I order three bags of the forty litre potting soil and two large clay pots":    "3×Potting soil (forty litre), 2×Clay pot (large)",
		"I'd like to order four clay pots in terracotta, I'll collect them on Saturday":     "4×Clay pot (in terracotta)",
		"para que me aparten dos ceras de las mate y una maceta de barro la grande":         "2×Beeswax polish (de las mate), 1×Clay pot (grande)",
		"quiero encargar dos sacos de tierra de 40 litros":                                  "2×Potting soil (de 40 litros)",
	} {
		if got := items(text, outfitter()); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestHearLess: what is taken out of an order that is being taken.
func TestHearLess(t *testing.T) {
	t.Parallel()
	s := grill()
	s.Ordering = true
	for text, want := range map[string]string{
		"quite el flan": "less el flan",
		"mejor quite el flan y agregue un helado":    "less el flan, 1×Helado",
		"remove the ice cream please":                "less the ice cream",
		"take off the flan and the ice cream":        "less the flan, less the ice cream",
		"agréguele un flan y mejor paso a las nueve": "1×Flan",
		"could you add two ice creams":               "2×Helado",
	} {
		if got := items(text, s); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestHearUnlisted: what is ordered and the house does not have is told apart from what
// is wished about the order.
func TestHearUnlisted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"para llevar dos flanes y tres empanadas":                "tres empanadas",
		"quiero pedir cuatro tamales":                            "cuatro tamales",
		"two flans and three pancakes to take away please":       "three pancakes",
		"I'd like to order two pancakes":                         "two pancakes",
		"quería hacer un pedido para recoger":                    "",
		"quiero encargar dos flanes con una vela":                "",
		"para llevar dos flanes, tengo una alergia a las nueces": "",
		"I want to order two flans for four people at six":       "",
	} {
		if got := strings.Join(hearing.Hear(text, grill()).Gist().Unlisted, ", "); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}
