package release

import (
	"bytes"
	"crypto/md5" // the format has it; nothing is protected by it
	"fmt"
	"path"
	"strings"
)

// deb is an ar archive of three members: the format's version, what the package
// manager reads, and what is installed.
func (p pack) deb() ([]byte, error) {
	control, err := p.debControl()
	if err != nil {
		return nil, err
	}
	data, err := p.debData()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, member := range []file{
		{"debian-binary", 0o644, []byte("2.0\n")},
		{"control.tar.gz", 0o644, control},
		{"data.tar.gz", 0o644, data},
	} {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", member.name, p.at.Unix(), 0, 0, 0o100000|member.mode, len(member.content))
		out.Write(member.content)
		if len(member.content)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

func (p pack) debControl() ([]byte, error) {
	var sums strings.Builder
	size := 0
	for _, f := range p.files {
		if !f.isDir() {
			size += (len(f.content) + 1023) / 1024
			fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.content), f.name[1:])
		}
	}
	control := fmt.Sprintf("Package: frontdesk\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nInstalled-Size: %d\nDepends: passwd\nRecommends: ca-certificates\nSection: net\nPriority: optional\nHomepage: %s\nDescription: %s\n %s\n",
		p.version, p.arch, maintainer, size, homepage, summary, strings.ReplaceAll(description, "\n", "\n "))
	plain, err := tarOf([]file{
		{"./", 0o755, nil},
		{"./conffiles", 0o644, []byte(p.config + "\n")},
		{"./control", 0o644, []byte(control)},
		{"./md5sums", 0o644, []byte(sums.String())},
		{"./postinst", 0o755, []byte(afterInstall)},
		{"./postrm", 0o755, []byte(afterRemove)},
		{"./prerm", 0o755, []byte(beforeRemove)},
	}, p.at)
	if err != nil {
		return nil, err
	}
	return compressed(plain)
}

// debData has every directory on the way to a file, as dpkg wants it.
func (p pack) debData() ([]byte, error) {
	all, seen := []file{{"./", 0o755, nil}}, map[string]bool{"/": true}
	for _, f := range p.files {
		all = append(all, parents(path.Dir(strings.TrimSuffix(f.name, "/")), seen)...)
		if f.isDir() {
			seen[strings.TrimSuffix(f.name, "/")] = true
		}
		all = append(all, file{"." + f.name, f.mode, f.content})
	}
	plain, err := tarOf(all, p.at)
	if err != nil {
		return nil, err
	}
	return compressed(plain)
}

// parents are the directories down to dir that are not there yet.
func parents(dir string, seen map[string]bool) []file {
	if seen[dir] {
		return nil
	}
	seen[dir] = true
	return append(parents(path.Dir(dir), seen), file{"." + dir + "/", 0o755, nil})
}
