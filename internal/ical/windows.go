package ical

// windowsZone is the zone of the world that stands for a zone of Windows, "" for
// a name that Windows does not have. Exchange and Outlook write these; the zones
// of Europe and the Americas are here, and the largest of the others. Those that
// are not are described by the calendar itself.
func windowsZone(name string) string {
	return map[string]string{
		"UTC":                            "Etc/UTC",
		"tzone://Microsoft/Utc":          "Etc/UTC",
		"Coordinated Universal Time":     "Etc/UTC",
		"GMT Standard Time":              "Europe/London",
		"Greenwich Standard Time":        "Atlantic/Reykjavik",
		"W. Europe Standard Time":        "Europe/Berlin",
		"Central Europe Standard Time":   "Europe/Budapest",
		"Romance Standard Time":          "Europe/Paris",
		"Central European Standard Time": "Europe/Warsaw",
		"E. Europe Standard Time":        "Europe/Chisinau",
		"GTB Standard Time":              "Europe/Bucharest",
		"FLE Standard Time":              "Europe/Kiev",
		"Turkey Standard Time":           "Europe/Istanbul",
		"Russian Standard Time":          "Europe/Moscow",
		"Morocco Standard Time":          "Africa/Casablanca",
		"Israel Standard Time":           "Asia/Jerusalem",
		"Azores Standard Time":           "Atlantic/Azores",
		"Newfoundland Standard Time":     "America/St_Johns",
		"Atlantic Standard Time":         "America/Halifax",
		"Eastern Standard Time":          "America/New_York",
		"Central Standard Time":          "America/Chicago",
		"Mountain Standard Time":         "America/Denver",
		"US Mountain Standard Time":      "America/Phoenix",
		"Pacific Standard Time":          "America/Los_Angeles",
		"Central Standard Time (Mexico)": "America/Mexico_City",
		"Eastern Standard Time (Mexico)": "America/Cancun",
		"SA Pacific Standard Time":       "America/Bogota",
		"SA Western Standard Time":       "America/La_Paz",
		"Venezuela Standard Time":        "America/Caracas",
		"Pacific SA Standard Time":       "America/Santiago",
		"Argentina Standard Time":        "America/Buenos_Aires",
		"Montevideo Standard Time":       "America/Montevideo",
		"E. South America Standard Time": "America/Sao_Paulo",
		"India Standard Time":            "Asia/Kolkata",
		"China Standard Time":            "Asia/Shanghai",
		"Tokyo Standard Time":            "Asia/Tokyo",
		"AUS Eastern Standard Time":      "Australia/Sydney",
		"New Zealand Standard Time":      "Pacific/Auckland",
	}[name]
}
