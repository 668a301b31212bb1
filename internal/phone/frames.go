package phone

import (
	"encoding/json"
	"strings"

	"frontdesk.dev/frontdesk/internal/turns"
)

// maxFrame bounds one message of a carrier's.
const maxFrame = 16 << 10

// heardFrame is a message of a carrier's. Which fields it has depends on its type.
type heardFrame struct {
	Type string `json:"type"`

	VoicePrompt string `json:"voicePrompt"` // prompt
	Last        *bool  `json:"last"`        // prompt: false says that more of it comes; left out, it is whole

	Digit string `json:"digit"` // dtmf

	Until string `json:"utteranceUntilInterrupt"` // interrupt

	Name  string    `json:"name"`  // info
	Value loosetext `json:"value"` // info

	Description string `json:"description"` // error
}

// whole says whether a prompt is all that was said.
func (f heardFrame) whole() bool { return f.Last == nil || *f.Last }

// event is what a frame tells; false: nothing that matters.
func (f heardFrame) event() (e turns.Event, tells bool) {
	switch f.Type {
	case "setup":
		return turns.Event{Kind: turns.Ready}, true
	case "prompt":
		return turns.Event{Kind: turns.Words, Text: f.VoicePrompt, Part: !f.whole()}, true
	case "dtmf":
		return turns.Event{Kind: turns.Key, Text: f.Digit}, true
	case "interrupt":
		return turns.Event{Kind: turns.CutOff, Text: f.Until}, true
	case "info":
		return f.info()
	}
	return e, false
}

func (f heardFrame) info() (e turns.Event, tells bool) {
	on := f.Value == "on"
	switch {
	case f.Name == "clientSpeaking" && on:
		return turns.Event{Kind: turns.CallerSpeaks}, true
	case f.Name == "clientSpeaking":
		return turns.Event{Kind: turns.CallerSilent}, true
	case f.Name == "agentSpeaking" && on:
		return turns.Event{Kind: turns.WeSpeak}, true
	case f.Name == "agentSpeaking":
		return turns.Event{Kind: turns.WeStopped}, true
	case f.Name == "tokensPlayed":
		return turns.Event{Kind: turns.Played, Text: string(f.Value)}, true
	}
	return e, false
}

// loosetext is a text that carriers may write as something else.
type loosetext string

func (t *loosetext) UnmarshalJSON(text []byte) error {
	var value string
	if json.Unmarshal(text, &value) != nil {
		value = strings.Trim(string(text), `"`)
	}
	*t = loosetext(value)
	return nil
}

// readFrame reads a message of a carrier's.
func readFrame(text []byte) (f heardFrame, err error) {
	err = json.Unmarshal(text, &f)
	return f, err
}

// The frames that we send. Carriers take no field that they do not know.
type (
	textFrame struct {
		Type          string `json:"type"` // text
		Token         string `json:"token"`
		Last          bool   `json:"last"`
		Lang          string `json:"lang,omitempty"`
		Interruptible *bool  `json:"interruptible,omitempty"`
	}
	languageFrame struct {
		Type          string `json:"type"` // language
		TTS           string `json:"ttsLanguage"`
		Transcription string `json:"transcriptionLanguage"`
	}
	endFrame struct {
		Type        string `json:"type"` // end
		HandoffData string `json:"handoffData,omitempty"`
	}
)

// frameOf is the frame by which something is done.
func frameOf(a turns.Act) any {
	switch {
	case a.Say != nil:
		frame := textFrame{Type: "text", Token: a.Say.Text, Last: true, Lang: a.Say.Locale}
		if a.Say.Kept {
			frame.Interruptible = new(bool)
		}
		return frame
	case a.End != nil:
		return endFrame{"end", handoffOf(*a.End).String()}
	}
	return languageFrame{"language", a.Switch, a.Switch}
}

// handoff is what we tell ourselves, through the carrier, about the end of a relay.
type handoff struct {
	Transfer bool `json:"transfer,omitempty"`
	Over     bool `json:"over,omitempty"` // the call is to be hung up
}

func handoffOf(e turns.End) handoff { return handoff{Transfer: e.Transfer, Over: e.Over} }

// String is empty where there is nothing to tell.
func (h handoff) String() string {
	if h == (handoff{}) {
		return ""
	}
	text, err := json.Marshal(h)
	if err != nil {
		return ""
	}
	return string(text)
}

func readHandoff(text string) (h handoff) {
	if len(text) < maxFrame {
		_ = json.Unmarshal([]byte(text), &h) // what is not ours means nothing
	}
	return h
}
