package web

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// raw sends what it is told, byte for byte, closes its side of the connection,
// and reads the answer.
func (d *desk) raw(request string) answered {
	d.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(d.server.URL, "http://"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		d.t.Fatal(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		d.t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		d.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answered{d.t, answer.StatusCode, answer.Header, string(text)}
}

// A body that does not arrive whole is refused in the envelope, whoever notices
// first: who reads the body, or who watches the connection.
func TestTruncatedBodies(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	v := d.start("")
	addresses := map[string]string{
		"a start":   "/web/lola/desk/conversations",
		"a message": "/web/conversations/" + v.id + "/messages",
		"an end":    "/web/conversations/" + v.id + "/end",
	}
	bodies := map[string]string{
		"shorter than it says":          "Content-Length: 100\r\n\r\n{\"text\":\"hola\"}",
		"whole, but shorter than said":  "Content-Length: 3\r\n\r\n{}",
		"nothing of what it says":       "Content-Length: 100\r\n\r\n",
		"cut off in a chunk":            "Transfer-Encoding: chunked\r\n\r\nff\r\n{\"text\":\"hola\"}",
		"without its last chunk":        "Transfer-Encoding: chunked\r\n\r\nf\r\n{\"text\":\"hola\"}\r\n",
		"cut off before its first byte": "Transfer-Encoding: chunked\r\n\r\n",
	}
	for what, path := range addresses {
		for how, body := range bodies {
			t.Run(what+", "+how, func(t *testing.T) {
				for range 10 { // it is a race between two who notice
					a := d.raw(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: lola\r\nX-Request-Id: mine-1\r\nAuthorization: Bearer %s\r\n%s", path, v.token, body))
					a.t = t
					a.refused(400, "invalid_json", "")
				}
			})
		}
	}
	if r := v.say("hola"); r["ended"] != false {
		t.Errorf("the conversation has taken harm: %v", r)
	}
}
