package console

import (
	"fmt"
	"html/template"
	"strings"

	"rsc.io/qr"
)

// quietZone is how many modules a reader wants empty around a code.
const quietZone = 4

// drawCode draws a text as a QR code. It is black on white in every theme, as
// readers want it.
func drawCode(text, label string) (template.HTML, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", fmt.Errorf("drawing a code: %w", err)
	}
	size := code.Size + 2*quietZone
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="code" viewBox="0 0 %d %d" shape-rendering="crispEdges" role="img" aria-label="%s">`,
		size, size, template.HTMLEscapeString(label))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/><path fill="#000" d="`, size, size)
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+quietZone, y+quietZone, x-from, x-from)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return template.HTML(b.String()), nil
}
