package catalogue_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestReadService(t *testing.T) {
	t.Parallel()
	c := demo(t, "dental-la-plaza")
	if len(c.Services) != 7 {
		t.Fatalf("%d services", len(c.Services))
	}
	s := c.Services[1]
	if s.ID != "limpieza" || s.Say("en") != "Dental cleaning" || s.Say("es") != "Limpieza dental" || s.Duration != 40*time.Minute || s.Buffer != 10*time.Minute || !s.Bookable || s.Price != "60 €" {
		t.Errorf("got %+v", s)
	}
	if last := c.Services[6]; last.Price != "gratis" || last.Cost.Say("en") != "free" {
		t.Errorf("got %+v", last)
	}
}

func TestReadLeavesOutWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		services string
		want     []string // names and prices
	}{
		"not an array":            {`"services"`, nil},
		"not JSON":                {`[{]`, nil},
		"entries of other types":  {`[1, null, "x", [], {}, {"name":"A"}]`, []string{"A "}},
		"a name of another type":  {`[{"name":["A"]},{"name":{}},{"name":null},{"name":7}]`, []string{"7 "}},
		"a name of blanks":        {`[{"name":"  \n "},{"name":" a \t b "}]`, []string{"a b "}},
		"prices of all kinds":     {`[{"name":"A","price":9.5},{"name":"B","price":"1.150"},{"name":"C","price":{"amount":"35"}},{"name":"D","price":{"amount":20,"currency":"gbp"}},{"name":"E","price":"$12"},{"name":"F","price":"desde 40 €"},{"name":"G","price":0}]`, []string{"A 9,50 €", "B 1.150 €", "C 35 €", "D 20 £", "E 12 $", "F desde 40 €", "G gratis"}},
		"prices that are none":    {`[{"name":"A","price":-5},{"name":"B","price":[1]},{"name":"C","price":{"amount":{}}},{"name":"D","price":true},{"name":"E","price":1e300},{"name":"F","price":""}]`, []string{"A ", "B ", "C ", "D ", "E ", "F "}},
		"the same name, any case": {`[{"NAME":"A"},{"name":"B"}]`, []string{"B "}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var a frontdesk.Agent
			a.Config.Services = json.RawMessage(tt.services)
			var got []string
			for _, s := range catalogue.Read(a).Services {
				got = append(got, s.Name+" "+s.Price)
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReadOtherShapes(t *testing.T) {
	t.Parallel()
	var a frontdesk.Agent
	a.Config.Services = json.RawMessage(`[{"name":"A","duration_minutes":"30","bookable":"no","aliases":"x, y","capacity":3},{"name":"B","duration_minutes":-1,"bookable":0,"aliases":[1,null,"z"]}]`)
	a.Config.Menu = json.RawMessage(`[{"name":"Soup","allergens":"milk, celery","dietary":"V","available":"false"}]`)
	a.Config.Products = json.RawMessage(`{"Shoes":[{"name":"Boot","stock":"4","variants":[40,{"size":"41","stock":0,"price":12}]},{"name":"Sock","stock":false},{"name":"Lace"}],"x":3}`)
	a.Config.Listings = json.RawMessage(`{"all":[{"title":"Flat","ref":12,"operation":"Alquiler","price":"900 €/mes","bedrooms":"2"}]}`)
	c := catalogue.Read(a)
	if s := c.Services[0]; s.Duration != 30*time.Minute || s.Bookable || len(s.Aliases) != 2 || s.Capacity != 3 || s.ID != "A" {
		t.Errorf("got %+v", s)
	}
	if s := c.Services[1]; s.Duration != 0 || s.Bookable || len(s.Aliases) != 2 {
		t.Errorf("got %+v", s)
	}
	if d := c.Dishes[0]; d.Available || len(d.Allergens) != 2 || !d.Declared {
		t.Errorf("got %+v", d)
	}
	if p := c.Products[0]; p.Stock != 4 || len(p.Variants) != 2 || !p.Variants[1].Counted || p.Variants[1].Cost.Amount != 12 {
		t.Errorf("got %+v", p)
	}
	if !c.Products[1].SoldOut() || c.Products[2].Counted {
		t.Errorf("got %+v", c.Products)
	}
	if l := c.Listings[0]; l.Operation != "rent" || l.Bedrooms != 2 || l.Cost.Amount != 900 || l.Cost.Say("en") != "900 €/mes" || l.Ref != "12" {
		t.Errorf("got %+v", l)
	}
}

func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	var a frontdesk.Agent
	a.Config.Services = json.RawMessage("[" + strings.Repeat(`{"name":"a"},`, 5000) + `{"name":"` + strings.Repeat("ñ", 5000) + `"}]`)
	c := catalogue.Read(a)
	if len(c.Services) != 2000 {
		t.Errorf("%d services", len(c.Services))
	}
	a.Config.Services = json.RawMessage(`[{"name":"` + strings.Repeat("ñ", 5000) + `"}]`)
	if name := catalogue.Read(a).Services[0].Name; len([]rune(name)) != 120 {
		t.Errorf("a name of %d letters", len([]rune(name)))
	}
}

func TestNothingToSay(t *testing.T) {
	t.Parallel()
	c := catalogue.Read(frontdesk.Agent{})
	if got := (&catalogue.Catalogue{}).FindServices("corte", "es"); got != nil {
		t.Errorf("found %v", got)
	}
	for _, question := range []string{"¿qué horario tienen?", "where are you?", "how much is it?", "what's on the menu?", "do you deliver?", "phone number?"} {
		if r, ok := c.Ask(question, "en", wednesday); ok {
			t.Errorf("%s: %s", question, r.Text)
		}
	}
}
