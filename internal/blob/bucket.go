package blob

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	// partSize is the least that S3 takes for a part that is not the last, and
	// what a Put holds in memory, however large the blob is.
	partSize = 5 << 20

	attempts  = 4 // of each request, waits of up to a second between them
	abortTime = 30 * time.Second
)

// S3Options say which bucket, and how to reach it.
type S3Options struct {
	Bucket    string
	Prefix    string // of all keys, without slashes at its ends; may be empty
	Endpoint  string // http:// or https://; "": Amazon's, of the region
	Region    string // "" for Amazon is an error; else us-east-1, which others take
	Style     string // "path", "host", or "": by the endpoint
	AccessKey frontdesk.Secret
	SecretKey frontdesk.Secret
	Transport http.RoundTripper // nil: one through the guard
}

// bucket keeps each blob in an object. A small one is one request, a large one
// an upload in parts, which nobody sees before it is completed.
type bucket struct {
	client  *minio.Core
	http    http.RoundTripper
	name    string
	prefix  string    // "" or with a slash at its end
	buffers sync.Pool // of *[]byte, each as large as a part
	conceal *strings.Replacer
}

// OpenS3 opens a bucket as a store. It does not ask whether the bucket is
// there; Check does.
func OpenS3(o S3Options) (*Store, error) {
	endpoint, err := o.endpoint()
	if err != nil {
		return nil, err
	}
	lookup, err := o.lookup()
	if err != nil {
		return nil, err
	}
	prefix, err := o.prefix()
	if err != nil {
		return nil, err
	}
	if o.Bucket == "" {
		return nil, errors.New("the bucket has no name")
	}
	if o.AccessKey == "" || o.SecretKey == "" {
		return nil, errors.New("a bucket needs an access key and a secret key")
	}
	transport := o.Transport
	if transport == nil {
		guard, err := guardFor(endpoint, o.Bucket)
		if err != nil {
			return nil, err
		}
		transport = newTransport(guard, stall)
	}
	client, err := minio.NewCore(endpoint.Host, &minio.Options{
		Creds:        credentials.NewStaticV4(o.AccessKey.Reveal(), o.SecretKey.Reveal(), ""),
		Secure:       endpoint.Scheme == "https",
		Region:       cmp.Or(o.Region, "us-east-1"), // given, it is never asked for
		BucketLookup: lookup,
		Transport:    leash{transport},
		MaxRetries:   attempts,
	})
	if err != nil {
		return nil, fmt.Errorf("preparing the bucket's client: %w", err)
	}
	b := &bucket{client: client, http: transport, name: o.Bucket, prefix: prefix}
	b.buffers.New = func() any { buf := make([]byte, partSize); return &buf }
	b.conceal = strings.NewReplacer(o.SecretKey.Reveal(), "[secret]", o.AccessKey.Reveal(), "[secret]")
	place := fmt.Sprintf("s3://%s at %s", path.Join(o.Bucket, prefix), endpoint.Host)
	return &Store{place: place, in: b}, nil
}

// guardFor is open for a bucket's server, under the name of the bucket too: an
// operator's own may be in a private network.
func guardFor(endpoint *url.URL, bucket string) (*egress.Guard, error) {
	return egress.New(egress.Options{Allow: []string{
		endpoint.Scheme + "://" + endpoint.Host, endpoint.Scheme + "://" + bucket + "." + endpoint.Host,
	}})
}

func (o S3Options) endpoint() (*url.URL, error) {
	if o.Endpoint == "" && o.Region == "" {
		return nil, errors.New("a bucket needs an endpoint, or at Amazon its region")
	}
	u, err := url.Parse(cmp.Or(o.Endpoint, "https://s3."+o.Region+".amazonaws.com"))
	// The address is not repeated: credentials may have been put into it.
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return nil, errors.New("the endpoint of a bucket is an origin such as https://s3.example.com, without credentials")
	}
	return u, nil
}

func (o S3Options) lookup() (minio.BucketLookupType, error) {
	switch o.Style {
	case "":
		return minio.BucketLookupAuto, nil
	case "path":
		return minio.BucketLookupPath, nil
	case "host":
		return minio.BucketLookupDNS, nil
	}
	return 0, fmt.Errorf("the style of a bucket's address is path or host, not %q", o.Style)
}

func (o S3Options) prefix() (string, error) {
	if o.Prefix == "" {
		return "", nil
	}
	if err := CheckKey(o.Prefix); err != nil {
		return "", fmt.Errorf("checking the bucket's prefix: %w", err)
	}
	return o.Prefix + "/", nil
}

func (b *bucket) put(ctx context.Context, key string, from *source) error {
	buf := b.buffers.Get().(*[]byte)
	defer b.buffers.Put(buf)
	n, err := fill(*buf, from)
	if err != nil {
		return err
	}
	if n == partSize {
		return b.told(b.putParts(ctx, b.prefix+key, *buf, from))
	}
	body := (*buf)[:n]
	_, err = b.client.PutObject(ctx, b.name, b.prefix+key, bytes.NewReader(body), int64(n), "", sum(body), putOptions())
	return b.told(err)
}

// fill reads until buf is full or the source has ended.
func fill(buf []byte, from *source) (int, error) {
	n, err := io.ReadFull(from, buf)
	if err == io.EOF || err == io.ErrUnexpectedEOF { // the reader's own are wrapped
		err = nil
	}
	return n, err
}

// putParts stores what is in buf already and what follows. The upload is given
// up when anything fails; if even that fails, Sweep finds it.
func (b *bucket) putParts(ctx context.Context, object string, buf []byte, from *source) (err error) {
	upload, err := b.client.NewMultipartUpload(ctx, b.name, object, putOptions())
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			b.abort(ctx, object, upload)
		}
	}()
	var parts []minio.CompletePart
	for n := len(buf); n > 0; {
		part, err := b.putPart(ctx, object, upload, len(parts)+1, buf[:n])
		if err != nil {
			return err
		}
		parts = append(parts, part)
		if n, err = fill(buf, from); err != nil {
			return err
		}
	}
	_, err = b.client.CompleteMultipartUpload(ctx, b.name, object, upload, parts, minio.PutObjectOptions{})
	return err
}

func (b *bucket) putPart(ctx context.Context, object, upload string, number int, body []byte) (minio.CompletePart, error) {
	o := minio.PutObjectPartOptions{Sha256Hex: sum(body), DisableContentSha256: true}
	part, err := b.client.PutObjectPart(ctx, b.name, object, upload, number, bytes.NewReader(body), int64(len(body)), o)
	return minio.CompletePart{PartNumber: number, ETag: part.ETag}, err
}

// putOptions turn off the signing of chunks: every request carries the hash of
// its body, signed, which every server knows how to hold it to.
func putOptions() minio.PutObjectOptions {
	return minio.PutObjectOptions{DisableContentSha256: true}
}

func sum(body []byte) string {
	s := sha256.Sum256(body)
	return hex.EncodeToString(s[:])
}

// abort goes on when the caller has gone: that is when it is needed.
func (b *bucket) abort(ctx context.Context, object, upload string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTime)
	defer cancel()
	err := b.client.AbortMultipartUpload(ctx, b.name, object, upload)
	if minio.ToErrorResponse(err).Code == minio.NoSuchUpload {
		return nil
	}
	return err
}

func (b *bucket) get(ctx context.Context, key string) (io.ReadCloser, error) {
	body, _, _, err := b.client.GetObject(ctx, b.name, b.prefix+key, minio.GetObjectOptions{})
	return body, b.told(err)
}

func (b *bucket) delete(ctx context.Context, key string) error {
	return b.told(b.client.RemoveObject(ctx, b.name, b.prefix+key, minio.RemoveObjectOptions{}))
}

func (b *bucket) each(ctx context.Context, fn func(key string, at time.Time) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for object := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
		if object.Err != nil {
			return b.told(object.Err)
		}
		key := strings.TrimPrefix(object.Key, b.prefix)
		if CheckKey(key) != nil {
			continue // not ours
		}
		if err := fn(key, object.LastModified); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (b *bucket) sweep(ctx context.Context, olderThan time.Time) (removed int, err error) {
	var page minio.ListMultipartUploadsResult
	for {
		page, err = b.client.ListMultipartUploads(ctx, b.name, b.prefix, page.NextKeyMarker, page.NextUploadIDMarker, "", 0)
		if err != nil {
			return removed, b.told(err)
		}
		for _, u := range page.Uploads {
			if !u.Initiated.Before(olderThan) || !strings.HasPrefix(u.Key, b.prefix) {
				continue
			}
			if err := b.abort(ctx, u.Key, u.UploadID); err != nil {
				return removed, b.told(err)
			}
			removed++
		}
		if !page.IsTruncated {
			return removed, nil
		}
	}
}

// check lists one object, which needs the network, the bucket, the credentials
// and the right to list.
func (b *bucket) check(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for object := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true, MaxKeys: 1}) {
		return b.told(object.Err)
	}
	return ctx.Err()
}

func (b *bucket) close() error {
	if t, ok := b.http.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
	return nil
}

// told is an error of the bucket in words that may be shown: the server's code
// in front, and without our credentials, which some servers repeat.
func (b *bucket) told(err error) error {
	var answer minio.ErrorResponse
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &answer):
		return bucketError{b.conceal.Replace(err.Error()), err}
	case answer.Code == minio.NoSuchKey:
		return ErrNotFound
	}
	return bucketError{b.conceal.Replace(fmt.Sprintf("%s: %s", answer.Code, answer.Error())), err}
}

type bucketError struct {
	text  string
	cause error
}

func (e bucketError) Error() string { return e.text }
func (e bucketError) Unwrap() error { return e.cause }
