package blob_test

import (
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/blob"
)

var badKeys = []string{
	"", "/", "/etc/passwd", "..", "../x", "a/../b", "a/..", ".", "./a", "a/./b", "a//b", "a/", "/a", ".hidden", "a/.hidden", "a.",
	"A", "a/B", "a b", "a\\b", "a:b", "a\x00b", "a\nb", "é", "a%2fb", "a+b", "a*", "~", "a/" + blob.Unfinished + "x",
	strings.Repeat("a", 129), strings.Repeat("a/", 128) + "a",
}

func TestCheckKey(t *testing.T) {
	t.Parallel()
	for _, good := range []string{key, "a", "a/b", "a-b_c.d/0", "a..b", strings.Repeat("a", 128), strings.Repeat("a/", 127) + "a"} {
		if err := blob.CheckKey(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range badKeys {
		if blob.CheckKey(bad) == nil {
			t.Errorf("%q passes", bad)
		}
	}
}

func FuzzCheckKey(f *testing.F) {
	for _, bad := range badKeys {
		f.Add(bad)
	}
	f.Add(key)
	f.Fuzz(func(t *testing.T, key string) {
		if blob.CheckKey(key) != nil {
			return
		}
		if !filepath.IsLocal(key) || filepath.ToSlash(filepath.Clean(key)) != key || strings.ToLower(key) != key {
			t.Errorf("%q passes", key)
		}
	})
}
