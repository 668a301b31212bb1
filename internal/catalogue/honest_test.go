package catalogue_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
)

// silent holds a catalogue to giving no answer at all, not even an unsure one.
func silent(t *testing.T, c *catalogue.Catalogue, lang string, questions ...string) {
	t.Helper()
	for _, question := range questions {
		t.Run(question, func(t *testing.T) {
			t.Parallel()
			if r, ok := c.Ask(question, lang, wednesday); ok {
				t.Errorf("answered about %s: %s", r.Topic, r.Text)
			}
		})
	}
}

func TestAskAnswersNoOtherQuestion(t *testing.T) {
	t.Parallel()
	lola, store, dental, hair := demo(t, "casa-lola"), demo(t, "harbour-store"), demo(t, "dental-la-plaza"), business(t, salon)
	silent(t, lola, "es",
		"¿podemos llevar tarta?", "¿os importa que llevemos una tarta?", "¿dónde está mi pedido?", "¿dónde compráis el pescado?", "¿quién cocina?",
		"¿a qué hora cierra la cocina?", "¿me podéis guardar una tarta de queso?", "¿sigues ahí?", "somos cuatro y queríamos ir cuando abráis", "¿cuánto cuesta la paella?")
	silent(t, lola, "en",
		"may we bring a cake?", "is it ok to bring balloons?", "where is my order?", "could you hold the cheesecake for us?",
		"can you make the croquettes without ham?", "what time does the kitchen close?", "are you still there?")
	silent(t, store, "en",
		"where is my order?", "where is the nearest station?", "when will my mugs arrive?", "is my mug ready?", "are the boots waterproof?",
		"I'll come by when you open tomorrow", "can you put a mug aside for me?", "do you do gift cards?", "why are the boots so dear?")
	silent(t, dental, "es",
		"¿cuándo me toca la revisión?", "¿dónde está mi radiografía?", "¿quién me hace la limpieza?", "¿a qué hora abre el laboratorio?",
		"quiero ir el viernes cuando abráis", "estoy abierta a cualquier hora", "¿me oyes?", "¿eres un robot?", "¿cuánto cuesta la prueba de novia?")
	silent(t, hair, "es", "¿quién hace las mechas?", "¿cuánto tarda en irse el tinte?", "¿puedo traer mi propio tinte?")
	silent(t, demo(t, "costa-clara"), "es", "¿tienen aparcamiento en la oficina?", "¿quién enseña los pisos?", "¿qué porcentaje cobran por vender un piso?", "me llevan la venta de mi casa")
	silent(t, business(t, hotel), "en", "we have about forty guests", "by e-mail would be best")
	silent(t, business(t, vet), "en", "how much is it to neuter a cat?", "where's my dog?", "what time is my appointment?", "which vet gives the boosters?")
}

func TestAskStillAnswers(t *testing.T) {
	t.Parallel()
	check(t, demo(t, "casa-lola"), []asked{
		{lang: "es", question: "¿tenéis croquetas para llevar?", topic: "menu", has: "Croquetas"},
		{lang: "es", question: "¿cuánto sale el menú por persona?", topic: "menu", unsure: true},
		{lang: "es", question: "¿tenéis tarta de chocolate?", topic: "menu", has: "Lo más parecido es Tarta de queso", hasNot: "Sí", unsure: true},
	})
	check(t, demo(t, "harbour-store"), []asked{
		{lang: "en", question: "where's the shop?", topic: "address", has: "Paseo del Puerto"},
		{lang: "en", question: "do you have 15 mugs?", topic: "stock", has: "Yes", unsure: true},
	})
	check(t, business(t, vet), []asked{
		{lang: "en", question: "what does the first visit cost?", topic: "price", has: "New puppy first visit: £40"},
		{lang: "en", question: "are you still open?", topic: "hours", has: "Yes"},
	})
}

func TestAskWhatIsNotOffered(t *testing.T) {
	t.Parallel()
	check(t, business(t, salon), []asked{
		{lang: "es", question: "¿hacéis depilación láser?", topic: "services", has: "No, no hacemos depilación láser.", unsure: true},
		{lang: "es", question: "hola buenas, hacéis extensiones", topic: "services", has: "no hacemos extensiones", unsure: true},
		{lang: "en", question: "can you do my eyebrows?", topic: "services", has: "No, we don't do eyebrows.", unsure: true},
		{lang: "es", question: "¿hacéis mechas?", topic: "services", has: "Ofrecemos Mechas"},
	})
	silent(t, business(t, salon), "en", "do you do discounts?", "do you do parking?")
	silent(t, demo(t, "casa-lola"), "es", "¿hacéis paella?")
}

func TestAskPricesTogether(t *testing.T) {
	t.Parallel()
	check(t, business(t, salon), []asked{
		{lang: "es", question: "¿cuánto serían una manicura y unas uñas de gel?", topic: "price", has: "Manicura: 18 €; Uñas de gel: 30 €. En total, 48 €."},
		{lang: "es", question: "¿cuánto cuesta la manicura con mechas?", topic: "price", has: "Mechas: desde 60 €|En total, desde 78 €."},
		{lang: "en", question: "how much would a men's haircut and a manicure be?", topic: "price", has: "Together, €33."},
		{lang: "es", question: "¿cuánto cuestan las mechas?", topic: "price", has: "desde 60 €", hasNot: "total"},
	})
	check(t, demo(t, "harbour-store"), []asked{
		{lang: "en", question: "how much is the tea and the marmalade?", topic: "price", has: "€9.90|€5.50|Together, €15.40."},
	})
	check(t, demo(t, "casa-lola"), []asked{
		{lang: "es", question: "¿cuánto cuestan las croquetas y la tarta de queso?", topic: "price", has: "En total, 16 €."},
	})
}

func TestAskInTheMoneyOfTheBusiness(t *testing.T) {
	t.Parallel()
	check(t, business(t, podiatry), []asked{
		{lang: "es", question: "¿cuánto cuesta la quiropodia?", topic: "price", has: "450 pesos"},
		{lang: "es", question: "¿cuánto cuestan las plantillas?", topic: "price", has: "desde 1,500 pesos"},
	})
	check(t, business(t, yoga), []asked{{lang: "en", question: "how much is a prenatal yoga class?", topic: "price", has: "£15"}})
}

func TestAskVariants(t *testing.T) {
	t.Parallel()
	check(t, business(t, clothes), []asked{
		{lang: "es", question: "¿tenéis el vestido de lino en la M?", topic: "stock", has: "en M: agotado|Lo hay en S y L"},
		{lang: "es", question: "¿tenéis el vestido de lino en la talla L?", topic: "stock", has: "Sí, tenemos Vestido de lino en L"},
		{lang: "es", question: "¿tenéis el vestido de lino en la XL?", topic: "stock", has: "no. Lo hay en S y L"},
		{lang: "en", question: "do you have the linen dress in a medium?", topic: "stock", has: "sold out"},
		{lang: "es", question: "¿tenéis la camiseta básica azul en M?", topic: "stock", has: "M azul: agotado"},
		{lang: "es", question: "¿tenéis la camiseta en rojo?", topic: "stock", has: "Sí|M rojo"},
		{lang: "en", question: "do you have the T-shirt in red?", topic: "stock", has: "Yes|M rojo"},
		{lang: "es", question: "¿tenéis la camiseta básica en verde?", topic: "stock", has: "no. Lo hay en M rojo y L azul"},
		{lang: "es", question: "¿cuánto cuesta la camiseta azul talla L?", topic: "price", has: "17 €"},
		{lang: "es", question: "¿tenéis las zapatillas en negro del 39?", topic: "stock", has: "Sí|39 negro"},
		{lang: "es", question: "¿tenéis zapatillas blancas del 40?", topic: "stock", has: "no. Lo hay en"},
		{lang: "en", question: "is the bag available in black?", topic: "stock", has: "Yes|negro"},
		{lang: "en", question: "what colours does the bag come in?", topic: "stock", has: "negro and marrón"},
		{lang: "es", question: "¿os quedan vaqueros?", topic: "stock", has: "agotado"},
	})
	check(t, demo(t, "harbour-store"), []asked{
		{lang: "en", question: "do you have the mugs in blue?", topic: "stock", has: "in which colours", hasNot: "Yes", unsure: true},
		{lang: "en", question: "do you have candles in 15 cm?", topic: "stock", has: "not in that size|10 cm and 20 cm"},
	})
	silent(t, business(t, clothes), "es", "¿cuándo llega mi vestido?", "¿puedo traer mi vestido para arreglarlo?", "¿tenéis faldas?")
}

func TestAskForListings(t *testing.T) {
	t.Parallel()
	check(t, demo(t, "costa-clara"), []asked{
		{lang: "es", question: "busco un piso de dos o tres dormitorios en Valencia por menos de 300.000", topic: "listings", has: "CC-1042", hasNot: "CC-2015"},
		{lang: "en", question: "a flat to rent with two or three bedrooms between 900 and 1200", topic: "listings", has: "CC-2015|CC-2030"},
		{lang: "es", question: "algo cerca de la playa de dos dormitorios", topic: "listings", has: "CC-1071", hasNot: "CC-1057"},
		{lang: "en", question: "houses with a garden for around 300000", topic: "listings", has: "CC-1063"},
		{lang: "es", question: "¿tienen pisos con terraza y ascensor?", topic: "listings", has: "no tenemos nada|CC-1042|sin que conste ascensor"},
		{lang: "es", question: "¿tienen algún ático de alquiler en Valencia?", topic: "listings", has: "no tenemos nada|CC-1057|en venta", hasNot: "CC-1063"},
		{lang: "en", question: "I'm looking to buy a two bedroom place with a terrace in Valencia", topic: "listings", has: "nothing like that|CC-1042|but with 3 bedrooms"},
		{lang: "es", question: "¿cuál es el piso más barato en alquiler?", topic: "listings", has: "Tenemos Piso familiar"},
		{lang: "es", question: "quiero algo en Paterna o en Gandía para comprar", topic: "listings", has: "CC-1063|CC-1071"},
		{lang: "es", question: "¿tienen pisos en Ruzafa?", topic: "listings", has: "no tenemos nada", unsure: true},
		{lang: "es", question: "¿tiene ascensor el CC-1042?", topic: "listings", has: "no consta", unsure: true},
		{lang: "es", question: "¿tiene terraza el CC-1042?", topic: "listings", has: "Sí."},
		{lang: "es", question: "busco piso de alquiler que no pase de mil euros", topic: "listings", has: "CC-2030", hasNot: "CC-2015"},
		{lang: "es", question: "pisos de alquiler por menos de mil doscientos", topic: "listings", has: "CC-2015|CC-2030"},
		{lang: "en", question: "flats for sale under two hundred thousand", topic: "listings", has: "CC-1071", hasNot: "CC-1042"},
		{lang: "es", question: "¿dónde está el piso CC-1042?", topic: "listings", has: "Valencia"},
		{lang: "es", question: "¿tienen locales comerciales?", topic: "listings", has: "no tenemos nada", hasNot: "Tenemos", unsure: true},
	})
	check(t, business(t, `{"slug":"inmo","vertical":"real_estate","display_name":"Inmo","languages":["es","en"],"config":{"business":{"name":"Inmo"},"listings":[
		{"ref":"A1","title":"Piso en el centro","operation":"rent","price":900,"bedrooms":2,"city":"Cádiz","neighbourhood":"La Viña","lift":true,"features":["vistas al mar","aire acondicionado"]},
		{"ref":"A2","title":"Piso tranquilo","operation":"rent","price":700,"bedrooms":2,"city":"Cádiz","lift":false,"description":"Con balcón y trastero."}]}}`), []asked{
		{lang: "es", question: "¿tienen pisos de alquiler con ascensor?", topic: "listings", has: "A1", hasNot: "A2"},
		{lang: "en", question: "do you have flats with a sea view?", topic: "listings", has: "A1", hasNot: "A2"},
		{lang: "es", question: "un piso con trastero", topic: "listings", has: "A2", hasNot: "A1"},
		{lang: "es", question: "¿tienen pisos en La Viña?", topic: "listings", has: "A1", hasNot: "A2"},
	})
}
