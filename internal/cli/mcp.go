package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/mcp"
	"frontdesk.dev/frontdesk/internal/service"
)

func (p *program) mcpCommand() *cobra.Command {
	var a assistant
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve an assistant on this machine over standard input and output",
		Long: `Serve an assistant that starts its MCP servers as programs: messages come in on
standard input, one on a line, and their answers go out on standard output. Each is
handed to the /mcp of a running server, which does the work. What goes wrong is
said on standard error.`,
		Example: `  FRONTDESK_API_KEY=svc_live_… frontdesk mcp --url https://desk.example.com`,
		Args:    cobra.NoArgs,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		key, _ := p.lookup("FRONTDESK_API_KEY")
		base, _ := p.lookup("FRONTDESK_BASE_URL")
		a.key, a.url, a.program = cmp.Or(a.key, key), cmp.Or(a.url, base, "http://127.0.0.1:8080"), p
		return a.serve(cmd.Context())
	}
	cmd.Flags().StringVar(&a.url, "url", "", "address of the frontdesk server (FRONTDESK_BASE_URL; else http://127.0.0.1:8080)")
	cmd.Flags().StringVar(&a.key, "key", "", "API key (FRONTDESK_API_KEY)")
	return cmd
}

// assistant is a program that speaks with us over standard input and output.
type assistant struct {
	*program
	url, key string
	version  string // of the protocol, once it is agreed on
}

const (
	// longestMessage bounds a line of an assistant; the server takes no longer ones.
	longestMessage = 1 << 20
	// longestAnswer bounds what is read of an answer, which says everything twice.
	longestAnswer = 16 << 20
)

func (a *assistant) serve(ctx context.Context) error {
	if a.key == "" {
		return misused("missing: --key, an API key of the account, or FRONTDESK_API_KEY")
	}
	if u, err := url.Parse(a.url); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return misused("--url is %q: expected an address such as https://desk.example.com", a.url)
	}
	a.begun = true
	lines := make(chan []byte)
	ended := service.Go(slog.New(slog.NewTextHandler(a.stderr, nil)), "reading of messages", func() error {
		defer close(lines)
		in := bufio.NewReaderSize(a.stdin, 64<<10)
		for {
			line, err := nextLine(in)
			if len(line) > 0 {
				select {
				case lines <- line:
				case <-ctx.Done():
					return nil
				}
			}
			if err != nil {
				return notEOF(err)
			}
		}
	})
	for {
		select {
		case line, more := <-lines:
			if !more {
				return <-ended
			}
			if err := a.answer(ctx, line); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// nextLine reads one line. Of one that is longer than a message may be, only so much is
// kept that it can be told.
func nextLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if room := longestMessage + 1 - len(line); room > 0 {
			line = append(line, part[:min(len(part), room)]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// message is what must be known of one to hand it on.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string         `json:"name"`
		URI  string         `json:"uri"`
		Meta map[string]any `json:"_meta"`
	} `json:"params"`
}

// answer hands a message to the server and its answer to the assistant. Where there
// is none, the assistant is told, and can try again.
func (a *assistant) answer(ctx context.Context, line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	var m message
	_ = json.Unmarshal(line, &m) // the server says what is wrong with it
	var answer []byte
	err := errors.New("the message is longer than 1 MiB; send less at once")
	if len(line) <= longestMessage {
		answer, err = a.ask(ctx, m, line)
	}
	if err != nil {
		a.warn(err.Error())
		answer = faultOf(m, err)
	}
	if len(answer) == 0 {
		return nil
	}
	if m.Method == "initialize" {
		a.agree(answer)
	}
	var flat bytes.Buffer
	if err := json.Compact(&flat, answer); err != nil {
		return fmt.Errorf("the server at %s answered something that is no JSON: %w", a.url, err)
	}
	flat.WriteByte('\n')
	_, err = a.stdout.Write(flat.Bytes())
	return err
}

// agree remembers the version of the protocol that the server has chosen.
func (a *assistant) agree(answer []byte) {
	var chosen struct {
		Result struct {
			ProtocolVersion string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(answer, &chosen) == nil {
		a.version = chosen.Result.ProtocolVersion
	}
}

// ask sends a message to the server. The answer is empty where a message has none.
func (a *assistant) ask(ctx context.Context, m message, line []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(strings.TrimSuffix(a.url, "/"), mcp.Path)+mcp.Path, bytes.NewReader(line))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+a.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	m.describe(r.Header, a.version)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, fmt.Errorf("the server at %s cannot be reached: %w", a.url, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, longestAnswer))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer of %s broke off: %w", a.url, err)
	case answer.StatusCode >= http.StatusBadRequest && !isAnswer(text):
		return nil, errors.New(saidBy(answer.StatusCode, text))
	}
	return text, nil
}

// describe says in headers what later versions of the protocol want to see there.
func (m message) describe(h http.Header, version string) {
	if own, ok := m.Params.Meta["io.modelcontextprotocol/protocolVersion"].(string); ok {
		version = own
	}
	if version != "" && m.Method != "initialize" {
		h.Set("MCP-Protocol-Version", version)
	}
	if m.Method != "" {
		h.Set("Mcp-Method", m.Method)
	}
	if name := cmp.Or(m.Params.Name, m.Params.URI); name != "" {
		h.Set("Mcp-Name", name)
	}
}

// isAnswer says whether a text is an answer of the protocol, whatever its status.
func isAnswer(text []byte) bool {
	var a struct {
		Version string `json:"jsonrpc"`
	}
	return json.Unmarshal(text, &a) == nil && a.Version != ""
}

// saidBy is what the server says of a message that it refuses.
func saidBy(status int, text []byte) string {
	var envelope struct {
		Error struct{ Code, Message string } `json:"error"`
	}
	if json.Unmarshal(text, &envelope) == nil && envelope.Error.Message != "" {
		return envelope.Error.Message + " (" + envelope.Error.Code + ")"
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return fmt.Sprintf("the server answered %d: %.200s", status, plain(first))
}

// faultOf is the answer to a message that could not be handed on; a notification
// has none.
func faultOf(m message, err error) []byte {
	const internal, invalid = -32603, -32600
	code, id := internal, m.ID
	switch {
	case len(m.ID) == 0 && m.Method != "":
		return nil
	case len(m.ID) == 0: // it is no message at all
		code, id = invalid, json.RawMessage("null")
	}
	text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": err.Error()}})
	return text
}
