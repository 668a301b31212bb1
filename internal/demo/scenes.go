package demo

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// The files of scenes/ hold one play after the other:
//
//	== name            begins a scene
//	intent: booking    its head: intent, outcome, and if need be capture,
//	outcome: booking   channel, about (which services), ahead (days), weight,
//	capture: order     urgency, and greets (no, if nobody is greeted)
//	-- es              begins its script in a language
//	title: …           the summary: title, text, point, unanswered, handoff
//	text: …            (reason -> result), and the capture's service
//	caller: Hi. | Yes. a turn; one of the alternatives is said
//	agent/en: Hello.   a turn in the other language
//	tool: name {…} -> {…}
//
// {slots} are filled from the house, the caller and the clock.
//
//go:embed scenes/*.txt
var sceneFiles embed.FS

// sharedScenes can be played in every house.
const sharedScenes = "shared"

// scene is one kind of conversation.
type scene struct {
	name    string
	intent  string
	outcome frontdesk.Outcome
	capture string            // the kind; "": none
	channel frontdesk.Channel // "": either
	about   []string          // the services it can be about; nil: any
	ahead   int               // days that people plan ahead; 0: as is usual in the house
	weight  int               // how often the history deals it; 0: never
	urgency string
	silent  bool // nobody is greeted
	scripts map[string]*script
}

// script is a scene in one language.
type script struct {
	title, text string
	service     string
	points      []string
	unanswered  []string
	handoff     string
	notes       []string // what the caller wished beside
	lines       []line
}

// line is one turn of a script.
type line struct {
	role      string
	language  string   // "": that of the script
	says      []string // the alternatives
	tool      string
	arguments string
	result    string
}

// loadScenes reads every file of scenes once.
var loadScenes = sync.OnceValues(func() (map[string][]*scene, error) {
	files, err := sceneFiles.ReadDir("scenes")
	if err != nil {
		return nil, err
	}
	byVertical := map[string][]*scene{}
	for _, f := range files {
		text, err := sceneFiles.ReadFile("scenes/" + f.Name())
		if err != nil {
			return nil, err
		}
		scenes, err := parseScenes(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		byVertical[strings.TrimSuffix(f.Name(), ".txt")] = scenes
	}
	return byVertical, nil
})

// scenesFor are all scenes that can be played in a house of this vertical.
func scenesFor(vertical string) ([]*scene, error) {
	all, err := loadScenes()
	return slices.Concat(all[vertical], all[sharedScenes]), err
}

func parseScenes(text string) ([]*scene, error) {
	var scenes []*scene
	var current *scene
	var now *script
	for i, row := range strings.Split(text, "\n") {
		switch {
		case row == "" || strings.HasPrefix(row, "#"):
			continue
		case strings.HasPrefix(row, "== "):
			current = &scene{name: row[3:], weight: 1, scripts: map[string]*script{}}
			scenes, now = append(scenes, current), nil
			continue
		case strings.HasPrefix(row, "-- ") && current != nil:
			now = &script{service: "{Service}"}
			current.scripts[row[3:]] = now
			continue
		}
		key, value, ok := strings.Cut(row, ": ")
		switch {
		case !ok || current == nil:
			ok = false
		case now == nil:
			ok = current.set(key, value)
		default:
			ok = now.set(key, value)
		}
		if !ok {
			return nil, fmt.Errorf("line %d is not understood: %q", i+1, row)
		}
	}
	return scenes, nil
}

// set takes a row of the head; false means that it makes no sense.
func (s *scene) set(key, value string) bool {
	var err error
	switch key {
	case "intent":
		s.intent = value
	case "outcome":
		s.outcome = frontdesk.Outcome(value)
	case "capture":
		s.capture = value
	case "channel":
		s.channel = frontdesk.Channel(value)
	case "about":
		s.about = strings.Fields(value)
	case "ahead":
		s.ahead, err = strconv.Atoi(value)
	case "weight":
		s.weight, err = strconv.Atoi(value)
	case "urgency":
		s.urgency = value
	case "greets":
		s.silent = value == "no"
	default:
		return false
	}
	return err == nil
}

// set takes a row of a script; false means that it makes no sense.
func (s *script) set(key, value string) bool {
	switch key {
	case "title":
		s.title = value
	case "text":
		s.text = value
	case "service":
		s.service = value
	case "point":
		s.points = append(s.points, value)
	case "unanswered":
		s.unanswered = append(s.unanswered, value)
	case "handoff":
		s.handoff = value
	case "note":
		s.notes = append(s.notes, value)
	default:
		l, ok := parseLine(key, value)
		s.lines = append(s.lines, l)
		return ok
	}
	return true
}

func parseLine(key, value string) (line, bool) {
	role, language, _ := strings.Cut(key, "/")
	l := line{role: role, language: language}
	switch role {
	case frontdesk.RoleAgent, frontdesk.RoleCaller:
		l.says = strings.Split(value, " | ")
		return l, true
	case frontdesk.RoleTool:
		var ok bool
		if l.tool, value, ok = strings.Cut(value, " "); ok {
			l.arguments, l.result, ok = strings.Cut(value, " -> ")
		}
		return l, ok
	}
	return l, false
}
