package caldav

import (
	"strings"
	"testing"
)

func FuzzMultistatus(f *testing.F) {
	const begin, end = `<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">`, `</D:multistatus>`
	f.Add(begin + end)
	f.Add(begin + `<D:response><D:href>/a.ics</D:href><D:propstat><D:prop><C:calendar-data>BEGIN:VCALENDAR</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>` + end)
	f.Add(begin + `<D:response><D:href>/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/><C:calendar/></D:resourcetype></D:prop></D:propstat></D:response>` + end)
	f.Add(begin + `<D:response><D:status>HTTP/1.1 507 No</D:status></D:response>` + end)
	f.Add(begin + `<C:calendar-data>x</C:calendar-data><D:href/>` + end + end)
	f.Add(`<![CDATA[` + begin)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parse(strings.NewReader(text))
		if err != nil && all != nil {
			t.Errorf("%v beside %v", all, err)
		}
		held := 0
		for _, r := range all {
			held += len(r.data) + len(r.href)
		}
		if held > len(text)+3*strings.Count(text, "\r") {
			t.Errorf("%d bytes out of %d", held, len(text))
		}
	})
}
