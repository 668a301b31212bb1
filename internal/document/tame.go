package document

import "strings"

// longestStretch is how much of a document is parsed at once.
const longestStretch = 64 << 10

// stretches cuts a long document at blank lines, outside of fences, so that
// neither its tree nor what is slow about it grows with its length.
func stretches(source string) (all []string) {
	for len(source) > longestStretch {
		end := cutPoint(source)
		all, source = append(all, source[:end]), source[end:]
	}
	return append(all, source)
}

// cutPoint is the first blank line after three quarters of a stretch that has
// a heading or a plain line after it; the end of a line if there is none.
func cutPoint(source string) int {
	fenced := false
	last := 0
	for at := 0; at < longestStretch; {
		end := strings.IndexByte(source[at:], '\n')
		if end < 0 || at+end >= longestStretch {
			break
		}
		line := source[at : at+end]
		at += end + 1
		if t := strings.TrimLeft(line, " "); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fenced = !fenced
		}
		if blank(line) && !fenced {
			last = at
		}
	}
	if last > longestStretch/4 {
		return last
	}
	if at := strings.LastIndexAny(source[:longestStretch], "\n "); at > 0 {
		return at + 1
	}
	return longestStretch
}

// More markup than anybody writes is left out: parsers take a time over it that
// grows with its square.
const (
	mostMarks   = 500 // in lines that are one paragraph: brackets, stars and the like
	mostNested  = 12  // lists and quotes in one another
	mostIndents = 40  // columns before a line
)

const marks = "[]*_`<!~&\\"

// tame takes markup out of lines that have too much of it. Lines keep their
// numbers.
func tame(source string) string {
	var out strings.Builder
	out.Grow(len(source))
	for source != "" {
		part := source[:paragraphLength(source)]
		source = source[len(part):]
		wild := countMarks(part) > mostMarks
		for l := range strings.SplitAfterSeq(part, "\n") {
			if l = shallow(l); wild {
				l = unmark.Replace(l)
			}
			out.WriteString(l)
		}
	}
	return out.String()
}

var unmark = strings.NewReplacer("[", " ", "]", " ", "*", " ", "_", " ", "`", " ", "<", " ", "!", " ", "~", " ", "&", " ", "\\", " ")

// paragraphLength is how far the source goes on without a line that begins
// something new.
func paragraphLength(source string) int {
	at := 0
	for {
		end := strings.IndexByte(source[at:], '\n')
		if end < 0 {
			return len(source)
		}
		at += end + 1
		next, _, _ := strings.Cut(source[at:], "\n")
		if next = strings.TrimLeft(next, " \t"); next == "" || beginsWith(next, "#|-+") {
			return at
		}
	}
}

func countMarks(s string) (n int) {
	for i := range len(s) {
		if strings.IndexByte(marks, s[i]) >= 0 {
			n++
		}
	}
	return n
}

// shallow cuts what stands before a line down to what makes sense.
func shallow(line string) string {
	text := strings.TrimLeft(line, " \t")
	if len(line)-len(text) > mostIndents {
		line = strings.Repeat(" ", mostIndents) + text
	}
	nested, at := 0, len(line)-len(text)
	if at < 0 || at > mostIndents {
		at = mostIndents
	}
	start := at
	for {
		n := containerLength(line[at:])
		if n == 0 {
			break
		}
		if nested++; nested == mostNested {
			start = at + n
		}
		at += n
	}
	if nested <= mostNested {
		return line
	}
	return line[:start] + line[at:]
}

// containerLength is the length of one mark of a quote or list, with the spaces
// after it, 0 if there is none.
func containerLength(s string) int {
	n := 0
	switch {
	case beginsWith(s, ">"):
		n = 1
	case len(s) > 1 && beginsWith(s, "-+*") && s[1] == ' ':
		n = 2
	default:
		for n < len(s) && n < 9 && isFigure(s[n]) {
			n++
		}
		if n == 0 || len(s) < n+2 || s[n] != '.' && s[n] != ')' || s[n+1] != ' ' {
			return 0
		}
		n += 2
	}
	return n + len(s[n:]) - len(strings.TrimLeft(s[n:], " \t"))
}
