package document

import (
	"html"
	"regexp"
	"strings"
)

var (
	unseen    = regexp.MustCompile(`(?is)<!--.*?-->|<(script|style|head|template)\b.*?</(?:script|style|head|template)\s*>`)
	breaks    = regexp.MustCompile(`(?i)</?(?:br|p|div|tr|li|ul|ol|h[1-6]|table|section|summary|details|hr|dt|dd|blockquote)\b[^<>]{0,1000}>`)
	cellBreak = regexp.MustCompile(`(?i)</t[dh]\s*>\s*<t[dh]\b[^<>]{0,1000}>`)
	tag       = regexp.MustCompile(`</?[a-zA-Z][^<>]{0,1000}>`)
)

// untag takes the tags out of HTML, and puts characters for their names.
func untag(s string) string {
	if strings.Contains(s, "<") {
		s = unseen.ReplaceAllString(s, "")
		s = cellBreak.ReplaceAllString(s, "; ")
		s = breaks.ReplaceAllString(s, "\n")
		s = tag.ReplaceAllString(s, "")
	}
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s)
	}
	return strings.Map(plainRune, s)
}
