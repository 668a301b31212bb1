package catalogue_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
)

// asked is a question and what must come of it.
type asked struct {
	lang, question string
	topic          string // "": no answer
	has            string // parts of the text, with bars between them
	hasNot         string
	unsure         bool
}

func check(t *testing.T, c *catalogue.Catalogue, tests []asked) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.question, func(t *testing.T) {
			t.Parallel()
			got, ok := c.Ask(tt.question, tt.lang, wednesday)
			if !ok {
				if tt.topic != "" {
					t.Fatalf("no answer, want one about %s", tt.topic)
				}
				return
			}
			if tt.topic == "" {
				if got.Certain {
					t.Fatalf("certain of %q, want no answer", got.Text)
				}
				return
			}
			if got.Topic != tt.topic || got.Certain == tt.unsure {
				t.Errorf("topic %s, certain %v: %s", got.Topic, got.Certain, got.Text)
			}
			for _, part := range strings.Split(tt.has, "|") {
				if !strings.Contains(got.Text, part) {
					t.Errorf("got %q, want %q in it", got.Text, part)
				}
			}
			if tt.hasNot != "" && strings.Contains(got.Text, tt.hasNot) {
				t.Errorf("got %q with %q in it", got.Text, tt.hasNot)
			}
		})
	}
}

func TestAskClinic(t *testing.T) {
	t.Parallel()
	check(t, demo(t, "dental-la-plaza"), []asked{
		{lang: "es", question: "¿Cuánto cuesta la limpieza?", topic: "price", has: "Limpieza dental: 60 €"},
		{lang: "en", question: "How much is a cleaning and how long does it take?", topic: "price", has: "€60, 40 minutes"},
		{lang: "en", question: "how much time does a filling take", topic: "duration", has: "45 minutes", hasNot: "€"},
		{lang: "es", question: "¿Cuánto dura el blanqueamiento?", topic: "duration", has: "una hora"},
		{lang: "en", question: "Is the implant assessment free?", topic: "price", has: "free"},
		{lang: "es", question: "¿Qué precios tienen?", topic: "price", has: "35 €|y 4 más"},
		{lang: "es", question: "¿Cuánto cuesta la limpieza con seguro Sanitas?", topic: "price", unsure: true},
		{lang: "en", question: "how much is a root canal?"},
		{lang: "en", question: "how much is parking?"},
		{lang: "es", question: "¿Qué servicios ofrecen?", topic: "services", has: "Revisión general (35 €)|y 4 más"},
		{lang: "en", question: "what services do you offer", topic: "services", has: "General check-up (€35)|and 4 more"},
		{lang: "es", question: "¿hacen implantes?", topic: "services", has: "Valoración de implantes"},
		{lang: "es", question: "¿tienen cita para una limpieza mañana?"},
		{lang: "es", question: "¿hasta cuándo puedo anular una cita sin pagar?", topic: "policy", has: "24 horas"},
		{lang: "es", question: "¿hay penalización por anular?", topic: "policy", has: "sin coste"},
		{lang: "en", question: "how late can I cancel?", topic: "policy", has: "24 horas"},
		{lang: "es", question: "¿dónde están?", topic: "address", has: "Plaza Mayor, 3"},
		{lang: "en", question: "where are you located?", topic: "address", has: "We're at Plaza Mayor, 3"},
		{lang: "en", question: "what's your phone number?", topic: "phone", has: "+34 600 000 020"},
		{lang: "es", question: "¿tienen página web?", topic: "website", has: "https://dental-la-plaza.example.com"},
		{lang: "en", question: "what is your email address?", topic: "website", unsure: true},
		{lang: "es", question: "¿dónde están y qué horario tienen?", topic: "hours", has: "lunes a jueves|Plaza Mayor", hasNot: "In Spanish"},
		{lang: "es", question: "¿se puede cancelar la cita?", topic: "policy", has: "24 horas antes", hasNot: "radiografía"},
		{lang: "en", question: "what is your cancellation policy?", topic: "policy", has: "In Spanish: |24 horas antes"},
		{lang: "en", question: "can I pay by card?", topic: "policy", has: "con tarjeta"},
		{lang: "en", question: "do you have parking?"},
		{lang: "es", question: "¿tienen aparcamiento?"},
		{lang: "es", question: "¿aceptan seguros médicos?"},
		{lang: "en", question: "do you have wifi?"},
		{lang: "es", question: "hola"},
		{lang: "en", question: "thank you very much"},
		{lang: "en", question: ""},
		{lang: "es", question: "¿?"},
	})
}

func TestAskHours(t *testing.T) {
	t.Parallel()
	check(t, demo(t, "dental-la-plaza"), []asked{
		{lang: "es", question: "¿a qué hora abren mañana?", topic: "hours", has: "Mañana abrimos de 9:00 a 20:00"},
		{lang: "es", question: "¿abren los sábados?", topic: "hours", has: "cerrado"},
		{lang: "en", question: "are you open on Saturday?", topic: "hours", has: "closed on Saturday"},
		{lang: "en", question: "are you open at weekends?", topic: "hours", has: "closed on Saturday|closed on Sunday"},
		{lang: "en", question: "are you open now?", topic: "hours", has: "Yes|until 8 pm"},
		{lang: "es", question: "¿están abiertos ahora?", topic: "hours", has: "Sí|hasta las 20:00"},
		{lang: "en", question: "when do you close?", topic: "hours", has: "8 pm"},
		{lang: "es", question: "¿hasta qué hora están abiertos los viernes?", topic: "hours", has: "Los viernes cerramos a las 15:00"},
		{lang: "es", question: "¿abren por la mañana?", topic: "hours", hasNot: "Mañana abrimos"},
		{lang: "en", question: "what are your opening hours?", topic: "hours", has: "Monday to Thursday from 9 am to 8 pm|Saturday and Sunday closed"},
		{lang: "es", question: "¿cuál es su horario?", topic: "hours", has: "De lunes a jueves de 9:00 a 20:00; viernes de 9:00 a 15:00"},
		{lang: "es", question: "¿abren a las 8?", topic: "hours", has: "No, a esa hora"},
		{lang: "es", question: "¿abren a las 7 de la tarde?", topic: "hours", has: "Sí"},
		{lang: "es", question: "¿están abiertos el viernes a las 18:00?", topic: "hours", has: "No|de 9:00 a 15:00"},
		{lang: "es", question: "¿abren el 25 de diciembre?", topic: "hours", unsure: true, has: "festivo"},
		{lang: "en", question: "are you open on December 25th?", topic: "hours", unsure: true, has: "usual hours"},
		{lang: "en", question: "do you open on bank holidays?", topic: "hours", unsure: true},
		{lang: "es", question: "¿abren en agosto?", topic: "hours", unsure: true},
	})
	check(t, demo(t, "casa-lola"), []asked{
		{lang: "en", question: "are you open right now?", topic: "hours", has: "closed right now|today at 1 pm"},
		{lang: "es", question: "¿abren hoy?", topic: "hours", has: "de 13:00 a 24:00"},
		{lang: "en", question: "what time are you open until on Thursday", topic: "hours", has: "midnight"},
		{lang: "en", question: "how late are you open on Saturday?", topic: "hours", has: "2 am"},
		{lang: "en", question: "are you open at 1 am on Saturday?", topic: "hours", has: "Yes"},
		{lang: "en", question: "are you open at 11 pm on Friday?", topic: "hours", has: "Yes"},
	})
	check(t, business(t, salon), []asked{
		{lang: "es", question: "¿abren el jueves?", topic: "hours", has: "de 17:00 a 20:30"},
		{lang: "en", question: "are you open now?", topic: "hours", has: "until 2 pm"},
		{lang: "en", question: "what are your hours?", topic: "hours", has: "from 10 am to 2 pm and from 5 pm to 8:30 pm", hasNot: "In Spanish"},
		{lang: "es", question: "¿abren el jueves a las 15:00?", topic: "hours", has: "No, a esa hora|de 10:00 a 14:00 y de 17:00 a 20:30"},
		{lang: "es", question: "¿hasta qué hora abren los miércoles?", topic: "hours", has: "20:30"},
		{lang: "es", question: "¿abren el 27 de marzo?", topic: "hours", has: "27 de marzo abrimos de 10:00 a 14:00", hasNot: "habitual"},
		{lang: "en", question: "are you open on December 25th?", topic: "hours", has: "closed on Friday, December 25th (", hasNot: "usual"},
		{lang: "es", question: "¿abren en Navidad?", topic: "hours", has: "25 de diciembre está cerrado ("},
		{lang: "en", question: "do you open on bank holidays?", topic: "hours", has: "closed on public holidays"},
	})
	check(t, business(t, hotel), []asked{{lang: "en", question: "are you open now?", topic: "hours", has: "open"}})
}

func TestAskRestaurant(t *testing.T) {
	t.Parallel()
	check(t, demo(t, "casa-lola"), []asked{
		{lang: "es", question: "¿Qué hay en la carta?", topic: "menu", has: "Croquetas de jamón (9,50 €)|Tarta de queso|y 10 más", hasNot: "Canelones"},
		{lang: "en", question: "What's on the menu?", topic: "menu", has: "Ham croquettes (€9.50)|and 10 more"},
		{lang: "en", question: "what desserts do you have?", topic: "menu", has: "Cheesecake|Rice pudding|Seasonal fruit"},
		{lang: "es", question: "¿tienen croquetas?", topic: "menu", has: "Sí"},
		{lang: "es", question: "¿tienen canelones?", topic: "menu", has: "no hay"},
		{lang: "es", question: "¿tienen pescado?", topic: "menu", has: "Bacalao", unsure: true},
		{lang: "en", question: "do you have paella?"},
		{lang: "en", question: "do you have a kids menu?", topic: "menu", unsure: true},
		{lang: "es", question: "¿cuánto cuestan las croquetas?", topic: "price", has: "9,50 €"},
		{lang: "en", question: "how much is the octopus?", topic: "price", has: "€21"},
		{lang: "es", question: "¿tienen platos veganos?", topic: "diet", has: "Pimientos fritos|Arroz meloso|Fruta", hasNot: "Croquetas"},
		{lang: "en", question: "do you have vegetarian options?", topic: "diet", has: "Potatoes in spicy sauce|and 4 more"},
		{lang: "es", question: "¿tienen algo sin gluten?", topic: "diet", has: "Tortilla|freidora|cocina"},
		{lang: "en", question: "I'm coeliac, what can I eat?", topic: "diet", has: "Gluten-free|In Spanish|kitchen"},
		{lang: "es", question: "¿es vegano el arroz meloso?", topic: "diet", has: "Sí"},
		{lang: "es", question: "¿es vegana la tarta de queso?", topic: "diet", has: "no consta"},
		{lang: "en", question: "does the cheesecake contain nuts?", topic: "allergens", has: "no nuts|tell the kitchen"},
		{lang: "es", question: "¿la tarta de queso lleva huevo?", topic: "allergens", has: "sí, contiene huevo|cocina"},
		{lang: "es", question: "¿qué alérgenos tiene el pulpo?", topic: "allergens", has: "moluscos y lácteos"},
		{lang: "es", question: "soy alérgico a los frutos secos, ¿qué puedo comer?", topic: "allergens", has: "sin frutos secos|cocina", hasNot: "soja"},
		{lang: "en", question: "I'm allergic to shellfish, what can I have?", topic: "allergens", hasNot: "squid"},
		{lang: "es", question: "soy alérgica al huevo, ¿qué postres puedo tomar?", topic: "allergens", has: "Arroz con leche|Fruta", hasNot: "Tarta"},
		{lang: "es", question: "¿cuál es el menú del día?", topic: "specials", has: "14,50 €"},
		{lang: "en", question: "any specials today?", topic: "specials", has: "In Spanish"},
		{lang: "es", question: "¿hacen reparto a domicilio?", topic: "zones", has: "radio de 2 km"},
		{lang: "en", question: "are dogs allowed on the terrace?", topic: "policy", has: "perros"},
		{lang: "en", question: "is the terrace heated?"},
		{lang: "es", question: "¿tienen mesa para cuatro mañana?"},
		{lang: "es", question: "¿puedo llevar mi propia tarta?"},
		{lang: "en", question: "can we bring our own cake?"},
		{lang: "es", question: "¿podemos traer nuestra tarta?"},
		{lang: "es", question: "¿tienen tarta?", topic: "menu", has: "Tarta de queso"},
	})
	check(t, business(t, bistro), []asked{
		{lang: "en", question: "do you have vegan options?", topic: "diet", has: "Soup of the day (£6.50)|Mushroom risotto", hasNot: "Goat"},
		{lang: "en", question: "what can I have with a nut allergy?", topic: "allergens", has: "cannot guarantee", hasNot: "Goat"},
		{lang: "en", question: "I am allergic to milk, what can I eat?", topic: "allergens", hasNot: "Steak"},
		{lang: "en", question: "does the steak contain dairy?", topic: "allergens", unsure: true},
		{lang: "en", question: "any gluten free mains?", topic: "diet", has: "Mushroom risotto", hasNot: "Soup"},
		{lang: "es", question: "¿qué hay de postre?", topic: "menu", has: "Sticky toffee pudding (7 £)"},
	})
}

func TestAskShop(t *testing.T) {
	t.Parallel()
	check(t, demo(t, "harbour-store"), []asked{
		{lang: "en", question: "do you have wellington boots in 42?", topic: "stock", has: "Yes|in 42 (€39.90)"},
		{lang: "en", question: "do you have wellington boots in 43?", topic: "stock", has: "not in that size|38, 40, 42 and 44"},
		{lang: "es", question: "¿tienen botas de agua en el 42?", topic: "stock", has: "Sí|39,90 €"},
		{lang: "en", question: "do you have mango chutney?", topic: "stock", has: "sold out"},
		{lang: "en", question: "wool socks in size 41?", topic: "stock", has: "sold out"},
		{lang: "en", question: "do you have raincoats in large?", topic: "stock", has: "in L"},
		{lang: "en", question: "how many mugs do you have left?", topic: "stock", has: "15 left"},
		{lang: "en", question: "do you sell umbrellas?"},
		{lang: "en", question: "what sizes does the raincoat come in?", topic: "stock", has: "S, M, L and XL"},
		{lang: "en", question: "How do I care for the raincoat?"},
		{lang: "en", question: "how should I wash the raincoat?"},
		{lang: "en", question: "what is the raincoat made of?"},
		{lang: "en", question: "what's the raincoat like?"},
		{lang: "en", question: "is there a size guide for the raincoats?"},
		{lang: "es", question: "¿cómo cuido el impermeable?"},
		{lang: "es", question: "¿de qué está hecho el impermeable?"},
		{lang: "en", question: "how much are the wellies?", topic: "price", has: "€39.90"},
		{lang: "en", question: "how much is the tea tasting?", topic: "price", has: "€12"},
		{lang: "es", question: "¿cuánto cuesta la mermelada?", topic: "price", has: "5,50 €"},
		{lang: "en", question: "what do you sell?", topic: "products", has: "and 8 more"},
		{lang: "en", question: "how much is shipping?", topic: "shipping", has: "€4.90"},
		{lang: "en", question: "how long does delivery take?", topic: "shipping", has: "2 to 3 working days"},
		{lang: "en", question: "do you ship to the Canary Islands?", topic: "zones", has: "Canary"},
		{lang: "es", question: "¿hacen envíos a Baleares?", topic: "zones", has: "En inglés: "},
		{lang: "en", question: "can I return something?", topic: "returns", has: "30 days"},
		{lang: "es", question: "¿puedo devolver un producto?", topic: "returns", has: "En inglés: "},
		{lang: "en", question: "do you gift wrap?", topic: "policy", has: "Gift wrapping is free"},
	})
}

func TestAskAgency(t *testing.T) {
	t.Parallel()
	check(t, demo(t, "costa-clara"), []asked{
		{lang: "es", question: "¿tienen pisos en alquiler en Valencia?", topic: "listings", has: "1.150 € al mes|CC-2015", hasNot: "CC-1042"},
		{lang: "en", question: "do you have any flats for rent under 1000?", topic: "listings", has: "€980 a month|CC-2030", hasNot: "CC-2015"},
		{lang: "en", question: "properties between 150000 and 200k", topic: "listings", has: "CC-1071", hasNot: "CC-1042"},
		{lang: "en", question: "any 3 bedroom houses for sale?", topic: "listings", has: "nothing like that"},
		{lang: "es", question: "¿tienen casas en Madrid?", topic: "listings", unsure: true},
		{lang: "es", question: "¿qué tienen en Gandía?", topic: "listings", has: "CC-1071"},
		{lang: "es", question: "¿cuánto cuesta la referencia CC-1042?", topic: "listings", has: "268.000 €|3 dormitorios|98 m²"},
		{lang: "en", question: "tell me about cc 1038", topic: "listings", has: "reserved"},
		{lang: "es", question: "¿cuánto cuesta la visita?", topic: "price", has: "gratis"},
		{lang: "es", question: "¿en qué zonas trabajan?", topic: "zones", has: "Alboraya"},
		{lang: "es", question: "¿piden fianza?", topic: "policy", has: "un mes de fianza"},
		{lang: "es", question: "¿qué documentos piden para alquilar?", topic: "policy", has: "nóminas"},
	})
}

func TestAskOtherTrades(t *testing.T) {
	t.Parallel()
	check(t, business(t, salon), []asked{
		{lang: "en", question: "how much is a men's haircut?", topic: "price", has: "€15", hasNot: "25"},
		{lang: "es", question: "¿cuánto cuesta un corte?", topic: "price", has: "25 €|15 €|22 €"},
		{lang: "es", question: "¿cuánto valen las mechas?", topic: "price", has: "desde 60 €"},
		{lang: "en", question: "do you do nails?", topic: "services", has: "Uñas de gel"},
		{lang: "es", question: "¿hacen depilación?"},
		{lang: "es", question: "¿qué pasa si llego tarde?", topic: "policy", has: "15 minutos", hasNot: "50 %"},
	})
	check(t, business(t, hotel), []asked{
		{lang: "es", question: "¿cuánto cuesta la habitación doble?", topic: "price", has: "95 €"},
		{lang: "en", question: "what rooms do you have?", topic: "services", has: "Single room (€70)"},
		{lang: "en", question: "what time is breakfast?", topic: "policy", has: "7:30", unsure: true},
		{lang: "en", question: "is there a pool?"},
		{lang: "en", question: "do you have free parking?"},
	})
	check(t, business(t, plumber), []asked{
		{lang: "es", question: "¿el presupuesto es gratis?", topic: "policy", has: "gratuito"},
		{lang: "es", question: "¿trabajan en Granada?", topic: "zones", has: "Granada"},
		{lang: "es", question: "¿cuánto tardan en instalar un calentador?", topic: "duration", has: "3 horas"},
		{lang: "es", question: "¿dónde están?"},
	})
}
