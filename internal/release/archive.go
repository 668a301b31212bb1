package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"strings"
	"time"
)

// file is one of an archive. A name that ends in a slash is a directory's.
type file struct {
	name    string
	mode    fs.FileMode
	content []byte
}

func (f file) isDir() bool { return strings.HasSuffix(f.name, "/") }

// tarball is an archive whose files are all in one directory.
func (r Release) tarball(dir string, files []file) ([]byte, error) {
	inside := []file{{dir + "/", 0o755, nil}}
	for _, f := range files {
		inside = append(inside, file{path.Join(dir, f.name), f.mode, f.content})
	}
	plain, err := tarOf(inside, r.Time)
	if err != nil {
		return nil, err
	}
	return compressed(plain)
}

// tarOf writes files as root's.
func tarOf(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		if err := addToTar(w, f, 0, at); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func addToTar(w *tar.Writer, f file, owner int, at time.Time) error {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: at, Uid: owner, Gid: owner, Format: tar.FormatUSTAR}
	if f.isDir() {
		h.Typeflag = tar.TypeDir
	}
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	_, err := w.Write(f.content)
	return err
}

// compressed has neither a name nor a time in its header.
func compressed(plain []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

func (r Release) zip(dir string, files []file) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: path.Join(dir, f.name), Method: zip.Deflate, Modified: r.Time.UTC()}
		h.SetMode(f.mode)
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
