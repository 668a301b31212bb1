package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/wire"
)

func (p *program) knowledgeCommands() *cobra.Command {
	return group("knowledge", "Documents that agents answer from",
		p.knowledgeAdd(), p.knowledgeList(), p.knowledgeTest(), p.knowledgeArchive())
}

// knowledgeBase is which documents a command is about.
type knowledgeBase struct {
	tenant, mode, agent string
}

// knowledgeFlags gives a command the flags of a knowledge base.
func (p *program) knowledgeFlags(cmd *cobra.Command, k *knowledgeBase, agent string) {
	p.tenantFlag(cmd, &k.tenant)
	cmd.Flags().StringVar(&k.mode, "mode", modeLive, "live, or test for the sandbox")
	p.completeWords(cmd, "mode", []string{modeLive, modeTest})
	if agent != "" {
		cmd.Flags().StringVar(&k.agent, "agent", "", agent)
	}
}

// openKnowledge finds the tenant and the agent of a knowledge base.
func (s *session) openKnowledge(k knowledgeBase) (t frontdesk.Tenant, owner frontdesk.Owner, agent frontdesk.Agent, err error) {
	if k.mode != modeLive && k.mode != modeTest {
		return t, owner, agent, misused("--mode is %q: expected live or test", k.mode)
	}
	if t, err = s.findTenant(k.tenant); err != nil {
		return t, owner, agent, err
	}
	owner = frontdesk.Owner{TenantID: t.ID, Live: k.mode == modeLive}
	if k.agent != "" {
		agent, err = s.store.AgentBySlug(s.ctx, owner, k.agent)
	}
	return t, owner, agent, err
}

func (p *program) knowledgeAdd() *cobra.Command {
	var k knowledgeBase
	var title string
	cmd := &cobra.Command{
		Use:   "add FILE...",
		Short: "Add documents",
		Long: `Add documents that agents answer from: PDF, Markdown, CSV or plain text, by the
extension of the file. A running server reads them within a moment; without one
they wait for the next start.`,
		Example: `  frontdesk knowledge add --tenant casa-lola carta.pdf preguntas.md
  frontdesk knowledge add --tenant casa-lola --agent bar --title "Bar rules" rules.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: p.onStore(func(s *session, files []string) error { return s.addDocuments(k, title, files) }),
	}
	p.knowledgeFlags(cmd, &k, "slug of the one agent that they are for; all agents if not given")
	cmd.Flags().StringVar(&title, "title", "", "title of the document; the file's name if not given")
	return cmd
}

func (s *session) addDocuments(k knowledgeBase, title string, files []string) error {
	t, owner, agent, err := s.openKnowledge(k)
	if err != nil {
		return err
	}
	if title != "" && len(files) > 1 {
		return misused("--title is for one document: add several without it")
	}
	for _, file := range files {
		if frontdesk.KindOf(file) == "" {
			return refused("unsupported_extension", "FILE", "%s must end in one of: %s", file, strings.Join(frontdesk.DocumentExtensions, ", "))
		}
	}
	library, err := s.library()
	if err != nil {
		return err
	}
	var shapes []wire.DocumentShape
	for _, file := range files {
		d, err := s.addDocument(library, t, owner, knowledge.NewDocument{Title: title, Filename: filepath.Base(file), AgentID: agent.ID}, file)
		if err != nil {
			return fmt.Errorf("adding %s: %w", file, err)
		}
		shapes = append(shapes, wire.Document(d))
	}
	return s.print(map[string]any{"documents": shapes}, func(w io.Writer) {
		for _, d := range shapes {
			fmt.Fprintf(w, "%s  %s  %s\n", d.ID, d.Status, d.Title)
		}
	})
}

func (s *session) addDocument(l *knowledge.Library, t frontdesk.Tenant, owner frontdesk.Owner, n knowledge.NewDocument, file string) (d frontdesk.Document, err error) {
	f, err := os.Open(file)
	if err != nil {
		return d, err
	}
	defer f.Close()
	if d, err = l.Receive(s.ctx, owner, n, f, t.Plan.MaxDocumentBytes); err != nil {
		return d, err
	}
	d, _, err = l.Add(s.ctx, owner, s.by(), d, t.Plan)
	return d, err
}

func (s *session) library() (*knowledge.Library, error) {
	blobs, err := app.OpenBlobs(s.settings, s.store)
	if err != nil {
		return nil, err
	}
	return knowledge.NewLibrary(s.store, blobs, s.now, slog.New(slog.DiscardHandler)), nil
}

func (p *program) knowledgeList() *cobra.Command {
	var k knowledgeBase
	cmd := &cobra.Command{
		Use: "list", Short: "List documents, newest first", Args: cobra.NoArgs,
		RunE: p.onStore(func(s *session, _ []string) error { return s.listDocuments(k) }),
	}
	p.knowledgeFlags(cmd, &k, "slug of an agent: only documents for it alone")
	return cmd
}

func (s *session) listDocuments(k knowledgeBase) error {
	_, owner, agent, err := s.openKnowledge(k)
	if err != nil {
		return err
	}
	var all []frontdesk.Document
	for p := (frontdesk.Page{Limit: 100}); ; p.StartingAfter = all[len(all)-1].ID {
		list, err := s.store.Documents(s.ctx, owner, frontdesk.DocumentFilter{AgentID: agent.ID}, p)
		if err != nil {
			return err
		}
		all = append(all, list.Items...)
		if !list.More {
			break
		}
	}
	shapes := make([]wire.DocumentShape, len(all))
	for i, d := range all {
		shapes[i] = wire.Document(d)
	}
	return s.print(map[string]any{"documents": shapes}, func(w io.Writer) {
		row(w, "TITLE", "KIND", "STATUS", "FRAGMENTS", "BYTES", "CREATED", "ID", "HELP")
		for _, d := range all {
			row(w, d.Title, string(d.Kind), string(d.Status), strconv.Itoa(d.Fragments), strconv.FormatInt(d.SizeBytes, 10), when(d.CreatedAt), string(d.ID), d.Help)
		}
	})
}

func (p *program) knowledgeTest() *cobra.Command {
	var k knowledgeBase
	cmd := &cobra.Command{
		Use:     "test QUESTION",
		Short:   "Ask what an agent would answer",
		Example: `  frontdesk knowledge test --tenant demo --agent casa-lola "¿Tenéis aparcamiento?"`,
		Args:    cobra.ExactArgs(1),
		RunE:    p.onStore(func(s *session, args []string) error { return s.testKnowledge(k, args[0]) }),
	}
	p.knowledgeFlags(cmd, &k, "slug of the agent that is asked; without it, documents for all agents")
	return cmd
}

func (s *session) testKnowledge(k knowledgeBase, question string) error {
	_, owner, agent, err := s.openKnowledge(k)
	if err != nil {
		return err
	}
	if n := len([]rune(question)); n < 1 || n > frontdesk.MaxQuestion {
		return misused("a question has 1 to %d characters", frontdesk.MaxQuestion)
	}
	embedder, err := app.OpenEmbeddings(s.settings)
	if err != nil {
		return err
	}
	shelves := app.OpenShelves(s.settings, s.store, embedder, s.now, slog.New(slog.DiscardHandler))
	a, err := shelves.Ask(s.ctx, owner, knowledge.Question{Text: question, AgentID: agent.ID, ThresholdPct: agent.Settings.Threshold(), Money: agent.Currency()})
	if err != nil {
		return err
	}
	return s.print(wire.Answer(a, owner.Live), func(w io.Writer) {
		if a.Answered {
			fmt.Fprintf(w, "%s\n\n", a.Text)
		} else {
			fmt.Fprintf(w, "Not answered.\n\n")
		}
		fmt.Fprintf(w, "match %g %%, threshold %d %%. %s\n", a.MatchPct, a.ThresholdPct, a.Explanation)
	})
}

func (p *program) knowledgeArchive() *cobra.Command {
	var k knowledgeBase
	cmd := &cobra.Command{
		Use:   "archive ID",
		Short: "Keep a document, but no longer answer from it",
		Args:  cobra.ExactArgs(1),
		RunE:  p.onStore(func(s *session, args []string) error { return s.archiveDocument(k, args[0]) }),
	}
	p.knowledgeFlags(cmd, &k, "")
	return cmd
}

func (s *session) archiveDocument(k knowledgeBase, name string) error {
	_, owner, _, err := s.openKnowledge(k)
	if err != nil {
		return err
	}
	id, ok := frontdesk.ParseID(name)
	if !ok {
		return misused("%q is not the id of a document; `frontdesk knowledge list` shows them", name)
	}
	d, err := s.store.ArchiveDocument(s.ctx, owner, s.by(), id, s.now())
	if isMissing(err) {
		return refused("not_found", "ID", "there is no document %s in %s mode; `frontdesk knowledge list` shows them", id, k.mode)
	}
	if err != nil {
		return err
	}
	return s.print(map[string]any{"document": wire.Document(d)}, func(w io.Writer) {
		fmt.Fprintf(w, "Archived %s (%s).\n", d.Title, d.ID)
	})
}
