package turns

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Hints are words that callers of an agent are likely to use, for who hears them.
func Hints(agent frontdesk.Agent) string {
	const most = 1000 // characters
	read := catalogue.Read(agent)
	names := []string{agent.Config.Business.Name}
	for _, s := range read.Services {
		for _, code := range agent.Languages {
			names = append(names, s.Say(code))
		}
	}
	for _, r := range agent.Settings.Calendar.Resources {
		names = append(names, r.Name)
	}
	for _, d := range read.Dishes {
		names = append(names, d.Name)
	}
	for _, product := range read.Products {
		names = append(names, product.Name)
	}
	var all []string
	size := 0
	for _, name := range names {
		name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ',' || r < ' ' }), " ")
		if name = strings.TrimSpace(name); name == "" || slices.Contains(all, name) {
			continue
		}
		if size += len(name) + 1; size > most {
			break
		}
		all = append(all, name)
	}
	return strings.Join(all, ",")
}
