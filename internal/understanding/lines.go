package understanding

import "strings"

// Who said a line of a conversation, as a model is shown it.
const (
	byCaller       = "caller: "
	byReceptionist = "receptionist: "
)

// CallerLine is a line that the caller said.
func CallerLine(text string) string { return byCaller + text }

// IsCallerLine says whether a line is one that the caller said.
func IsCallerLine(line string) bool { return strings.HasPrefix(line, byCaller) }

// ReceptionistLine is a line that we said.
func ReceptionistLine(text string) string { return byReceptionist + text }

// LastLines are those that a model may need to see.
func LastLines(lines []string) []string {
	const most = 6
	return lines[max(0, len(lines)-most):]
}

// ofCaller are the caller's own among the last lines.
func ofCaller(said []string) []string {
	const most = 2
	var own []string
	for _, line := range said {
		if words, ok := strings.CutPrefix(line, byCaller); ok {
			own = append(own, words)
		}
	}
	return own[max(0, len(own)-most):]
}
