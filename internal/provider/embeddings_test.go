package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/provider"
)

// vendor speaks the protocol: a vector of a text is its length and its vowels.
func vendor(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model string
		Input []string
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Model != "small" || r.Header.Get("Authorization") != "Bearer sk-1" || r.URL.Path != "/v1/embeddings" {
		http.Error(w, "what?", http.StatusBadRequest)
		return
	}
	var data []string
	for i, text := range slices.Backward(in.Input) { // in any order
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,%d]}`, i, len(text), strings.Count(text, "a")))
	}
	fmt.Fprintf(w, `{"object":"list","data":[%s]}`, strings.Join(data, ","))
}

func TestVectorsComeInTheOrderOfTheirTexts(t *testing.T) {
	t.Parallel()
	got, err := embed(t, http.HandlerFunc(vendor), "sala", "a", "")
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]float32{{4, 2}, {1, 1}, {0, 0}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v", got)
	}
}

func TestAVendorThatCannotBeTrusted(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"an error":            "",
		"no JSON":             `<html>`,
		"too few":             `{"data":[{"index":0,"embedding":[1]}]}`,
		"one without numbers": `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[]}]}`,
		"of several lengths":  `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`,
		"of another text":     `{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`,
		"before the first":    `{"data":[{"index":-1,"embedding":[1]},{"index":1,"embedding":[1]}]}`,
		"words for numbers":   `{"data":[{"index":0,"embedding":["x"]},{"index":1,"embedding":[1]}]}`,
		"an endless answer":   `{"data":[{"index":0,"embedding":[1` + strings.Repeat(",1", 9<<20) + `]}]}`,
	}
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := embed(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if answer == "" {
					http.Error(w, "sk-1 is not a key", http.StatusUnauthorized)
					return
				}
				w.Write([]byte(answer))
			}), "uno", "dos")
			if err == nil || strings.Contains(err.Error(), "sk-1") {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}

func embed(t *testing.T, h http.Handler, texts ...string) ([][]float32, error) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	e, err := provider.NewEmbeddings(provider.EmbeddingsOptions{URL: s.URL + "/v1/", Model: "small", Key: "sk-1", Client: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return e.Embed(context.Background(), texts)
}

func TestWhomToAskMustBeSaid(t *testing.T) {
	t.Parallel()
	for _, o := range []provider.EmbeddingsOptions{{Model: "small"}, {URL: "api.example.com", Model: "small"}, {URL: "https://api.example.com/v1"}} {
		if _, err := provider.NewEmbeddings(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
