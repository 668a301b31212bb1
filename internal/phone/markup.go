package phone

import (
	"bytes"
	"encoding/xml"
	"strconv"
)

// element is one of the elements by which a carrier is told what to do with a call.
// Twilio and Telnyx know the same ones.
type element struct {
	name     string
	pairs    []string // names of attributes, each with its value; an empty value is left out
	text     string
	children []element
}

func (e element) appendTo(b *bytes.Buffer) {
	b.WriteString("<" + e.name)
	for i := 0; i+1 < len(e.pairs); i += 2 {
		if e.pairs[i+1] == "" {
			continue
		}
		b.WriteString(" " + e.pairs[i] + `="`)
		_ = xml.EscapeText(b, []byte(e.pairs[i+1]))
		b.WriteByte('"')
	}
	b.WriteByte('>')
	_ = xml.EscapeText(b, []byte(e.text))
	for _, child := range e.children {
		child.appendTo(b)
	}
	b.WriteString("</" + e.name + ">")
}

// response is what a webhook is answered with.
func response(does ...element) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	element{name: "Response", children: does}.appendTo(&b)
	return b.Bytes()
}

func hangUp() element { return element{name: "Hangup"} }

// busy refuses a call: its caller hears the line busy.
func busy() element { return element{name: "Reject", pairs: []string{"reason", "busy"}} }

func sayElement(locale, text string) element {
	return element{name: "Say", pairs: []string{"language", locale}, text: text}
}

// relayElement connects the carrier's relay with us.
type relayElement struct {
	address string         // of the socket
	after   string         // where it asks what to do then
	locale  string         // that is spoken first
	spoken  []spokenLocale // all that may be
	hints   string         // words that callers are likely to use
}

// spokenLocale is a language of a relay, and who speaks it.
type spokenLocale struct {
	locale   string
	provider string // of the voice; "": the carrier's own
	voice    string // "": the carrier's own
}

func (r relayElement) element() element {
	relay := element{name: "ConversationRelay", pairs: []string{
		"url", r.address, "language", r.locale, "interruptible", "any", "interruptSensitivity", "medium",
		// Without this, who speaks while we do silences us, and is not heard.
		"reportInputDuringAgentSpeech", "any",
		"dtmfDetection", "true", "ignoreBackchannel", "true", "events", "speaker-events tokens-played", "hints", r.hints,
	}}
	for _, s := range r.spoken {
		relay.children = append(relay.children, element{name: "Language", pairs: []string{"code", s.locale, "ttsProvider", s.provider, "voice", s.voice}})
	}
	return element{name: "Connect", pairs: []string{"action", r.after}, children: []element{relay}}
}

// dialElement calls somebody who may take the call.
type dialElement struct {
	number  string
	whisper string // where their line is told who calls
	after   string
	seconds int
}

func (d dialElement) element() element {
	number := element{name: "Number", pairs: []string{"url", d.whisper}, text: d.number}
	return element{
		name: "Dial", pairs: []string{"action", d.after, "timeout", strconv.Itoa(d.seconds), "answerOnBridge", "true"}, children: []element{number},
	}
}

// keyElement says something and waits for one key.
func keyElement(action, locale, text string) element {
	return element{
		name: "Gather", pairs: []string{"numDigits", "1", "timeout", "10", "action", action}, children: []element{sayElement(locale, text)},
	}
}
