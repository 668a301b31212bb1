package document_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestPriceLists: price lists as people type them.
func TestPriceLists(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind       frontdesk.DocumentKind
		text, want string
	}{
		"columns drawn with spaces, and empty cells": {frontdesk.Text, `CAKES

Cake            Small 6in  Large 8in  Notes
-------------------------------------------
Carrot          £24        £34        contains nuts
Cupcakes                              £3 each
Red velvet      £28        POA
`, `CAKES | Cake: Carrot; Small 6in: £24; Large 8in: £34; Notes: contains nuts
CAKES | Cake: Cupcakes; Notes: £3 each
CAKES | Cake: Red velvet; Small 6in: £28; Large 8in: POA`},
		"lines with leaders stay apart": {frontdesk.Text, `TALLER

Pinchazo de rueda delantera ............. 9 €
Pinchazo de rueda trasera, bici eléctrica .... 24 €
Geranio, de doce unidades en adelante menos - 2,20 €
Lavanda - 3,50 €
`, "TALLER | Pinchazo de rueda delantera: 9 € / Pinchazo de rueda trasera, bici eléctrica: 24 € / Geranio, de doce unidades en adelante menos - 2,20 € / Lavanda - 3,50 €"},
		"an empty cell is as above": {frontdesk.Markdown, `| Room | When | Price |
|---|---|---|
| Heron | weekday | 80 |
| | weekend | 95 |
`, `Room: Heron; When: weekday; Price: 80
Room: Heron; When: weekend; Price: 95`},
		"behind a code": {frontdesk.CSV, "Code,Piece,Cloth,Price\nT1,Chair,wool,20\nT2,,leather,50\n", `Code: T1; Piece: Chair; Cloth: wool; Price: 20
Code: T2; Piece: Chair; Cloth: leather; Price: 50`},
		"a mark for what is above": {frontdesk.CSV, "Piece,Cloth,Price\nChair,wool,20\nSofa,ditto,50\n", `Piece: Chair; Cloth: wool; Price: 20
Piece: Sofa; Cloth: wool; Price: 50`},
		"a note below a table": {frontdesk.CSV, "Boat,Hour,Day\nCanoe,12,42\nKayak,11,38\n\"Prices in euros. Late returns pay five more.\",,\n", `Boat: Canoe; Hour: 12; Day: 42
Boat: Kayak; Hour: 11; Day: 38
Prices in euros. Late returns pay five more.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := show(read(t, c.kind, c.text)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
