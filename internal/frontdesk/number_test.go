package frontdesk_test

import (
	"errors"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestE164(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"as it is":             {"+34910000000", "+34910000000"},
		"in groups":            {" +34 910 00 00 00 ", "+34910000000"},
		"as Americans write":   {"+1 (415) 555-2671", "+14155552671"},
		"British, with a zero": {"+44 (0)20 7946 0000", "+442079460000"},
		"without a country":    {"910000000", ""},
		"with two zeros":       {"0034910000000", ""},
		"with an extension":    {"+34910000000 ext. 5", ""},
		"with letters":         {"+1 800 FLOWERS", ""},
		"too short":            {"+349", ""},
		"too long":             {"+34910000000123456", ""},
		"no country's":         {"+9990000000000", ""},
		"nothing":              {"", ""},
		"a plus":               {"+", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := frontdesk.E164(tt.text); got != tt.want {
				t.Errorf("got %q", got)
			}
			if err := frontdesk.CheckE164("number", tt.text); (err == nil) != (tt.want != "" && tt.want == tt.text) {
				t.Errorf("the check: %v", err)
			}
		})
	}
}

func TestNumberCheck(t *testing.T) {
	t.Parallel()
	good := frontdesk.Number{Number: "+34910000000", Carrier: frontdesk.Telnyx}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for param, n := range map[string]frontdesk.Number{
		"number":  {Number: "910000000", Carrier: frontdesk.Twilio},
		"carrier": {Number: "+34910000000", Carrier: "vonage"},
	} {
		var wrong *frontdesk.Error
		if err := n.Check(); !errors.As(err, &wrong) || wrong.Param != param {
			t.Errorf("%s: %v", param, err)
		}
	}
}

func TestCarrierSecrets(t *testing.T) {
	t.Parallel()
	const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	for name, tt := range map[string]struct {
		carrier frontdesk.Carrier
		secret  frontdesk.Secret
		good    bool
	}{
		"a token":                      {frontdesk.Twilio, "0123456789abcdef0123456789abcdef", true},
		"a token of another length":    {frontdesk.Twilio, "12345", true},
		"no token":                     {frontdesk.Twilio, "", false},
		"a token and more":             {frontdesk.Twilio, "0123 4567", false},
		"two lines":                    {frontdesk.Twilio, "0123\n4567", false},
		"a key":                        {frontdesk.Telnyx, key, true},
		"no key":                       {frontdesk.Telnyx, "", false},
		"a key in hex":                 {frontdesk.Telnyx, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", false},
		"a key of 31 bytes":            {frontdesk.Telnyx, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==", false},
		"an API key":                   {frontdesk.Telnyx, "KEY0123_abcdef", false},
		"nothing with SIP":             {frontdesk.SIP, "", true},
		"a secret where there is none": {frontdesk.SIP, "x", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := (frontdesk.Number{Carrier: tt.carrier}).CheckSecret(tt.secret)
			if (err == nil) != tt.good {
				t.Errorf("got %v", err)
			}
			if err != nil && len(tt.secret) > 1 && strings.Contains(err.Error(), tt.secret.Reveal()) {
				t.Errorf("the secret shows: %v", err)
			}
		})
	}
}

func TestTransferNumber(t *testing.T) {
	t.Parallel()
	if err := (frontdesk.AgentSettings{TransferNumber: "+34600111222"}).Check(); err != nil {
		t.Error(err)
	}
	var wrong *frontdesk.Error
	if err := (frontdesk.AgentSettings{TransferNumber: "600111222"}).Check(); !errors.As(err, &wrong) || wrong.Param != "transfer_number" {
		t.Errorf("got %v", err)
	}
	// Who restores an older version of an agent does not bring its number back.
	old := frontdesk.Revision{Settings: frontdesk.AgentSettings{TransferNumber: "+34600111222"}}
	a := frontdesk.Agent{Settings: frontdesk.AgentSettings{TransferNumber: "+34600333444"}}
	if got := a.Restored(old).Settings.TransferNumber; got != "+34600333444" {
		t.Errorf("got %q", got)
	}
	if !frontdesk.IsProtectedAgentField("transfer_number") {
		t.Error("customers can write it")
	}
}

func TestTrunks(t *testing.T) {
	t.Parallel()
	for trunk, good := range map[string]bool{
		"":                      true,
		"sip:620@192.168.178.1": true,
		"sip:620@fritz.box":     true,
		"sip:34910000000@sip.example.com:5061;transport=tls": true,
		"sip:u@[2001:db8::1]:5060":                           true,
		"sip:192.168.178.1":                                  false,
		"sips:620@fritz.box":                                 false,
		"620@fritz.box":                                      false,
		"sip:620@fritz.box;transport=ws":                     false,
		"sip:620@fritz.box\r\nX: y":                          false,
	} {
		n := frontdesk.Number{Number: "+34910000000", Carrier: frontdesk.SIP, Trunk: trunk}
		if err := n.Check(); (err == nil) != good {
			t.Errorf("%q: %v", trunk, err)
		}
	}
	n := frontdesk.Number{Number: "+34910000000", Carrier: frontdesk.Twilio, Trunk: "sip:620@fritz.box"}
	if n.Check() == nil {
		t.Error("a number of Twilio has a trunk")
	}
	n.Carrier = frontdesk.SIP
	if n.CheckSecret("") == nil || n.CheckSecret("pass word") != nil {
		t.Error("a trunk needs its password")
	}
	if user, registrar := n.TrunkUser(); user != "620" || registrar != "sip:fritz.box" {
		t.Errorf("got %q at %q", user, registrar)
	}
}
