package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// document is what is read of an OpenAPI document.
type document struct {
	Paths      inOrder[map[string]json.RawMessage] `json:"paths"`
	Components struct {
		Schemas    inOrder[*schema]     `json:"schemas"`
		Parameters map[string]parameter `json:"parameters"`
	} `json:"components"`
}

type operation struct {
	ID         string      `json:"operationId"`
	Parameters []parameter `json:"parameters"`
	Body       struct {
		Content map[string]struct {
			Schema *schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

type parameter struct {
	Ref         string  `json:"$ref"`
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Required    bool    `json:"required"`
	Description string  `json:"description"`
	Schema      *schema `json:"schema"`
}

type schema struct {
	Ref           string           `json:"$ref"`
	Type          names            `json:"type"`
	Format        string           `json:"format"`
	Description   string           `json:"description"`
	Enum          []string         `json:"enum"`
	Const         any              `json:"const"`
	Minimum       float64          `json:"minimum"`
	Properties    inOrder[*schema] `json:"properties"`
	MinProperties int              `json:"minProperties"`
	Required      []string         `json:"required"`
	Additional    additional       `json:"additionalProperties"`
	Items         *schema          `json:"items"`
	PrefixItems   []*schema        `json:"prefixItems"`
	OneOf         []*schema        `json:"oneOf"`
	Discriminator *struct {
		Property string `json:"propertyName"`
	} `json:"discriminator"`
}

func (s *schema) is(kind string) bool { return slices.Contains(s.Type, kind) }

// additional says what an object may have beside its properties: anything, or
// what a schema describes.
type additional struct {
	Any bool
	Of  *schema
}

func (a *additional) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &a.Any) == nil {
		return nil
	}
	return json.Unmarshal(text, &a.Of)
}

// names is one name or several.
type names []string

func (n *names) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]string)(n))
	}
	var one string
	if err := json.Unmarshal(text, &one); err != nil {
		return err
	}
	*n = names{one}
	return nil
}

// inOrder is an object whose members stay in the order in which they were
// written, so that what is generated reads like the document.
type inOrder[T any] struct {
	Names []string
	Of    map[string]T
}

func (o *inOrder[T]) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &o.Of); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return fmt.Errorf("%v: %w", name, err)
		}
		o.Names = append(o.Names, name.(string))
	}
	return nil
}
