package blob

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Options are what the name of a place does not say.
type Options struct {
	Dir       string // where blobs are when the place is "", and where a database's may have been before
	Table     Table  // the database; nil: it cannot be the place
	AccessKey frontdesk.Secret
	SecretKey frontdesk.Secret
	Transport http.RoundTripper // to a bucket; nil: one through the guard
}

// Open opens the place that an operator has named: "database", a directory by
// its path, or a bucket by an address such as
//
//	s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1&style=path
//
// in which all but the bucket may be left out.
func Open(place string, o Options) (*Store, error) {
	scheme, _, isURL := strings.Cut(place, "://")
	switch {
	case place == Database && o.Table == nil:
		return nil, errors.New("there is no database to keep blobs in")
	case place == Database:
		return withFormer(OpenDatabase(o.Table), o.Dir)
	case !isURL:
		dir := cmp.Or(place, o.Dir)
		if dir == "" {
			return nil, errors.New("no place for blobs is named")
		}
		return OpenDir(dir)
	case scheme == "s3":
		return openBucket(place, o)
	}
	return nil, fmt.Errorf("blobs are kept in the database, in a directory or at s3://, not at %s://", scheme)
}

func openBucket(place string, o Options) (*Store, error) {
	u, err := url.Parse(place)
	// Neither repeats the address: credentials may have been put into it.
	if err != nil {
		return nil, errors.New("the place of blobs is not an address such as s3://bucket/prefix?endpoint=https://s3.example.com")
	}
	if u.User != nil {
		return nil, errors.New("the address of a bucket holds credentials: they have settings of their own")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errors.New("what follows the ? in the address of a bucket cannot be read")
	}
	s3 := S3Options{
		Bucket:    u.Host,
		Prefix:    strings.Trim(u.Path, "/"),
		Endpoint:  query.Get("endpoint"),
		Region:    query.Get("region"),
		Style:     query.Get("style"),
		AccessKey: o.AccessKey,
		SecretKey: o.SecretKey,
		Transport: o.Transport,
	}
	for name := range query {
		if name != "endpoint" && name != "region" && name != "style" {
			return nil, fmt.Errorf("the address of a bucket knows endpoint, region and style, not %q", name)
		}
	}
	return OpenS3(s3)
}
