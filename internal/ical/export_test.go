package ical

import "time"

// Occurrences are the times from one until another at which a rule holds, by the
// clock, the start left out.
func Occurrences(text string, start, from, to time.Time) (all []time.Time, err error) {
	r, err := parseRule(text, stamp{wall: start, zone: location{time.UTC}})
	if err != nil {
		return nil, err
	}
	err = r.each(&work{left: 1 << 40}, from, to, func(t time.Time) bool {
		all = append(all, t)
		return true
	})
	return all, err
}
