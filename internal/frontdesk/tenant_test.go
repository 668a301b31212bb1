package frontdesk_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestCheckSlug(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		slug string
		good bool
	}{
		"a word":                  {"casa", true},
		"one letter":              {"a", true},
		"a digit":                 {"1", true},
		"inner hyphens":           {"casa-lola--2", true},
		"63 letters":              {strings.Repeat("a", 63), true},
		"64 letters":              {strings.Repeat("a", 64), false},
		"empty":                   {"", false},
		"a hyphen first":          {"-casa", false},
		"a hyphen last":           {"casa-", false},
		"a hyphen alone":          {"-", false},
		"a capital":               {"Casa", false},
		"a letter with an accent": {"peña", false},
		"a slash":                 {"a/b", false},
		"an underscore":           {"a_b", false},
		"a line feed at the end":  {"casa\n", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			param := "slug"
			if tt.good {
				param = ""
			}
			isInvalid(t, frontdesk.CheckSlug(tt.slug), param)
		})
	}
}

func TestLoadZone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"UTC", "Europe/Madrid", "Asia/Kathmandu", "America/Argentina/Buenos_Aires"} {
		if loc, err := frontdesk.LoadZone(name); err != nil || loc.String() != name {
			t.Errorf("%s: %v, %v", name, loc, err)
		}
	}
	for _, name := range []string{"", "Local", "Europe/Atlantis", "+02:00", "../../etc/passwd", "europe/madrid\x00"} {
		_, err := frontdesk.LoadZone(name)
		isInvalid(t, err, "timezone")
	}
}

func TestPlanCheck(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*frontdesk.Plan)
		param  string
	}{
		"the default":             {func(*frontdesk.Plan) {}, ""},
		"without a limit":         {func(p *frontdesk.Plan) { p.IncludedSeconds = 0 }, ""},
		"blocking":                {func(p *frontdesk.Plan) { p.Overage = "block" }, ""},
		"another overage":         {func(p *frontdesk.Plan) { p.Overage = "" }, "overage"},
		"negative seconds":        {func(p *frontdesk.Plan) { p.IncludedSeconds = -1 }, "included_seconds"},
		"no calls at all":         {func(p *frontdesk.Plan) { p.MaxConcurrentCalls = 0 }, "max_concurrent_calls"},
		"negative connections":    {func(p *frontdesk.Plan) { p.MaxConnections = -1 }, "max_connections"},
		"negative documents":      {func(p *frontdesk.Plan) { p.MaxDocuments = -1 }, "max_documents"},
		"documents of no bytes":   {func(p *frontdesk.Plan) { p.MaxDocumentBytes = 0 }, "max_document_bytes"},
		"a negative sum of bytes": {func(p *frontdesk.Plan) { p.MaxTotalBytes = -1 }, "max_total_bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := frontdesk.DefaultPlan()
			tt.change(&p)
			isInvalid(t, p.Check(), tt.param)
		})
	}
}
