package catalogue_test

// Businesses of other trades than the demo's, written the way strangers do:
// names in one language only, prices as text, marks in capitals.

const salon = `{"slug":"rizos","vertical":"salon","display_name":"Rizos","languages":["es","en"],"config":{
"business":{"name":"Rizos Peluquería","address":"Calle Mayor 5, Sevilla","phone":"+34 600 000 050",
 "hours_human":"De martes a viernes de 10:00 a 14:00 y de 17:00 a 20:30. Sábados de 10:00 a 14:00."},
"policy":"Si llega más de 15 minutos tarde, la cita puede perderse. Las cancelaciones con menos de 24 horas tienen un cargo del 50 %.",
"hours":{"1":[10,20],"2":[10,20],"3":[10,20],"4":[10,20],"5":[10,14]},
"services":[
 {"name":"Corte de pelo mujer","price":"25 €","duration_minutes":45},
 {"name":"Corte de pelo hombre","price":"15","duration_minutes":"30"},
 {"name":"Corte y barba","price":22,"duration_minutes":45},
 {"name":"Tinte completo","price":"desde 40 €","duration_minutes":90},
 {"name":"Mechas","price":"desde 60 €"},
 {"name":"Manicura","price":{"amount":18}},
 {"name":"Uñas de gel","price":30},
 {"name":"Masaje relajante 30 min","price":30},
 {"name":"Masaje relajante 60 min","price":50}]}}`

const hotel = `{"slug":"marina","vertical":"hotel","display_name":"Hotel Marina","languages":["en","es"],"config":{
"business":{"name":"Hotel Marina","address":"12 Harbour Road, Cádiz","phone":"+34 600 000 060","website":"https://marina.example.com",
 "hours_human":"Reception is open 24 hours."},
"policy":"Check-in is from 3 pm and check-out until 11 am. Free cancellation up to 48 hours before arrival. Pets up to 10 kg are welcome for €15 a night. Breakfast is served from 7:30 to 10:30.",
"hours":{"0":[0,24],"1":[0,24],"2":[0,24],"3":[0,24],"4":[0,24],"5":[0,24],"6":[0,24]},
"services":[
 {"name":"Single room","price":70,"capacity":1},
 {"name":"Double room","price":95,"capacity":2},
 {"name":"Double room with sea view","price":120,"capacity":2},
 {"name":"Family suite","price":{"amount":180,"currency":"EUR"},"capacity":4},
 {"name":"Airport transfer","price":"€35 each way","bookable":false}]}}`

const plumber = `{"slug":"fontaneria","vertical":"services","display_name":"Fontanería Ruiz","languages":["es"],"config":{
"business":{"name":"Fontanería Ruiz","phone":"600 000 070","zones_human":"Trabajamos en Granada capital y en los pueblos del área metropolitana."},
"policy":"El presupuesto es gratuito y sin compromiso. Los trabajos tienen dos años de garantía. Las urgencias fuera de horario tienen un recargo de 40 €.",
"hours":{"0":[8,18],"1":[8,18],"2":[8,18],"3":[8,18],"4":[8,18]},
"services":[
 {"name":"Desatasco de tuberías","price":"desde 60 €","aliases":["atasco"]},
 {"name":"Reparación de fugas de agua","price":"desde 50 €"},
 {"name":"Instalación de calentador","price":120,"duration_minutes":180},
 {"name":"Revisión de caldera","price":80,"duration_minutes":60}]}}`

const bistro = `{"slug":"bistro","vertical":"restaurant","display_name":"The Green Fork","languages":["en"],"config":{
"business":{"name":"The Green Fork","address":"7 Mill Lane, Bath","hours_human":"Wednesday to Sunday, noon to 10 pm."},
"specials":"Sunday roast with all the trimmings, £18. Two-for-one cocktails on Thursdays from 5 pm to 7 pm.",
"dietary":"Our kitchen handles nuts and gluten, so we cannot guarantee that dishes are free of traces.",
"hours":{"2":[12,22],"3":[12,22],"4":[12,22],"5":[12,22],"6":[12,22]},
"menu":{"Starters":[
  {"name":"Soup of the day","price":"£6.50","dietary":["VG","GF"],"allergens":["celery"]},
  {"name":"Goat's cheese salad","price":{"amount":8.5,"currency":"GBP"},"dietary":["V"],"allergens":["milk","walnuts"]}],
 "Mains":[
  {"name":"Fish and chips","price":{"amount":15,"currency":"GBP"},"allergens":["fish","wheat"]},
  {"name":"Mushroom risotto","price":"£14","dietary":["vegan","gluten-free"],"allergens":[]},
  {"name":"Steak frites","price":"£24"}],
 "Desserts":[{"name":"Sticky toffee pudding","price":"£7","dietary":["v"],"allergens":["gluten","eggs","dairy"]}]}}}`
