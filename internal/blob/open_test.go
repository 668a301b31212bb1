package blob_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	with := blob.Options{AccessKey: "AKHIDDEN0001", SecretKey: "hush-hush-hush"}
	tests := map[string]struct {
		place string
		o     blob.Options
		want  string // the store's name, or what the error says
	}{
		"a path":                          {filepath.Join(dir, "a/b"), with, "directory " + dir + "/a/b"},
		"nothing is the usual directory":  {"", blob.Options{Dir: filepath.Join(dir, "c")}, "directory " + dir + "/c"},
		"nothing, and nothing usual":      {"", with, "no place for blobs is named"},
		"a file is no directory":          {file, with, "not a directory"},
		"below a file is no directory":    {file + "/x", with, "not a directory"},
		"the database":                    {"database", blob.Options{Table: storetest.New(t).Blobs()}, "the database"},
		"no database":                     {"database", with, "there is no database"},
		"a bucket":                        {"s3://docs?endpoint=http://127.0.0.1:9000", with, "s3://docs at 127.0.0.1:9000"},
		"a bucket with a prefix":          {"s3://docs/front/desk/?endpoint=https://s3.example.com", with, "s3://docs/front/desk at s3.example.com"},
		"a bucket at Amazon":              {"s3://docs?region=eu-west-3", with, "s3://docs at s3.eu-west-3.amazonaws.com"},
		"a bucket of either style":        {"s3://docs?endpoint=https://s3.example.com&style=host", with, "s3://docs at s3.example.com"},
		"a style that is none":            {"s3://docs?endpoint=https://s3.example.com&style=old", with, `path or host, not "old"`},
		"Amazon without a region":         {"s3://docs", with, "needs an endpoint, or at Amazon its region"},
		"a bucket without a name":         {"s3:///x?region=eu-west-3", with, "no name"},
		"a prefix that is none":           {"s3://docs/../x?region=eu-west-3", with, "checking the bucket's prefix"},
		"a misspelt word":                 {"s3://docs?regoin=eu-west-3", with, `not "regoin"`},
		"an endpoint that is none":        {"s3://docs?endpoint=s3.example.com", with, "is an origin such as"},
		"an endpoint with a path":         {"s3://docs?endpoint=https://example.com/s3", with, "is an origin such as"},
		"an endpoint with credentials":    {"s3://docs?endpoint=https://AKHIDDEN0001:hush-hush-hush@example.com", with, "without credentials"},
		"an address with credentials":     {"s3://AKHIDDEN0001:hush-hush-hush@docs?region=eu-west-3", with, "have settings of their own"},
		"an address that cannot be read":  {"s3://AKHIDDEN0001:hush-hush-hush@docs:x\x7f", with, "is not an address"},
		"a bucket without credentials":    {"s3://docs?region=eu-west-3", blob.Options{}, "needs an access key and a secret key"},
		"a place nobody has heard of":     {"gs://docs", with, "not at gs://"},
		"a place that a browser may know": {"https://AKHIDDEN0001:hush-hush-hush@docs", with, "not at https://"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := blob.Open(tt.place, tt.o)
			var got string
			if err != nil {
				got = err.Error()
			} else {
				got = s.String()
				s.Close()
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if strings.Contains(got, "hush") || strings.Contains(got, "AKHIDDEN") {
				t.Errorf("credentials are told: %q", got)
			}
		})
	}
}
