package wire

import "frontdesk.dev/frontdesk/internal/frontdesk"

// Voices spells the voices there are.
func Voices(voices []frontdesk.Voice) any {
	type voice struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Language    string `json:"language"`
		Gender      string `json:"gender,omitzero"`
		Description string `json:"description,omitzero"`
		Recommended bool   `json:"recommended"`
	}
	list := make([]voice, len(voices))
	for i, v := range voices {
		list[i] = voice(v)
	}
	return struct {
		Voices []voice `json:"voices"`
	}{list}
}
