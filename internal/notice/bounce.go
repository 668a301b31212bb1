package notice

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Bounce is what a mail server reports that could not deliver a mail after all.
type Bounce struct {
	Notices []frontdesk.ID // those whose mail it may be about: the Message-IDs in it
	Why     string         // in the server's words
}

const (
	maxBounce     = 1 << 20 // bytes of a report that are read
	maxBounceLine = 16 << 10
	mostNamed     = 20 // Message-IDs that are looked at
)

// ErrNoBounce says that a mail does not report that another could not be
// delivered.
var ErrNoBounce = errors.New("the mail is no report of a delivery that failed for good")

// messageID is one of ours: a notice's id before the @.
var messageID = regexp.MustCompile(`(?i)^message-id:\s*<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@`)

// ReadBounce reads a report as mail servers send it back to the sender of a mail
// (RFC 3464), with the headers of that mail in it. One that says that the mail is
// only late is none.
func ReadBounce(r io.Reader) (b Bounce, err error) {
	lines := bufio.NewScanner(io.LimitReader(r, maxBounce))
	lines.Buffer(nil, maxBounceLine)
	var failed, telling bool
	for lines.Scan() {
		line := strings.TrimRight(lines.Text(), "\r")
		name, value, _ := strings.Cut(line, ":")
		if found := messageID.FindStringSubmatch(line); found != nil && len(b.Notices) < mostNamed {
			b.Notices = append(b.Notices, frontdesk.ID(strings.ToLower(found[1])))
		}
		switch {
		case telling && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")): // a line that goes on
			b.Why += " " + strings.TrimSpace(line)
			continue
		case strings.EqualFold(name, "action"):
			failed = failed || strings.EqualFold(strings.TrimSpace(value), "failed")
		case strings.EqualFold(name, "diagnostic-code") && b.Why == "":
			b.Why, telling = value, true
			continue
		}
		telling = false
	}
	b.Why = clip(plain(b.Why))
	if lines.Err() != nil || !failed || len(b.Notices) == 0 {
		return Bounce{}, ErrNoBounce
	}
	return b, nil
}
