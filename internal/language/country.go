package language

import (
	"strings"
	"sync"
)

// usualEmergency is taken by mobile telephones everywhere.
const usualEmergency = "112"

// EmergencyNumber is the number for emergencies of a country, by its ISO code.
func EmergencyNumber(country string) string {
	if number, ok := emergencies()[strings.ToUpper(country)]; ok {
		return number
	}
	return usualEmergency
}

var emergencies = sync.OnceValue(func() map[string]string {
	text, err := data.ReadFile("data/countries.txt")
	if err != nil {
		panic(err) // it is part of the program
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		number, countries, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for country := range strings.FieldsSeq(countries) {
			all[country] = number
		}
	}
	return all
})
