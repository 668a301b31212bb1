package catalogue_test

// Businesses of other trades than the demo's, written the way strangers do:
// names in one language only, prices as text, marks in capitals.

const salon = `{"slug":"rizos","vertical":"salon","display_name":"Rizos","languages":["es","en"],
"calendar":{"openings":{"1":[["10:00","14:00"],["17:00","20:30"]],"2":[["10:00","14:00"],["17:00","20:30"]],"3":[["10:00","14:00"],["17:00","20:30"]],
 "4":[["10:00","14:00"],["17:00","20:30"]],"5":[["10:00","14:00"]]},"holidays":"ES-AN",
 "exceptions":[{"from":"2026-03-27","to":"2026-03-28","openings":[["10:00","14:00"]],"reason":"inventario"}]},"config":{
"business":{"name":"Rizos Peluquería","address":"Calle Mayor 5, Sevilla","phone":"+34 600 000 050",
 "hours_human":"De martes a viernes de 10:00 a 14:00 y de 17:00 a 20:30. Sábados de 10:00 a 14:00."},
"policy":"Si llega más de 15 minutos tarde, la cita puede perderse. Las cancelaciones con menos de 24 horas tienen un cargo del 50 %.",
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

const clothes = `{"slug":"moda","vertical":"retail","display_name":"Moda Luna","languages":["es","en"],"timezone":"Europe/Madrid","config":{"business":{"name":"Moda Luna","address":"Calle Real 8, Cádiz","shipping_human":"Enviamos en 48 horas por 4,90 €.","returns_human":"Se puede devolver en 30 días con el ticket."},
"hours":{"0":[10,20],"1":[10,20]},
"services":[{"name":"Arreglos de costura","price":"desde 8 €"},{"name":"Asesoría de imagen","price":40}],
"products":{"Ropa":[
{"sku":"VL-1","name":"Vestido de lino","name_en":"Linen dress","price":49.9,"stock":6,"variants":[{"name":"S","stock":2},{"name":"M","stock":0},{"name":"L","stock":4}]},
{"sku":"CA-2","name":"Camiseta básica","name_en":"Basic T-shirt","price":15,"variants":[{"size":"M","color":"rojo","stock":3},{"size":"M","color":"azul","stock":0},{"size":"L","color":"azul","stock":5,"price":17}]},
{"sku":"ZA-3","name":"Zapatillas de lona","name_en":"Canvas trainers","price":35,"stock":9,"variants":["38 blanco","39 blanco","39 negro","40 negro"]},
{"sku":"BO-4","name":"Bolso de piel","name_en":"Leather bag","price":89,"stock":1,"variants":["negro","marrón"]},
{"sku":"PA-5","name":"Pantalón vaquero","name_en":"Jeans","price":45,"stock":0},
{"sku":"BU-6","name":"Bufanda de lana","name_en":"Wool scarf","price":19}]}}}`

const yoga = `{"slug":"yoga","vertical":"services","display_name":"Bodhi","languages":["en","es"],"timezone":"Europe/London","config":{"business":{"name":"Bodhi Yoga","address":"5 High St"},
"hours":{"0":[8,20],"1":[8,20]},
"services":[
{"name":"Private yoga class","price":60,"duration_minutes":60,"description":"One to one with a teacher."},
{"name":"Beginners' group class","price":12,"duration_minutes":60,"description":"For people who have never tried yoga."},
{"name":"First class","price":0,"description":"Free trial for new members."},
{"name":"Prenatal yoga","price":15,"description":"For pregnant women, from week 12."},
{"name":"Deep tissue massage","price":55,"duration_minutes":60},
{"name":"Hot stone massage","price":65,"duration_minutes":75}]}}`

const podiatry = `{"slug":"mx","vertical":"clinic","display_name":"Podología Centro","languages":["es"],"timezone":"America/Mexico_City","config":{"business":{"name":"Podología Centro"},
"hours":{"0":[9,18]},
"services":[{"name":"Primera visita","price":400,"duration_minutes":40},{"name":"Quiropodia","price":450,"duration_minutes":30,"aliases":["callos","durezas"]},{"name":"Estudio de la pisada","price":900,"description":"Para corredores y dolor de rodilla o talón."},{"name":"Plantillas a medida","price":"desde 1500"},{"name":"Uña encarnada","price":700,"aliases":["uñero"]}]}}`

const vet = `{"slug":"vet","vertical":"clinic","display_name":"Mill Lane Vets","languages":["en"],"timezone":"Europe/London","config":{
"business":{"name":"Mill Lane Vets","address":"3 Mill Lane, Leeds","phone":"+44 113 496 0100"},
"hours":{"0":[8,19],"1":[8,19],"2":[8,19],"3":[8,19],"4":[8,19]},
"services":[
 {"name":"Consultation","price":45,"aliases":["see the vet"],"description":"For an animal that is unwell."},
 {"name":"Booster","price":58,"aliases":["vaccination"]},
 {"name":"New puppy first visit","price":40},
 {"name":"Claw trim","price":15,"description":"With a nurse."},
 {"name":"Home visit","price":110},
 {"name":"Dental surgery","price":"from £280","bookable":false}]}}`
