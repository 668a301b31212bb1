package release

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// component is a part of the program in CycloneDX 1.6.
type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licences   []any      `json:"licenses,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// bill is the list of what is in a program, as the program itself says it.
func (r Release) bill(t Target, program []byte) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, fmt.Errorf("reading what the program is made of: %w", err)
	}
	self := r.self(t, info, program)
	parts := []component{standardLibrary(info.GoVersion)}
	for _, m := range info.Deps {
		parts = append(parts, part(m))
	}
	slices.SortFunc(parts, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	refs, needs := []string{}, []any{}
	for _, p := range parts {
		refs = append(refs, p.Ref)
		needs = append(needs, map[string]any{"ref": p.Ref})
	}
	text, err := json.MarshalIndent(map[string]any{
		"$schema":      "http://cyclonedx.org/schema/bom-1.6.schema.json",
		"bomFormat":    "CycloneDX",
		"specVersion":  "1.6",
		"version":      1,
		"metadata":     map[string]any{"timestamp": r.Time.UTC().Format(time.RFC3339), "component": self},
		"components":   parts,
		"dependencies": append([]any{map[string]any{"ref": self.Ref, "dependsOn": refs}}, needs...),
	}, "", "  ")
	return append(text, '\n'), err
}

func (r Release) self(t Target, info *debug.BuildInfo, program []byte) component {
	sum := sha256.Sum256(program)
	purl := fmt.Sprintf("pkg:golang/%s@%s?goos=%s&goarch=%s", info.Main.Path, r.Version, t.OS, t.Arch)
	return component{
		Type: "application", Ref: purl, Name: "frontdesk", Version: r.Version, PURL: purl,
		Hashes:   []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
		Licences: []any{map[string]any{"license": map[string]string{"id": licence}}},
	}
}

func standardLibrary(version string) component {
	version = strings.TrimPrefix(version, "go")
	purl := "pkg:golang/std@" + version
	return component{Type: "library", Ref: purl, Name: "std", Version: version, PURL: purl}
}

// part is a module, or the one that stands in for it.
func part(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	purl := "pkg:golang/" + m.Path + "@" + m.Version
	c := component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl}
	if m.Sum != "" {
		// Go's own sum of a module's files; it is no hash of one file.
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}
