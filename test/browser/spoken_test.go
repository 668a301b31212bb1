package browser

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/audio"
	"frontdesk.dev/frontdesk/test/speech"
)

// mouthAndEar is a microphone that hears what speak is given, and keeps what the page
// plays.
const mouthAndEar = `{
	const mouth = new AudioContext({ sampleRate: 48000 });
	const microphone = mouth.createMediaStreamDestination();
	navigator.mediaDevices.getUserMedia = async () => { await mouth.resume(); return microphone.stream; };
	window.speak = async (wav) => {
		const bytes = Uint8Array.from(atob(wav), (c) => c.charCodeAt(0));
		const sound = mouth.createBufferSource();
		sound.buffer = await mouth.decodeAudioData(bytes.buffer);
		sound.connect(microphone);
		const over = new Promise((done) => { sound.onended = done; });
		sound.start();
		await over;
	};
	window.heard = [];
	const connect = AudioNode.prototype.connect;
	AudioNode.prototype.connect = function (to, ...rest) {
		if (to === this.context.destination && !this.context.ear) {
			const ear = this.context.ear = this.context.createScriptProcessor(4096, 1, 1);
			window.heardRate = this.context.sampleRate;
			ear.onaudioprocess = (e) => { window.heard.push(Int16Array.from(e.inputBuffer.getChannelData(0), (s) => s * 32767)); };
			connect.call(this, ear);
			connect.call(ear, to);
		}
		return connect.call(this, to, ...rest);
	};
	window.spoken = false; // since they spoke last
	let quiet = 0;
	setInterval(() => {
		const state = desk('.voice')?.dataset.state;
		window.spoken ||= state === 'speaking';
		quiet = state === 'listening' ? quiet || Date.now() : 0;
	}, 50);
	window.theirTurn = () => window.spoken && quiet && Date.now() - quiet > 1000;
	window.takeHeard = () => {
		const bytes = window.heard.flatMap((part) => Array.from(new Uint8Array(part.buffer)));
		window.heard = [];
		let text = '';
		for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.slice(i, i + 4096));
		return btoa(text);
	};
}; 0`

// visitor talks to the page in a tab.
type visitor struct {
	*tab
	companion *speech.Companion
	language  string
}

// Listen waits until the page has spoken, and returns what was understood of its sound.
func (v *visitor) Listen() string {
	v.t.Helper()
	v.wait("theirTurn()")
	pcm, err := base64.StdEncoding.DecodeString(v.text("takeHeard()"))
	if err != nil {
		v.t.Fatal(err)
	}
	rate := 0
	_, _ = fmt.Sscan(v.text("heardRate"), &rate)
	samples, err := audio.Resample(audio.DecodePCM(nil, pcm), rate, 16000)
	if err != nil {
		v.t.Fatal(err)
	}
	return v.companion.Understand(v.language, audio.Sound{Rate: 16000, Samples: samples})
}

// Say speaks into the microphone.
func (v *visitor) Say(text string) {
	v.t.Helper()
	var wav strings.Builder
	if err := audio.WriteWAV(&wav, v.companion.Speak(v.language, text, 48000)); err != nil {
		v.t.Fatal(err)
	}
	v.run(fmt.Sprintf("spoken = false; speak('%s').then(() => 0)", base64.StdEncoding.EncodeToString([]byte(wav.String()))))
}

func TestSpokenInTheBrowser(t *testing.T) {
	companion, caller := speech.Start(t), speech.Emily
	home, _, stop, err := program("FRONTDESK_HEARING_URL=" + companion.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	p := browser.visit(t, desktop)
	p.open(home + "/talk/demo/dental-la-plaza?lang=" + caller.Language[:2])
	p.run(mouthAndEar)
	p.waitForAnswer(1)
	p.click(microphoneButton)
	v := &visitor{tab: p, companion: companion, language: caller.Language}
	if speech.Short() {
		speech.Heard(t, caller.Begin(t, v), "help")
	} else {
		speech.Heard(t, caller.Talk(t, v, func() bool { return p.text("!!desk('.card')") == "true" }), "thursday", "emily")
		if card := p.text("desk('.card').innerText"); !strings.Contains(card, "Limpieza dental") || !strings.Contains(card, "Thursday") {
			t.Errorf("booked was %s", card)
		}
	}
	log := p.text("desk('.log').innerText")
	if t.Log(log); !strings.Contains(log, "Thursday") && !strings.Contains(log, "cleaning") {
		t.Error("what was said is not on the screen")
	}
}
