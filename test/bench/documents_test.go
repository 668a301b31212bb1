package bench

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkUploads tells what an owner waits for after an upload: the first
// question to a large document beside the following ones, and the first PDF of a
// process beside the next.
func BenchmarkUploads(b *testing.B) {
	binary := build(b)
	eachDatabase(b, func(b *testing.B, database string) {
		cache := b.TempDir()
		h := newHotel(b, binary, database, "FRONTDESK_RATE_PER_SECOND=1000000", "FRONTDESK_RATE_BURST=1000000", "FRONTDESK_CACHE="+cache)
		h.command(b, "plan", "set", "--tenant", "demo", "--max-documents", "1000", "--max-total-bytes", "1000000000")
		h.awaitDocuments(b)
		b.Run("first PDF", func(b *testing.B) {
			for b.Loop() {
				awaitCache(b, cache)
				h.measurePDFs(b)
			}
		})
		b.Run("question after a large upload", func(b *testing.B) {
			for b.Loop() {
				h.measureQuestion(b)
			}
		})
	})
}

func (h *hotel) measureQuestion(b *testing.B) {
	r, words := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano()))), vocabulary(b)
	var text strings.Builder
	for i := range 12 { // 6,000 fragments
		text.WriteString(manualOf(r, words, i))
	}
	_, err := h.ask(questions[0]) // the documents that are there have their index
	check(b, err)
	reading := h.uploaded(b, "manual.md", "text/markdown", text.String())
	took := make([]time.Duration, 21)
	for i := range took {
		began := time.Now()
		_, err := h.ask(questions[i%len(questions)])
		check(b, err)
		took[i] = time.Since(began)
	}
	first := took[0]
	slices.Sort(took)
	b.ReportMetric(reading.Seconds(), "s-to-ready")
	b.ReportMetric(float64(first.Microseconds())/1000, "ms-first")
	b.ReportMetric(float64(first)/float64(took[len(took)/2]), "x-median")
}

// measurePDFs uploads two PDFs, one after the other.
func (h *hotel) measurePDFs(b *testing.B) {
	tariff, err := os.ReadFile("../../internal/document/testdata/pdf/salon.pdf")
	check(b, err)
	first := h.uploaded(b, "first.pdf", "application/pdf", string(tariff))
	second := h.uploaded(b, "second.pdf", "application/pdf", string(tariff)+"\n")
	b.ReportMetric(float64(first.Milliseconds()), "ms-first")
	b.ReportMetric(float64(first)/float64(second), "x-second")
}

// uploaded uploads a document and returns how long it took until it was ready.
func (h *hotel) uploaded(b *testing.B, filename, kind, text string) time.Duration {
	b.Helper()
	began := time.Now()
	answer, err := h.send("/v1/knowledge/documents?filename="+filename, kind, text, http.StatusCreated)
	check(b, err)
	var made struct{ Document struct{ ID string } }
	check(b, json.Unmarshal(answer, &made))
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range 20_000 {
		if state := h.fetch(b, http.MethodGet, "/v1/knowledge/documents/"+made.Document.ID, h.key); !strings.Contains(state, `"status":"pending"`) && !strings.Contains(state, `"status":"processing"`) {
			return time.Since(began)
		}
		<-tick.C
	}
	b.Fatal("the document is not read")
	return 0
}

// awaitCache waits until the PDF reader is compiled, which a process does some
// time after its start.
func awaitCache(b *testing.B, dir string) {
	b.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for range 1200 {
		if found, err := filepath.Glob(dir + "/pdfium/*/*"); err == nil && len(found) > 0 && !strings.HasSuffix(found[0], ".tmp") {
			tick.Reset(2 * time.Second) // what is compiled is let go of
			<-tick.C
			return
		}
		<-tick.C
	}
	b.Fatal("the PDF reader is not compiled")
}

// BenchmarkHostilePDFs tells how much memory the process takes at most while it
// reads PDFs that mean harm.
func BenchmarkHostilePDFs(b *testing.B) {
	binary := build(b)
	eachDatabase(b, func(b *testing.B, database string) {
		h := newHotel(b, binary, database, "FRONTDESK_RATE_PER_SECOND=1000000", "FRONTDESK_RATE_BURST=1000000")
		h.awaitDocuments(b)
		before := h.resident(b)
		for b.Loop() {
			for name, content := range map[string]string{
				"inflating": inflating(" ", 2048), "drawing": inflating("BT (boom) Tj ET\n", 1024), "lines": "BT /F 11 Tf 60 700 Td 1 TL " + strings.Repeat("(a) ' ", 1<<20) + "ET",
				"words": "BT /F 11 Tf 60 700 Td (" + strings.Repeat("a ", 1<<20) + ") Tj ET", "arrays": strings.Repeat("[", 4<<20),
			} {
				filter := ""
				if strings.HasPrefix(content, zlibHeader) {
					filter = "/Filter/FlateDecode"
				}
				h.uploaded(b, name+".pdf", "application/pdf", onePage(filter, content))
			}
		}
		b.ReportMetric(float64(h.peak(b))/(1<<20), "peak-MB")
		b.ReportMetric(float64(h.peak(b))/float64(before), "x-before")
	})
}

const zlibHeader = "\x78\xda"

// inflating is so many MiB of a text, packed.
func inflating(text string, size int) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	mebibyte := bytes.Repeat([]byte(text), 1<<20/len(text))
	w.Write(mebibyte)
	w.Flush()
	before := b.Len()
	w.Write(mebibyte) // which refers to the one before
	w.Flush()
	return zlibHeader + b.String()[:before] + strings.Repeat(b.String()[before:], size-1) + "\x03\x00"
}

// onePage is a PDF with one page of some content.
func onePage(filter, content string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.7\n")
	var at []int
	for i, object := range []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
		fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", filter, len(content), content),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.String()
}

// peak is the most that the process has held in memory, in bytes.
func (s *server) peak(b *testing.B) int64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	check(b, err)
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	check(b, err)
	return kb << 10
}
