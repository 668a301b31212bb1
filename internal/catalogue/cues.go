package catalogue

import "strings"

// pattern is a few words that tell what a question is about. In its text a star
// ends a word that may go on, and two dots stand for up to four words between.
type pattern []step

type step struct {
	word   string
	prefix bool // the word may go on
	gap    bool // others may stand before it
}

const widestGap = 4

func newPattern(text string) (p pattern) {
	gap := false
	for w := range strings.FieldsSeq(text) {
		if w == ".." {
			gap = true
			continue
		}
		word, prefix := strings.CutSuffix(w, "*")
		p = append(p, step{word, prefix, gap})
		gap = false
	}
	return p
}

func (s step) fits(word string) bool {
	return word == s.word || s.prefix && strings.HasPrefix(word, s.word)
}

// at returns the tokens that the pattern takes when it begins at i; nil when it
// does not.
func (p pattern) at(words []token, i int) []int {
	if len(p) == 0 || !p[0].fits(words[i].word) {
		return nil
	}
	used := []int{i}
	next := i + 1
	for _, s := range p[1:] {
		last := next
		if s.gap {
			last += widestGap
		}
		found := -1
		for k := next; k <= last && k < len(words); k++ {
			if s.fits(words[k].word) {
				found = k
				break
			}
		}
		if found < 0 {
			return nil
		}
		used, next = append(used, found), found+1
	}
	return used
}

// anywhere returns the tokens that the pattern takes where it first fits.
func (p pattern) anywhere(words []token) (used []int, ok bool) {
	for i := range words {
		if used := p.at(words, i); used != nil {
			return used, true
		}
	}
	return nil, false
}

// topic is what a question can be about.
type topic string

// The topics. Most are those of Reply; the others are forms of them.
const (
	hours     topic = "hours"
	openNow   topic = "open now"
	closing   topic = "closing"
	festive   topic = "holidays"
	address   topic = "address"
	phone     topic = "phone"
	website   topic = "website"
	email     topic = "email"
	services  topic = "services"
	price     topic = "price"
	duration  topic = "duration"
	menu      topic = "menu"
	contains  topic = "contains"
	allergic  topic = "allergens"
	allergy   topic = "allergy" // of the caller
	dietary   topic = "diet"
	specials  topic = "specials"
	have      topic = "have"
	products  topic = "products"
	stock     topic = "stock"
	property  topic = "listings"
	reference topic = "reference"
	policy    topic = "policy"
	cancel    topic = "cancel"
	shipping  topic = "shipping"
	returns   topic = "returns"
	zones     topic = "zones"
)

// cues are the words by which callers of both languages show a topic.
var cues = compile(map[topic]string{
	hours: `horario*, abris, abren, abre, abrimos, abierto*, abierta*, hora de apertura, horas de apertura, que hora .. abr*, cuando abr*,
		hasta que hora, desde que hora, que dias .. abr*, dias de apertura,
		opening hours, opening times, opening time, business hours, working hours, your hours, hours today, hours tomorrow, the hours, what hours,
		open, opens, 24 hours, 24 horas, 24h, 24 7, hours of operation, trading hours, office hours, shop hours, store hours,
		cierran, cierra, cerrais, cerrado*, cerrada*, closed, what days`,
	openNow: `abiert* ahora, abren ahora, abierto en este momento, ahora .. abierto*, ahora mismo .. abiert*, esta abierto, estan abiertos, estais abiertos,
		esta cerrado, open now, open right now, open at the moment, open currently, currently open, still open, open at this time, are you closed, open yet`,
	closing: `que hora cierr*, que hora .. cierr*, que hora cerrais, cuando cierr*, cuando cerrais, hora de cierre, hasta que hora, hora cierr*,
		what time .. close, when .. close, closing time, closing hour*, how late .. open, open until, open till, time do you shut, when .. shut`,
	festive: `festivo*, fiesta*, navidad*, nochebuena, nochevieja, ano nuevo, reyes, semana santa, puente, puentes, vacaciones, verano, agosto, bank holiday*, public holiday*,
		holiday*, christmas, xmas, new year*, easter, thanksgiving, summer`,
	address: `direccion, donde estan, donde esta, donde estais, donde queda*, donde se encuentra*, donde os encontr*, donde se ubica*, donde .. ubicad*, ubicacion, como llegar,
		como llego, como se llega, como ir, como puedo llegar, donde los encuentro, donde les encuentro, en que calle, en que barrio, en que zona est*, donde tienen .. local, donde tienen .. tienda,
		address, where are you, where is, where s, where can i find you, where do i find you, find you, located, location, directions, how do i get there, how do i get to, how to get there, how to get to,
		how can i get there, which street, what street, your place`,
	phone: `su telefono, tu telefono, vuestro telefono, el telefono, numero de telefono, telefono de contacto, que telefono, un telefono, el numero de contacto, telefono tienen,
		your phone, your number, phone number, telephone number, contact number, number to call, your telephone, call you on, reach you by phone`,
	website: `pagina web, sitio web, su web, tu web, vuestra web, la web, tienen web, teneis web, pagina de internet, en internet, web,
		website, web site, web page, webpage, online page, your site, your web, your url`,
	email: `correo, correo electronico, email, e mail, mail`,
	services: `que servicios, cuales .. servicios, servicios ofrec*, servicios tien*, servicios ten*, servicios hay, servicios hac*, lista de servicios, sus servicios, vuestros servicios, que tratamientos, que ofrec*,
		que hacen, que haceis, a que se dedica*, que tipo de servicio*, tratamientos ofrec*, tratamientos tien*, tratamientos hac*,
		what services, which services, your services, services do you, list of services, services you, what treatments, which treatments, what do you offer, what do you do, kind of services, sort of services, services are, treatments do you, services available`,
	price: `cuanto cuesta*, cuanto cuestan, cuanto costaria*, cuanto vale*, cuanto es, cuanto son, cuanto sale*, cuanto cobra*, cuanto me cobra*, cuanto me costaria, cuanto me saldria, cuanto seria*, cuanto saldria, cuanto se paga, cuanto hay que pagar, a cuanto, que precio*,
		precio*, tarifa*, coste, costes, costo, que cuesta*, que vale*, que vale, cuesta, cuestan, importe,
		how much, price*, pricing, cost, costs, charge, charges, fee, fees, rate, rates, free, gratis, gratuit*, expensive`,
	duration: `cuanto dura*, cuanto tarda*, cuanto tiempo, duracion, dura, cuantos minutos, cuantas horas, cuanto se tarda,
		how long, duration, how many minutes, how many hours, how much time, length of`,
	menu: `menu, carta, que hay para comer, que se puede comer, que platos, platos tien*, platos hay, que teneis para comer, que tienen para comer, que tienen de comer, que hay de comer, que dan de comer, comida sirv*, que comida, tipo de comida, tipo de cocina, que sirven, que postre*, que bebida*,
		on the menu, the menu, your menu, menu, what dishes, which dishes, what food, what do you serve, do you serve, serve, what can i eat, what is there to eat, kind of food, what have you got to eat, type of food, what cuisine, type of cuisine`,
	contains: `contien*, lleva, llevan, tiene, tienen, hecho con, hecha con, trazas de, hay .. en, contain, contains, have .. in it, has .. in it, got .. in it, made with, is there .. in, are there .. in, any .. in, traces of, include, includes`,
	allergic: `alergi*, alergen*, intoleran*, allerg*, allergen*, intoleran*, celia*, coelia*`,
	allergy:  `alergia*, alergic*, intoleran*, allergy, allergies, allergic, celia*, coelia*, no puedo comer, no puedo tomar, t eat, cannot eat`,
	dietary:  `sin gluten, gluten free, dieta*, diet, diets, dietary, opcion*, option*`,
	specials: `oferta*, promocion*, promo, promos, especial*, especialidad* del dia, plato* del dia, menu del dia, sugerencia*, fuera de carta, descuento*, rebaja*, novedad*,
		special, specials, deal, deals, offers, special offer*, on offer, promotion*, discount*, set menu, menu of the day, dish of the day, daily menu`,
	have: `tien*, teneis, tendr*, hay, vend*, venta, queda, quedan, os queda*, les queda*, disponib*, ofrec*, hac*, sirv*, trabaj* con, busc*, servis,
		have, has, got, sell, stock, carry, available, any, offer, serve, do you do, looking for, is there, are there`,
	products: `que productos, productos tien*, productos vend*, que vend*, que articulos, catalogo, que tienen en la tienda, lista de productos,
		what products, which products, what do you sell, products do you, your products, what items, catalogue, catalog, what do you stock`,
	stock: `en stock, stock, existencias, agotad*, queda, quedan, cuantos quedan, cuantas quedan, in stock, out of stock, sold out, left, how many`,
	property: `piso*, vivienda*, casa, casas, apartamento*, atico*, estudio*, chalet*, adosad*, local, locales, inmueble*, propiedad*, anuncio*, terreno*, garaje*, oficina*, villa, villas, duplex, finca*, nave, loft*,
		alquiler*, alquilar, en venta, comprar,
		flat, flats, apartment*, house, houses, home, homes, penthouse*, studio*, property, properties, listing*, villa, bungalow*, duplex*, plot*, rental*, rentals, rent, to let, for sale, buy`,
	reference: `referencia, ref, reference, anuncio, listing, codigo`,
	policy:    `politica*, condicion*, normas, reglas, norma, policy, policies, rules, terms, conditions`,
	cancel: `cancelar, cancelacion*, cancelo, cancel, cancels, cancellation*, cancelling, canceling, anular, anulacion*, anulo, cambiar la cita, cambiar la reserva, cambiar mi, reschedul*, no show, no me presento, llego tarde, late arrival*, be late, running late,
		fianza*, deposit*, senal, penaliza*, penalty, penalti*`,
	shipping: `envio*, envia*, envian, enviais, gastos de envio, mandais a casa, mandan a casa, tarda* en llegar, cuanto tarda .. llegar, plazo* de entrega, entrega*, a domicilio,
		shipping, ship, ships, shipment*, delivery, deliver, delivers, delivered, postage, dispatch*`,
	returns: `devol*, devuelv*, cambios y devoluciones, reembols*, return, returns, returning, refund*, exchange, exchanges, exchanging, send back, bring back, give back, money back`,
	zones: `zona*, reparto*, repart*, a domicilio, llevais a casa, llevan a casa, radio de reparto, areas, area, cubris, cubren, trabajan en, trabajais en, envia* a, envio* a,
		delivery area*, delivery zone*, zone, zones, area, areas, deliver to, ship to, cover, work in, come to, travel to, vienen a, venis a, which areas, how far, deliver`,
})

func compile(texts map[topic]string) map[topic][]pattern {
	all := map[topic][]pattern{}
	for t, list := range texts {
		all[t] = patternsOf(strings.Split(list, ","))
	}
	return all
}
