package reception

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// phrase is what the house itself says to a caller, in both languages.
type phrase struct{ es, en string }

var (
	timeIsUp = phrase{
		"Lo siento, se nos ha acabado el tiempo y tengo que terminar aquí la conversación. Gracias por su visita; hasta pronto.",
		"I'm sorry, our time is up and I have to end the conversation here. Thank you for getting in touch. Goodbye.",
	}
	lessThanAMinute = phrase{
		"Le aviso de que nos queda menos de un minuto.",
		"Just so you know, we have less than a minute left.",
	}
	tooLong = phrase{
		"Esta conversación se ha hecho muy larga y la termino aquí; si necesita algo más, empiece otra, por favor. Gracias.",
		"This conversation has become very long, so I'll end it here; please start a new one if you need anything else. Thank you.",
	}
	broken = phrase{
		"Lo siento, algo ha fallado por nuestra parte y no puedo seguir. Por favor, empiece de nuevo o llámenos por teléfono.",
		"I'm sorry, something went wrong on our side and I cannot go on. Please start again, or give us a ring.",
	}
	hasEnded = phrase{
		"Esta conversación ya ha terminado. Si necesita algo más, empiece una nueva, por favor.",
		"This conversation has ended. Please start a new one if you need anything else.",
	}
	writtenDown = phrase{"Anotado: ", "Written down: "}
)

func say(language string, p phrase) string {
	if language == "en" {
		return p.en
	}
	return p.es
}

// joined puts sentences one after the other.
func joined(sentences ...string) string {
	return strings.TrimSpace(strings.Join(sentences, " "))
}

// noted tells of a capture in a few words.
func noted(language string, c frontdesk.Capture) string {
	var about []string
	for _, part := range []string{c.Service, c.CustomerName, string(c.ScheduledAt), c.ConfirmationCode} {
		if part != "" {
			about = append(about, part)
		}
	}
	return say(language, writtenDown) + strings.Join(about, ", ")
}
