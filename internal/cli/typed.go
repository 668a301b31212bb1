package cli

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"frontdesk.dev/frontdesk/internal/service"
)

// lines are what is typed, as it comes. Reading cannot be interrupted: it ends
// with the input, or with the process.
func (s *session) lines() (<-chan string, <-chan error) {
	lines := make(chan string)
	failed := service.Go(logger(s.stderr, s.settings), "reading of what is typed", func() error {
		defer close(lines)
		scanner := bufio.NewScanner(s.stdin)
		for scanner.Scan() {
			select {
			case lines <- strings.ToValidUTF8(scanner.Text(), "\ufffd"):
			case <-s.ctx.Done():
				return nil
			}
		}
		return scanner.Err()
	})
	return lines, failed
}

// prompt invites to type, where somebody does, and says whether it has.
func (s *session) prompt() bool {
	f, ok := s.stdin.(*os.File)
	if !ok || s.json {
		return false
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	fmt.Fprint(s.stdout, "> ")
	return true
}
