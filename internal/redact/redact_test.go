package redact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/redact"
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ said, want string }{
		"a card in groups of four":            {"Mi tarjeta es 4111 1111 1111 1111, gracias", "Mi tarjeta es [card number], gracias"},
		"a card in one piece":                 {"5555555555554444", "[card number]"},
		"a card with hyphens":                 {"it's 4242-4242-4242-4242.", "it's [card number]."},
		"a card with dots and hard spaces":    {"4242.4242.4242.4242 y 4000\u00a00566\u00a05566\u00a05556", "[card number] y [card number]"},
		"American Express":                    {"3782 822463 10005", "[card number]"},
		"Diners":                              {"3056 930902 5904", "[card number]"},
		"nineteen digits":                     {"6304 0000 0000 0000 000", "[card number]"},
		"thirteen digits":                     {"4222222222222", "[card number]"},
		"a card of the 2 series":              {"2223003122003222", "[card number]"},
		"digit by digit, as it is dictated":   {"4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "[card number]"},
		"in pairs":                            {"41 11 11 11 11 11 11 11", "[card number]"},
		"two cards":                           {"4111111111111111 5555555555554444", "[card number] [card number]"},
		"a telephone number before a card":    {"612 345 678 4111 1111 1111 1111", "612 345 678 [card number]"},
		"a telephone number after a card":     {"4111111111111111 612345678", "[card number] 612345678"},
		"with its date and code":              {"4111 1111 1111 1111 12/27 123", "[card number] 12/27 123"},
		"a card between strokes":              {"4111/1111/1111/1111", "[card number]"},
		"a card in brackets":                  {"(4111)(1111)(1111)(1111)", "[card number]"},
		"a card between commas":               {"4111,1111,1111,1111", "[card number]"},
		"full-width digits":                   {"４１１１ １１１１ １１１１ １１１１", "[card number]"},
		"Arabic digits":                       {"٤١١١١١١١١١١١١١١١", "[card number]"},
		"its code written on":                 {"4111111111111111123", "[card number]"},
		"four years":                          {"2026/2027/2028/2029", "2026/2027/2028/2029"},
		"a number and a date":                 {"612345678, 20/11/2026 a las 12", "612345678, 20/11/2026 a las 12"},
		"a mistyped card stays":               {"4111 1111 1111 1112", "4111 1111 1111 1112"},
		"a Spanish telephone number":          {"612 345 678", "612 345 678"},
		"with its country":                    {"+34 612 34 56 78", "+34 612 34 56 78"},
		"with 00":                             {"0034612345678", "0034612345678"},
		"two telephone numbers":               {"612345678 698765432", "612345678 698765432"},
		"two of them in threes":               {"600 000 000 600 000 006", "600 000 000 600 000 006"},
		"a long foreign number":               {"+54 9 11 1234 5679", "+54 9 11 1234 5679"},
		"a long foreign number that adds up":  {"+4222222222222", "+4222222222222"},
		"a confirmation code":                 {"mi código es 34679A, o ACDEFG", "mi código es 34679A, o ACDEFG"},
		"a date and a time":                   {"el 20/11/2026 a las 20:30, somos 4", "el 20/11/2026 a las 20:30, somos 4"},
		"a bar code":                          {"8412345678905", "8412345678905"},
		"more digits than any card has":       {"41111111111111111111111", "41111111111111111111111"},
		"a Spanish account":                   {"ES91 2100 0418 4502 0005 1332", "[IBAN]"},
		"in one piece, in small letters":      {"es9121000418450200051332 es mi cuenta", "[IBAN] es mi cuenta"},
		"a British one among words":           {"pay GB82 WEST 1234 5698 7654 32 please", "pay [IBAN] please"},
		"a German one with hyphens":           {"DE89-3704-0044-0532-0130-00", "[IBAN]"},
		"a Norwegian one":                     {"NO93 8601 1117 947", "[IBAN]"},
		"a Maltese one, half letters":         {"MT84 MALT 0110 0001 2345 MTLC AST0 01S", "[IBAN]"},
		"words that add up":                   {"Wednesday at half past four in the afternoon, +44 7700 900123", "Wednesday at half past four in the afternoon, +44 7700 900123"},
		"one that does not add up":            {"ES92 2100 0418 4502 0005 1332", "ES92 2100 0418 4502 0005 1332"},
		"one of no country":                   {"ZZ91 2100 0418 4502 0005 1332", "ZZ91 2100 0418 4502 0005 1332"},
		"an account that goes on":             {"ES91210004184502000513321", "ES91210004184502000513321"},
		"a DNI":                               {"DNI 12345678Z", "DNI [identity number]"},
		"with a hyphen":                       {"12345678-Z", "[identity number]"},
		"with dots":                           {"12.345.678-Z, Ana", "[identity number], Ana"},
		"with a space, in small letters":      {"mi dni es 12345678 z", "mi dni es [identity number]"},
		"a letter that does not fit":          {"12345678A", "12345678A"},
		"a NIE":                               {"X1234567L", "[identity number]"},
		"a NIE with hyphens":                  {"y-1234567-x", "[identity number]"},
		"the letter is a word":                {"64236013 a las seis", "64236013 a las seis"},
		"the letter is a letter":              {"64236013 A", "[identity number]"},
		"nine digits and a letter":            {"612345678Z", "612345678Z"},
		"the rest of a telephone number":      {"6 12345678 Z", "6 12345678 Z"},
		"an account, a card, a DNI, a number": {"ES9121000418450200051332 4111111111111111 12345678Z 612345678", "[IBAN] [card number] [identity number] 612345678"},
		"nothing of the kind":                 {"¿Tienen mesa para dos el viernes a las nueve?", "¿Tienen mesa para dos el viernes a las nueve?"},
		"nothing at all":                      {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := redact.Text(tt.said); got != tt.want {
				t.Errorf("%q became %q; want %q", tt.said, got, tt.want)
			}
		})
	}
}

// FuzzText: whatever is said, redacting it once is enough, what is not redacted
// stays as it was, and no card in one piece is left.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"4111 1111 1111 1111", "ES91 2100 0418 4502 0005 1332", "X1234567L 12345678-Z", "+34 612 345 678", "\xff4\u00a0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, said string) {
		got := redact.Text(said)
		if again := redact.Text(got); again != got {
			t.Errorf("%q became %q, and then %q", said, got, again)
		}
		if utf8.ValidString(said) && !utf8.ValidString(got) {
			t.Errorf("%q is broken: %q", said, got)
		}
		if got != said && !strings.ContainsAny(got, "[") {
			t.Errorf("%q was changed to %q", said, got)
		}
		if with := redact.Text(said + " | 4111111111111111 | "); strings.Contains(with, "| 4111111111111111 |") {
			t.Errorf("a card is left in %q", with)
		}
	})
}
