package frontdesk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
)

// Members are those of a JSON object in their order: what stands in it that nobody
// asks for stays as it was sent.
type Members []Member

// Member is one of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// ReadMembers reads a JSON object; nothing is an empty one.
func ReadMembers(text json.RawMessage) (all Members, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, cmp.Or(err, errors.New("not a JSON object"))
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		word, _ := name.(string)
		all = append(all, Member{word, value})
	}
	_, err = d.Token() // its end
	return all, err
}

// JSON writes the members as an object.
func (m Members) JSON() json.RawMessage {
	b := []byte{'{'}
	for i, one := range m {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(one.Name) // a string always can
		b = append(append(append(b, name...), ':'), one.Value...)
	}
	return append(b, '}')
}

// Get is the value of a member.
func (m Members) Get(name string) (json.RawMessage, bool) {
	for _, one := range m {
		if one.Name == name {
			return one.Value, true
		}
	}
	return nil, false
}

// Text is the value of a member that is a text; "" where it is none.
func (m Members) Text(name string) string {
	var text string
	value, _ := m.Get(name)
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// Set is the members with another value for one, where it stood or at the end;
// nil takes it away.
func (m Members) Set(name string, value json.RawMessage) Members {
	var out Members
	found := false
	for _, one := range m {
		if one.Name == name {
			found = true
			if value == nil {
				continue
			}
			one.Value = value
		}
		out = append(out, one)
	}
	if !found && value != nil {
		out = append(out, Member{name, value})
	}
	return out
}

func (m Members) names() (all []string) {
	for _, one := range m {
		all = append(all, one.Name)
	}
	return all
}

// Entries are those of a list of services, dishes, products or listings.
type Entries []Entry

// Entry is one of a list. Its key is what tells it from the others: the reference
// of the business's own, else the name.
type Entry struct {
	Key   string
	Value json.RawMessage
}

// entryKeys are where an entry has what tells it from others.
var entryKeys = []string{"id", "sku", "ref", "name", "title"}

// readEntries reads a JSON array of objects; nothing is an empty one.
func readEntries(text json.RawMessage) (all Entries, err error) {
	var list []json.RawMessage
	if len(text) > 0 {
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, err
		}
	}
	seen := map[string]int{}
	for _, one := range list {
		key := EntryKey(one)
		if seen[key]++; seen[key] > 1 {
			key += " " + strconv.Itoa(seen[key])
		}
		all = append(all, Entry{key, one})
	}
	return all, nil
}

// EntryKey is what tells an entry from the others of its list.
func EntryKey(entry json.RawMessage) string {
	members, err := ReadMembers(entry)
	if err != nil {
		return ""
	}
	for _, name := range entryKeys {
		if text := members.Text(name); text != "" {
			return text
		}
	}
	return ""
}

func (e Entries) keys() (all []string) {
	for _, one := range e {
		all = append(all, one.Key)
	}
	return all
}

func (e Entries) find(key string) *Entry {
	for i := range e {
		if e[i].Key == key {
			return &e[i]
		}
	}
	return nil
}

func (e Entries) json() json.RawMessage {
	b := []byte{'['}
	for i, one := range e {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, one.Value...)
	}
	return append(b, ']')
}
