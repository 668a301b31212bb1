package conversation

// What is said of the appointment that was just made. Without one, the same
// words may be about anything: "muévela" is then no wish to move a booking.
var (
	moveIt = bookOf(`
		muevela/muevelo/muevala/muevalo/muevemela/muevamela/movedla/muevanla/moverla/moverlo/movermela
		cambiala/cambialo/cambiela/cambielo/cambiamela/cambiamelo/cambiemela/cambiemelo/cambiadla/cambienla/cambianosla/cambiarla/cambiarlo/cambiarmela
		aplazala/aplazalo/aplacela/aplacelo/aplazamela/aplacemela/aplazadla/aplazarla/aplazarlo
		adelantala/adelantalo/adelantela/adelantelo/adelantamela/adelantemela/adelantadla/adelantarla/adelantarlo
		retrasala/retrasalo/retrasela/retraselo/retrasamela/retrasemela/retrasadla/retrasarla/retrasarlo
		atrasala/atrasela/atrasarla/posponla/pospongala/posponmela/posponerla/posponerlo/trasladala/trasladela/trasladarla
		modificala/modifiquela/modificarla/reprogramala/reprogramela/reprogramarla
		la/lo @can/vas/va a? mover/cambiar/pasar/aplazar/adelantar/retrasar/posponer/modificar
		la/lo cambias/cambia/cambiamos/cambiais/mueves/mueve/movemos/pasas/pasa/pasamos/aplazamos/aplazas/adelantamos/adelantas/retrasamos/retrasas
		move/change/shift/switch/postpone/delay/reschedule/push/bring it/that/this
	`)
	// changeIt asks for another day or time, and moves the appointment only
	// together with one.
	changeIt = bookOf(`
		instead/rather
		en vez/lugar de/del
		mejor/prefiero/preferiria/preferimos/prefeririamos/prefer
		be/is/works/suits/fits better
		make it/that
		pasala/pasalo/pasela/paselo/pasamela/pasemela/pasadla/pasenla/pasarla/pasarlo/ponla/pongala/ponmela/pongamela/ponerla/ponlo/pongalo/dejala/dejela/hazla/hagala
		que sea/sean
		let us? move/change/do/make
		lets move/change/do/make
		@can we/i do/make/say it? *
	`)
	cancelIt = bookOf(`
		borrala/borrela/borralo/borrelo/borrarla/borradla/borramela/borremela
		quitala/quitela/quitalo/quitelo/quitarla/quitadla/quitamela/quitemela
		eliminala/eliminela/eliminarla/retirala/retirela/retirarla
		cancel/scrap/delete/remove/drop/erase it/that/this/mine
		call it/that off
		get rid of it/that
		ya no voy/vamos/ire/iremos a? ir?
		ya no la? quiero/queremos/necesito/necesitamos ir/venir/la
		ya no hace falta
		@want it/that cancelled/canceled/removed/deleted
	`)
)

// ofBooked is what a part wants done with the appointment that was just made,
// "" when it is not about that one.
func (e *ear) ofBooked(part []word) Intent {
	switch {
	case !e.Booked || e.Booking:
		return ""
	case cancelIt.in(part):
		return Cancel
	case moveIt.in(part), e.mentioned(part) && changeIt.in(part) && !hoursWords.in(part):
		return Reschedule
	}
	return ""
}
