package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxInput bounds what is read from a file.
const maxInput = 1 << 20

// readJSON reads a file, or standard input for -, and returns it as JSON
// whether it is written so or in YAML.
func (p *program) readJSON(name string) ([]byte, error) {
	text, err := p.readInput(name)
	if err != nil {
		return nil, err
	}
	out, err := toJSON(text)
	if err != nil {
		return nil, refused("file_invalid", "", "%s cannot be read: %v", shownName(name), err)
	}
	return out, nil
}

func (p *program) readInput(name string) ([]byte, error) {
	in := p.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("reading the file: %w", err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", shownName(name), err)
	case len(text) > maxInput:
		return nil, refused("file_too_large", "", "%s is larger than 1 MiB", shownName(name))
	}
	return text, nil
}

func shownName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// toJSON returns JSON as it is, if it is sound, and YAML as JSON.
func toJSON(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	trimmed := bytes.TrimSpace(text)
	switch {
	case len(trimmed) == 0:
		return nil, errors.New("it is empty")
	case trimmed[0] == '{' || trimmed[0] == '[':
		return trimmed, checkJSON(trimmed)
	}
	return yamlToJSON(text)
}

// checkJSON refuses what is not one sound JSON value, duplicate names included.
func checkJSON(text []byte) error {
	var value jsontext.Value
	err := jsonv2.Unmarshal(text, &value)
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(text[:min(int(syntax.ByteOffset), len(text))], []byte("\n"))
		return fmt.Errorf("line %d: %w", line, syntax.Err)
	}
	return err
}

// yamlToJSON keeps the order of the keys. It reads one document without
// references: those can make a small file unfold into an endless one.
func yamlToJSON(text []byte) ([]byte, error) {
	tokens := lexer.Tokenize(string(text))
	if err := checkTokens(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, err
	}
	if len(file.Docs) != 1 {
		return nil, errors.New("it holds several YAML documents; write the agents as one list")
	}
	if file.Docs[0].Body == nil {
		return nil, errors.New("it is empty")
	}
	var value any
	if err := yaml.NodeToValue(file.Docs[0].Body, &value, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	return appendJSON(nil, value)
}

// maxNesting bounds the brackets within brackets, over which the parser
// stumbles. The deepest that makes sense is 7.
const maxNesting = 64

func checkTokens(tokens token.Tokens) error {
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.AnchorType, token.AliasType:
			return fmt.Errorf("line %d: anchors and aliases (& and *) are not understood; write the values out, and quote texts that begin so", t.Position.Line)
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		}
		if depth > maxNesting {
			return fmt.Errorf("line %d: it is nested too deeply", t.Position.Line)
		}
	}
	return nil
}

// appendJSON writes a value that was read from YAML.
func appendJSON(b []byte, value any) (_ []byte, err error) {
	switch v := value.(type) {
	case yaml.MapSlice:
		b = append(b, '{')
		for i, item := range v {
			if b, err = appendJSON(comma(b, i), fmt.Sprint(item.Key)); err != nil {
				return nil, err
			}
			if b, err = appendJSON(append(b, ':'), item.Value); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if b, err = appendJSON(comma(b, i), item); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
	text, err := jsonv2.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("%v cannot be written in JSON", value)
	}
	return append(b, text...), nil
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}
