package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/console"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// BenchmarkConsolePages opens the screens that people have open all day, with
// 100,000 calls and 50,000 captures of one tenant. The goal is a p99 under 100 ms,
// measured in the server's handler.
func BenchmarkConsolePages(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { measurePages(b, filepath.Join(b.TempDir(), "frontdesk.db")) })
	if os.Getenv("FRONTDESK_TEST_DATABASE") == "" {
		b.Log("PostgreSQL is not covered: FRONTDESK_TEST_DATABASE is not set")
		return
	}
	b.Run("postgres", func(b *testing.B) { measurePages(b, storetest.URL(b)) })
}

func measurePages(b *testing.B, url string) {
	books := openBooks(b, url, 100_000)
	books.addCaptures(b, url, 50_000)
	books.tally(b)
	open := enterConsole(b, books)
	agent := books.agents[0].Slug
	for _, page := range []string{"today", "today/now", "agenda?view=day", "agenda?view=week", "calls", "calls?outcome=handoff", "calls?search=mesa", "calls?search=zzzz", "insights?days=90"} {
		for _, place := range []string{agent, "-"} {
			address := "/console/live/" + place + "/" + page
			b.Run(place+"/"+page, func(b *testing.B) {
				for range 20 { // every connection of the pool learns the questions
					_, err := open(address)
					check(b, err)
				}
				measureRead(b, func() (int, error) { return open(address) }, false)
			})
		}
	}
}

// enterConsole returns how an owner opens a page, and how many bytes it has.
func enterConsole(b *testing.B, books books) func(address string) (int, error) {
	b.Helper()
	people := account.NewPeople(books.store, time.Now)
	desk, err := console.New(console.Options{
		Store: books.store, People: people, Keys: account.NewKeys(books.store, time.Now), Log: slog.New(slog.DiscardHandler),
	})
	check(b, err)
	tenant, err := books.store.Tenant(context.Background(), books.owner)
	check(b, err)
	person, err := people.FirstOwner(context.Background(), tenant)
	check(b, err)
	token, err := people.Link(context.Background(), person, frontdesk.LinkPrinted)
	check(b, err)
	request := func(method, address string) *http.Request {
		r := httptest.NewRequest(method, "http://localhost"+address, nil)
		r.Host = "localhost"
		return r
	}
	entered := httptest.NewRecorder()
	desk.Handler().ServeHTTP(entered, request(http.MethodPost, console.Path+"/enter/"+token.Reveal()))
	cookies := entered.Result().Cookies()
	return func(address string) (int, error) {
		r := request(http.MethodGet, address)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		for { // the agenda of all agents is that of the first
			w := httptest.NewRecorder()
			desk.Handler().ServeHTTP(w, r)
			answer := w.Result()
			if answer.StatusCode == http.StatusSeeOther {
				r = request(http.MethodGet, answer.Header.Get("Location"))
				for _, c := range cookies {
					r.AddCookie(c)
				}
				continue
			}
			body, err := io.ReadAll(answer.Body)
			if err == nil && answer.StatusCode != http.StatusOK {
				err = fmt.Errorf("%s: %d %s", address, answer.StatusCode, body)
			}
			return len(body), err
		}
	}
}
