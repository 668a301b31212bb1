package acceptance

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var makeState = flag.String("state", "", "write a data directory of this program into a file, for the tests of later ones")

// earlier is what is known of a data directory that an earlier program left.
type earlier struct {
	Live, Test         string // keys
	Connection, Secret string
	Call, Phone        string
	Document           string
	Open, Token        string // a conversation that has not ended
}

// TestMakeState writes a state for TestUpgrade, when it is asked to: a tenant
// with a receptionist, a booking made by talking, a conversation that goes on, a
// document, and a connection whose secret is sealed.
func TestMakeState(t *testing.T) {
	if *makeState == "" {
		t.Skip("nobody asked for one: -args -state FILE")
	}
	c := newClinic(t)
	n := c.later(0)
	e := earlier{Live: c.live, Test: c.test, Phone: "+34612345001"}
	made := n.connect(c.live, "https://crm.example.com/")
	e.Connection, e.Secret = made.ID, made.Secret
	d, _ := n.upload(c.live, "aparcar.txt", []byte("Los pacientes aparcan gratis detrás de la clínica, hasta dos horas."))
	e.Document = n.settled(c.live, d.ID).ID
	v := n.visit("salud/"+dentist, "live", "es")
	v.say(cleaning("Marta Ruiz", e.Phone, "el miércoles a las 10:00"))
	v.say("sí")
	v.end()
	e.Call = v.id
	open := n.visit("salud/"+dentist, "live", "es")
	open.say(cleaning("Luis Gil", "+34612345002", "el jueves a las 10:00"))
	e.Open, e.Token = open.id, open.token
	if code := n.stop(); code != 0 {
		t.Fatalf("the program ended with %d", code)
	}
	known, err := json.MarshalIndent(e, "", "  ")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(c.data, "known.json"), known, 0o600))
	must(t, os.WriteFile(*makeState, packed(t, c.data), 0o644))
}

func packed(t *testing.T, dir string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	must(t, w.AddFS(os.DirFS(dir)))
	must(t, w.Close())
	must(t, zipped.Close())
	return out.Bytes()
}

// unpacked puts a state where a place has its data, as private as it was.
func unpacked(t *testing.T, file, dir string) (e earlier) {
	t.Helper()
	f, err := os.Open(file)
	must(t, err)
	defer f.Close()
	plain, err := gzip.NewReader(f)
	must(t, err)
	must(t, os.MkdirAll(dir, 0o700))
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		place := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			must(t, os.MkdirAll(place, 0o700))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(place), 0o700))
		content, err := io.ReadAll(r)
		must(t, err)
		must(t, os.WriteFile(place, content, 0o600))
	}
	known, err := os.ReadFile(filepath.Join(dir, "known.json"))
	must(t, err)
	decode(t, known, &e)
	return e
}

// TestUpgrade starts this program on data of each earlier one that is kept, and
// finds everything there.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	if storetest.IsPostgres() {
		t.Skip("the states are of the embedded database")
	}
	states, err := filepath.Glob("testdata/states/*.tar.gz")
	must(t, err)
	if len(states) == 0 {
		t.Fatal("there are no states to upgrade from")
	}
	for _, file := range states {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".tar.gz"), func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t, true)
			p := newPlace(t, append(r.openings(t), at(10*time.Minute))...)
			e := unpacked(t, file, p.data)
			n := p.serve()
			n.findsAll(e)
			n.opensWhatWasSealed(e, r)
			n.goesOn(e)
		})
	}
}

// findsAll reads what was written by the earlier program.
func (n *node) findsAll(e earlier) {
	n.t.Helper()
	if agents := get[struct{ Agents []struct{ Slug string } }](n, "/agents", e.Live).Agents; len(agents) != 1 || agents[0].Slug != dentist {
		n.t.Errorf("the agents are %+v", agents)
	}
	c := get[struct{ Call call }](n, "/calls/"+e.Call, e.Live).Call
	if text, err := json.Marshal(c); err != nil || !strings.Contains(string(text), "limpieza") {
		n.t.Errorf("the call is %s, %v", text, err)
	}
	if made := n.capturesOf(e.Live, e.Phone); len(made) != 1 || made[0].Kind != "appointment" {
		n.t.Errorf("the appointment is %+v", made)
	}
	if d := get[struct{ Document document }](n, "/knowledge/documents/"+e.Document, e.Live).Document; d.Fragments == 0 {
		n.t.Errorf("the document is %+v", d)
	}
	if a := n.question(e.Live, "¿Dónde puedo aparcar?"); !a.has("detrás de la clínica") {
		n.t.Errorf("the answer is %+v", a)
	}
	if calls := get[list[call]](n, "/calls", e.Test).Data; len(calls) == 0 {
		n.t.Error("test mode has no calls")
	}
}

// opensWhatWasSealed has a delivery signed with the secret that the customer was
// shown once, by the earlier program.
func (n *node) opensWhatWasSealed(e earlier, r *receiver) {
	n.t.Helper()
	if got := n.do("PATCH /connections/"+e.Connection, e.Live, `{"url":"`+r.URL+`"}`); got.status != 200 {
		n.t.Fatalf("the connection cannot be changed: %s", got)
	}
	before := len(r.arrivals())
	if test := post[struct{ OK bool }](n, "/connections/"+e.Connection+"/test", e.Live, ""); !test.OK {
		n.t.Fatal("the test delivery was not taken")
	}
	if a := r.next(n.t, before); !signedOnMonday(e.Secret, a) {
		n.t.Errorf("a delivery is not signed with the secret: %v", a.header)
	}
}

// goesOn confirms a booking that was read back by the earlier program.
func (n *node) goesOn(e earlier) {
	n.t.Helper()
	v := &visitor{node: n, agent: "salud/" + dentist, id: e.Open, token: e.Token, language: "es"}
	if s := v.say("sí"); s.Capture == nil || s.Capture.ConfirmationCode == nil {
		n.t.Errorf("the booking is lost: %+v", s)
	}
}
