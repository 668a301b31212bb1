package reception

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// The bounds of a transcript, and of one message with its answer in it.
const (
	maxTurns    = 200
	maxBytes    = 64 << 10
	maxExchange = 16 << 10 // bytes
	maxActions  = 8
	maxSpoken   = 1500 // characters of an answer
)

// roleCut stands, until the call is recorded, for the caller cutting off what
// the receptionist said before, which is written down already. Its text is what was
// heard, where that is known; Interrupted: nothing was.
const roleCut = "cut"

// exchange is what one input and its answer are in the transcript: what the
// caller said, what was done, what the receptionist said.
func exchange(in conversation.Input, out conversation.Output, heard, answered time.Duration) []frontdesk.Turn {
	var turns []frontdesk.Turn
	if in.Cut || in.Kind == conversation.Interrupt {
		turns = append(turns, frontdesk.Turn{Role: roleCut, Text: in.Heard, Start: heard, Interrupted: in.Cut && in.Heard == ""})
	}
	if in.Text != "" && in.Kind != conversation.Passed {
		turns = append(turns, frontdesk.Turn{
			Role: frontdesk.RoleCaller, Text: in.Text, Start: heard, End: heard, Language: out.Language,
		})
	}
	for i, a := range out.Actions {
		if i < maxActions {
			turns = append(turns, frontdesk.Turn{
				Role: frontdesk.RoleTool, Name: a.Name, Arguments: a.Arguments, Result: a.Result,
				Start: heard, End: answered, Language: out.Language,
			})
		}
	}
	if out.Say != "" {
		text := frontdesk.Clip(out.Say, maxSpoken)
		turns = append(turns, frontdesk.Turn{
			Role: frontdesk.RoleAgent, Text: text, Start: answered, End: answered + reading(text), Language: out.Language,
		})
	}
	return fitted(turns)
}

// isFull says whether no more than this may be said: another exchange might not
// fit.
func (c *call) isFull(said []frontdesk.Turn) bool {
	return c.Turns+len(said)+maxActions+2 > maxTurns || c.Bytes+len(encodeTurns(said))+maxExchange > maxBytes
}

// fitted leaves the details of what was done away when an exchange has too many
// of them.
func fitted(turns []frontdesk.Turn) []frontdesk.Turn {
	for i := len(turns) - 1; i >= 0 && len(encodeTurns(turns)) > maxExchange; i-- {
		turns[i].Arguments, turns[i].Result = nil, nil
	}
	return turns
}

// reading is about how long it takes to read a text.
func reading(text string) time.Duration {
	return min(max(time.Second, time.Duration(utf8.RuneCountInString(text))*60*time.Millisecond), 15*time.Second)
}

// cutOff marks what the receptionist was saying when its caller cut it off.
func cutOff(turns []frontdesk.Turn) []frontdesk.Turn {
	kept := turns[:0]
	for _, t := range turns {
		if t.Role != roleCut {
			kept = append(kept, t)
			continue
		}
		for i := len(kept) - 1; i >= 0; i-- {
			if said := &kept[i]; said.Role == frontdesk.RoleAgent {
				if t.Interrupted { // nothing of it was heard
					kept = slices.Delete(kept, i, i+1)
					break
				}
				said.Text = heardOf(said.Text, t.Text)
				said.Interrupted, said.End = true, max(said.Start, min(said.End, t.Start))
				break
			}
		}
	}
	return kept
}

// heardOf is what a caller heard of something that was cut off, where that is known.
func heardOf(said, heard string) string {
	if heard == "" || len(heard) > len(said) {
		return said
	}
	return heard
}

// spaced lets no turn last into the next one, and none beyond the end.
func spaced(turns []frontdesk.Turn, end time.Duration) []frontdesk.Turn {
	for i := len(turns) - 1; i >= 0; i-- {
		turns[i].Start, turns[i].End = min(turns[i].Start, end), min(turns[i].End, end)
		end = turns[i].Start
	}
	return turns
}

// longestPause is how much of a pause between two turns counts.
const longestPause = time.Minute

// pause is what counts of the time between the beginnings of two turns.
func pause(d time.Duration) time.Duration { return min(max(d, 0), longestPause) }

// counted is how long a conversation in writing took: the time between its turns,
// without the rest of long pauses, and the last turn.
func counted(turns []frontdesk.Turn) (took time.Duration) {
	var spoke time.Duration
	for _, t := range turns {
		took += pause(t.Start - spoke)
		spoke = t.Start
	}
	return took + lasted(turns) - spoke
}

// lasted is when the last thing was said.
func lasted(turns []frontdesk.Turn) time.Duration {
	if len(turns) == 0 {
		return 0
	}
	return turns[len(turns)-1].End
}

// encodeTurns writes turns one a line, so that more can be put behind them
// without reading them.
func encodeTurns(turns []frontdesk.Turn) []byte {
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	for _, t := range turns {
		if err := e.Encode(t); err != nil { // details that JSON cannot hold
			t.Arguments, t.Result = nil, nil
			_ = e.Encode(t) // texts and numbers alone: always possible
		}
	}
	return lines.Bytes()
}

// decodeTurns reads what encodeTurns wrote, as far as it can be read.
func decodeTurns(lines []byte) (turns []frontdesk.Turn) {
	for d := json.NewDecoder(bytes.NewReader(lines)); ; {
		var t frontdesk.Turn
		if d.Decode(&t) != nil {
			return turns
		}
		turns = append(turns, t)
	}
}
