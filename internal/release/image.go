package release

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageUser is whom the image's program runs as: nobody on any machine.
const imageUser = 65532

// image is a tar file that holds one image twice described: as an OCI layout and
// as `docker load` of older versions reads it. There is nothing in it but the
// program, the certificate authorities that it trusts, and the directory that it
// writes to.
func (r Release) image(t Target, program []byte) ([]byte, error) {
	layer, err := r.layer(program)
	if err != nil {
		return nil, err
	}
	zipped, err := compressed(layer)
	if err != nil {
		return nil, err
	}
	config, err := json.Marshal(r.imageConfig(t, digest(layer)))
	if err != nil {
		return nil, err
	}
	manifest, err := json.Marshal(map[string]any{
		"schemaVersion": 2,
		"mediaType":     "application/vnd.oci.image.manifest.v1+json",
		"config":        blob("application/vnd.oci.image.config.v1+json", config),
		"layers":        []any{blob("application/vnd.oci.image.layer.v1.tar+gzip", zipped)},
	})
	if err != nil {
		return nil, err
	}
	return r.layout(t, config, manifest, zipped)
}

// layer is the root of the image.
func (r Release) layer(program []byte) ([]byte, error) {
	roots, err := authorities()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range []file{
		{"etc/", 0o755, nil},
		{"etc/passwd", 0o644, fmt.Appendf(nil, "frontdesk:x:%d:%d::/data:/\n", imageUser, imageUser)},
		{"etc/ssl/", 0o755, nil},
		{"etc/ssl/certs/", 0o755, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, roots},
		{"usr/", 0o755, nil},
		{"usr/bin/", 0o755, nil},
		{"usr/bin/frontdesk", 0o755, program},
	} {
		if err := addToTar(w, f, 0, r.Time); err != nil {
			return nil, err
		}
	}
	if err := addToTar(w, file{"data/", 0o700, nil}, imageUser, r.Time); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// authorities are those that Mozilla trusts, without the ones that it trusts
// under conditions: a file cannot say those.
func authorities() ([]byte, error) {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func (r Release) imageConfig(t Target, layer string) map[string]any {
	return map[string]any{
		"created":      r.Time.UTC().Format(time.RFC3339),
		"architecture": t.Arch,
		"os":           t.OS,
		"config": map[string]any{
			"User": fmt.Sprintf("%d:%d", imageUser, imageUser),
			// /tmp is not there, and uploads wait in a file until they are read.
			"Env":          []string{"PATH=/usr/bin", "FRONTDESK_DATA=/data", "FRONTDESK_LISTEN=:8080", "TMPDIR=/data"},
			"Entrypoint":   []string{"/usr/bin/frontdesk"},
			"Cmd":          []string{"serve"},
			"ExposedPorts": map[string]any{"8080/tcp": struct{}{}},
			"Volumes":      map[string]any{"/data": struct{}{}},
			"WorkingDir":   "/data",
			"StopSignal":   "SIGTERM",
			"Labels": map[string]string{
				"org.opencontainers.image.title":    "frontdesk",
				"org.opencontainers.image.version":  r.Version,
				"org.opencontainers.image.revision": r.Commit,
				"org.opencontainers.image.licenses": licence,
			},
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{layer}},
		"history": []any{map[string]string{"created": r.Time.UTC().Format(time.RFC3339), "created_by": "make release"}},
	}
}

// layout is the tar file of an OCI layout with one manifest.
func (r Release) layout(t Target, config, manifest, layer []byte) ([]byte, error) {
	name := "frontdesk:" + r.Version
	entry := blob("application/vnd.oci.image.manifest.v1+json", manifest)
	entry["platform"] = map[string]string{"architecture": t.Arch, "os": t.OS}
	entry["annotations"] = map[string]string{"io.containerd.image.name": "docker.io/library/" + name, "org.opencontainers.image.ref.name": r.Version}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []any{entry}})
	if err != nil {
		return nil, err
	}
	docker, err := json.Marshal([]any{map[string]any{"Config": place(config), "RepoTags": []string{name}, "Layers": []string{place(layer)}}})
	if err != nil {
		return nil, err
	}
	return tarOf([]file{
		{"blobs/", 0o755, nil},
		{"blobs/sha256/", 0o755, nil},
		{place(config), 0o644, config},
		{place(manifest), 0o644, manifest},
		{place(layer), 0o644, layer},
		{"index.json", 0o644, index},
		{"manifest.json", 0o644, docker},
		{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)},
	}, r.Time)
}

func blob(mediaType string, content []byte) map[string]any {
	return map[string]any{"mediaType": mediaType, "digest": digest(content), "size": len(content)}
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// place is where a blob is in the layout.
func place(content []byte) string { return "blobs/sha256/" + digest(content)[len("sha256:"):] }
