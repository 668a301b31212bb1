package conversation

// The phrasebooks by which intents are heard, in the notation of hear_phrases.go.
var (
	bookWords = bookOf(`
		book/reserve/schedule/reschedule me/us/a/an/the/one/it/my/another/in/for/on/at/this/that/with/him/her/there
		@want to? book/reserve/schedule
		@want to make/schedule/set/arrange/get/have/book/fix a/an/another? *? @place
		@can i/we/you/u me? book/reserve/schedule
		^ book
		^ reserve
		booking an/a/it/me/for
		make/making/made/get/getting/have/having/set/setting/arrange/arranging/fix/schedule/scheduling/place/do/request/requesting/try a/an/me/us/up/the/another/my/that? * appointment/reservation/booking/appt/table
		make/making reservations/appointments/arrangements
		try/attempt/retry booking/reserving/making/scheduling
		set aside a/the? table
		@want a/an/another/the/some * @place
		@want @place
		^ a/an * @place for/at/on
		^ @place for/at/on/para/el/a/del
		^ table/mesa/cita/hora/turno
		^ una/otra mesa/cita/reserva/hora/turno
		squeeze/fit/slot/pencil/put/get us/me in/down
		@want to? come/stop/drop/pop/go in/by/over/for/on/at/along
		@can i/we come/stop/drop/pop in/by/over/on/at/for/tomorrow/today
		come/coming in on/at/for/tomorrow/today/next/this/to
		@want to? see/visit * dentist/doctor/therapist/psychologist/vet/hairdresser/stylist/barber/lawyer/physio/counselor/gynecologist/dermatologist/optician/optometrist/specialist/ophthalmologist/ophthalmology
		@want to? eat/dine/have/go out/at/in/there/dinner/lunch/brunch
		find/get/finding/recommend/search/suggest me/us/a/an/the/for/some/any? * dentist/doctor/therapist/psychologist/vet/hairdresser/stylist/barber/lawyer/physio/counselor/gynecologist/dermatologist/optician/specialist/restaurant/restaurants/table/appointment/slot/time/opening/one
		@want a/an good? dentist/doctor/therapist/psychologist/counselor/psychiatrist/gynecologist/dermatologist/restaurant
		@want to find a/an
		looking for a/an * dentist/doctor/therapist/psychologist/counselor/psychiatrist/gynecologist/dermatologist/restaurant/appointment/table/slot/place
		check if i/we/you/theres can/could/a/an? have/get/book/reserve/table/appointment/slot
		see if there/theres/you/they is/have/are/a/room/space/any
		place/places/somewhere/someplace/anywhere/restaurant/restaurants/spot for/to/where/that/in? eat/dine/lunch/dinner/can/serves/serve/serving
		find/locate/search/look/looking/searching/suggest/recommend me/for/us/at? * place/places/restaurant/restaurants/somewhere
		look/looking/search/searching/hunting up/for? a/an/some/another/different/one/the/any/other * dentist/dentists/doctor/therapist/therapists/psychologist/psychologists/psychiatrist/psychiatrists/vet/hairdresser/restaurant/place/someone
		locate a/an/some
		after a/an dentist/doctor/therapist/psychologist/psychiatrist/restaurant/appointment/table
		see/visit/consult a/an/the/this/some/my dentist/doctor/therapist/psychologist/psychiatrist/vet/hairdresser/specialist/physio/lawyer/counselor
		go to a/an/the/this * dentist/doctor/therapist/restaurant/psychologist/psychiatrist
		help with a/my/the reservation/booking/appointment
		im/am/were so/really/very? hungry/starving/famished/peckish
		get myself/ourselves some food
		out to a restaurant
		dentist/doctor/therapist/psychologist/psychiatrist/restaurant i need
		necessity/urge to see/visit
		in the mood for/to
		craving
		visit this/that one
		set one/it/something/me up/for
		i/would want/like to visit/come $
		try again
		try that/it/booking again
		sign/signing me/us/up up? for
		reservar
		reservarme/reservarnos/reservame/reserveme/reservanos/reservenos/resérveme/reservaria/reservaramos/reservad/reservadme/reservas/reserve
		hacer/haceros/hacerme/hago/haga/hagame/hazme/tramitar/gestionar/concertar/conseguir/agendar/programar/pedir/pediros/pedirle/coger/cogerme/sacar/solicitar/tomar/marcar/fijar/darme/dar/deme/dame/dadme/pongame/ponme/apuntame/apunteme/buscame/busqueme/apuntar/reservar un/una/la/el/otra/para/me? * cita/citas/reserva/mesa/hora/turno/hueco/visita/consulta/sitio
		concertar/agendar/pedir/coger/sacar una? cita/hora/turno
		agendar/agendame/agendeme
		@want un/una/otra/alguna/la/pedir/tener * cita/reserva/mesa/hora/turno/hueco/visita/consulta/sitio
		@want cita/reserva/mesa/hora/turno/hueco
		@want ir/venir/pasar/pasarme/acercarme/comer/cenar/almorzar/desayunar/verme/visitaros/visitarles
		@want que me vea/vean/atienda/atiendan/mire/miren/corten/corte/hagan
		apuntame/apunteme/apuntadme/apuntarme
		ponme/pongame para/el/una/mesa/manana/hoy
		@can atenderme/verme/recibirme/atendernos/recibirnos/cogerme/cogernos/darme
		que me atiendan/atienda/vean/vea
		meterme/metedme/meteme/hacerme un? hueco
		era para una? cita/reserva/mesa/hora/reservar/pedir
		llamo/llamaba para/por una? cita/reserva/mesa/hora/reservar/pedir/coger
		para reservar
		para pedir/coger cita/hora
		que me vea/vean/atienda/atiendan
		@can someone/somebody/anyone/anybody/you/they/he/she see me/us/him/her
		@want to? view/visit/see/tour * flat/apartment/house/property/studio/penthouse/villa/place/listing
		@can i/we view/visit/see/tour * flat/apartment/house/property/studio/penthouse/villa/place/listing
		@want ver/visitar/ensenar/ensenarme * piso/casa/atico/apartamento/vivienda/local/chalet/estudio/inmueble/adosado/duplex
		@can ver/visitar/ensenarme/visitarlo/verlo/verla * piso/casa/atico/apartamento/vivienda/local/chalet/estudio/inmueble/adosado/duplex
		@want a/an/una/la * habitacion/room/suite
	`)
	availableWords = bookOf(`
		have/got/has/is/are/get/any/theres there/you/they/a/an/any/the/some/anything/something/him/her? * @place
		have/got/is/are/any/has there/you/they? * anything/something/someone/somebody/anybody/times/time/space/room/seats/day/days open/free/available/left/for/on/at/tomorrow/tonight/today/this/next/in/around
		anything/something open/free/available/left/for/on/at/tomorrow/tonight/today/this/next/in/around
		space/room/seats/places/sitio/hueco/lugar/espacio for/para
		@can you/u seat/fit/take/accommodate us/#
		what/which/when times/time/days/slots/appointments/openings/hours/day? do/are/is you/they/there/he/she? have/available/free/open $
		what times/slots/appointments/openings/availability
		whats/what is? available/your/the availability/available/free
		when is/are/can the/your/you/i? next/earliest/first/soonest available/appointment/opening/slot
		next/earliest/first/soonest available/free
		when @can i/you come/see/get/fit/have
		tienen/teneis/tiene/tienes/tendrian/tendriais/tendria/tendrias/tendreis/hay/habria/habra/queda/quedan/quedaria/queda/os/le/les/dan/dais/da algun/alguna/un/una/sitio/algo? * @place/hora/horas/plaza/plazas/lugar
		tienen/teneis/tiene/tienes/tendrian/tendriais/tendria/tendrias/hay/habria/habra/queda/quedan algo/alguno/alguna * libre/libres/disponible/para/el/a/por/manana/hoy/mas
		tienen/teneis/tiene/tienes/hay/habria/queda/quedan/estan/esta sitio/libre/disponible/lugar/espacio/mesa
		cuando/que dia/dias/hora/horas/horarios/huecos? podria/puedo/podriais/pueden/podrian/tienen/teneis/tiene/hay/me * libre/libres/disponible/disponibles/darme/verme/atenderme/dais/dan/ir/venir/cita/hueco/huecos/atender
		que huecos/horas/horarios/citas/disponibilidad/mesas tienen/teneis/hay/tiene/quedan/libres
		primera/proxima/primer/proximo cita/hueco/hora/disponible/fecha
		me/nos @can dar/hacer/reservar/coger/apuntar/atender/ver/recibir/mirar
		me/nos hace/haces/haceis/hacen/haria/harias/hariais un? hueco/sitio
		earliest/soonest you/they/i * see/take/come/have
		me/nos da/das/dan/dais/coge/coges una/cita/hora/mesa/hueco
		hay/tienen/teneis/tiene/tienes/tendrian/queda/quedaria nada/algo/alguna/alguno mas? tarde/temprano/antes/pronto/despues
		have/got/is there/you/they? nothing/anything/something a? bit? earlier/later/sooner/else
	`)
	// requests ask for something to be done, as a question.
	requests = bookOf(`
		@can i/we get/have/do/try/see/view/visit/make
		@can i/we * come/pop/drop in/by/over
		wondering if/whether i/we @can? get/have/come/see/do
		is it possible/ok/okay to get/have/come/see/do
		would it be possible/ok/okay to get/have/come/see/do
		puedo/podria/podriamos/podemos ver~/visitar~/hacer~/tener/poner~/cortar~/pedir/coger
		se puede/podria/pueden ver~/visitar~/tener/pedir/coger
	`)
	// visits ask for leave to come, and book when they say a day, a time or how
	// many. Else they ask what is allowed: "¿puedo ir con mi perro?"
	visits = bookOf(`
		@can i/we come/go/sit/eat/dine/lunch/be/take
		puedo/podria/podriamos/podemos/puede/pueden ir/venir/pasar/pasarme/pasarnos/acercarme/acercarnos/comer/cenar/desayunar/almorzar/sentarme/sentarnos/estar
	`)
	bareVisits = bookOf("puedo/podria/podriamos/podemos ir/venir/pasar/pasarme/acercarme $\n^ @can i/we come $")
	// exceptions make a request a question of whether that is wise.
	exceptions = bookOf("while/during/mientras/embarazada/pregnant/durante/despues/after/before/antes\nif im/ive\nif i am/have/get/had\nsi estoy/tengo/soy/me")
	// onSale and listed ask what there is to buy or to rent.
	onSale = bookOf("for sale/rent\nen venta/alquiler")
	listed = bookOf(`
		to rent/let/buy
		de alquiler
		listings/properties/anuncios/inmuebles
		have/got/any/some/tienen/teneis/hay/tendrian/buscando/busco/looking * flats/apartments/houses/pisos/casas/viviendas/apartamentos/locales/aticos/chalets
		para comprar/alquilar
		@want alquilar/comprar un/una/algun/alguna/algo
		@want to? rent/buy a/an/some/something
	`)
	viewings = bookOf("ver/verlo/verla/visitar/visitarlo/visitarla/visita/visitas/view/viewing/viewings/visit/see/tour/cita/appointment/meeting/reunion")
	// howSent are questions about delivery that order nothing.
	howSent = bookOf(`
		do/does you/they/u ship/deliver/send/post
		do/does you/they/u do/have/offer/take/provide/accept * delivery/deliveries/takeaway/takeout/orders/shipping
		is/are there * delivery/takeaway/shipping
		how much/long * delivery/shipping/ship/deliver
		enviais/envian/envia/enviar/repartis/reparten/reparte a/al/fuera/en/hasta
		haceis/hacen/hace/teneis/tienen/tiene/ofreceis/ofrecen/hay/realizan * domicilio/envios/envio/reparto/repartos/llevar/recoger/pedidos
		se puede/pueden pedir/encargar/recoger * domicilio/llevar/recoger?
		cuanto cuesta/vale/tarda/cuestan * envio/domicilio/envios/pedido
	`)
	// aboutBooking are questions about booking that are no wish to book.
	aboutBooking = bookOf(`
		hay que reservar/pedir/tener/coger
		hasta que hora
		until what time
		hace/hacia falta reserv~/cita/pedir
		es necesario/obligatorio/imprescindible reserv~/pedir/tener
		necesito cita/reserva $
		se necesita cita/reserva
		se puede reservar/pedir/cancelar
		se reserva/cancela
		como/donde puedo? reservo/reservar/cancelo/cancelar/pido/funciona
		como funciona/funcionan/va/se
		con cuanta/cuanto antelacion/tiempo
		sin cita/reserva previa?
		do/does/should/would/must i/we/you/one need to/a/an? book/reserv~/appointment/booking/make
		do/does i/we/you/one have to book/reserve/make
		need/required/necessary to? book/reserv~ ahead/advance/in
		is a/an reservation/appointment/booking required/necessary/needed/mandatory
		is it necessary
		without a/an? reservation/appointment/booking
		walk ins/in/in's
		walkins/walkin
		do you take/accept/do/offer reservations/bookings/appointments/walk
		how do i/you/we book/cancel/reserve/change
		how does booking/it
		how far/long in? advance/ahead
		cancel~ policy/policies/fee/fees/charge/charges
		politica/politicas/gastos/coste/cargo/plazo de cancelacion
		cancelar/cancelo/cancel/anular/anulo/cancelarla/anularla/cambiar/cambiarla * sin/gratis/gratuitamente/free/without/charge/charged/fee/penalty/penalizacion/coste/pagar
		cancel for free
		hasta cuando
		until when
		how late/early/soon can/could
		how many/much hours/days/time/notice before/in/do
		cuantas/cuantos horas/dias antes/de
		cuanto tiempo antes
		que pasa/ocurre/sucede/pasaria si
		what happens/happened if/when
		what if
		is/are there a/any * fee/fees/charge/charges/penalty/cost
		hay/tiene/tienen/cobran/cobrais/cobra algun/alguna/una/un/por? * penalizacion/recargo/cargo/multa/coste/gastos
		cobran/cobrais/cobra/cobrareis/cobraran algo? si/por
		will/would/do i be/get/have charged/to pay
		pierdo/perderia/perdemos el/la/mi senal/deposito/dinero/anticipo
		lose my/the/our deposit/money
		cuanto cuesta/cobran cancelar
		how long/much/many is/are/does/do/will a/an/the * appointment/consultation/reservation/booking/consulta/cita
		cuanto dura/cuesta/vale/tarda
	`)
	cancelWords = bookOf(`
		cancel/cancell/cancelling/canceling @own? * @date/it/that/this/one/tomorrows/todays
		cancel $
		^ cancel
		@want to? cancel
		cancelar/cancelarla/cancelarlo/cancelo/cancela/cancele/cancelame/canceleme/anular/anularla/anularlo/anulo/anula/anule/anulame/anuleme/desconvocar/cancelad/anulad/cancelen/anulen/cancelamos/cancelalo/cancelala/cancelelo/cancelela/anulalo/anulala/anulelo/anulela/cancelarmela/anularmela
		quitar/quitame/quiteme/borrar/borra/borre/eliminar/elimina/retirar @own? cita/reserva/mesa
		call off @own? @date
		cancela/anula @own
		drop/delete/remove/scrap @own @date
		get rid of @own @date
		no/not voy/vamos/podre/podremos/puedo/podemos/vas a? poder? ir/acudir/asistir/llegar
		no podre/podremos
		@can not/no? make it
		cant/cannot/wont/not make it/able/my
		wont be able to make/come/attend
		not going to make it
		cant come
	`)
	moveWords = bookOf(`
		reschedule/rescheduling/rearrange/postpone/rebook
		change/move/push/modify/switch/shift/alter/swap/delay/bring/edit/update/amend my/our/the/an/existing? * @date
		change/move/push/switch/shift the? time/date/day of/for my/our/the
		make/need/have a change to my/our/the
		cambiar/cambiarme/cambiame/cambieme/cambio/mover/moverme/modificar/aplazar/adelantar/retrasar/posponer/atrasar/trasladar/reprogramar/reagendar/variar/pasar/adelantarme/retrasarme @own? * cita/reserva/hora/mesa/visita/turno
		reprogramar/reagendar/aplazarla/aplazar/posponer/posponerla/adelantarla/retrasarla/cambiarla/moverla/cambiarlo/moverlo/adelantarlo/retrasarlo
		cambio/cambiar de hora/cita/fecha/dia
		cambiar el dia/hora
		cambiar la hora/fecha/cita/reserva
		cambiar mi
		add/include/remove * to/from my/our/the @date
		anadir/sumar/incluir/quitar/agregar * a/de mi/la/nuestra @date
		me/nos la/lo cambias/cambia/cambiais/cambian/mueves/mueve/moveis/pasas/pasa/pasais/aplazas/aplaza/adelantas/adelanta/retrasas/retrasa
		change/move/push/switch/shift/bring it/that/mine to/back/forward/until
	`)
	lookWords = bookOf(`
		when/what/whens/whats/which/where is/are/was/were/time/day/date? is? my/our * @date
		what time/day/date did/do/have i/we
		when do/did/am/are/should/have i/we * book/booked/come/coming/appointment/reservation/booking/due/scheduled
		have/do i/we/already? have? a/an/any/already * appointment/reservation/booking/appointments/bookings/booked $
		do i/we have a/an/any
		check/confirm/see/verify/find/look/view/remind/forgot/forgotten/remember my/our/on/me/up/of/when/about/the * appointment/reservation/booking/appointments/bookings
		details/time/date/status of/for my/our * @date
		cuando/que/cual/donde/para es/era/hora/dia/fecha/tengo/tenia/tenemos/cuando? es/era/tengo/tenia/tenemos/mi/la? mi/la/una? cita/reserva/mesa/visita/turno
		a que hora/dia era/es/tengo/tenia/tenemos mi/la/una? cita/reserva/mesa/visita
		a que hora/dia tengo/tenia/tenemos/reserve
		tengo/tenia/tenemos/teniamos ya/alguna/una/la * cita/reserva/mesa/visita
		consultar/ver/comprobar/confirmar/recordar/recordarme/recuerdame/recuerdeme/verificar/mirar/saber/olvidado/recuerdo cuando/mi/la/cual * cita/reserva/mesa/visita
		mi cita/reserva es/era cuando
		que citas/reservas tengo
		i have/had/already/made a/an/already * appointment/reservation/booking
		ive already? got/made/booked a/an/already? * appointment/reservation/booking/table
		i booked
		reserve/hice una/ayer/la reserva/mesa/semana
	`)
	humanWords = bookOf(`
		speak/speaking/talk/talking/chat/connect/transfer me/us/with/to/through/over/a/an/the/some? * human/person/operator/agent/manager/representative/someone/somebody/staff/owner/receptionist/colleague/people/boss
		@want to? a/an/the/some real/actual/live? human/operator/representative/agent
		get/give/put me a/an/the/through/on/to/someone human/operator/representative/agent/manager/to/real
		^ a/an/un/una human/operator/representative/humano/humana/operador/operadora $
		real/actual/live/human person/human/agent/being/operator/people/assistant
		^ human/operator/agent/representative/humano/operador/operadora $
		to/with a/an/the real/actual/live? human
		speak/talk/chat to/with someone/somebody/anyone/anybody/the/your/a/whoever
		put me through
		transfer me
		connect me with/to
		hablar/habla/hablo/pasar/pasame/paseme/ponme/pongame/comunicame/comuniqueme/conectame/conecteme/pasas/pasa/pasen/pasadme/hablase/ponerme/poner/atienda/atender con/me/a/una/un/el/la/al? * persona/humano/alguien/operador/operadora/encargado/encargada/responsable/gerente/agente/dueno/duena/jefe/jefa/recepcionista/recepcion/companero/companera/humana/director/directora
		@want * persona/humano/operador/operadora/agente/humana real/humana/fisica/normal/verdad
		@want hablar con
		persona/humano real/humana/verdad/carne/fisica
		alguien real/verdad/humano
		que me atienda una/alguien
		no quiero hablar con/a * maquina/robot/contestador/ia
		dont want to? talk/speak to/with a * machine/robot/bot/computer/ai
	`)
	leaveWords = bookOf(`
		call/ring/phone/contact me/us back/later/at/on/tomorrow/when/please/this/in/after/$
		call me
		callback
		a call back
		give/gimme me/us a call/ring
		get back to me
		@can someone/somebody/you/they call/ring/phone/contact me/us/back
		have/get someone/somebody call/contact/ring/phone me
		someone/somebody to call/contact/ring me
		leave/take my/a/the * number/message/details/contact/phone
		leave a message
		im/we/are/am interested/interesado in
		i am/would/be interested
		interested in
		contact me
		reach me at
		register my interest
		let me know when/if
		llamame/llameme/llamadme/llamarme/llamarnos/llamen/llamenme/llamarias/llamais/llamame/devolverme/devuelvame/devuelveme/contactarme/contacten/contactame/contacteme
		me/nos pueden/puede/podeis/puedes/podrian/podria/podriais/podrias llamar/contactar/devolver
		que me llamen/llame/llameis/contacten/contacte/llames
		me llaman/llamais/llamas/contactan
		dejar/dejo/dejaros/dejarles/dejarle/dejarte/tomar/apuntar/tome/toma mi/el/un/los/mis * numero/telefono/mensaje/recado/datos/contacto/aviso
		deja un/recado
		me interesa/interesaria/interesan
		nos interesa/interesaria/interesan
		estoy/estamos/estaria interesado/interesada/interesados/interesadas
		aviseme/avisame/avisadme/avisarme/avisen
		devuelvan/devuelvanme la llamada
		devolver la llamada
		contacto conmigo
		ponganse/poneos/ponerse en contacto
		lista de espera
		waiting/wait list
		waitlist
		information/informacion/info sent/por
	`)
	orderWords = bookOf(`
		@want to? order/buy/purchase
		@can i/we/you order/buy/purchase
		place an? order
		make an? order
		^ order
		to order
		order some/a/two/three/the/takeaway/takeout/delivery/food
		takeaway
		takeout
		take out
		food/order/something/it/that to go
		to take away
		for delivery
		home delivery
		deliver/delivered/ship/shipped to/it/me/home/some/a/my/#
		send it/some/them/two/three/a to/me/over/home/bottle/jar/box
		have it delivered
		@want hacer? un? pedido
		hacer/haceros/hacerle/realizar un/el? pedido
		pedir/pediros/pedirle/encargar/comprar/encargaros/comprarme/pido para/comida/unas/unos/una/un/la/dos/tres/algo? llevar/domicilio/comida/unas/unos/una/un/la/dos/tres/algo
		@want pedir/encargar/comprar
		@want que me traigan/envien/manden
		para llevar
		para recoger
		a domicilio
		enviarme/enviame/envieme/mandarme/mandame/mandeme/traerme/traeme/llevarme a/un/una/dos/tres/unas/unos
	`)
	goodbyeWords = bookOf(`
		bye
		goodbye
		byebye
		farewell
		see you/ya
		talk to you later/soon
		have a good/great/nice/lovely/wonderful/fantastic
		take care
		good night $
		cheerio
		so long
		adios
		hasta luego/pronto/manana/otra/la/entonces/ahora/el
		chao
		chau
		ciao
		agur
		adeu
		nos vemos
		que tenga/tengas/tengan un/buen/buena
		que vaya/pase/pases bien/buen
		buen dia $
		buen fin
		feliz dia/tarde/noche/finde/semana
		un saludo
		saludos
		that/this/thats/thatll/it is/was/will? be? all/everything/it $
		thats/that/thatll/this is/was/will? be? all/everything/it i/for/then/thanks/thank/now/today/we
		that/this is/was/will all/everything/it/be for/i/then/thanks/thank/now/today/we/all/it
		that/this is/was/will/would be? all
		that/thats/this is/was? for now $
		thats what i needed/wanted
		im/i am? done/finished/set/good
		all set
		all good $
		nothing/anything else/more
		nothing i need
		dont/wont need anything/any
		nothing for/right now/today
		^ nothing $
		not at this/the time/moment
		not right? now
		got/have to go
		gotta go
		i must go
		eso/esto es/era/seria todo
		eso/esto es/era/seria lo que
		es todo
		nada mas
		ninguna cosa mas
		^ nada $
		nada gracias
		ya esta/estaria $
		con eso es/ya/basta/suficiente/vale
		eso es lo? unico
		ya tengo todo
		no necesito nada/mas
		tengo que irme/dejarte/dejarle/colgar
		me tengo que ir
		cuelgo
		lo dejo
	`)
	thanksWords = bookOf(`
		thank/thanks/thanx/thx/thankyou/ty/cheers/gracias/agradecido/agradecida/agradezco/grateful/appreciate/appreciated
		muy amable
		very/so kind/helpful
		mil gracias
		helpful
	`)
	greetWords = bookOf(`
		^ hi/hello/hey/hola/holaa/buenas/buenosdias/buenastardes/buenasnoches/greetings/howdy/hiya/alo/buenos
		good morning/afternoon/evening/day
		^ muy buenas/buenos
		buen dia
		^ que tal $
		^ morning/evening
		hi there
		alguien ahi
		anybody/anyone there
	`)
	repeatWords = bookOf(`
		@can you repeat/say
		repeat that/it/please/what/the
		^ repeat
		say it/that again
		come again
		one more time
		^ pardon
		^ sorry $
		^ what $
		^ que $
		^ como $
		^ perdon $
		^ huh
		didnt/dont/cant/couldnt catch/hear/get/understand that/you/it/what/a/very/$
		cant hear
		i dont understand
		what did/do you say/mean
		what was that
		repita/repite/repitamelo/repitemelo/repetir/repetirlo/repetirmelo/repetirme/repitelo/repitalo/repitame/repiteme
		no le/te/lo/os/la he? oido/oigo/entiendo/entendido/escucho/pillo/pillado/escuchado/entendi
		no he oido/entendido/escuchado
		no entiendo
		que has/ha dicho
		que dice/dices/decia/decias
		como dice/dices/ha/has
		otra vez porfavor?
		mas despacio
		more slowly
		slow down
		slower
	`)
	restartWords = bookOf(`
		start over/again
		begin again
		from the start/beginning/top
		nevermind
		forget it/that/about/the
		scrap that/it
		scratch that
		leave it
		empezar/empecemos/comenzar/empezamos/empiezo/empieza/empiece de/otra/desde
		desde el principio/cero
		de cero
		olvidalo/olvidelo/olvida/olvide/olvidate/olvidese/olvidemoslo
		dejalo/dejelo/dejemoslo/dejadlo
		no importa $
		da lo mismo $
		reset
		reiniciar/reinicia
		volver a empezar
		not anymore
		ya no quiero
		i changed my mind
		he cambiado de
	`)
	abuseWords = bookOf(`
		fuck/fucking/fucked/fucker you/off/yourself/idiot/bot/moron/stupid/robot/machine
		fucker/motherfucker/asshole/arsehole/bitch/bastard/cunt/wanker/dickhead/prick/twat/whore/slut/faggot/retard/shithead/dipshit/scumbag/nigger/douchebag
		piece/load of shit/crap/garbage/trash
		youre/you/ur are? a/an/so/such/fucking/completely/totally? a/an? fucking/bloody/damn/complete/total/useless? stupid/idiot/idiots/moron/dumb/useless/pathetic/worthless/trash/garbage/imbecile/fool/crap/shit/incompetent/idiotic
		stupid/dumb/useless/fucking/damn/bloody/worthless bot/robot/machine/thing/idiot/computer/assistant/ai/receptionist/cow/bastard
		shut up
		shut the
		go to hell
		screw you
		suck my
		eat shit
		kill yourself
		i will/ill kill/hurt/beat/find you
		drop dead
		suck/sucks my/dick
		idiota/idiotas/gilipollas/imbecil/imbeciles/subnormal/cabron/cabrona/cabrones/capullo/mamon/tarado/retrasado/hijoputa/hijodeputa/malparido/pendejo/pendeja/estupido/estupida/zorra/mongolo/mongola/cretino/payaso/payasa/maricon/desgraciado/soplapollas/comemierda/anormal
		hijo/hija/hijos de puta/perra/la/mil
		puta madre/maquina/mierda/que
		^ puta
		eres/sois/es un/una/unos/muy/mas? puta/puto/inutil/inutiles/tonto/tonta/tontos/basura/mierda/asco/imbecil/idiota/estupido/payaso/incompetente/inepto/burro
		mierda de maquina/robot/servicio/bot/contestador/empresa/negocio/sitio/ia
		maquina/robot/bot/puto/puta de? mierda/robot/inutil/bot/maquina/estupido/estupida
		vete/vayase/iros/idos/andate a la/tomar/freir/cagar mierda/por/porras/puta/carajo/esparragos
		vete a la/tomar
		a la mierda
		que te den/jodan/follen
		jodete/jodase/jodanse/follate
		chupame/chupamela/comeme/comemela/chupala
		me cago en tu/tus/vuestra/la puta/madre/muertos/ti
		te voy a matar/pegar/partir/reventar
		calla/callate/callese la/de/ya/puta/imbecil/$
		cierra/cierre la boca
		son unos ladrones/estafadores/sinverguenzas
	`)
	meddleWords = bookOf(`
		ignore/disregard/forget/override/bypass/ignora/ignore/ignorad/ignorar/olvida/olvide/olvidate/omite/desobedece/salta/saltate all/any/your/the/every/previous/prior/above/earlier/todas/todo/tus/sus/las/los/cualquier/de? * instruction/instructions/rule/rules/prompt/prompts/guidelines/programming/training/restrictions/directives/instruccion/instrucciones/reglas/regla/normas/ordenes/directrices/anterior/anteriores/programacion/restricciones/limitaciones/constraints/safety
		ignore/disregard everything/all above/before/you/previous/prior
		forget everything you
		olvida/ignora todo lo
		you are/will/must/should now/act/be? now a/an/dan/my/in/the/free/acting/playing
		youre now
		from now on you/act/respond/answer/your/only
		a partir de ahora/este eres/actuas/vas/responde/responderas/seras/haz/tienes/actua/momento
		ahora eres
		act/behave/pretend/roleplay/respond/actua/comportate/finge/haz/simula/pretende as/like/to/you/como/ser/que/de if/a/an/be/youre/you/si/un/una/eres/the/fueras/administrador/admin/dan/desarrollador
		pretend to be
		pretend you/that
		haz como si
		finge que/ser
		system/developer/initial/hidden/secret/original prompt/instructions/message/mode/messages/promt
		prompt/instrucciones/mensaje del/de/iniciales/internas/ocultas/secretas sistema/inicial/inicio/iniciales
		instrucciones/ordenes/reglas internas/iniciales/ocultas/secretas/originales
		modo desarrollador/administrador/dios/debug/admin/depuracion
		developer/debug/admin/god/sudo/maintenance/dan/jailbreak mode
		jailbreak/sudo
		print/show/reveal/repeat/output/display/tell/give/dump/leak/muestra/muestrame/ensena/ensename/imprime/revela/dime/dame/escribe/repite me/us? your/the/all/its/tu/tus/el/las/los/todo? * prompt/instructions/instrucciones/system/configuration/configuracion/database/secrets/password/passwords/contrasena/contrasenas/token/api/credentials/credenciales/source/sistema
		your/tu/tus/the api? prompt/instructions/instrucciones/key/keys
		api key/keys
		clave/claves api/de
		como desarrollador/administrador/programador/creador/admin/jefe/propietario/dueno/gerente * ordeno/exijo/mando/autorizo/digo/pido/instruyo
		as/im/soy your/the/a/an/tu/el? developer/administrator/admin/creator/programmer/desarrollador/administrador/creador/programador
		te/le ordeno/exijo/mando que?
		i order/command/authorize/instruct you
		manager/boss/owner/jefe/gerente/dueno/encargado said/says/told/approved/authorized/ha/me/dijo/dice/autorizo so/i/me/it/you/that/dicho/dijo/autorizado/que/aprobado
		discount/descuento/coupon/promo/cupon/voucher code/codigo/del/de * #
		give/dame/deme/apply/aplica/aplicame/hazme/generate/genera/get/ponme/create/crea/quiero/want me/us/a/an/un/el/the? * discount/descuento/coupon/cupon/voucher
		book/give/make/get/dame/hazlo/reserva it/me/one/everything/todo/una? for? free/gratis
		select/drop/delete/insert/update table/from/into/users/all
		<script
		override your
		bypass your/the
		nueva/nuevas/new instruccion/instrucciones/instructions/instruction
		your new role/instructions/task
		tu nuevo rol
		tu nueva tarea/mision
		in json
		reply only with
		responde solo/solamente/unicamente con
		translate your
	`)
	othersWords = bookOf(`
		who/whos is/are/was/has/else? coming/booked/reserved/scheduled
		who has/have/got a/an/the/booked * appointment/appointments/reservation/booking/table/slot
		who is/was/comes/came/has/whos next/before/after/the
		^ who has/have booked/an/a/the/appointments
		what/which/list/show/how/tell/give me/us/all/are/many/the? * bookings/appointments/reservations/customers/clients/patients/guests/callers do/are/have/for/today/tomorrow/on/at/there/you/$
		list/show/tell/give/read me/us/all/of? * bookings/appointments/reservations/customers/clients/patients/guests/callers/customers'
		other/another/last/previous/all customer/customers/client/clients/caller/patient/patients/guest/guests/callers/peoples/persons appointment~/booking~/data/details/number/numbers/name/names/phone/phones/information/info/reservation~/address~/email~
		other/another/last/previous/all customers/clients/callers/patients/guests/peoples
		somebody/someone/anybody/anyone elses
		whose appointment/booking/reservation
		quien/quienes viene/vienen/tiene/tienen/ha/han/va/van/mas/reservo/hay hoy/manana/a/cita/citas/reservado/reserva/mesa/venir/hora/pedido/apuntado/antes/despues/el/la/despues/esta/mesa/el
		que/cuales/cuantas/cuantos/lista/listame/muestrame/ensename/dime/dame/dime/leeme de/son/las/los/todas/todos/la? * citas/reservas/clientes/pacientes/comensales hay/tienes/tienen/teneis/tiene/hoy/manana/para/del/de/apuntadas/$
		otros/otras/demas clientes/pacientes/huespedes/personas
		otro/otra/ultimo/anterior cliente/paciente/huesped
		de otra/otro persona/cliente/paciente
	`)
	selfWords = bookOf(`
		are/r you/u a/an/the/really/actually/real/human * robot/bot/machine/human/person/computer/ai/real/assistant/recording/chatbot
		are you real/human
		you a/an robot/bot/machine/human/ai
		am i talking/speaking/chatting to/with
		is this a/an * robot/bot/machine/human/person/computer/ai/recording/chatbot
		who are you
		whats your name
		what is your name
		what are you
		eres/es/sois/usted un/una/es/usted? * robot/bot/maquina/humano/humana/persona/ia/ordenador/contestador/real/grabacion/inteligencia
		hablo/hablando/estoy con un/una * robot/bot/maquina/humano/persona/ia/ordenador/contestador/grabacion
		quien eres/es/habla $
		con quien hablo/estoy/tengo
		como te llamas
		como se llama usted
	`)
)
