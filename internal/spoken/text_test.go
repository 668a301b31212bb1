package spoken_test

import (
	"testing"
	"testing/fstest"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/spoken"
)

// said is a text as it is written and as it is spoken.
type said struct{ written, want string }

func hold(t *testing.T, code string, o spoken.Options, tests map[string]said) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := spoken.Text(language.Of(code), tt.written, o); got != tt.want {
				t.Errorf("%q\n is spoken %q\n     want %q", tt.written, got, tt.want)
			}
		})
	}
}

func TestSpanish(t *testing.T) {
	t.Parallel()
	hold(t, "es", spoken.Options{Code: "K7M4QX", Region: "ES"}, map[string]said{
		"words stay":                         {"¡Hola! ¿En qué puedo ayudarle?", "¡Hola! ¿En qué puedo ayudarle?"},
		"nothing is nothing":                 {"", ""},
		"a code is spelled":                  {"Su código es K7M4QX. ¿Algo más?", "Su código es ka de kilo, 7, eme de Madrid, 4, cu de queso, equis. ¿Algo más?"},
		"a code twice is short then":         {"K7M4QX, repito, K7M4QX.", "ka de kilo, 7, eme de Madrid, 4, cu de queso, equis, repito, ka, 7, eme, 4, cu, equis."},
		"a part of a word is no code":        {"AK7M4QX", "AK7M4QX"},
		"a mobile in its groups":             {"teléfono +34 600 11 12 22.", "teléfono 6 0 0, 1 1, 1 2, 2 2."},
		"groups of three stay":               {"Llame al 600 000 020", "Llame al 6 0 0, 0 0 0, 0 2 0"},
		"a number without spaces":            {"Llame al 600333122.", "Llame al 6 0 0, 3 3, 3 1, 2 2."},
		"a number without spaces, abroad":    {"Llame al +34600333122", "Llame al 6 0 0, 3 3, 3 1, 2 2"},
		"a number with dots":                 {"Llame al 976.00.00.50", "Llame al 9 7 6, 0 0, 0 0, 5 0"},
		"a number with dashes":               {"600-33-31-22", "6 0 0, 3 3, 3 1, 2 2"},
		"another country has its code":       {"teléfono +353 85 123 4567", "teléfono prefijo 3 5 3, 8 5, 1 2 3, 4 5 6 7"},
		"a British mobile":                   {"+44 7700 900111", "Prefijo 4 4, 7 7 0 0, 9 0 0, 1 1 1"},
		"a number that lacks some":           {"60033312 no parece un número completo.", "6 0 0 3, 3 3 1 2 no parece un número completo."},
		"a number that lacks more":           {"60012 no parece un número completo.", "6 0 0 1 2 no parece un número completo."},
		"a post code":                        {"50001 Zaragoza", "5 0 0 0 1 Zaragoza"},
		"ten thousand are many":              {"10000 clientes y 12.345 visitas", "10000 clientes y 12345 visitas"},
		"the number for emergencies":         {"Llame ahora mismo al 112.", "Llame ahora mismo al 1 1 2."},
		"112 euros are a price":              {"Son 112 €.", "Son 112 euros."},
		"a time on the hour":                 {"Abrimos mañana a las 13:00.", "Abrimos mañana a la una de la tarde."},
		"a quarter past":                     {"a las 9:15", "a las nueve y cuarto de la mañana"},
		"half past":                          {"a las 20:30", "a las ocho y media de la tarde"},
		"a quarter to":                       {"a las 12:45", "a la una menos cuarto del mediodía"},
		"opening hours":                      {"de 10:00 a 14:00", "de las diez de la mañana a las dos de la tarde"},
		"opening hours with their articles":  {"de las 10:00 a las 14:00", "de las diez de la mañana a las dos de la tarde"},
		"opening hours with a dash":          {"Sábados 10:00-14:00", "Sábados de las diez de la mañana a las dos de la tarde"},
		"opening hours with a long dash":     {"Sábados: 10:00 – 14:00 h.", "Sábados: de las diez de la mañana a las dos de la tarde."},
		"two shifts":                         {"10:00-14:00 y 17:00-20:30", "De las diez de la mañana a las dos de la tarde y las cinco a las ocho y media de la tarde"},
		"midnight":                           {"Mañana abrimos de 13:00 a 24:00.", "Mañana abrimos de la una de la tarde a las doce de la noche."},
		"a time without its words":           {"sábado 21 de noviembre, 21:00, 20 personas", "sábado 21 de noviembre, a las nueve de la noche, 20 personas"},
		"pm in Spanish":                      {"a las 4:00 pm", "a las cuatro de la tarde"},
		"p. m. with spaces":                  {"a las 4:00 p. m. Gracias", "a las cuatro de la tarde. Gracias"},
		"a time with hours":                  {"desde las 16:00 horas", "desde las cuatro de la tarde"},
		"a time with a full stop":            {"a las 9.30 h", "a las nueve y media de la mañana"},
		"a time that may be either":          {"La cena es a las 6:00", "La cena es a las seis"},
		"until late at night":                {"de 13:00 a 2:00", "de la una de la tarde a las dos de la madrugada"},
		"from nine to two":                   {"de 9:00 a 2:00", "de las nueve de la mañana a las dos de la tarde"},
		"what is no time":                    {"un 10:99 raro", "un 10 99 raro"},
		"euros":                              {"Limpieza dental: 60 €.", "Limpieza dental: 60 euros."},
		"euros and cents":                    {"Croquetas: 9,50 €.", "Croquetas: 9 euros con 50."},
		"one decimal is tens of cents":       {"9,5 €", "9 euros con 50"},
		"a few cents":                        {"9,05 €", "9 euros con 5 céntimos"},
		"cents alone":                        {"0,50 €", "50 céntimos"},
		"no cents":                           {"12,00 €", "12 euros"},
		"one euro":                           {"Solo 1 €", "Solo un euro"},
		"the currency by its code":           {"12,50 EUR", "12 euros con 50"},
		"the currency before":                {"€30", "30 euros"},
		"thousands":                          {"268.000 €", "268000 euros"},
		"thousands and cents":                {"1.150,50 €", "1150 euros con 50"},
		"millions":                           {"1,5 millones €", "1 coma 5 millones de euros"},
		"a currency alone":                   {"precios en €", "precios en euros"},
		"so much a month":                    {"1.150 €/mes", "1150 euros al mes"},
		"so much a square metre":             {"3.100 €/m².", "3100 euros el metro cuadrado."},
		"so much for something else":         {"5 €/caja", "5 euros por caja"},
		"pounds":                             {"£12.50", "12 libras con 50"},
		"dollars":                            {"$5", "5 dólares"},
		"a range of prices":                  {"30-50 €", "30 a 50 euros"},
		"percent":                            {"el 35 % de los ingresos", "el 35 por ciento de los ingresos"},
		"percent at once":                    {"un 10%.", "un 10 por ciento."},
		"a range of percent":                 {"10-13 %", "10 a 13 por ciento"},
		"a decimal":                          {"2,5 km", "2 coma 5 kilómetros"},
		"a date":                             {"Cerramos el 24/12.", "Cerramos el 24 de diciembre."},
		"a date without its article":         {"cerrado 24/12", "cerrado el 24 de diciembre"},
		"a date behind its weekday":          {"jueves 24/12", "jueves 24 de diciembre"},
		"a date with its year":               {"24/12/2026", "El 24 de diciembre de 2026"},
		"a date with full stops":             {"el 24.12.2026", "el 24 de diciembre de 2026"},
		"a date as machines write it":        {"el 2026-12-24", "el 24 de diciembre de 2026"},
		"a date and a time":                  {"el 2026-12-24T17:00:00", "el 24 de diciembre de 2026 a las cinco de la tarde"},
		"from one date to another":           {"vacaciones 24/12-6/1", "vacaciones del 24 de diciembre al 6 de enero"},
		"half is no date":                    {"1/2 kilo", "Medio kilo"},
		"half as one sign":                   {"½ kilo", "Medio kilo"},
		"the first of February is":           {"el 1/2", "el 1 de febrero"},
		"minutes":                            {"Dura 15 min. Después se paga.", "Dura 15 minutos. Después se paga."},
		"a range of minutes":                 {"15-20 min", "15 a 20 minutos"},
		"one hour and a half":                {"1 h 30 min", "Una hora 30 minutos"},
		"one person":                         {"Mesa, 1 persona", "Mesa, una persona"},
		"square metres":                      {"98 m²,", "98 metros cuadrados."},
		"centimetres by centimetres":         {"130 × 180 cm", "130 por 180 centímetros"},
		"degrees":                            {"a 25 ºC", "a 25 grados"},
		"an order":                           {"2 × Tortilla (sin cebolla), 1 × Tarta", "2 de Tortilla, sin cebolla, una de Tarta"},
		"an address":                         {"C/ Mayor, nº 5, 1.º B, Zaragoza", "Calle Mayor, número 5, primero B, Zaragoza"},
		"an avenue":                          {"Avda. del Mar s/n", "Avenida del Mar sin número"},
		"the second floor, feminine":         {"2ª planta", "Segunda planta"},
		"a doctor":                           {"La Dra. Pérez y el Dr. Gil", "La doctora Pérez y el doctor Gil"},
		"don and doña":                       {"D. Luis y Dña. Ana", "Don Luis y doña Ana"},
		"for example":                        {"p. ej. los lunes", "Por ejemplo los lunes"},
		"and so on, in the middle":           {"té, café, etc. y más", "té, café, etcétera y más"},
		"and so on, at the end":              {"té, café, etc. Gracias.", "té, café, etcétera. Gracias."},
		"more or less, in brackets":          {"10 días (aprox.).", "10 días, aproximadamente."},
		"Monday to Friday":                   {"Abrimos L-V.", "Abrimos de lunes a viernes."},
		"Monday to Friday with its word":     {"Abrimos de L-V.", "Abrimos de lunes a viernes."},
		"days with a dash":                   {"lunes-viernes", "lunes a viernes"},
		"all day":                            {"Urgencias 24/7.", "Urgencias las 24 horas, los 7 días."},
		"both sexes":                         {"niños/as", "niños"},
		"and or or":                          {"ida y/o vuelta", "ida y o vuelta"},
		"a slash":                            {"playa/montaña", "playa o montaña"},
		"an ampersand":                       {"Corte & Color", "Corte y Color"},
		"plus":                               {"precio + IVA", "precio más IVA"},
		"brackets":                           {"individual (65 €) y doble (95 €).", "individual, 65 euros, y doble, 95 euros."},
		"quotes have no sound":               {"diga «persona» o \"nadie\"", "diga persona o nadie"},
		"markdown":                           {"**Horario**: `9` a _10_", "Horario: 9 a 10"},
		"a list":                             {"Servicios:\n- Corte: 18 €\n- Color: 45 €", "Servicios: Corte: 18 euros. Color: 45 euros"},
		"a heading":                          {"# Horario\n\nAbrimos a las 9:00.", "Horario. Abrimos a las nueve de la mañana."},
		"a numbered list":                    {"1. Llegue\n2. Pague", "Llegue. Pague"},
		"a line that goes on":                {"Se pagan las\narras.", "Se pagan las arras."},
		"a link with its text":               {"Vea [la carta](https://x.example/c).", "Vea la carta."},
		"emoji":                              {"¡Gracias! 😀👍🏽 Hasta luego", "¡Gracias! Hasta luego"},
		"capitals are words":                 {"HORARIO DE VERANO Y FIESTAS", "Horario de verano y fiestas"},
		"a stressed little word":             {"es SIN azúcar", "es sin azúcar"},
		"letters stay letters, if longer":    {"el RDSI y la DGT", "el RDSI y la DGT"},
		"currency in words":                  {"a 1,20 euros", "a un euro con 20"},
		"112 things are things":              {"hay 112 parcelas", "hay 112 parcelas"},
		"letters stay letters":               {"con el IVA y el DNI", "con el IVA y el DNI"},
		"three full stops":                   {"Pues... no sé... Vale.", "Pues, no sé. Vale."},
		"an e-mail address":                  {"Escriba a ana@example.com.", "Escriba a ana arroba example punto com."},
		"an e-mail address with signs":       {"ana_lopez-ruiz.2024@example.es", "Ana guion bajo lopez guion ruiz punto 2 0 2 4 arroba example punto es"},
		"a name elsewhere":                   {"Síganos: @casalola", "Síganos: arroba casalola"},
		"a website behind its preposition":   {"Reserve en https://x.example.com/a?b=1 o llame.", "Reserve en nuestra página web o llame."},
		"a website behind a verb":            {"Visite www.example.com.", "Visite nuestra página web."},
		"a website behind a colon":           {"Más información: www.example.com/faq", "Más información, en nuestra página web"},
		"a sentence that is only an address": {"Gracias. Web: www.example.com. Adiós.", "Gracias. Adiós."},
		"a website in brackets":              {"En la web (example.com) está todo.", "En la web, está todo."},
		"nothing but a website":              {"https://example.com", "En nuestra página web."},
		"a reference":                        {"ref. CC-1042", "Referencia C C 1 0 4 2"},
		"many choices":                       {"¿Qué desea reservar: Corte, Tinte, Peinado, Mechas o Permanente?", "¿Qué desea reservar: Corte, Tinte, Peinado u otra cosa?"},
		"three choices":                      {"¿Qué desea reservar: Corte, Tinte o Peinado?", "¿Qué desea reservar: Corte, Tinte o Peinado?"},
		"days are not cut":                   {"¿Cuál: hoy, lunes 16, mañana, martes 17 o el miércoles 18?", "¿Cuál: hoy, lunes 16, mañana, martes 17 o el miércoles 18?"},
		"facts are not cut":                  {"Tenemos: té, café, agua, vino y pan.", "Tenemos: té, café, agua, vino y pan."},
	})
}

func TestEnglish(t *testing.T) {
	t.Parallel()
	hold(t, "en", spoken.Options{Code: "K7M4QX", Region: "GB"}, map[string]said{
		"words stay":                       {"Hello! How can I help? I'll see.", "Hello! How can I help? I'll see."},
		"a code is spelled":                {"Your code is K7M4QX.", "Your code is K as in Kilo, 7, M as in Mike, 4, Q as in Quebec, X as in X-ray."},
		"a mobile of the country":          {"phone +44 7700 900111. Is that right?", "phone 0 7 7 0 0, 9 0 0, 1 1 1. Is that right?"},
		"a number of London":               {"Call 020 7946 0958", "Call 0 2 0, 7 9 4 6, 0 9 5 8"},
		"a number with its trunk prefix":   {"+44 (0)20 7946 0958", "0 2 0, 7 9 4 6, 0 9 5 8"},
		"a number without spaces":          {"07700900111", "0 7 7 0 0, 9 0 0, 1 1 1"},
		"another country has its code":     {"phone +34 600 33 31 32", "phone plus 3 4, 6 0 0, 3 3, 3 1, 3 2"},
		"an American number":               {"(415) 555-2671", "4 1 5, 5 5 5, 2 6 7 1"},
		"what is no number yet":            {"1234 doesn't look right.", "1234 doesn't look right."},
		"the number for emergencies":       {"call 999 or 112", "call 9 9 9 or 1 1 2"},
		"999 pounds are a price":           {"£999", "999 pounds"},
		"a time on the hour":               {"at 16:00", "at 4 pm"},
		"a time that is said already":      {"November 19th at 4 pm.", "November 19th at 4 pm."},
		"minutes":                          {"at 8:30 pm.", "at 8 30 in the evening."},
		"few minutes":                      {"at 10:05 am", "at 10 oh 5 in the morning"},
		"a.m. at the end":                  {"at 10:30 a.m. Bye", "at 10 30 in the morning. Bye"},
		"a.m. in the middle":               {"at 10 a.m. or later", "at 10 am or later"},
		"noon":                             {"at 12:00", "at 12 noon"},
		"after midnight":                   {"at 00:30", "at 12 30 at night"},
		"opening hours":                    {"from 9:00 to 17:30", "from 9 am to 5 30 in the afternoon"},
		"opening hours, short":             {"9am–5pm", "9 am to 5 pm"},
		"opening hours, shorter":           {"Sun 10-4pm", "Sunday 10 am to 4 pm"},
		"both in the afternoon":            {"2-4pm", "2 pm to 4 pm"},
		"opening hours without am and pm":  {"Open from 9:00 to 5:00.", "Open from 9 am to 5 pm."},
		"a time that may be either":        {"at 5:00", "at 5 o'clock"},
		"a time with a full stop":          {"at 9.30", "at 9 30 in the morning"},
		"a full stop and am":               {"by 10.30am, though", "by 10 30 in the morning, though"},
		"days":                             {"Mon-Fri 8:05-16:45", "Monday to Friday 8 oh 5 in the morning to 4 45 in the afternoon"},
		"euros":                            {"Candles: €14.50.", "Candles: 14 euros 50."},
		"pounds":                           {"£42", "42 pounds"},
		"pounds and pence":                 {"£12.50", "12 pounds 50"},
		"few pence":                        {"£12.05", "12 pounds 5 pence"},
		"a weight":                         {"2.5 pounds of tea", "2 point 5 pounds of tea"},
		"pence":                            {"£0.50", "50 pence"},
		"a dollar":                         {"$1", "1 dollar"},
		"thousands":                        {"€345,000", "345000 euros"},
		"millions":                         {"€1.5 million", "1 point 5 million euros"},
		"the Spanish way":                  {"1.150 € a month", "1150 euros a month"},
		"so much a night":                  {"£80/night", "80 pounds a night"},
		"a range of prices":                {"£30-50", "30 to 50 pounds"},
		"percent":                          {"10% off", "10 percent off"},
		"a decimal":                        {"2.5 km", "2 point 5 kilometres"},
		"a date":                           {"on 24/12", "on December 24th"},
		"a date with its year":             {"24/12/2026", "December 24th, 2026"},
		"a date as machines write it":      {"2026-12-24 at 17:00", "December 24th, 2026 at 5 pm"},
		"an order of dates that must be":   {"12/25/2026", "December 25th, 2026"},
		"from one date to another":         {"closed 24/12-1/1", "closed December 24th to January 1st"},
		"a range of minutes":               {"15-20 min", "15 to 20 minutes"},
		"one hour":                         {"1 hr", "1 hour"},
		"square metres":                    {"84 m²", "84 square metres"},
		"an order":                         {"2 × Beeswax candles, 1 × Tea", "2 Beeswax candles, 1 Tea"},
		"sizes":                            {"in 38, 40, 42 and 44", "in 38, 40, 42 and 44"},
		"an ordinal":                       {"Tuesday, November 3rd", "Tuesday, November 3rd"},
		"a saint and a street":             {"St. Mary's, 12 High St. We open.", "Saint Mary's, 12 High street. We open."},
		"doctor and mister":                {"Dr. Patel and Mr Smith", "Doctor Patel and mister Smith"},
		"for example":                      {"pets, e.g. dogs", "pets, for example dogs"},
		"that is":                          {"i.e. never", "That is never"},
		"number five":                      {"No. 5", "Number 5"},
		"no is no number":                  {"No. We don't.", "No. We don't."},
		"an initial":                       {"with J. Brown", "with J. Brown"},
		"all day":                          {"open 24/7.", "open 24 hours a day, 7 days a week."},
		"and or or":                        {"tea and/or milk", "tea and or milk"},
		"an ampersand":                     {"rock & roll, B&B", "rock and roll, B and B"},
		"brackets":                         {"cut (£42), colour (from £75) and 1 more.", "cut, 42 pounds, colour, from 75 pounds, and 1 more."},
		"quotes have no sound":             {`about: "it's my contract". Right?`, "about: it's my contract. Right?"},
		"an apostrophe at the end":         {"Gents' haircut", "Gents haircut"},
		"a curly apostrophe":               {"I’ll see", "I'll see"},
		"a hyphen stays":                   {"check-up", "check-up"},
		"a dash is a pause":                {"cut - and colour", "cut, and colour"},
		"a long dash is a pause":           {"cut — and colour", "cut, and colour"},
		"a table":                          {"| Cut | £42 |\n|---|---|\n| Colour | £75 |", "Cut, 42 pounds. Colour, 75 pounds."},
		"an e-mail address":                {"e-mail vera.stone@example.com, about", "e-mail vera dot stone at example dot com, about"},
		"an e-mail address with signs":     {"I've added amy_cole@mail.example; thanks", "I've added amy underscore cole at mail dot example; thanks"},
		"the end of a domain":              {"bob@mail.co.uk", "Bob at mail dot co dot U K"},
		"a website behind its preposition": {"Book at https://x.example.com or call.", "Book on our website or call."},
		"a website that was named":         {"Book on our website at https://x.example.com.", "Book on our website."},
		"a website that is only named":     {"Thanks. Our website is www.example.com. Bye.", "Thanks. Bye."},
		"a website behind a verb":          {"Visit www.example.com for more.", "Visit our website for more."},
		"a bare domain":                    {"See example.com/menu, please", "See our website, please"},
		"a missing space is no domain":     {"We open.See you", "We open. See you"},
		"a reference":                      {"Reference CC-1057: a flat", "Reference C C 1 0 5 7: a flat"},
		"many choices":                     {"Which one: Cut, Colour, Blow-dry, Perm or Highlights?", "Which one: Cut, Colour, Blow-dry or something else?"},
		"two choices":                      {"Which one: Cut or Colour?", "Which one: Cut or Colour?"},
		"capitals are words":               {"PLEASE NOTE: closed", "Please note: closed"},
		"a Spanish address":                {"Plaza Mayor, 3, 1.º B, Zaragoza", "Plaza Mayor, 3, first B, Zaragoza"},
		"what is not text":                 {"a\xffb \u200d <b>x</b>", "ab b x b"},
	})
}

func TestSlow(t *testing.T) {
	t.Parallel()
	hold(t, "es", spoken.Options{Region: "ES", Slow: true}, map[string]said{
		"a name is spelled":      {"a nombre de Iñaki Díaz, teléfono", "a nombre de Iñaki Díaz, que se escribe i, eñe, a, ka, i; de, i, a, zeta, teléfono"},
		"a question has no name": {"¿A nombre de quién?", "¿A nombre de quién?"},
		"figures one by one":     {"teléfono +34 600 11 12 22.", "teléfono 6, 0, 0, 1, 1, 1, 2, 2, 2."},
		"an address is spelled":  {"correo eva@example.com, sí", "correo e, uve, a, arroba example punto com, sí"},
		"a note is somebody's":   {"Tomo nota: Blas Tena, teléfono", "Tomo nota: Blas Tena, que se escribe be, ele, a, ese; te, e, ene, a, teléfono"},
	})
	hold(t, "en", spoken.Options{Region: "GB", Slow: true}, map[string]said{
		"an English name":           {"under the name Ruth Page, phone", "under the name Ruth Page, spelled R, U, T, H; P, A, G, E, phone"},
		"nobody spells a long name": {"under the name " + "Abcdefghijklmnopqrstuvwxyz Abcdefghijklmnopqrstuvwxyz", "under the name Abcdefghijklmnopqrstuvwxyz Abcdefghijklmnopqrstuvwxyz"},
	})
}

func TestCountries(t *testing.T) {
	t.Parallel()
	hold(t, "en", spoken.Options{Region: "us"}, map[string]said{
		"the month comes first":     {"on 12/3", "on December 3rd"},
		"a number of the country":   {"+1 415-555-2671", "4 1 5, 5 5 5, 2 6 7 1"},
		"its emergency number":      {"call 911", "call 9 1 1"},
		"a number from Spain, here": {"+34 600 33 31 32", "Plus 3 4, 6 0 0, 3 3, 3 1, 3 2"},
	})
	hold(t, "es", spoken.Options{}, map[string]said{
		"without a country the code is said": {"+34 600 33 31 32", "Prefijo 3 4, 6 0 0, 3 3, 3 1, 3 2"},
		"a number without anything":          {"600333132", "6 0 0, 3 3 3, 1 3 2"},
	})
}

// A language whose folder says nothing of speech is spoken all the same.
func TestAnotherLanguage(t *testing.T) {
	t.Parallel()
	l, err := language.Load("xx", fstest.MapFS{"words.txt": {Data: []byte("[wording]\nyes: jes\n")}})
	if err != nil {
		t.Fatal(err)
	}
	for written, want := range map[string]string{
		"Jes: 16:00, 30 €, «a» & b/c. Du 24/12!": "Jes: 16 00, 30, a b c. Du 24 12!",
		"vi@example.com": "V, I, example com",
	} {
		if got := spoken.Text(l, written, spoken.Options{Code: "ABC", Slow: true}); got != want {
			t.Errorf("%q is spoken %q, want %q", written, got, want)
		}
	}
	if got := spoken.Text(nil, "a las 9:00", spoken.Options{}); got != "a las nueve de la mañana" {
		t.Errorf("without a language: %q", got)
	}
}
