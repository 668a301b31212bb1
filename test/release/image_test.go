package release

import (
	"archive/tar"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/goccy/go-yaml"

	"frontdesk.dev/frontdesk/internal/config"
)

type descriptor struct {
	Digest string
	Size   int
}

// settings are what the image says about how it is run.
type settings struct {
	Config struct {
		User       string
		Env        []string
		Entrypoint []string
		Cmd        []string
		Volumes    map[string]any
	}
	RootFS struct {
		DiffIDs []string `json:"diff_ids"`
	}
}

// layout is the image's tar file, by the names in it.
func layout(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(read(t, path("frontdesk_%s_%s_image.tar")))); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// blob finds what a descriptor describes, and holds it to that.
func blob(t *testing.T, files map[string][]byte, d descriptor) []byte {
	t.Helper()
	name := strings.TrimPrefix(d.Digest, "sha256:")
	content, ok := files["blobs/sha256/"+name]
	sum := sha256.Sum256(content)
	if !ok || len(content) != d.Size || hex.EncodeToString(sum[:]) != name {
		t.Fatalf("%+v is not what is there", d)
	}
	return content
}

// image follows the layout from its index to the settings and the layer.
func image(t *testing.T) (s settings, layer []byte) {
	t.Helper()
	files := layout(t)
	var index struct{ Manifests []descriptor }
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	parse(t, files["index.json"], &index)
	parse(t, blob(t, files, index.Manifests[0]), &manifest)
	parse(t, blob(t, files, manifest.Config), &s)
	var old []struct{ Config string }
	parse(t, files["manifest.json"], &old)
	if _, ok := files[old[0].Config]; !ok || string(files["oci-layout"]) != `{"imageLayoutVersion":"1.0.0"}` {
		t.Errorf("docker would not read it: %+v", old)
	}
	return s, blob(t, files, manifest.Layers[0])
}

func parse(t *testing.T, text []byte, value any) {
	t.Helper()
	if err := json.Unmarshal(text, value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// TestTheImageServes unpacks the image and runs it as it says itself, from a root
// that is read-only but for its volume.
func TestTheImageServes(t *testing.T) {
	t.Parallel()
	if exec.Command("unshare", "--map-root-user", "--mount", "true").Run() != nil {
		t.Skip("NOT COVERED: there are no namespaces for this user here")
	}
	s, layer := image(t)
	if _, ok := s.Config.Volumes["/data"]; !ok || strings.HasPrefix(s.Config.User, "0") || s.Config.User == "" {
		t.Errorf("it runs as %q, with the volumes %v", s.Config.User, s.Config.Volumes)
	}
	dir := t.TempDir()
	root, data := filepath.Join(dir, "root"), filepath.Join(dir, "data")
	unpack(t, layer, root)
	if err := os.Mkdir(data, 0o777); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(read(t, filepath.Join(root, "etc/ssl/certs/ca-certificates.crt")), []byte("BEGIN CERTIFICATE")) {
		t.Error("it trusts nobody")
	}
	base := serve(t, s, root, data)
	for _, ask := range []string{"/healthz", "/readyz"} {
		res, err := http.Get(base + ask)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("%s is answered %d", ask, res.StatusCode)
		}
	}
	if got := names(t, data); !slices.Contains(got, "frontdesk.db") {
		t.Errorf("its volume holds %v", got)
	}
}

// serve runs the image, and stops it when the test ends.
func serve(t *testing.T, s settings, root, data string) (base string) {
	t.Helper()
	// Root becomes the image's user; anybody else has no other user to become.
	around, as := []string{"--map-root-user", "--mount"}, "0:0"
	if os.Geteuid() == 0 {
		around, as = []string{"--mount"}, s.Config.User
		if err := os.Chmod(data, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const script = `
mount --bind "$1" "$1"
mount --bind "$2" "$1/data"
mount -o remount,bind,ro "$1"
if touch "$1/etc/written" 2>/dev/null; then echo "the root can be written to" >&2; exit 1; fi
root=$1 as=$3
shift 3
exec chroot --userspec="$as" "$root" "$@"
`
	args := slices.Concat(around, []string{"sh", "-euc", script, "sh", root, data, as}, s.Config.Entrypoint, s.Config.Cmd)
	c := exec.Command("unshare", args...)
	// Later entries go before earlier ones. The shell's own programs are found by the last PATH.
	c.Env = append(slices.Clone(s.Config.Env), "FRONTDESK_LISTEN=127.0.0.1:0", "FRONTDESK_LOG_FORMAT=json", "FRONTDESK_DATABASE_TIMEOUT=30s", "PATH="+os.Getenv("PATH"))
	log, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Signal(syscall.SIGTERM)
		if err := c.Wait(); err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
	return listening(t, log)
}

// listening reads the log until the program is ready, and then away.
func listening(t *testing.T, log io.Reader) string {
	t.Helper()
	var said []string
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var line struct{ Msg, Listen string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "ready" {
			go io.Copy(io.Discard, log)
			return "http://" + line.Listen
		}
		said = append(said, lines.Text())
	}
	t.Fatalf("it has not become ready:\n%s", strings.Join(said, "\n"))
	return ""
}

func TestComposeKnowsTheSettings(t *testing.T) {
	t.Parallel()
	var compose struct {
		Services map[string]struct {
			Image       string
			Environment map[string]string
			Volumes     []string
			ReadOnly    bool `yaml:"read_only"`
		}
		Volumes map[string]any
	}
	if err := yaml.Unmarshal(read(t, "../../compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, d := range config.Describe() {
		known[d.Env] = true
	}
	desk := compose.Services["frontdesk"]
	for name := range desk.Environment {
		if !known[name] {
			t.Errorf("%s is no setting", name)
		}
	}
	if len(desk.Environment) == 0 || !desk.ReadOnly || !slices.Equal(desk.Volumes, []string{"data:/data"}) {
		t.Errorf("got %+v", desk)
	}
	if _, notes := strings.CutPrefix(desk.Image, "frontdesk:"); !notes {
		t.Errorf("the image is %s", desk.Image)
	}
	read(t, fmt.Sprintf("../../docs/releases/%s.md", strings.TrimPrefix(desk.Image, "frontdesk:")))
	address := desk.Environment["FRONTDESK_DATABASE"]
	if !strings.Contains(address, "@postgres:5432/"+compose.Services["postgres"].Environment["POSTGRES_DB"]+"?") {
		t.Errorf("the database is at %s", address)
	}
}
