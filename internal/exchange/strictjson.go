package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// MaxDepth is how deep a body may be nested. The deepest that makes sense is a
// variant's price in a product of a category: 7.
const MaxDepth = 32

// ParseObject reads one JSON object. Duplicate names, invalid UTF-8, anything
// after the object and deep nesting are refused, with the place of the fault.
func ParseObject(body []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, invalidJSON("", "The request body is empty. Send a JSON object.")
	}
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if d.PeekKind() != '{' {
		if _, err := d.ReadToken(); err != nil {
			return nil, syntaxError(d, err)
		}
		return nil, invalidJSON("", "The request body must be one JSON object.")
	}
	if err := walk(d); err != nil {
		return nil, err
	}
	var value map[string]any
	if err := jsonv2.Unmarshal(body, &value); err != nil {
		return nil, invalidJSON("", "The request body holds a number that is too large to be read.")
	}
	return value, nil
}

// walk reads the tokens of one value and makes sure that nothing follows.
func walk(d *jsontext.Decoder) error {
	for {
		if _, err := d.ReadToken(); err != nil {
			return syntaxError(d, err)
		}
		if depth := d.StackDepth(); depth > MaxDepth {
			return invalidJSON(pathOf(d, string(d.StackPointer())), fmt.Sprintf("The request body is nested deeper than %d levels.", MaxDepth))
		} else if depth == 0 {
			break
		}
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return invalidJSON("", "Something follows the JSON object in the request body. Send the object alone.")
	}
	return nil
}

func syntaxError(d *jsontext.Decoder, err error) error {
	message := "The request body is not valid JSON."
	var syntactic *jsontext.SyntacticError
	place := ""
	if errors.As(err, &syntactic) {
		place = pathOf(d, string(syntactic.JSONPointer))
		message = fmt.Sprintf("The request body is not valid JSON at byte %d.", syntactic.ByteOffset)
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		message = fmt.Sprintf("The property %s is given twice. Give it once.", place)
	}
	return invalidJSON(place, message)
}

// pathOf writes a JSON pointer as customers read it; the decoder knows which
// steps of it are positions in an array.
func pathOf(d *jsontext.Decoder, pointer string) string {
	at := ""
	for i, token := range splitPointer(pointer) {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		if i+1 <= d.StackDepth() {
			if kind, _ := d.StackIndex(i + 1); kind == '[' {
				at += "[" + token + "]"
				continue
			}
		}
		at = join(at, token)
	}
	return at
}

// invalidJSON keeps no cause: what the decoder says quotes the body, and bodies
// do not belong into the log.
func invalidJSON(param, message string) error {
	return &frontdesk.Error{Kind: frontdesk.Invalid, Code: "invalid_json", Param: param, Message: message}
}

func splitPointer(pointer string) []string {
	if pointer == "" {
		return nil
	}
	return strings.Split(pointer, "/")[1:]
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}
