package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/pdf"
	"frontdesk.dev/frontdesk/internal/provider"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

// PlaceOfDocuments is where the settings keep the bytes of documents, as
// blob.Open takes it: every node reaches PostgreSQL, and one with SQLite has
// them as files.
func PlaceOfDocuments(s config.Settings) string {
	switch {
	case s.Documents != "":
		return s.Documents
	case store.IsPostgres(s.Database.Reveal()):
		return blob.Database
	}
	return s.DocumentsDir()
}

// OpenBlobs opens the place of documents' bytes. The database is nil for who
// knows that it is not the place.
func OpenBlobs(s config.Settings, db *store.Store) (*blob.Store, error) {
	o := blob.Options{Dir: s.DocumentsDir(), AccessKey: s.S3AccessKey, SecretKey: s.S3SecretKey}
	if db != nil {
		o.Table = db.Blobs()
	}
	return blob.Open(PlaceOfDocuments(s), o)
}

// DirectoryOnPostgres says whether the bytes of documents are in a directory,
// which other nodes on the same database may not reach.
func DirectoryOnPostgres(s config.Settings) bool {
	place := PlaceOfDocuments(s)
	return store.IsPostgres(s.Database.Reveal()) && place != blob.Database && !strings.Contains(place, "://")
}

// OpenEmbeddings returns whom to ask for embeddings, nil when the settings name
// nobody. The operator's own choice may be on this machine: the guard is opened
// for it, and for nothing else.
func OpenEmbeddings(s config.Settings) (knowledge.Embedder, error) {
	if s.EmbeddingsURL == "" {
		return nil, nil
	}
	u, err := url.Parse(s.EmbeddingsURL)
	if err != nil {
		return nil, fmt.Errorf("reading FRONTDESK_EMBEDDINGS_URL: %w", err)
	}
	guard, err := egress.New(egress.Options{Allow: []string{u.Scheme + "://" + u.Host}})
	if err != nil {
		return nil, err
	}
	return provider.NewEmbeddings(provider.EmbeddingsOptions{
		URL: s.EmbeddingsURL, Model: s.EmbeddingsModel, Key: s.EmbeddingsKey, Client: guard.Client(30*time.Second, 8),
	})
}

// OpenShelves puts together what answers from documents.
func OpenShelves(s config.Settings, st *store.Store, e knowledge.Embedder, now func() time.Time, log *slog.Logger) *knowledge.Shelves {
	shelves := knowledge.NewShelves(st, e, now, log, s.KnowledgeMemory<<20)
	if s.Reader == "off" {
		shelves.Unread()
	}
	return shelves
}

// addKnowledge puts together what keeps documents and answers from them.
func (p *parts) addKnowledge(registry *prometheus.Registry) (err error) {
	if p.blobs, err = OpenBlobs(p.settings, p.store); err != nil {
		return err
	}
	if DirectoryOnPostgres(p.settings) {
		p.log.Warn("documents are kept in a directory; with several nodes all of them have to reach it: else set FRONTDESK_DOCUMENTS to database or to a bucket", "documents", p.blobs.String())
	}
	embedder, err := OpenEmbeddings(p.settings)
	if err != nil {
		return err
	}
	embedder = timed(embedder, registry)
	p.pdf = pdf.New(pdf.Options{CacheDir: p.settings.CacheDir(), Log: p.log})
	p.library = knowledge.NewLibrary(p.store, p.blobs, p.now, p.log)
	p.library.OnPDF(func() {
		service.Go(p.log, "loading of the PDF reader", func() error { return p.pdf.Warm(context.Background()) })
	})
	p.shelves = OpenShelves(p.settings, p.store, embedder, p.now, p.log)
	p.reading = knowledge.NewWorker(p.store, p.blobs, document.NewReader(p.pdf), embedder, p.now, p.log)
	p.reading.Fill(p.shelves)
	p.light = p.reading.Light()
	p.store.OnDocuments(func() {
		p.reading.Wake()
		p.light.Wake()
	})
	return nil
}
