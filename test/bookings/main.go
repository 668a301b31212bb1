// Command bookings measures how well the receptionist understands callers who
// book: the days and times they say, the bookings they describe, and whether a
// conversation with them ends in the booking they wanted.
//
//	go run ./test/bookings DIR
//
// DIR, or DIR/conversation, holds the sets: *datetime*.jsonl with one caller
// turn a line, *booking*.jsonl with one dialogue a line. Every dialogue is held
// three times: open loop, where the caller's turns are fed in order and what was
// understood is compared with the goal; closed loop, where the caller answers
// what is asked and the goal is a booking in the books; and turn by turn, where
// the acts that the set names (agreeing, refusing, asking) are compared with
// what is heard.
//
// A DIR that holds sets of knowledge alone is left to the command eval; one that
// holds neither is a mistake.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bookings:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("say the directory of the sets")
	}
	verbose := len(args) > 1 && args[1] == "-v"
	found := false
	for _, dir := range []string{args[0], filepath.Join(args[0], "conversation")} {
		files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		if err != nil {
			return err
		}
		for _, file := range files {
			known, err := measure(file, verbose)
			if err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(file), err)
			}
			found = found || known
		}
	}
	if found {
		return nil
	}
	if !hasKnowledge(args[0]) {
		return fmt.Errorf("no sets in %s, neither of conversations nor of knowledge", args[0])
	}
	fmt.Printf("no conversation sets in %s or its folder conversation\n", args[0])
	return nil
}

// hasKnowledge says whether there are sets for the command eval.
func hasKnowledge(dir string) bool {
	for _, folder := range []string{dir, filepath.Join(dir, "knowledge")} {
		if files, err := filepath.Glob(filepath.Join(folder, "*", "questions.jsonl")); err == nil && len(files) > 0 {
			return true
		}
	}
	return false
}

// measure runs one set, by what its lines are.
func measure(file string, verbose bool) (bool, error) {
	name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	switch {
	case strings.Contains(name, "booking"):
		dialogues, err := readLines[dialogue](file)
		if err != nil {
			return false, err
		}
		if err := openLoop(name, dialogues, verbose); err != nil {
			return false, err
		}
		hearActs(name, dialogues, verbose)
		return true, closedLoop(name, dialogues, verbose)
	case strings.Contains(name, "datetime"):
		turns, err := readLines[phrase](file)
		if err != nil {
			return false, err
		}
		readDates(name, turns, verbose)
		return true, nil
	}
	return false, nil
}

func readLines[T any](file string) (all []T, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, lines.Err()
}

// refTime is the moment a line was said.
func refTime(ref string) time.Time {
	t, err := time.Parse("2006-01-02T15:04:05", ref)
	if err != nil {
		return time.Date(2019, 3, 1, 10, 0, 0, 0, time.UTC)
	}
	return t
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}
