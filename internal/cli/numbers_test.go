package cli

import (
	"os"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	twilioToken = "0123456789abcdef0123456789abcdef"
	telnyxKey   = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
)

// numberDesk is an installation with two businesses.
func numberDesk(t *testing.T, env ...string) *desk {
	t.Helper()
	d := newDesk(t, append(env, "FRONTDESK_NOW=2026-11-16T08:00:00Z")...)
	for _, slug := range []string{"lola", "rizos"} {
		d.must("tenant", "create", slug)
		d.must("agent", "create", "--tenant", slug, "--slug", "desk", "--vertical", "salon", "--name", slug)
	}
	return d
}

func TestNumberCommands(t *testing.T) {
	d := numberDesk(t)
	added := d.must("number", "add", "--tenant", "rizos", "--number", "+34 910 00 00 00", "--carrier", "twilio", "--secret-file", d.file("token", twilioToken+"\n"))
	hold(t, "add", added, "+34910000000 is answered by desk of rizos, in live mode", "frontdesk number setup +34910000000")
	for name, feed := range map[string][]string{
		"+34910000001": {"--secret-file", "-"},
		"+34910000002": nil, // asked for
	} {
		a := d.feed(telnyxKey+"\n", append([]string{"number", "add", name, "--tenant", "rizos", "--carrier", "telnyx", "--mode", "test"}, feed...)...)
		if a.code != 0 {
			t.Errorf("%s: %s", name, a.stderr)
		}
	}
	d.must("number", "add", "--tenant", "lola", "+34910000003", "--carrier", "sip")
	listed := d.must("number", "list", "--tenant", "rizos")
	hold(t, "list", listed, "+34910000000  desk   live  twilio", "+34910000001  desk   test  telnyx", "+34910000002", "2026-11-16 08:00 UTC")
	value := d.must("number", "list", "--tenant", "rizos", "--json")
	hold(t, "list", value, `"number":"+34910000000"`, `"livemode":true`, `"carrier":"twilio"`, `"agent":"desk"`)
	for _, secret := range []string{twilioToken, telnyxKey, "+34910000003"} {
		if strings.Contains(listed+value+added, secret) {
			t.Errorf("%s shows", secret)
		}
	}
	hold(t, "rekey", d.must("rekey"), "3 telephone numbers")
	hold(t, "remove", d.must("number", "remove", "--tenant", "rizos", "+34910000001"), "Removed +34910000001")
	hold(t, "remove in JSON", d.must("number", "remove", "--tenant", "rizos", "+34910000000", "--json"), `{"removed":"+34910000000"}`)
	hold(t, "nothing", d.must("number", "list", "--tenant", "lola", "--json"), `"agent":"desk"`)
	d.must("number", "remove", "--tenant", "lola", "+34910000003")
	hold(t, "none", d.must("number", "list", "--tenant", "lola"), "has no telephone numbers", "frontdesk number add --tenant lola")
}

func TestNumberMisuse(t *testing.T) {
	d := numberDesk(t)
	token := d.file("token", twilioToken)
	d.must("number", "add", "+34910000000", "--tenant", "rizos", "--carrier", "twilio", "--secret-file", token)
	d.must("agent", "create", "--tenant", "lola", "--slug", "second", "--vertical", "salon", "--name", "S")
	for name, tt := range map[string]struct {
		args string
		code int
		says []string
	}{
		"no number":                  {"add --tenant rizos --carrier sip", 2, []string{"the number is missing"}},
		"no carrier":                 {"add +34910000001 --tenant rizos", 2, []string{"missing: --carrier"}},
		"a number without a country": {"add 910000000 --tenant rizos --carrier sip", 2, []string{`"910000000" is no telephone number with its country`}},
		"another carrier":            {"add +34910000001 --tenant rizos --carrier vonage", 2, []string{`--carrier is "vonage": expected twilio, telnyx or sip`}},
		"another mode":               {"add +34910000001 --tenant rizos --carrier sip --mode prod", 2, []string{"expected live or test"}},
		"two agents":                 {"add +34910000001 --tenant lola --carrier sip", 2, []string{"say which with --agent"}},
		"no such agent":              {"add +34910000001 --tenant lola --agent third --carrier sip", 1, []string{`there is no agent "third"`}},
		"no secret":                  {"add +34910000001 --tenant rizos --carrier twilio", 2, []string{"the auth token is missing on standard input"}},
		"no public key":              {"add +34910000001 --tenant rizos --carrier telnyx", 2, []string{"the public key is missing on standard input"}},
		"no such file":               {"add +34910000001 --tenant rizos --carrier twilio --secret-file nowhere", 1, []string{"nowhere", "no such file"}},
		"a token as a key":           {"add +34910000001 --tenant rizos --carrier telnyx --secret-file " + token, 1, []string{"not the account's public key"}},
		"a secret with SIP":          {"add +34910000001 --tenant rizos --carrier sip --secret-file " + token, 2, []string{"has no secret"}},
		"the same number again":      {"add +34910000000 --tenant rizos --carrier sip", 1, []string{"has the number +34910000000 already", "frontdesk number remove"}},
		"another's number":           {"add +34910000000 --tenant lola --agent desk --carrier sip", 1, []string{"belongs to another tenant", "frontdesk number remove"}},
		"removing another's":         {"remove +34910000000 --tenant lola", 1, []string{"the tenant lola has no number +34910000000", "frontdesk number list --tenant lola"}},
		"removing what is none":      {"remove x --tenant lola", 2, []string{"is no telephone number"}},
		"setting up what is none":    {"setup x", 2, []string{"is no telephone number"}},
		"setting up nobody's":        {"setup +34910000009", 1, []string{"nobody answers +34910000009", "frontdesk number add"}},
		"without a public address":   {"setup +34910000000", 1, []string{"set FRONTDESK_PUBLIC_URL first", "https://desk.example.com"}},
		"a secret as an argument":    {"add +34910000001 --tenant rizos --carrier twilio --secret x", 2, []string{"--secret"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := d.run(append([]string{"number"}, strings.Fields(tt.args)...)...)
			if a.code != tt.code {
				t.Errorf("exit code %d; want %d", a.code, tt.code)
			}
			hold(t, "stderr", a.stderr, tt.says...)
			if strings.Contains(a.stderr, twilioToken) || strings.Contains(a.stderr, "rizos ") {
				t.Errorf("it shows too much: %s", a.stderr)
			}
		})
	}
}

func TestNumberSetup(t *testing.T) {
	d := numberDesk(t, "FRONTDESK_PUBLIC_URL=https://desk.example.com/")
	d.must("number", "add", "+442079460000", "--tenant", "rizos", "--carrier", "twilio", "--secret-file", d.file("token", twilioToken))
	d.must("number", "add", "+34910000001", "--tenant", "rizos", "--carrier", "telnyx", "--secret-file", d.file("key", telnyxKey))
	d.must("number", "add", "+14155552671", "--tenant", "rizos", "--carrier", "sip")
	twilio := d.must("number", "setup", "+44 20 7946 0000")
	hold(t, "twilio", twilio, "A call comes in", "https://desk.example.com/phone/twilio/voice\n", "Call status changes", "https://desk.example.com/phone/twilio/status\n", "auth token",
		"**21*+442079460000#", "##21#", "**67*+442079460000#", "**61*+442079460000**20#", "**62*+442079460000#", "##62#",
		"*21*02079460000#", "#21#", "*67*02079460000#", "*61*02079460000#",
		"*72 011442079460000", "*73", "*90 ", "*91", "*92 ", "*93", "Carriers differ")
	telnyx := d.must("number", "setup", "+34910000001")
	hold(t, "telnyx", telnyx, "TeXML", "https://desk.example.com/phone/telnyx/voice\n", "https://desk.example.com/phone/telnyx/status\n", "Public Key", "*21*0034910000001#")
	if strings.Contains(twilio+telnyx, twilioToken) || strings.Contains(twilio+telnyx, telnyxKey) {
		t.Error("a secret shows")
	}
	sip := d.must("number", "setup", "+14155552671")
	hold(t, "sip", sip, "not served yet", "FRONTDESK_SIP_LISTEN", "FRONTDESK_HEARING_URL", "FRONTDESK_SIP_ALLOW")
	if strings.Contains(sip, "**21*") {
		t.Errorf("lines are forwarded to nobody: %s", sip)
	}
	value := d.read("number", "setup", "+442079460000")
	if value["voice_url"] != "https://desk.example.com/phone/twilio/voice" || value["method"] != "POST" || first(t, value, "forwarding")["off"] != "##21#" {
		t.Errorf("got %v", value)
	}
}

func TestNumberSetupOverSIP(t *testing.T) {
	d := numberDesk(t, "FRONTDESK_SIP_LISTEN=udp:0.0.0.0:5060", "FRONTDESK_HEARING_URL=http://127.0.0.1:8090/v1", "FRONTDESK_SIP_ALLOW=192.168.178.0/24")
	d.must("number", "add", "+34910000001", "--tenant", "rizos", "--carrier", "sip")
	d.must("number", "add", "+34910000002", "--tenant", "rizos", "--carrier", "sip", "--trunk", "sip:620@fritz.box", "--secret-file", d.file("password", "s3cret word"))
	hold(t, "direct", d.must("number", "setup", "+34910000001"), "udp:0.0.0.0:5060", "192.168.178.0/24", "40000-40399", "**21*+34910000001#")
	trunk := d.must("number", "setup", "+34910000002")
	hold(t, "trunk", trunk, "registers itself as 620 at sip:fritz.box", "40000-40399")
	if strings.Contains(trunk+d.must("number", "list", "--tenant", "rizos"), "s3cret") {
		t.Error("the password shows")
	}
}

func TestNumberCompletion(t *testing.T) {
	d := numberDesk(t)
	d.must("number", "add", "+34910000001", "--tenant", "rizos", "--carrier", "sip")
	d.must("number", "add", "+34910000002", "--tenant", "lola", "--carrier", "sip")
	mine := d.must("__complete", "number", "remove", "--tenant", "rizos", "")
	if !strings.Contains(mine, "+34910000001") || strings.Contains(mine, "+34910000002") {
		t.Errorf("remove: %s", mine)
	}
	hold(t, "setup", d.must("__complete", "number", "setup", ""), "+34910000001", "+34910000002")
	hold(t, "carriers", d.must("__complete", "number", "add", "--carrier", ""), "twilio", "telnyx", "sip")
}

func TestDoctorLooksAtNumbers(t *testing.T) {
	d := numberDesk(t)
	if _, status, message := d.findingsOf(); status["numbers"] != fine || !strings.Contains(message["numbers"], "answer: 0") {
		t.Errorf("none: %s %s", status["numbers"], message["numbers"])
	}
	d.must("number", "add", "+34910000001", "--tenant", "rizos", "--carrier", "twilio", "--secret-file", d.file("token", twilioToken))
	d.must("number", "add", "+34910000002", "--tenant", "lola", "--carrier", "telnyx", "--secret-file", d.file("key", telnyxKey))
	_, status, message := d.findingsOf()
	if status["numbers"] != unwell || !strings.Contains(message["numbers"], "FRONTDESK_PUBLIC_URL is not set: the calls of 2 numbers") {
		t.Errorf("no public address: %s %s", status["numbers"], message["numbers"])
	}
	open := &desk{t: t, data: d.data, env: append([]string{"FRONTDESK_PUBLIC_URL=http://desk.example.com"}, d.env...)}
	if _, _, message := open.findingsOf(); !strings.Contains(message["numbers"], "by https alone") {
		t.Errorf("http: %s", message["numbers"])
	}
	well := &desk{t: t, data: d.data, env: append([]string{"FRONTDESK_PUBLIC_URL=https://desk.example.com"}, d.env...)}
	if _, status, message := well.findingsOf(); status["numbers"] != fine || !strings.Contains(message["numbers"], "answer: 2") {
		t.Errorf("all well: %s %s", status["numbers"], message["numbers"])
	}
	d.must("agent", "pause", "--tenant", "lola", "desk")
	d.must("agent", "set", "--tenant", "rizos", "desk", "--transfer-number", "+34910000002")
	d.must("number", "add", "+34910000003", "--tenant", "lola", "--carrier", "sip")
	gone := frontdesk.Number{Number: "+34910000004", AgentID: frontdesk.NewID(d.settings().Now), Carrier: frontdesk.SIP}
	s := d.open()
	lola, err := s.TenantBySlug(t.Context(), "lola")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddNumber(t.Context(), frontdesk.Owner{TenantID: lola.ID}, frontdesk.Actor{}, gone, nil); err == nil {
		t.Error("an agent that does not exist answers a number")
	}
	_, _, message = well.findingsOf()
	hold(t, "the doctor", message["numbers"], "+34910000002 is answered by lola/desk, which takes no calls: it is paused",
		"rizos/desk puts callers of +34910000001 through to +34910000002", "+34910000003 is a number of the carrier sip")
	// Another master key.
	other := &desk{t: t, data: d.data, env: append([]string{"FRONTDESK_MASTER_KEY=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}, well.env...)}
	if _, _, message := other.findingsOf(); strings.Count(message["numbers"], "cannot be opened") != 2 {
		t.Errorf("another key: %s", message["numbers"])
	}
	if err := os.Remove(d.settings().MasterKeyFile()); err != nil {
		t.Fatal(err)
	}
	if _, _, message := well.findingsOf(); !strings.Contains(message["numbers"], "without the master key") {
		t.Errorf("no key: %s", message["numbers"])
	}
	if _, err := os.Stat(d.settings().MasterKeyFile()); err == nil {
		t.Error("the doctor made a key")
	}
}

func TestTransferNumberOfAnAgent(t *testing.T) {
	d := newDesk(t)
	d.must("tenant", "create", "acme")
	file := func(transfer string) string {
		return d.file("agent.yaml", "slug: a\nvertical: restaurant\ndisplay_name: A\n"+transfer)
	}
	d.must("agent", "import", file("transfer_number: \"+34 600 11 12 22\"\n"), "--tenant", "acme")
	hold(t, "show", d.must("agent", "show", "--tenant", "acme", "a"), "Transfer to", "+34600111222")
	if agent := d.read("agent", "show", "--tenant", "acme", "a")["agent"].(map[string]any); agent["transfer_number"] != "+34600111222" || agent["slug"] != "a" {
		t.Errorf("got %v", agent)
	}
	hold(t, "export", d.must("agent", "export", "--tenant", "acme", "a"), `"transfer_number": "+34600111222"`)
	d.must("agent", "import", file(""), "--tenant", "acme") // what a file leaves out stays
	hold(t, "dry run", d.must("agent", "import", file("transfer_number: \"+34600333444\"\n"), "--tenant", "acme", "--dry-run"), "transfer_number", "+34600111222", "+34600333444")
	if n := d.agent("a").Settings.TransferNumber; n != "+34600111222" {
		t.Errorf("got %q", n)
	}
	hold(t, "set", d.must("agent", "set", "--tenant", "acme", "a", "--transfer-number", "+44 20 7946 0000"), "puts calls through to +442079460000")
	for name, a := range map[string]answer{
		"a flag":  d.run("agent", "set", "--tenant", "acme", "a", "--transfer-number", "600111222"),
		"a file":  d.run("agent", "import", file("transfer_number: \"600111222\"\n"), "--tenant", "acme"),
		"no text": d.run("agent", "import", file("transfer_number: [1]\n"), "--tenant", "acme"),
	} {
		if a.code == 0 || !strings.Contains(a.stderr, "transfer") {
			t.Errorf("%s: %d %s", name, a.code, a.stderr)
		}
	}
	hold(t, "without quotes", d.run("agent", "import", file("transfer_number: +34600333444\n"), "--tenant", "acme").stderr, "in quotes")
	if n := d.agent("a").Settings.TransferNumber; n != "+442079460000" {
		t.Errorf("got %q", n)
	}
	d.must("agent", "set", "--tenant", "acme", "a", "--transfer-number", "none")
	hold(t, "show", d.must("agent", "show", "--tenant", "acme", "a"), "nobody")
	d.must("agent", "set", "--tenant", "acme", "a", "--transfer-number", "+34600111222")
	d.must("agent", "import", file("transfer_number: \"\"\n"), "--tenant", "acme")
	if n := d.agent("a").Settings.TransferNumber; n != "" {
		t.Errorf("got %q", n)
	}
}
