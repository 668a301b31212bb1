package hearing_test

import (
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/hearing"
)

func TestASupposedChangeIsAQuestion(t *testing.T) {
	t.Parallel()
	for text, lang := range map[string]string{
		"if I have to drop out, what do I lose? or if I cancel?":    "en",
		"and if my son can't come do we still pay":                  "en",
		"if Friday doesn't suit my boss can we move it":             "en",
		"yes, can I still change it if something comes up":          "en",
		"¿y si al final tengo que anular?":                          "es",
		"si el viernes no puede mi socio, ¿lo podemos cambiar?":     "es",
		"y si me pongo malo y cancelo, ¿me devolvéis la señal?":     "es",
		"en caso de que no podamos ir, ¿hay que avisar con tiempo?": "es",
	} {
		setting := hearing.Setting{Now: time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC), Language: lang, Expect: hearing.SlotConfirm, Booking: true}
		got := hearing.Hear(text, setting).Gist()
		if !slices.Equal(got.Intents, []hearing.Intent{hearing.Ask}) || got.No || got.Yes || len(got.When.Mentions) > 0 {
			t.Errorf("%q: %v, no %v, yes %v, when %v; want a question and nothing else", text, got.Intents, got.No, got.Yes, got.When.Mentions)
		}
	}
}

func TestAWishWithAnIfIsNotSupposed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]hearing.Intent{
		"I was wondering if I could cancel my appointment":     hearing.Cancel,
		"if you could cancel my booking please":                hearing.Cancel,
		"quería saber si puedo anular mi cita":                 hearing.Cancel,
		"si me puedes cancelar la reserva de mañana por favor": hearing.Cancel,
		"llamo por si podéis cambiarme la cita":                hearing.Reschedule,
	} {
		setting := hearing.Setting{Now: time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC)}
		if got := hearing.Hear(text, setting).Gist(); !got.Has(want) {
			t.Errorf("%q: %v, want %v", text, got.Intents, want)
		}
	}
}

func TestTwoQuestionsAreAskedOneByOne(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"¿hay que llevar algo? ¿y tenéis guardarropa?": {"¿hay que llevar algo?", "tenéis guardarropa?"},
		"is it far? and do you take cards?":            {"is it far?", "do you take cards?"},
	} {
		setting := hearing.Setting{Now: time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC), Expect: hearing.SlotTime, Booking: true}
		if got := hearing.Hear(text, setting).Gist().Questions; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestANumberEndsBeforeWhatIsSaidNext(t *testing.T) {
	t.Parallel()
	for text, region := range map[string]string{
		"612 345 678 una cosa, ¿hay ascensor?": "ES",
		"07700 900123 oh and is it far":        "GB",
	} {
		setting := hearing.Setting{Now: time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC), Expect: hearing.SlotPhone, Booking: true, Region: region}
		if got := hearing.Hear(text, setting).Gist(); got.Phone == "" || got.Question == "" {
			t.Errorf("%q: phone %q, question %q; want both", text, got.Phone, got.Question)
		}
	}
}
