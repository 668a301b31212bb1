package config

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// checkTraces holds the rules of where traces go.
func (s Settings) checkTraces() (wrong []error) {
	if s.TracesURL != "" && !isCollector(s.TracesURL) {
		wrong = append(wrong, &ValueError{Name: "FRONTDESK_TRACES_URL", Value: s.TracesURL, Want: "an address such as http://collector:4318, without a user, a query or a fragment; keys go into FRONTDESK_TRACES_HEADERS"})
	}
	if _, err := s.TracesHeaderValues(); err != nil {
		wrong = append(wrong, &ValueError{Name: "FRONTDESK_TRACES_HEADERS", Secret: true, Want: "a list such as authorization=Bearer abc,x-team=blue"})
	}
	if !(s.TracesRatio > 0 && s.TracesRatio <= 1) { // NaN is neither
		wrong = append(wrong, &ValueError{Name: "FRONTDESK_TRACES_RATIO", Value: strconv.FormatFloat(s.TracesRatio, 'g', -1, 64), Want: "more than 0 and at most 1; without traces, leave FRONTDESK_TRACES_URL empty"})
	}
	return wrong
}

// TracesHeaderValues are the headers of TracesHeaders by their names.
func (s Settings) TracesHeaderValues() (map[string]string, error) {
	headers := map[string]string{}
	for pair := range strings.SplitSeq(s.TracesHeaders.Reveal(), ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || !isHeaderName(name) || strings.ContainsFunc(value, unicode.IsControl) {
			return nil, errors.New("a header is not of the form name=value")
		}
		headers[name] = value
	}
	return headers, nil
}

func isHeaderName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
}

// isCollector says whether an address can be posted to and holds no secret.
func isCollector(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}
