package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func (p *program) planCommands() *cobra.Command {
	return group("plan", "What a tenant may use", p.planSet(), p.planShow())
}

func (p *program) planSet() *cobra.Command {
	var tenant string
	var given frontdesk.Plan
	cmd := &cobra.Command{
		Use:     "set",
		Short:   "Change a tenant's plan; what is not given stays as it is",
		Example: `  frontdesk plan set --tenant casa-lola --included-seconds 120000 --overage block`,
		Args:    cobra.NoArgs,
	}
	cmd.RunE = p.onStore(func(s *session, _ []string) error { return s.setPlan(tenant, given, cmd.Flags().Changed) })
	f := cmd.Flags()
	f.StringVar(&given.Name, "name", "", "name of the plan")
	f.IntVar(&given.IncludedSeconds, "included-seconds", 0, "seconds of calls a month; 0: no limit")
	f.StringVar(&given.Overage, "overage", "", "beyond the included seconds: block or allow")
	f.IntVar(&given.MaxConcurrentCalls, "max-concurrent-calls", 0, "calls at the same time")
	f.IntVar(&given.MaxConnections, "max-connections", 0, "webhook connections in each mode")
	f.IntVar(&given.MaxDocuments, "max-documents", 0, "documents of the knowledge base")
	f.Int64Var(&given.MaxDocumentBytes, "max-document-bytes", 0, "size of one document")
	f.Int64Var(&given.MaxTotalBytes, "max-total-bytes", 0, "size of all documents")
	f.IntVar(&given.TranscriptDays, "transcript-days", 0, "days that transcripts are kept; 0: for good")
	f.IntVar(&given.CallDays, "call-days", 0, "days that calls are kept; 0: for good")
	f.IntVar(&given.CaptureDays, "capture-days", 0, "days that captures are kept; 0: for good")
	f.IntVar(&given.QuestionDays, "question-days", 0, "days that unanswered questions are kept, at most 90")
	f.IntVar(&given.EventDays, "event-days", 0, "days that events and deliveries are kept, at most 30")
	p.tenantFlag(cmd, &tenant)
	p.completeWords(cmd, "overage", []string{frontdesk.OverageBlock, frontdesk.OverageAllow})
	return cmd
}

func (s *session) setPlan(name string, given frontdesk.Plan, has func(flag string) bool) error {
	t, err := s.findTenant(name)
	if err != nil {
		return err
	}
	if changed := overlay(&t.Plan, given, has); !changed {
		return misused("nothing to change: give at least one of --included-seconds, --overage, --max-concurrent-calls, " +
			"--max-connections, --max-documents, --max-document-bytes, --max-total-bytes, --transcript-days, --call-days, " +
			"--capture-days, --question-days, --event-days, --name")
	}
	if err := t.Plan.Check(); err != nil {
		return err
	}
	if err := s.store.SetPlan(s.ctx, s.by(), t.ID, t.Plan); err != nil {
		return err
	}
	return s.printPlan(t)
}

// overlay sets the limits whose flags were given and says whether any was.
func overlay(plan *frontdesk.Plan, given frontdesk.Plan, has func(flag string) bool) (changed bool) {
	set := map[string]func(){
		"name":                 func() { plan.Name = given.Name },
		"included-seconds":     func() { plan.IncludedSeconds = given.IncludedSeconds },
		"overage":              func() { plan.Overage = given.Overage },
		"max-concurrent-calls": func() { plan.MaxConcurrentCalls = given.MaxConcurrentCalls },
		"max-connections":      func() { plan.MaxConnections = given.MaxConnections },
		"max-documents":        func() { plan.MaxDocuments = given.MaxDocuments },
		"max-document-bytes":   func() { plan.MaxDocumentBytes = given.MaxDocumentBytes },
		"max-total-bytes":      func() { plan.MaxTotalBytes = given.MaxTotalBytes },
		"transcript-days":      func() { plan.TranscriptDays = given.TranscriptDays },
		"call-days":            func() { plan.CallDays = given.CallDays },
		"capture-days":         func() { plan.CaptureDays = given.CaptureDays },
		"question-days":        func() { plan.QuestionDays = given.QuestionDays },
		"event-days":           func() { plan.EventDays = given.EventDays },
	}
	for name, apply := range set {
		if has(name) {
			apply()
			changed = true
		}
	}
	return changed
}

func (p *program) planShow() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use: "show", Short: "Show a tenant's plan", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error {
			t, err := s.findTenant(tenant)
			if err != nil {
				return err
			}
			return s.printPlan(t)
		}),
	}
	p.tenantFlag(cmd, &tenant)
	return cmd
}

// planShape has the fields of frontdesk.Plan.
type planShape struct {
	Name               string `json:"name"`
	IncludedSeconds    int    `json:"included_seconds"`
	Overage            string `json:"overage"`
	MaxConcurrentCalls int    `json:"max_concurrent_calls"`
	MaxConnections     int    `json:"max_connections"`
	MaxDocuments       int    `json:"max_documents"`
	MaxDocumentBytes   int64  `json:"max_document_bytes"`
	MaxTotalBytes      int64  `json:"max_total_bytes"`
	TranscriptDays     int    `json:"transcript_days"`
	CallDays           int    `json:"call_days"`
	CaptureDays        int    `json:"capture_days"`
	QuestionDays       int    `json:"question_days"`
	EventDays          int    `json:"event_days"`
}

func (s *session) printPlan(t frontdesk.Tenant) error {
	value := struct {
		Tenant string    `json:"tenant"`
		Plan   planShape `json:"plan"`
	}{t.Slug, planShape(t.Plan)}
	return s.print(value, func(w io.Writer) {
		p := t.Plan
		row(w, "tenant", t.Slug)
		row(w, "name", p.Name)
		row(w, "included seconds", includedText(p.IncludedSeconds))
		row(w, "overage", p.Overage)
		row(w, "max concurrent calls", strconv.Itoa(p.MaxConcurrentCalls))
		row(w, "max connections", strconv.Itoa(p.MaxConnections))
		row(w, "max documents", strconv.Itoa(p.MaxDocuments))
		row(w, "max document bytes", strconv.FormatInt(p.MaxDocumentBytes, 10))
		row(w, "max total bytes", strconv.FormatInt(p.MaxTotalBytes, 10))
		row(w, "transcripts kept", keptText(p.TranscriptDays))
		row(w, "calls kept", keptText(p.CallDays))
		row(w, "captures kept", keptText(p.CaptureDays))
		row(w, "questions kept", keptText(p.QuestionsKept()))
		row(w, "events kept", keptText(p.EventsKept()))
	})
}

func keptText(days int) string {
	if days == 0 {
		return "for good"
	}
	return fmt.Sprintf("%d days", days)
}

func includedText(seconds int) string {
	if seconds == 0 {
		return "no limit"
	}
	return fmt.Sprintf("%d a month", seconds)
}
