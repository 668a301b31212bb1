package api

import (
	"errors"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"frontdesk.dev/frontdesk/internal/exchange"
)

// connector is the one entry of GET /connectors. Everything a client needs to
// write a receiver stands, with examples, in the description's own answer, and
// is served from there; only the limits are the caller's.
type connector struct {
	Object      string         `json:"object"`
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Creatable   bool           `json:"creatable"`
	Events      jsontext.Value `json:"events"`
	Signature   jsontext.Value `json:"signature"`
	Delivery    jsontext.Value `json:"delivery"`
	Limits      struct {
		MaxConnections        int `json:"max_connections"`
		MaxNameChars          int `json:"max_name_chars"`
		DeliveryRetentionDays int `json:"delivery_retention_days"`
	} `json:"limits"`
}

type connectorList struct {
	Object            string      `json:"object"`
	Data              []connector `json:"data"`
	HasMore           bool        `json:"has_more"`
	NextStartingAfter *string     `json:"next_starting_after"`
}

func (a *API) listConnectors(r *request) (any, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	list := connectorList{Object: "list", Data: []connector{}}
	if page.StartingAfter == "" {
		c := a.connector
		c.Limits.MaxConnections = r.caller.Tenant.Plan.MaxConnections
		c.Limits.DeliveryRetentionDays = r.caller.Tenant.Plan.EventsKept()
		list.Data = append(list.Data, c)
	}
	return list, nil
}

// readConnector takes the entry out of the description.
func readConnector(text []byte) (c connector, err error) {
	var document struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Content map[string]struct {
						Examples map[string]struct {
							Value jsontext.Value `json:"value"`
						} `json:"examples"`
					} `json:"content"`
				} `json:"responses"`
			} `json:"get"`
		} `json:"paths"`
	}
	if err := jsonv2.Unmarshal(text, &document); err != nil {
		return c, fmt.Errorf("reading openapi.json: %w", err)
	}
	var list connectorList
	example := document.Paths["/connectors"].Get.Responses["200"].Content[exchange.JSON].Examples["complete"].Value
	if err := jsonv2.Unmarshal(example, &list); err != nil {
		return c, fmt.Errorf("reading the connector of openapi.json: %w", err)
	}
	if len(list.Data) != 1 {
		return c, errors.New("openapi.json must describe one connector")
	}
	c = list.Data[0]
	for _, part := range []*jsontext.Value{&c.Events, &c.Signature, &c.Delivery} {
		if err := part.Compact(); err != nil {
			return c, fmt.Errorf("reading the connector of openapi.json: %w", err)
		}
	}
	return c, nil
}
