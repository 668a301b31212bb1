package hearing_test

import (
	"testing"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// FuzzHear: whatever comes, hearing ends, and what it says it heard is sane.
func FuzzHear(f *testing.F) {
	for _, text := range []string{
		"", "¿", "mesa para 2 a las 9", "me llamo o'", "+34 600", "a arroba b punto", "\xff\xfe", "sí, pero a las seis",
		"A C D 3 4 7", "treinta y", "double", "six hundred and", "la 2", "K", "İİ de la", "thats me pal cheers", "mesa pa el finde pal sábado", "’s cita", "dos croquetas sin",
	} {
		f.Add(text, uint8(0))
		f.Add(text, uint8(7))
	}
	slots := []hearing.Slot{
		hearing.Nothing, hearing.SlotService, hearing.SlotDate, hearing.SlotTime, hearing.SlotPartySize, hearing.SlotName,
		hearing.SlotPhone, hearing.SlotEmail, hearing.SlotConfirm, hearing.SlotCode, hearing.SlotChoice,
	}
	business := reading(salonServices, tavernMenu, shopProducts)
	f.Fuzz(func(t *testing.T, text string, slot uint8) {
		s := booking(slots[int(slot)%len(slots)], "hoy a las 17:00", "mañana a las 17:30")
		s.Catalogue = business
		h := hearing.Hear(text, s).Gist()
		if h.Yes && h.No {
			t.Errorf("%q is both yes and no", text)
		}
		if h.Choice > len(s.Offered) || h.Choice < -1 || h.Party < 0 {
			t.Errorf("%q: choice %d of %d, party %d", text, h.Choice, len(s.Offered), h.Party)
		}
		if !utf8.ValidString(h.Text + h.Name + h.Question + h.Email + h.Code) {
			t.Errorf("%q was heard as broken text", text)
		}
	})
}
