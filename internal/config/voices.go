package config

import (
	"fmt"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// speakers are those who know our voices by names of their own: the speech endpoint,
// and the carriers whose relays speak.
var speakers = []string{SpeechEndpoint, string(frontdesk.Twilio), string(frontdesk.Telnyx)}

// SpeechEndpoint stands before names of the speech endpoint's in Settings.Voices.
const SpeechEndpoint = "speech"

// openAIVoices are the names of our voices at OpenAI, and at those who took its names
// over.
var openAIVoices = map[string]string{
	"voc_es_alba": "nova", "voc_es_mateo": "echo", "voc_es_ines": "shimmer", "voc_es_hugo": "onyx",
	"voc_en_claire": "nova", "voc_en_oliver": "fable", "voc_en_maya": "shimmer", "voc_en_jack": "onyx",
}

// VoiceNames are the names that our voices have, by who speaks and by the id of the
// voice.
func (s Settings) VoiceNames() (map[string]map[string]string, error) {
	names := map[string]map[string]string{SpeechEndpoint: {}}
	for id, name := range openAIVoices {
		names[SpeechEndpoint][id] = name
	}
	for _, entry := range strings.Split(s.Voices, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		whose, name, named := strings.Cut(entry, "=")
		who, id, _ := strings.Cut(whose, "/")
		_, known := frontdesk.VoiceByID(id)
		if !named || name == "" || !known || !slices.Contains(speakers, who) {
			return nil, fmt.Errorf("%q is not like speech/voc_es_alba=nova", entry)
		}
		if names[who] == nil {
			names[who] = map[string]string{}
		}
		names[who][id] = name
	}
	return names, nil
}
