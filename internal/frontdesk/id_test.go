package frontdesk_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestNewIDIsVersion7AtItsTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 14, 9, 30, 0, 123_456_789, time.UTC)
	id := frontdesk.IDFrom(at, [8]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	// 1794648600123 ms are 0x01a1d9646e3b; 456 µs are 0x74b parts of 4096.
	if want := frontdesk.ID("01a1d964-6e3b-774b-bfff-ffffffffffff"); id != want {
		t.Errorf("got %s, want %s", id, want)
	}
	for range 1000 {
		id := frontdesk.NewID(at)
		if got, err := frontdesk.ParseCursor(string(id)); err != nil || got != id {
			t.Fatalf("%s is no cursor: %v", id, err)
		}
		if !strings.HasPrefix(string(id), "01a1d964-6e3b-774b-") {
			t.Fatalf("%s is not of its time", id)
		}
	}
}

func TestIDsKeepTheOrderOfMicroseconds(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 29, 0, 59, 59, 998_000_000, time.UTC)
	var ids []frontdesk.ID
	for us := range 4000 { // over two millisecond boundaries and one of seconds
		ids = append(ids, frontdesk.NewID(at.Add(time.Duration(us)*time.Microsecond)))
	}
	if !slices.IsSorted(ids) {
		t.Error("ids made later do not sort later")
	}
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Error("there are equal ids")
	}
}

// Before the first id there is nothing: what is kept for more days than there were
// keeps everything.
func TestFirstIDBeforeThereWereAny(t *testing.T) {
	t.Parallel()
	for _, years := range []int{-57, -100, -3000} {
		at := time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC).AddDate(years, 0, 0)
		if first := frontdesk.FirstIDAt(at); first > frontdesk.FirstIDAt(time.UnixMilli(0)) {
			t.Errorf("at %s: %s", at, first)
		}
	}
}

func TestFirstIDAtBoundsTheMillisecond(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 14, 9, 30, 0, 123_456_000, time.UTC)
	first := frontdesk.FirstIDAt(at)
	zeros, ones := [8]byte{}, [8]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	start := at.Truncate(time.Millisecond)
	if id := frontdesk.IDFrom(start, zeros); first > id {
		t.Errorf("%s of the same millisecond sorts before %s", id, first)
	}
	if id := frontdesk.IDFrom(start.Add(-time.Microsecond), ones); first <= id {
		t.Errorf("%s of the millisecond before sorts at or after %s", id, first)
	}
	if _, err := frontdesk.ParseCursor(string(first)); err != nil {
		t.Errorf("%s is no UUIDv7", first)
	}
}

func TestParseID(t *testing.T) {
	t.Parallel()
	const good = "01a1d964-6e3b-774b-bfff-0123456789ab"
	tests := map[string]struct {
		text string
		want frontdesk.ID
	}{
		"canonical":                   {good, good},
		"upper case becomes lower":    {strings.ToUpper(good), good},
		"another version is an id":    {"6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
		"the nil id is an id":         {"00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"},
		"empty":                       {"", ""},
		"too short":                   {good[:35], ""},
		"too long":                    {good + "0", ""},
		"without hyphens":             {strings.ReplaceAll(good, "-", ""), ""},
		"hyphens elsewhere":           {"01a1d9646-e3b-774b-bfff-0123456789ab", ""},
		"a hyphen among the digits":   {"01a1d964-6e3b-774b-bfff-0123456-89ab", ""},
		"in braces":                   {"{" + good + "}", ""},
		"as a URN":                    {"urn:uuid:" + good, ""},
		"a letter that is no digit":   {"01a1d96g-6e3b-774b-bfff-0123456789ab", ""},
		"a space at the end":          {good[:35] + " ", ""},
		"a letter of more than bytes": {good[:34] + "é", ""},
		"a zero byte":                 {good[:35] + "\x00", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := frontdesk.ParseID(tt.text)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}

func TestParseCursorTakesOnlyVersion7(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		good bool
	}{
		"one of ours":             {"01a1d964-6e3b-774b-bfff-0123456789ab", true},
		"one of ours, upper case": {"01A1D964-6E3B-774B-BFFF-0123456789AB", true},
		"version 4":               {"01a1d964-6e3b-474b-bfff-0123456789ab", false},
		"the wrong variant":       {"01a1d964-6e3b-774b-cfff-0123456789ab", false},
		"the variant of old":      {"01a1d964-6e3b-774b-7fff-0123456789ab", false},
		"no UUID":                 {"25", false},
		"empty":                   {"", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id, err := frontdesk.ParseCursor(tt.text)
			if tt.good {
				if err != nil || string(id) != strings.ToLower(tt.text) {
					t.Errorf("got %q, %v", id, err)
				}
				return
			}
			var e *frontdesk.Error
			if !errors.As(err, &e) || e.Kind != frontdesk.Invalid || e.Code != "invalid_cursor" || e.Param != "starting_after" || e.Message == "" {
				t.Errorf("got %q, %v", id, err)
			}
		})
	}
}

func FuzzParseCursor(f *testing.F) {
	for _, seed := range []string{"", "01a1d964-6e3b-774b-bfff-0123456789ab", "01A1D964-6E3B-774B-BFFF-0123456789AB", "null"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := frontdesk.ParseCursor(text)
		if err != nil {
			if id != "" {
				t.Errorf("an error and %q", id)
			}
			return
		}
		if string(id) != strings.ToLower(text) {
			t.Errorf("%q became %q", text, id)
		}
		if again, err := frontdesk.ParseCursor(string(id)); err != nil || again != id {
			t.Errorf("%q became %q, %v", id, again, err)
		}
	})
}
