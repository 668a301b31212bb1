package cli

import (
	"errors"
	"regexp"
	"strconv"
	"time"
)

// span is a flag that takes a duration with weeks and days: 2w, 90d, 1d12h.
type span time.Duration

func (s *span) String() string {
	if d := time.Duration(*s); d != 0 {
		return d.String()
	}
	return ""
}

// Type names the flag's value in the help.
func (s *span) Type() string { return "duration" }

// Set reads the flag's value.
func (s *span) Set(text string) error {
	d, err := parseSpan(text)
	*s = span(d)
	return err
}

const day = 24 * time.Hour

// Four digits each: their sum fits a Duration.
var spanPattern = regexp.MustCompile(`^(?:(\d{1,4})w)?(?:(\d{1,4})d)?(.*)$`)

var errSpan = errors.New("expected a duration such as 90d, 2w, 24h or 1d12h")

func parseSpan(text string) (time.Duration, error) {
	parts := spanPattern.FindStringSubmatch(text)
	if text == "" || parts == nil {
		return 0, errSpan
	}
	weeks, _ := strconv.Atoi("0" + parts[1])
	days, _ := strconv.Atoi("0" + parts[2])
	d := time.Duration(weeks)*7*day + time.Duration(days)*day
	if parts[3] == "" {
		return d, nil
	}
	rest, err := time.ParseDuration(parts[3])
	if err != nil || rest < 0 || d+rest < 0 {
		return 0, errSpan
	}
	return d + rest, nil
}
