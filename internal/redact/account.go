package redact

import "strings"

// account takes out the bank account that is said from token i on: a country in
// letters, and numbers and letters that add up. Behind words that lead to one, as
// many digits as an account has are enough.
func (t *talk) account(i int) int {
	country, next := t.country(i)
	if size := lengths[country]; size > 0 {
		if end := t.accountOf(country, size, next); end > 0 {
			t.take(t.tokens[i].Start, t.tokens[end-1].End, IBAN)
			return end
		}
	}
	if country == "" || !t.announced(i, t.n.accounts) {
		return 0
	}
	const fewest = 16
	row := t.row(t.pass(next))
	if len(digitsOf(row)) < fewest || !anyWord(row) {
		return 0
	}
	t.take(t.tokens[i].Start, row[len(row)-1].end, IBAN)
	return row[len(row)-1].next
}

// country is the code of two letters at token i, in one piece or spelled.
func (t *talk) country(i int) (code string, next int) {
	if word := t.tokens[i].Word; len(word) == 2 && lengths[strings.ToUpper(word)] > 0 && t.letter(i) == "" {
		return strings.ToUpper(word), i + 1
	}
	if i+1 < len(t.tokens) {
		if code = t.letter(i) + t.letter(i+1); len(code) == 2 && lengths[code] > 0 {
			return code, i + 2
		}
	}
	if word := t.tokens[i].Word; len(word) == 2 && lengths[strings.ToUpper(word)] > 0 {
		return strings.ToUpper(word), i + 1
	}
	return "", 0
}

// letter is the letter that a token names, "" if it names none.
func (t *talk) letter(i int) string {
	word := t.tokens[i].Word
	if len(word) == 1 && isLetter(word[0]) {
		return strings.ToUpper(word)
	}
	return strings.ToUpper(t.n.letters[word])
}

// accountOf reads an account of so many characters and returns the token behind
// it; 0 when there is none.
func (t *talk) accountOf(country string, size, i int) int {
	number := []byte(country)
	for len(number) < size && i < len(t.tokens) {
		if one, ok := t.n.item(t.tokens, i); ok {
			number, i = append(number, one.digits...), one.next
		} else if letters := t.letters(i); letters != "" {
			number, i = append(number, letters...), i+1
		} else if passed := t.pass(i); passed > i {
			i = passed
		} else {
			return 0
		}
	}
	if len(number) != size || !numbered(number) || !mod97(number) {
		return 0
	}
	return i
}

// letters are those of a token inside an account: one, or a bank in capitals.
func (t *talk) letters(i int) string {
	if one := t.letter(i); one != "" {
		return one
	}
	const longest = 6
	written := t.text[t.tokens[i].Start:t.tokens[i].End]
	for k := range len(written) {
		if written[k] < 'A' || written[k] > 'Z' || k >= longest {
			return ""
		}
	}
	return written
}
