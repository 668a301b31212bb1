package blob

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// The bounds of a key: a file's name and an S3 key hold it with room to spare.
const (
	maxKey     = 256
	maxSegment = 128
)

// CheckKey says what is wrong with a key, nil when nothing is. A key is one or
// more segments joined by "/", each of lower-case letters, digits, "-", "_" and
// ".", neither beginning nor ending with a dot. So it is the same blob on a
// file system that ignores case, leads out of no directory, and never meets a
// file of our own, whose names begin with a dot.
func CheckKey(key string) error {
	if len(key) > maxKey {
		return fmt.Errorf("the blob key has %d characters, %d are allowed", len(key), maxKey)
	}
	for segment := range strings.SplitSeq(key, "/") {
		if err := checkSegment(segment); err != nil {
			return fmt.Errorf("the blob key %q is not one: %w", key, err)
		}
	}
	return nil
}

func checkSegment(s string) error {
	switch {
	case s == "":
		return errors.New("a segment is empty")
	case len(s) > maxSegment:
		return fmt.Errorf("a segment has %d characters, %d are allowed", len(s), maxSegment)
	case s[0] == '.' || s[len(s)-1] == '.':
		return errors.New("a segment begins or ends with a dot")
	case strings.ContainsFunc(s, outsideOfKeys):
		return errors.New("only a-z, 0-9, -, _ and . are allowed")
	}
	return nil
}

func outsideOfKeys(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
}

// parents are the directories above a key, outermost first.
func parents(key string) (all []string) {
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		all = append([]string{dir}, all...)
	}
	return all
}
