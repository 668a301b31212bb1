// Package release makes what is given out of a version: the program for each
// system, archives, packages, images, the list of what is in them, the SDKs, and
// the checksums of all.
//
//	Release.Make -> program (go build) -> bill -> archive | deb | rpm | image -> SHA256SUMS
//	             -> sdks (what scripts/build-sdks built) -> npm | wheel | module -> SHA256SUMS
//
// The same commit and the same Go give the same bytes, wherever and whenever
// they are made: times are the commit's, owners are numbers, and files are in
// the order in which they are listed here. Nothing is fetched, and no other
// program but Go's is needed.
package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Target is a system that a program is built for.
type Target struct{ OS, Arch string }

func (t Target) String() string { return t.OS + "/" + t.Arch }

// Targets are all that a release has.
var Targets = []Target{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

// ParseTarget reads linux/amd64.
func ParseTarget(text string) (Target, error) {
	for _, t := range Targets {
		if t.String() == text {
			return t, nil
		}
	}
	return Target{}, fmt.Errorf("there is no target %q; there are: %v", text, Targets)
}

// Release is a version of a source tree.
type Release struct {
	Source  string    // directory of the tree
	Out     string    // directory that is written to
	Version string    // 0.1.0
	Commit  string    // that the tree is of
	Time    time.Time // of the commit
	// SDKs is where scripts/build-sdks has put the SDKs for TypeScript and Python.
	// Empty: no SDK is given out, not even that for Go.
	SDKs string
}

// Make writes all files for the targets, and their checksums.
func (r Release) Make(ctx context.Context, targets []Target) error {
	if err := os.MkdirAll(r.Out, 0o755); err != nil {
		return fmt.Errorf("making %s: %w", r.Out, err)
	}
	sums := map[string]string{}
	for _, t := range targets {
		files, err := r.makeTarget(ctx, t)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if err := r.write(files, sums); err != nil {
			return err
		}
	}
	if r.SDKs != "" {
		files, err := r.sdks()
		if err != nil {
			return err
		}
		if err := r.write(files, sums); err != nil {
			return err
		}
	}
	return r.writeSums(sums)
}

// write writes files, and adds their checksums to sums.
func (r Release) write(files map[string][]byte, sums map[string]string) error {
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(r.Out, name), content, 0o644); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		sum := sha256.Sum256(content)
		sums[name] = hex.EncodeToString(sum[:])
	}
	return nil
}

func (r Release) writeSums(sums map[string]string) error {
	lines := make([]string, 0, len(sums))
	for name, sum := range sums {
		lines = append(lines, sum+"  "+name+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	if err := os.WriteFile(filepath.Join(r.Out, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644); err != nil {
		return fmt.Errorf("writing the checksums: %w", err)
	}
	return nil
}

// makeTarget makes the files of one target, by their names.
func (r Release) makeTarget(ctx context.Context, t Target) (map[string][]byte, error) {
	program, err := r.program(ctx, t)
	if err != nil {
		return nil, err
	}
	papers, err := r.papers()
	if err != nil {
		return nil, err
	}
	bill, err := r.bill(t, program)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("frontdesk_%s_%s_%s", r.Version, t.OS, t.Arch)
	files := map[string][]byte{name + ".cdx.json": bill}
	if t.OS == "windows" {
		files[name+".zip"], err = r.zip(name, append([]file{{"frontdesk.exe", 0o755, program}}, papers...))
		return files, err
	}
	if files[name+".tar.gz"], err = r.tarball(name, append([]file{{"frontdesk", 0o755, program}}, papers...)); err != nil {
		return nil, err
	}
	if t.OS == "linux" {
		err = r.addPackages(files, t, program, papers)
	}
	return files, err
}

// addPackages adds what Linux alone has.
func (r Release) addPackages(files map[string][]byte, t Target, program []byte, papers []file) (err error) {
	p := r.pack(t, program, papers)
	if files[fmt.Sprintf("frontdesk_%s_%s.deb", p.version, t.Arch)], err = p.deb(); err != nil {
		return fmt.Errorf("deb: %w", err)
	}
	if files[fmt.Sprintf("frontdesk-%s-1.%s.rpm", p.version, rpmArch(t.Arch))], err = p.rpm(); err != nil {
		return fmt.Errorf("rpm: %w", err)
	}
	if files[fmt.Sprintf("frontdesk_%s_%s_image.tar", r.Version, t.Arch)], err = r.image(t, program); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	return nil
}

// papers are what is read beside the program.
func (r Release) papers() (files []file, err error) {
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(r.Source, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, 0o644, content})
	}
	return files, nil
}
