package console

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// mostExported is how many calls a file has at most.
const mostExported = 10_000

// export is the list as a file for a spreadsheet.
func (c callScreen) export(v *visit) (answer, error) {
	q := readCallQuery(v)
	q.After = ""
	filter, faults := q.filter(v)
	if len(faults) > 0 {
		return answer{}, frontdesk.InvalidParam("search", "%s", strings.Join(faults, " "))
	}
	var b bytes.Buffer
	b.WriteString("\ufeff") // by which spreadsheets know that it is UTF-8
	w := newSheet(v, &b)
	w.Write(exportHeads(v))
	page := frontdesk.Page{Limit: frontdesk.MaxPageSize}
	for rows := 0; rows < mostExported; {
		list, err := c.callsOf(v, q, filter, page)
		if err != nil {
			return answer{}, err
		}
		who, err := c.callersOf(v, list.Items)
		if err != nil {
			return answer{}, err
		}
		for _, call := range list.Items {
			w.Write(exportRow(v, call, who[call.ID]))
			page.StartingAfter = call.ID
		}
		if rows += len(list.Items); !list.More {
			break
		}
		if list.Next != "" {
			page.StartingAfter = list.Next
		}
	}
	w.Flush()
	return v.download("calls.csv", "text/csv; charset=utf-8", b.Bytes()), w.Error()
}

// newSheet writes a file with the signs between cells that spreadsheets in the page's
// language read: where a comma stands before decimals, that is a semicolon. Others take
// the whole line for one cell, or part a cell at what a caller said.
func newSheet(v *visit, b *bytes.Buffer) *csv.Writer {
	w := csv.NewWriter(b)
	if v.say("decimal") == "," {
		w.Comma = ';'
	}
	return w
}

func exportHeads(v *visit) []string {
	keys := []string{"calls_when", "calls_outcome", "calls_channel", "calls_language", "field_name", "calls_caller", "fact_number", "calls_seconds", "fact_agent", "call_title", "call_summary", "fact_id"}
	heads := make([]string, len(keys))
	for i, key := range keys {
		heads[i] = v.say(key)
	}
	return heads
}

func exportRow(v *visit, call frontdesk.Call, k caller) []string {
	summary, err := wire.ReadSummary(call)
	if err != nil { // the call is in the list all the same
		summary = frontdesk.Summary{}
	}
	row := []string{
		call.StartedAt.In(v.zone).Format(time.DateTime), v.say("outcome_" + string(k.outcome(call))), v.say("calls_channel_" + string(call.Channel)),
		v.say("spoken_" + call.Language), k.name, call.Caller, call.Number, strconv.Itoa(call.Duration), agentName(v, call.AgentID),
		summary.Title, summary.Text, string(call.ID),
	}
	for i, text := range row {
		row[i] = harmless(text)
	}
	return row
}

// harmless is a cell that no spreadsheet takes for a formula: a caller may have
// said one.
func harmless(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
