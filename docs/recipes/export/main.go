// Export writes the calls and captures of a day as JSON lines, with checksums.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"iter"
	"log"
	"os"
	"path/filepath"
	"time"

	frontdesk "frontdesk.dev/frontdesk/sdk/go"
)

func main() {
	dir := flag.String("dir", ".", "where the files go")
	day := flag.String("day", time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly), "the day, in UTC")
	limit := flag.Int("page", 100, "how many to ask for at once")
	flag.Parse()
	from, err := time.Parse(time.DateOnly, *day)
	if to := from.AddDate(0, 0, 1); err == nil && to.After(time.Now()) {
		err = fmt.Errorf("%s is not over yet", *day)
	}
	if err == nil {
		err = run(context.Background(), *dir, from, *limit)
	}
	if err != nil {
		log.Fatal("export: ", err)
	}
}

func run(ctx context.Context, dir string, from time.Time, limit int) error {
	client, err := frontdesk.New(frontdesk.Options{}) // FRONTDESK_API_KEY, FRONTDESK_BASE_URL
	if err != nil {
		return err
	}
	to := from.AddDate(0, 0, 1)
	calls := write(filepath.Join(dir, from.Format("calls-2006-01-02.jsonl")), func(after string) iter.Seq2[frontdesk.Call, error] {
		return client.Calls.All(ctx, frontdesk.CallListParams{StartedFrom: from, StartedTo: to, StartingAfter: after, Limit: limit})
	}, func(frontdesk.Call) bool { return true })
	// What was created on that day cannot have been changed before it.
	captures := write(filepath.Join(dir, from.Format("captures-2006-01-02.jsonl")), func(after string) iter.Seq2[frontdesk.Capture, error] {
		return client.Captures.All(ctx, frontdesk.CaptureListParams{UpdatedFrom: from, StartingAfter: after, Limit: limit})
	}, func(c frontdesk.Capture) bool { return !c.CreatedAt.Before(from) && c.CreatedAt.Before(to) })
	return errors.Join(calls, captures)
}

// write writes a list into a file, and its checksum beside it. What an earlier run
// left behind is kept, and the list gone on with after it.
func write[T any](name string, list func(after string) iter.Seq2[T, error], wanted func(T) bool) error {
	if _, err := os.Stat(name + ".sha256"); err == nil {
		fmt.Println(name, "is there already")
		return nil
	}
	text, err := os.ReadFile(name + ".part")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1] // a line that was cut off is written again
	var last struct{ ID string }
	if lines := bytes.Split(text, []byte("\n")); len(lines) > 1 {
		if err := json.Unmarshal(lines[len(lines)-2], &last); err != nil {
			return fmt.Errorf("%s.part: %w", name, err)
		}
	}
	if err := os.WriteFile(name+".part", text, 0o600); err != nil {
		return err
	}
	part, err := os.OpenFile(name+".part", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer part.Close()
	for item, err := range list(last.ID) {
		if err != nil {
			return fmt.Errorf("run it again to go on: %w", err)
		}
		if !wanted(item) {
			continue
		}
		line, err := json.Marshal(item)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
		if _, err := part.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	if err := errors.Join(part.Sync(), os.Rename(part.Name(), name)); err != nil {
		return err
	}
	sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(text), filepath.Base(name))
	fmt.Println(name, "has", bytes.Count(text, []byte("\n")), "lines")
	return os.WriteFile(name+".sha256", []byte(sum), 0o600)
}
