package bench

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/privacy"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// BenchmarkFindCaller looks for everything that is known of one person among 100,000
// calls and 50,000 captures. The console waits ten seconds for it.
func BenchmarkFindCaller(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { measureFind(b, filepath.Join(b.TempDir(), "frontdesk.db")) })
	if os.Getenv("FRONTDESK_TEST_DATABASE") == "" {
		b.Log("PostgreSQL is not covered: FRONTDESK_TEST_DATABASE is not set")
		return
	}
	b.Run("postgres", func(b *testing.B) { measureFind(b, storetest.URL(b)) })
}

func measureFind(b *testing.B, url string) {
	books := openBooks(b, url, 100_000)
	books.addCaptures(b, url, 50_000)
	keeper := privacy.New(privacy.Options{Store: books.store, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	b.ResetTimer()
	for b.Loop() {
		_, err := keeper.Find(context.Background(), books.owner, "+34 600 111 222")
		check(b, err)
	}
}
