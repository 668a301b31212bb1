package frontdesk

import "slices"

// Voice is a voice a receptionist can speak with. The id is ours and opaque;
// which vendor's voice stands behind it is not the customer's concern.
type Voice struct {
	ID          string
	Name        string
	Language    string
	Gender      string
	Description string
	Recommended bool
}

// Voices are all there are.
var Voices = []Voice{
	{"voc_es_alba", "Alba", "es", "female", "Warm and clear, Castilian Spanish. A good first choice for clinics and hotels.", true},
	{"voc_es_mateo", "Mateo", "es", "male", "Calm and friendly, Castilian Spanish.", false},
	{"voc_es_ines", "Inés", "es", "female", "Lively and quick, Castilian Spanish. Suits restaurants and shops.", false},
	{"voc_es_hugo", "Hugo", "es", "male", "Deep and unhurried, Latin American Spanish.", false},
	{"voc_en_claire", "Claire", "en", "female", "Warm and clear, British English. A good first choice for clinics and hotels.", true},
	{"voc_en_oliver", "Oliver", "en", "male", "Calm and friendly, British English.", false},
	{"voc_en_maya", "Maya", "en", "female", "Lively and quick, American English. Suits restaurants and shops.", false},
	{"voc_en_jack", "Jack", "en", "male", "Deep and unhurried, American English.", false},
}

// VoiceByID finds a voice.
func VoiceByID(id string) (Voice, bool) {
	i := slices.IndexFunc(Voices, func(v Voice) bool { return v.ID == id })
	if i < 0 {
		return Voice{}, false
	}
	return Voices[i], true
}

// VoiceFor is the id of the voice that an agent speaks a language with: the one that
// its business chose, or the one we recommend.
func (a Agent) VoiceFor(language string) string {
	chosen := map[string]string{"es": a.Config.Voice.ES, "en": a.Config.Voice.EN}[language]
	i := slices.IndexFunc(Voices, func(v Voice) bool { return v.Language == language && v.Recommended })
	if chosen != "" || i < 0 {
		return chosen
	}
	return Voices[i].ID
}
