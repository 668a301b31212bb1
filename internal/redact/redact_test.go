package redact_test

import (
	"strings"
	"testing"
	"unicode"
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
		"with its date and code":              {"4111 1111 1111 1111 12/27 123", "[card number] [expiry] [security code]"},
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
		"a card in Spanish words":             {"es el cuatro uno uno uno uno uno uno uno uno uno uno uno uno uno uno uno, gracias", "es el [card number], gracias"},
		"in pairs of Spanish words":           {"mi tarjeta: cuarenta y uno once once once once once once once", "mi tarjeta: [card number]"},
		"in thousands":                        {"cuatro mil ciento once mil ciento once mil ciento once mil ciento once", "[card number]"},
		"in English words":                    {"four two four two, four two four two, four two four two, four two four two.", "[card number]."},
		"with doubles":                        {"it is double five double five double five double five double five double five double four double four", "it is [card number]"},
		"half in words, half in figures":      {"cuarenta y dos 42 4242 4242 cuarenta y dos 42", "[card number]"},
		"a misheard card that is announced":   {"my card number is four one one one one one one one one one one one one one one two", "my card number is [card number]"},
		"with hesitations":                    {"four one one one um one one one one uh one one one one one one one one", "[card number]"},
		"expiry in Spanish words":             {"caduca el cero ocho veintisiete", "caduca el [expiry]"},
		"expiry in English words":             {"it expires oh eight twenty seven", "it expires [expiry]"},
		"expiry in figures":                   {"expiry date 08/27 please", "expiry date [expiry] please"},
		"a code in Spanish words":             {"el cvv es uno dos tres", "el cvv es [security code]"},
		"a code in English words":             {"the three digits on the back are one two three", "the three digits on the back are [security code]"},
		"a code in figures":                   {"CVC: 1234", "CVC: [security code]"},
		"all of them in one breath":           {"four two four two four two four two four two four two four two four two expires oh eight twenty seven security code nine nine one", "[card number] expires [expiry] security code [security code]"},
		"an account in Spanish words":         {"ES noventa y uno veintiuno cero cero cero cuatro dieciocho cuarenta y cinco cero dos cero cero cero cinco trece treinta y dos", "[IBAN]"},
		"an account with its letters spelled": {"es e ese nueve uno dos uno cero cero cero cuatro uno ocho cuatro cinco cero dos cero cero cero cinco uno tres tres dos vale", "es [IBAN] vale"},
		"a British account spelled":           {"G B eight two W E S T one two three four five six nine eight seven six five four three two", "[IBAN]"},
		"a telephone number in words":         {"seis uno dos tres cuatro cinco seis siete ocho", "seis uno dos tres cuatro cinco seis siete ocho"},
		"the same one twice":                  {"seis uno dos tres cuatro cinco seis siete ocho, seis uno dos tres cuatro cinco seis siete ocho", "seis uno dos tres cuatro cinco seis siete ocho, seis uno dos tres cuatro cinco seis siete ocho"},
		"with its country in words":           {"plus four four seven seven double oh nine hundred one two three", "plus four four seven seven double oh nine hundred one two three"},
		"a code of a booking in words":        {"my code is three four six seven nine A", "my code is three four six seven nine A"},
		"the code of a door":                  {"el código de seguridad de la puerta es 1234", "el código de seguridad de la puerta es 1234"},
		"a voucher that expires":              {"el bono caduca el doce de mayo", "el bono caduca el doce de mayo"},
		"a price":                             {"son ciento veinte euros con cincuenta", "son ciento veinte euros con cincuenta"},
		"a party and a time":                  {"somos cuatro, a las nueve y media del veintisiete", "somos cuatro, a las nueve y media del veintisiete"},
		"a time after a card":                 {"4111111111111111 a las 10 30", "[card number] a las 10 30"},
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
	for _, seed := range []string{"4111 1111 1111 1111", "ES91 2100 0418 4502 0005 1332", "X1234567L 12345678-Z", "+34 612 345 678", "\xff4\u00a0", "cuatro uno uno uno caduca cero ocho veintisiete cvv uno dos tres", "E S noventa y uno double two [card number] 12/27 123"} {
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
		foreign := strings.ContainsFunc(said, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsDigit(r) }) // written as ours
		if got != said && !foreign && !strings.ContainsAny(got, "[") {
			t.Errorf("%q was changed to %q", said, got)
		}
		if with := redact.Text(said + " | 4111111111111111 | "); strings.Contains(with, "| 4111111111111111 |") {
			t.Errorf("a card is left in %q", with)
		}
	})
}
