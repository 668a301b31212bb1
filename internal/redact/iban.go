package redact

// lengths are how many characters an IBAN has in each country that gives them
// out.
var lengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28, "CH": 21, "CR": 22,
	"CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22,
	"GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30,
	"KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27,
	"MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31,
	"SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}

// ibans finds bank accounts: a country, two check digits and the account, in
// either letter case and with separators anywhere.
func ibans(s string) (found []span) {
	for i := 0; i+4 <= len(s); {
		if end := ibanAt(s, i); end > 0 {
			found = append(found, span{i, end})
			i = end
			continue
		}
		i++
	}
	return found
}

// ibanAt says where the IBAN that begins here ends; 0 when none does.
func ibanAt(s string, i int) int {
	if !isLetter(s[i]) || !isLetter(s[i+1]) || !opens(s, i) {
		return 0
	}
	size := lengths[string([]byte{upper(s[i]), upper(s[i+1])})]
	number := make([]byte, 0, 34)
	at := i
	for len(number) < size {
		if at = overGap(s, at); at >= len(s) || !isDigit(s[at]) && !isLetter(s[at]) {
			return 0
		}
		number = append(number, upper(s[at]))
		at++
	}
	if size == 0 || !closes(s, at) || !numbered(number) || !mod97(number) {
		return 0
	}
	return at
}

// numbered says whether the check digits are digits, and a third of the whole is:
// every hundredth row of words adds up, and no account is made of words.
func numbered(number []byte) bool {
	digits := 0
	for _, c := range number {
		if isDigit(c) {
			digits++
		}
	}
	return isDigit(number[2]) && isDigit(number[3]) && digits*3 >= len(number)
}

// mod97 checks an IBAN: with its first four characters at the end and letters
// counted from 10, what remains of a division by 97 is 1.
func mod97(number []byte) bool {
	rest := 0
	for i := range number {
		switch c := number[(i+4)%len(number)]; {
		case isDigit(c):
			rest = (rest*10 + int(c-'0')) % 97
		default:
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}
