package config

import (
	"fmt"
	"reflect"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Description is what the tags of a setting say.
type Description struct {
	Env     string
	Flag    string // "" when only the environment sets it
	Default string
	Doc     string
	Secret  bool
}

// Describe returns all settings in the order of Settings.
func Describe() []Description {
	t := reflect.TypeFor[Settings]()
	all := make([]Description, t.NumField())
	for i := range all {
		all[i] = describe(t.Field(i))
	}
	return all
}

func describe(f reflect.StructField) Description {
	return Description{
		Env: f.Tag.Get("env"), Flag: f.Tag.Get("flag"), Default: f.Tag.Get("default"), Doc: f.Tag.Get("doc"),
		Secret: f.Type == reflect.TypeFor[frontdesk.Secret](),
	}
}

const markdownHead = `# Settings

<!-- Printed from the tags of internal/config/settings.go: go test ./internal/config -update -->

Settings are environment variables. A flag of the command line overrides its variable; a variable
that is empty counts as not set. A variable that begins with ` + "`FRONTDESK_`" + ` and is not in this list
gives a warning, because it is most likely mistyped (` + "`FRONTDESK_URL`, `FRONTDESK_KEY`, `FRONTDESK_BASE_URL` and" + `
` + "`FRONTDESK_API_KEY`" + `, which clients use, do not). ` + "`frontdesk doctor`" + ` checks them all.

| Variable | Flag | Default | Meaning |
|---|---|---|---|
`

const markdownFoot = `
Secrets are never printed or logged. Durations are written as ` + "`1500ms`, `20s`, `5m`, `1h30m`" + `.

The tests read one variable more: ` + "`FRONTDESK_TEST_DATABASE`" + `, the ` + "`postgres://`" + ` address of a server on
which they may make databases and schemas of their own. Without it they run on SQLite.
`

// Markdown prints docs/settings.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(markdownHead)
	for _, d := range Describe() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", d.Env, d.flagCell(), d.defaultCell(), d.docCell())
	}
	b.WriteString(markdownFoot)
	return b.String()
}

func (d Description) flagCell() string {
	if d.Flag == "" {
		return ""
	}
	return "`--" + d.Flag + "`"
}

func (d Description) defaultCell() string {
	if d.Default == "" {
		return ""
	}
	return "`" + d.Default + "`"
}

func (d Description) docCell() string {
	doc := d.Doc
	if d.Secret {
		doc += " Secret."
	}
	return strings.ReplaceAll(doc, "|", `\|`)
}
