package description

// HasForm tells whether there are words for a pattern.
func HasForm(pattern string) bool { return forms[pattern] != "" }
