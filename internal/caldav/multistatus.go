package caldav

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// response is what an answer says of one address.
type response struct {
	href     string
	status   string // of the whole; "": that of its properties, which are those that were found
	calendar bool   // it is a calendar
	data     string // iCalendar text
}

// What an answer may hold.
const (
	maxDepth     = 32
	maxResponses = 50_000
)

// The names that matter.
const (
	dav = "DAV:"
	cal = "urn:ietf:params:xml:ns:caldav"
)

// parse reads a multistatus: <response> after <response>, of which it takes what
// was asked for and passes over everything else.
func parse(r io.Reader) ([]response, error) {
	limited := &io.LimitedReader{R: r, N: maxAnswer}
	p := parser{decoder: xml.NewDecoder(&tagReader{r: limited})}
	err := p.run()
	switch {
	case limited.N <= 0:
		return nil, ErrTooMuch
	case err != nil:
		return nil, err
	}
	for _, found := range p.all {
		if strings.Contains(found.status, " 507 ") {
			return nil, ErrIncomplete
		}
	}
	return p.all, nil
}

// parser reads a multistatus token by token.
type parser struct {
	decoder *xml.Decoder
	path    []xml.Name
	text    strings.Builder // of the element that is read, if it matters
	all     []response
	closed  bool // the answer has ended
}

func (p *parser) run() error {
	for {
		token, err := p.decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && p.closed:
			return nil
		case errors.Is(err, io.EOF):
			return ErrUnreadable
		case err != nil:
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				return fmt.Errorf("%w: %w", ErrUnreadable, err)
			}
			return fmt.Errorf("caldav: reading the answer: %w", err)
		}
		if err := p.take(token); err != nil {
			return err
		}
	}
}

func (p *parser) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return p.begin(t.Name)
	case xml.CharData:
		if p.wanted() {
			p.text.Write(t)
		}
	case xml.EndElement:
		p.end()
	}
	return nil
}

func (p *parser) begin(name xml.Name) error {
	if len(p.path) == 0 && name != (xml.Name{Space: dav, Local: "multistatus"}) {
		return ErrUnreadable
	}
	if len(p.path) >= maxDepth {
		return fmt.Errorf("%w: it is nested too deeply", ErrTooMuch)
	}
	p.path = append(p.path, name)
	p.text.Reset()
	switch {
	case p.at("response"):
		if len(p.all) == maxResponses {
			return ErrTooMuch
		}
		p.all = append(p.all, response{})
	case len(p.all) > 0 && name == xml.Name{Space: cal, Local: "calendar"} && p.in("response/propstat/prop/resourcetype"):
		p.last().calendar = true
	}
	return nil
}

// wanted says whether the text of the element that is read matters.
func (p *parser) wanted() bool {
	return len(p.all) > 0 && (p.at("response/href") || p.at("response/status") || p.atData())
}

func (p *parser) atData() bool {
	return len(p.path) > 0 && p.path[len(p.path)-1] == xml.Name{Space: cal, Local: "calendar-data"} && p.in("response/propstat/prop")
}

func (p *parser) end() {
	switch {
	case len(p.all) == 0:
	case p.at("response/href"):
		p.last().href = strings.TrimSpace(p.text.String())
	case p.at("response/status"):
		p.last().status = p.text.String() + " "
	case p.atData():
		p.last().data = p.text.String()
	}
	p.text.Reset()
	p.path = p.path[:len(p.path)-1]
	p.closed = len(p.path) == 0
}

func (p *parser) last() *response { return &p.all[len(p.all)-1] }

// at says whether the element that is read stands at a path below the
// multistatus, all of whose names are of WebDAV's own.
func (p *parser) at(path string) bool { return same(p.path, path) }

// in says whether the element that is read stands right below such a path.
func (p *parser) in(path string) bool { return len(p.path) > 0 && same(p.path[:len(p.path)-1], path) }

func same(names []xml.Name, path string) bool {
	parts := strings.Split(path, "/")
	if len(names) != len(parts)+1 {
		return false
	}
	for i, part := range parts {
		if names[i+1] != (xml.Name{Space: dav, Local: part}) {
			return false
		}
	}
	return true
}
