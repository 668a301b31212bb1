package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// auditFlags say which entries of the audit log are shown.
type auditFlags struct {
	tenant, mode string
	filter       frontdesk.AuditFilter
	limit        int
}

func (p *program) auditCommand() *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use: "audit", Short: "Show who changed what, newest first", Args: cobra.NoArgs,
		Long: `Show who changed what, newest first: people in the console, API keys, and
commands such as this one. What concerns both modes, such as agents and keys, is
shown in either.

What callers and the receptionist do is in the calls. Entries are kept for two
years.`,
		Example: `  frontdesk audit --tenant casa-lola
  frontdesk audit --tenant casa-lola --action key
  frontdesk audit --tenant casa-lola --action capture.changed --by person --limit 20`,
		RunE: p.onStore(func(s *session, _ []string) error { return s.showAudit(f) }),
	}
	p.tenantFlag(cmd, &f.tenant)
	p.modeFlag(cmd, &f.mode)
	cmd.Flags().StringVar(&f.filter.Action, "action", "", "an action such as key.revoked, or all about one kind of thing, such as key")
	cmd.Flags().StringVar(&f.filter.By, "by", "", "key, person or operator")
	cmd.Flags().StringVar(&f.filter.Object, "object", "", "id of what was changed")
	cmd.Flags().IntVar(&f.limit, "limit", 50, "how many at most, up to 1000")
	p.completeWords(cmd, "action", frontdesk.AuditActions)
	p.completeWords(cmd, "by", []string{frontdesk.ByKey, frontdesk.ByPerson, frontdesk.ByOperatorActing})
	return cmd
}

func (s *session) showAudit(f auditFlags) error {
	if f.limit < 1 || f.limit > 1000 {
		return misused("--limit is %d: expected 1 to 1000", f.limit)
	}
	_, owner, err := s.ownerIn(f.tenant, f.mode)
	if err != nil {
		return err
	}
	list, err := s.store.Audit(s.ctx, owner, f.filter, frontdesk.Page{Limit: f.limit})
	if err != nil {
		return err
	}
	shapes := make([]auditShape, len(list.Items))
	for i, e := range list.Items {
		shapes[i] = auditJSON(e)
	}
	return s.print(map[string]any{"entries": shapes, "has_more": list.More}, func(w io.Writer) { printAudit(w, list) })
}

func printAudit(w io.Writer, list frontdesk.List[frontdesk.AuditEntry]) {
	if len(list.Items) == 0 {
		fmt.Fprintln(w, "Nobody has changed anything, or nothing that is asked for.")
		return
	}
	row(w, "WHEN", "WHO", "ACTION", "WHAT", "CHANGES")
	for _, e := range list.Items {
		row(w, when(e.At), e.By.Kind+" "+e.By.Name, e.Action, cmp.Or(e.Object, e.ObjectID), changesText(e.Changes))
	}
	if list.More {
		fmt.Fprintln(w, "There are more: --limit shows them, --json shows all of each.")
	}
}

// changesText are changes on one line, for people: what is long is cut.
func changesText(all []frontdesk.FieldChange) string {
	short := func(text string) string {
		if cut := frontdesk.Clip(text, 40); cut != text {
			return cut + "…"
		}
		return cmp.Or(text, "–")
	}
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = c.Field + ": " + short(c.From) + " → " + short(c.To)
	}
	return strings.Join(words, "; ")
}

type auditShape struct {
	ID       frontdesk.ID  `json:"id"`
	At       *string       `json:"at"`
	By       actorShape    `json:"by"`
	Action   string        `json:"action"`
	ObjectID string        `json:"object_id"`
	Object   string        `json:"object"`
	Changes  []changeShape `json:"changes"`
}

type actorShape struct {
	Kind string       `json:"kind"`
	Name string       `json:"name"`
	ID   frontdesk.ID `json:"id"`
}

type changeShape struct {
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

func auditJSON(e frontdesk.AuditEntry) auditShape {
	fields := make([]changeShape, len(e.Changes))
	for i, c := range e.Changes {
		fields[i] = changeShape(c)
	}
	return auditShape{e.ID, stamp(e.At), actorShape(e.By), e.Action, e.ObjectID, e.Object, fields}
}
