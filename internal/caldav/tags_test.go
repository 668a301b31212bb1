package caldav

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestTagsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxTag)
	tests := map[string]struct {
		xml  string
		good bool
	}{
		"plain":                       {`<a b="c"><d/></a>`, true},
		"long text":                   {"<a>" + long + long + "</a>", true},
		"a long section":              {"<a><![CDATA[" + long + long + "]]></a>", true},
		"a long comment":              {"<a><!--" + long + "--></a>", true},
		"a long value":                {`<a b="` + long + `"/>`, false},
		"many attributes":             {"<a " + strings.Repeat(`a="" `, maxTag/5) + "/>", false},
		"a value with the end in it":  {`<a b="` + strings.Repeat(">", maxTag) + `"/>`, false},
		"a tag that never ends":       {"<" + long, false},
		"a tag after a quote in text": {`<a>'</a><b ` + long + `/>`, false},
	}
	for name, tt := range tests {
		_, err := io.Copy(io.Discard, &tagReader{r: strings.NewReader(tt.xml)})
		if (err == nil) != tt.good || err != nil && !errors.Is(err, ErrTooMuch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
