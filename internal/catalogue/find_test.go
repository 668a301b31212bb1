package catalogue_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
)

func TestFindServices(t *testing.T) {
	t.Parallel()
	dental, lola, hair, inn, pipes := demo(t, "dental-la-plaza"), demo(t, "casa-lola"), business(t, salon), business(t, hotel), business(t, plumber)
	animals, stretch, feet := business(t, vet), business(t, yoga), business(t, podiatry)
	updo := business(t, `{"slug":"x","vertical":"salon","display_name":"X","languages":["es"],"config":{"services":[{"name":"Recogido de fiesta"},{"name":"Tinte"}]}}`)
	tests := map[string]struct {
		c          *catalogue.Catalogue
		text, lang string
		want       string  // the best; "": none
		from, to   float64 // its score
		words      string  // that named it
	}{
		"a part of the name":                    {dental, "quiero una limpieza", "es", "Limpieza dental", 0.75, 1, "limpieza"},
		"a part that several share is weak":     {dental, "algo dental", "es", "Limpieza dental", 0.3, 0.6, "dental"},
		"a misspelling":                         {dental, "una limpiesa dental", "es", "Limpieza dental", 0.85, 1, "limpiesa dental"},
		"the other language":                    {dental, "I'd like a dental cleaning tomorrow", "en", "Limpieza dental", 1, 1, "dental cleaning"},
		"one word for two":                      {dental, "a checkup please", "en", "Revisión general", 1, 1, "checkup"},
		"two words for one":                     {dental, "a check up", "en", "Revisión general", 1, 1, "check up"},
		"a word of the same family":             {dental, "un blanqueo", "es", "Blanqueamiento dental", 0.7, 0.9, "blanqueo"},
		"booking as such names nothing":         {dental, "quiero pedir cita", "es", "", 0, 0, ""},
		"an appointment neither":                {dental, "book an appointment please", "en", "", 0, 0, ""},
		"a table neither":                       {lola, "mesa para cuatro", "es", "", 0, 0, ""},
		"what tells tables apart":               {lola, "una mesa en la terraza", "es", "Mesa en terraza", 1, 1, "terraza"},
		"grammar that tells tables apart":       {lola, "mejor fuera", "es", "Mesa en terraza", 0.45, 0.8, "fuera"},
		"an alias of the other language":        {lola, "outside if possible", "en", "Mesa en terraza", 1, 1, "outside"},
		"a translation without a name for it":   {hair, "highlights", "en", "Mechas", 0.85, 1, "highlights"},
		"a phrase for a phrase":                 {hair, "men's haircut", "en", "Corte de pelo hombre", 0.85, 1, "men's haircut"},
		"a phrase that several share":           {hair, "I'd like a haircut", "en", "Corte de pelo mujer", 0.4, 0.7, "haircut"},
		"the longer name wins":                  {hair, "corte y barba", "es", "Corte y barba", 1, 1, "corte y barba"},
		"nails are no article":                  {hair, "hacerme las uñas", "es", "Uñas de gel", 0.75, 1, "uñas"},
		"an article is no nail":                 {hair, "quiero unas mechas", "es", "Mechas", 1, 1, "mechas"},
		"numbers tell apart":                    {hair, "un masaje de 60 minutos", "es", "Masaje relajante 60 min", 0.7, 1, "masaje de 60"},
		"numbers alone do not":                  {hair, "mañana a las 60", "es", "", 0, 0, ""},
		"the shorter name, said in full":        {inn, "a double room", "en", "Double room", 1, 1, "double room"},
		"what is special about the longer name": {inn, "una habitación con vistas al mar", "es", "Double room with sea view", 0.6, 1, "habitación con vistas al mar"},
		"what callers say of a trade":           {pipes, "tengo una fuga de agua", "es", "Reparación de fugas de agua", 0.7, 1, "fuga de agua"},
		"nothing that is offered":               {pipes, "necesito un fontanero", "es", "", 0, 0, ""},
		"what it is done to is not it":          {demo(t, "costa-clara"), "una valoración de mi piso", "es", "Valoración de vivienda", 0.75, 1, "valoración"},
		"the first of many is no first visit":   {dental, "el primer hueco que tengan", "es", "", 0, 0, ""},
		"a first visit":                         {dental, "es mi primera visita", "es", "Revisión general", 1, 1, "primera visita"},
		"an animal names no service":            {animals, "my puppy has been sick", "en", "Consultation", 0.3, 0.45, "sick"},
		"what is named beside an animal":        {animals, "a booster for my puppy", "en", "Booster", 0.9, 1, "booster"},
		"two words as they stand in the name":   {animals, "this would be a first visit", "en", "New puppy first visit", 0.6, 1, "first visit"},
		"a place at a time is no first visit":   {animals, "the first appointment you have", "en", "", 0, 0, ""},
		"a house is no home visit":              {animals, "we have a house rabbit, she keeps tilting her head", "en", "", 0, 0, ""},
		"whom it is for, said alone":            {hair, "de hombre", "es", "Corte de pelo hombre", 0.45, 0.74, "hombre"},
		"what is not wanted":                    {hair, "manicura, sin mechas", "es", "Manicura", 1, 1, "manicura"},
		"what is taken back":                    {hair, "mechas no, tinte completo", "es", "Tinte completo", 1, 1, "tinte completo"},
		"not the one but the other":             {stretch, "not the hot stone one, the other massage", "en", "Deep tissue massage", 0.45, 0.8, "massage"},
		"not wanting with a verb between":       {hair, "no quiero mechas, quiero manicura", "es", "Manicura", 1, 1, "manicura"},
		"words of the description":              {feet, "me duele el talón cuando corro", "es", "Estudio de la pisada", 0.35, 0.6, "duele el talón"},
		"a name that is a form of a verb":       {updo, "necesito un recogido", "es", "Recogido de fiesta", 0.7, 1, "recogido"},
		"and what that verb means elsewhere":    {updo, "quiero recoger un paquete", "es", "", 0, 0, ""},
		"no text":                               {pipes, "", "es", "", 0, 0, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := tt.c.FindServices(tt.text, tt.lang)
			if tt.want == "" {
				if len(got) > 0 {
					t.Fatalf("found %s at %.2f", got[0].Entry.Name, got[0].Score)
				}
				return
			}
			if len(got) == 0 {
				t.Fatal("found nothing")
			}
			m := got[0]
			if m.Entry.Name != tt.want || m.Score < tt.from || m.Score > tt.to || tt.text[m.Start:m.End] != tt.words {
				t.Errorf("got %s at %.2f by %q", m.Entry.Name, m.Score, tt.text[m.Start:m.End])
			}
		})
	}
}

func TestFindDishesAndProducts(t *testing.T) {
	t.Parallel()
	lola, store := demo(t, "casa-lola"), demo(t, "harbour-store")
	dishes := lola.FindDishes("some croquettes and a cheesecake", "en")
	if len(dishes) != 2 || dishes[0].Entry.Name != "Tarta de queso" || dishes[1].Entry.Name != "Croquetas de jamón" || dishes[1].Score < 0.75 {
		t.Errorf("got %+v", dishes)
	}
	if ham := lola.FindDishes("jamón", "es"); len(ham) > 0 && ham[0].Score >= 0.75 {
		t.Errorf("ham is taken for %s", ham[0].Entry.Name)
	}
	if boots := store.FindProducts("unas katiuskas", "es"); len(boots) == 0 || boots[0].Entry.SKU != "BOO-WEL-GRN" {
		t.Errorf("got %+v", boots)
	}
	if tea := store.FindProducts("TEA-BRK-250", "en"); len(tea) == 0 || tea[0].Entry.SKU != "TEA-BRK-250" {
		t.Errorf("got %+v", tea)
	}
}

func TestFindListings(t *testing.T) {
	t.Parallel()
	agency := demo(t, "costa-clara")
	tests := map[string]struct {
		text, lang string
		want       []string
	}{
		"a reference":                 {"me interesa el CC-1042", "es", []string{"CC-1042"}},
		"a reference in two words":    {"cc 1042", "en", []string{"CC-1042"}},
		"the figures of a reference":  {"la referencia 1042", "es", []string{"CC-1042"}},
		"city and operation":          {"alquiler en Valencia", "es", []string{"CC-2015"}},
		"bedrooms and operation":      {"two bedrooms for sale", "en", []string{"CC-1057", "CC-1071"}},
		"at least so many bedrooms":   {"al menos 3 dormitorios en venta", "es", []string{"CC-1042", "CC-1063"}},
		"under a price":               {"to rent under 900", "en", []string{"CC-2022"}},
		"thousands in words":          {"menos de 200 mil euros en venta", "es", []string{"CC-1071"}},
		"between two prices":          {"entre 300.000 y 320.000 euros", "es", []string{"CC-1063"}},
		"a kind in the other tongue":  {"a penthouse", "en", []string{"CC-1057"}},
		"what is special":             {"con jardín", "es", []string{"CC-1063"}},
		"what is reserved is not had": {"venta en Paterna", "es", []string{"CC-1063"}},
		"a misspelt city":             {"pisos en Alborayya", "es", nil},
		"none of it":                  {"buenos días", "es", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := agency.FindListings(tt.text, tt.lang)
			var refs []string
			for _, m := range got {
				refs = append(refs, m.Entry.Ref)
			}
			if len(refs) != len(tt.want) {
				t.Fatalf("got %v, want %v", refs, tt.want)
			}
			for i := range refs {
				if refs[i] != tt.want[i] {
					t.Errorf("got %v, want %v", refs, tt.want)
				}
			}
		})
	}
}

func TestFindServicesTellsSureFromUnsure(t *testing.T) {
	t.Parallel()
	hair, animals := business(t, salon), business(t, vet)
	tests := map[string]struct {
		c          *catalogue.Catalogue
		text, lang string
		sure       []string
		unsure     []string // the nearest of the others
	}{
		"one that was named":          {hair, "una manicura", "es", []string{"Manicura"}, nil},
		"two that were named":         {hair, "una manicura y mechas", "es", []string{"Mechas", "Manicura"}, nil},
		"a word that several share":   {hair, "cortarme el pelo", "es", nil, []string{"Corte de pelo mujer", "Corte de pelo hombre"}},
		"a vet and a puppy are vague": {animals, "I'd like the vet to see my puppy", "en", nil, []string{"Consultation", "New puppy first visit"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sure, unsure := map[string]bool{}, map[string]bool{}
			for _, m := range tt.c.FindServices(tt.text, tt.lang) {
				if m.Sure {
					sure[m.Entry.Name] = true
				} else {
					unsure[m.Entry.Name] = true
				}
			}
			for _, name := range tt.sure {
				if !sure[name] {
					t.Errorf("not sure of %s, but of %v", name, sure)
				}
			}
			for _, name := range tt.unsure {
				if !unsure[name] {
					t.Errorf("%s is not among the others: %v", name, unsure)
				}
			}
			if len(sure) != len(tt.sure) {
				t.Errorf("sure of %v", sure)
			}
		})
	}
}
