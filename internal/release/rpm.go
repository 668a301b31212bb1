package release

import (
	"bytes"
	"crypto/md5" // the format has it, beside SHA-256
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// rpmArch is how rpm calls an architecture.
func rpmArch(arch string) string {
	return map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[arch]
}

// The types of values in a header.
const (
	rpmInt16       = 3
	rpmInt32       = 4
	rpmString      = 6
	rpmBinary      = 7
	rpmStrings     = 8
	rpmTranslated  = 9
	rpmSenseLess   = 0x02
	rpmSenseEqual  = 0x08
	rpmSenseRPMLib = 1 << 24
	rpmConfig      = 1 | 1<<4 // a configuration that is not replaced
	rpmDoc         = 1 << 1
)

// rpm is a lead that nobody reads any more, a header with checksums, a header
// with everything about the package, and a compressed cpio archive.
func (p pack) rpm() ([]byte, error) {
	archive := p.cpio()
	payload, err := compressed(archive)
	if err != nil {
		return nil, err
	}
	header := p.rpmHeader(payload, archive).bytes(63)
	sums := rpmHeader{}
	sha := sha1.Sum(header)
	sha2 := sha256.Sum256(header)
	both := md5.Sum(append(slices.Clip(header), payload...))
	sums.text(269, rpmString, hex.EncodeToString(sha[:]))
	sums.text(273, rpmString, hex.EncodeToString(sha2[:]))
	sums.int32(1000, len(header)+len(payload))
	sums.add(1004, rpmBinary, len(both), both[:])
	sums.int32(1007, len(archive))
	signature := sums.bytes(62)

	var out bytes.Buffer
	out.Write(p.rpmLead())
	out.Write(signature)
	out.Write(make([]byte, (8-len(signature)%8)%8))
	out.Write(header)
	out.Write(payload)
	return out.Bytes(), nil
}

func (p pack) rpmLead() []byte {
	lead := make([]byte, 96)
	copy(lead, "\xed\xab\xee\xdb\x03\x00\x00\x00\x00\x01")
	copy(lead[10:75], "frontdesk-"+p.version+"-1")
	lead[77], lead[79] = 1, 5 // Linux, and headers of the kind that follows
	return lead
}

func (p pack) rpmHeader(payload, archive []byte) *rpmHeader {
	h := &rpmHeader{}
	size := 0
	for _, f := range p.files {
		size += len(f.content)
	}
	h.text(100, rpmStrings, "C")
	h.text(1000, rpmString, "frontdesk")
	h.text(1001, rpmString, p.version)
	h.text(1002, rpmString, "1")
	h.text(1004, rpmTranslated, summary)
	h.text(1005, rpmTranslated, description)
	h.int32(1006, int(p.at.Unix()))
	h.text(1007, rpmString, "localhost")
	h.int32(1009, size)
	h.text(1014, rpmString, licence)
	h.text(1015, rpmString, maintainer)
	h.text(1016, rpmTranslated, "Unspecified")
	h.text(1020, rpmString, homepage)
	h.text(1021, rpmString, "linux")
	h.text(1022, rpmString, rpmArch(p.arch))
	h.text(1024, rpmString, afterInstall)
	h.text(1025, rpmString, beforeRemove)
	h.text(1026, rpmString, afterRemove)
	h.text(1044, rpmString, "frontdesk-"+p.version+"-1.src.rpm")
	h.text(1086, rpmString, "/bin/sh")
	h.text(1087, rpmString, "/bin/sh")
	h.text(1088, rpmString, "/bin/sh")
	p.rpmRelations(h)
	p.rpmFiles(h)
	h.text(1124, rpmString, "cpio")
	h.text(1125, rpmString, "gzip")
	h.text(1126, rpmString, "6")
	digest, plain := sha256.Sum256(payload), sha256.Sum256(archive)
	h.text(5092, rpmStrings, hex.EncodeToString(digest[:]))
	h.int32(5093, 8)
	h.text(5097, rpmStrings, hex.EncodeToString(plain[:]))
	return h
}

// rpmRelations says what the package is and what it needs.
func (p pack) rpmRelations(h *rpmHeader) {
	h.text(1047, rpmStrings, "frontdesk")
	h.int32(1112, rpmSenseEqual)
	h.text(1113, rpmStrings, p.version+"-1")
	const lib = rpmSenseRPMLib | rpmSenseLess | rpmSenseEqual
	h.int32(1048, 0, 0, lib, lib)
	h.text(1049, rpmStrings, "/bin/sh", "/usr/sbin/useradd", "rpmlib(CompressedFileNames)", "rpmlib(PayloadFilesHavePrefix)")
	h.text(1050, rpmStrings, "", "", "3.0.4-1", "4.0-1")
}

// rpmFiles lists the files: one array for each thing that is known of them.
func (p pack) rpmFiles(h *rpmHeader) {
	var sizes, modes, rdevs, times, flags, verify, devices, inodes, dirs []int
	var sums, links, users, langs, bases, dirNames []string
	for i, f := range p.files {
		name := strings.TrimSuffix(f.name, "/")
		dir := path.Dir(name) + "/"
		at := slices.Index(dirNames, dir)
		if at < 0 {
			at, dirNames = len(dirNames), append(dirNames, dir)
		}
		sum := ""
		if !f.isDir() {
			sum = fmt.Sprintf("%x", sha256.Sum256(f.content))
		}
		sizes, modes, rdevs = append(sizes, len(f.content)), append(modes, rpmMode(f)), append(rdevs, 0)
		times, flags, verify = append(times, int(p.at.Unix())), append(flags, p.rpmFlags(name)), append(verify, p.rpmVerify(name))
		devices, inodes, dirs = append(devices, 1), append(inodes, i+1), append(dirs, at)
		sums, links, users = append(sums, sum), append(links, ""), append(users, "root")
		langs, bases = append(langs, ""), append(bases, path.Base(name))
	}
	h.int32(1028, sizes...)
	h.int16(1030, modes...)
	h.int16(1033, rdevs...)
	h.int32(1034, times...)
	h.text(1035, rpmStrings, sums...)
	h.text(1036, rpmStrings, links...)
	h.int32(1037, flags...)
	h.text(1039, rpmStrings, users...)
	h.text(1040, rpmStrings, users...)
	h.int32(1045, verify...)
	h.int32(1095, devices...)
	h.int32(1096, inodes...)
	h.text(1097, rpmStrings, langs...)
	h.int32(1116, dirs...)
	h.text(1117, rpmStrings, bases...)
	h.text(1118, rpmStrings, dirNames...)
	h.int32(5011, 8) // the sums are SHA-256
}

func rpmMode(f file) int {
	if f.isDir() {
		return 0o040000 | int(f.mode)
	}
	return 0o100000 | int(f.mode)
}

func (p pack) rpmFlags(name string) int {
	switch {
	case name == p.config:
		return rpmConfig
	case strings.HasPrefix(name, "/usr/share/doc/frontdesk/"):
		return rpmDoc
	}
	return 0
}

// rpmVerify says what of a file must stay as it came: everything, but for the
// group that may read the settings, which is made after they are unpacked.
func (p pack) rpmVerify(name string) int {
	const group = 1 << 4
	if name == p.config {
		return ^group
	}
	return -1
}

// cpio is the archive in its "new" form: numbers in hexadecimal, each entry
// filled up to four bytes.
func (p pack) cpio() []byte {
	var out bytes.Buffer
	add := func(name string, inode, mode, links int, content []byte) {
		fmt.Fprintf(&out, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", inode, mode, 0, 0, links, p.at.Unix()*int64(min(inode, 1)), len(content), 0, 0, 0, 0, len(name)+1, 0)
		out.WriteString(name + "\x00")
		out.Write(make([]byte, (4-out.Len()%4)%4))
		out.Write(content)
		out.Write(make([]byte, (4-out.Len()%4)%4))
	}
	for i, f := range p.files {
		add("."+strings.TrimSuffix(f.name, "/"), i+1, rpmMode(f), 1, f.content)
	}
	add("TRAILER!!!", 0, 0, 1, nil)
	return out.Bytes()
}

// rpmHeader gathers values by their tags.
type rpmHeader struct {
	entries []rpmEntry
}

type rpmEntry struct {
	tag, kind, count int
	value            []byte
}

func (h *rpmHeader) add(tag, kind, count int, value []byte) {
	h.entries = append(h.entries, rpmEntry{tag, kind, count, value})
}

func (h *rpmHeader) text(tag, kind int, values ...string) {
	h.add(tag, kind, len(values), []byte(strings.Join(values, "\x00")+"\x00"))
}

func (h *rpmHeader) int32(tag int, values ...int) {
	var b []byte
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	h.add(tag, rpmInt32, len(values), b)
}

func (h *rpmHeader) int16(tag int, values ...int) {
	var b []byte
	for _, v := range values {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	h.add(tag, rpmInt16, len(values), b)
}

// bytes is the header with its region: a first entry whose value stands at the
// end and says how many entries there are.
func (h *rpmHeader) bytes(region int) []byte {
	slices.SortStableFunc(h.entries, func(a, b rpmEntry) int { return a.tag - b.tag })
	var index, values []byte
	entry := func(tag, kind, offset, count int) []byte {
		var b []byte
		for _, v := range []int{tag, kind, offset, count} {
			b = binary.BigEndian.AppendUint32(b, uint32(int32(v)))
		}
		return b
	}
	for _, e := range h.entries {
		align := map[int]int{rpmInt16: 2, rpmInt32: 4}[e.kind]
		for align > 0 && len(values)%align != 0 {
			values = append(values, 0)
		}
		index = append(index, entry(e.tag, e.kind, len(values), e.count)...)
		values = append(values, e.value...)
	}
	n := len(h.entries) + 1
	first := entry(region, rpmBinary, len(values), 16)
	values = append(values, entry(region, rpmBinary, -16*n, 16)...)
	out := []byte("\x8e\xad\xe8\x01\x00\x00\x00\x00")
	out = binary.BigEndian.AppendUint32(out, uint32(n))
	out = binary.BigEndian.AppendUint32(out, uint32(len(values)))
	return slices.Concat(out, first, index, values)
}
