package siptest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Baresip writes settings for baresip to a directory: it calls from this
// machine by an account, plays files, and writes both directions of a call down there
// (dump-*-enc.wav, dump-*-dec.wav). More settings may follow. It returns the program, or
// skips the test where there is none.
func Baresip(t testing.TB, dir, account, plays string, more ...string) (program string) {
	t.Helper()
	program, err := exec.LookPath("baresip")
	if err != nil {
		t.Skip("NOT COVERED: there is no baresip here (scripts/find-sipp --install)")
	}
	modules := ""
	for _, d := range []string{"/usr/lib/baresip/modules", "/usr/local/lib/baresip/modules"} {
		if _, err := os.Stat(d); err == nil {
			modules = d
		}
	}
	for name, lines := range map[string][]string{
		"accounts": {account},
		"contacts": nil,
		"config": append([]string{
			"module_path " + modules, "module g711.so", "module aufile.so", "module srtp.so", "module aubridge.so", "module sndfile.so", "module_tmp account.so", "module_app menu.so",
			"sip_listen 127.0.0.1:0", "audio_source aufile," + filepath.Join(dir, plays), "audio_player aubridge,sink", "snd_path " + dir, "statmode_default off",
			"audio_channels 1-1", "audio_srate 8000-8000", "ausrc_srate 8000", "auplay_srate 8000", "ausrc_channels 1", "auplay_channels 1",
		}, more...),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return program
}
