package frontdesk_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func full() frontdesk.AgentConfig {
	return frontdesk.AgentConfig{
		Business:    frontdesk.Business{Name: "Casa Lola", Address: "Calle Mayor 1", Phone: "+34600000001", Website: "https://casalola.example"},
		Assistant:   frontdesk.Assistant{Name: "Lola", Greeting: "¡Hola!"},
		Voice:       frontdesk.VoiceChoice{ES: "voc_es_alba", EN: "voc_en_claire"},
		PromptExtra: "Be brief.", Specials: "Paella", Dietary: "Vegan", Policy: "No dogs",
		Services: json.RawMessage(`[{"name":"Table"}]`), Listings: json.RawMessage(`[{"title":"Flat"}]`),
		Menu: json.RawMessage(`{"Tapas":[{"name":"Olives"}]}`), Products: json.RawMessage(`{"Wine":[{"name":"Rioja"}]}`),
		Hours: &frontdesk.Hours{0: {9, 17}},
	}
}

func TestAgentPatchApply(t *testing.T) {
	t.Parallel()
	s := func(s string) *string { return &s }
	tests := map[string]struct {
		patch  frontdesk.AgentPatch
		change func(*frontdesk.AgentConfig)
	}{
		"nothing given changes nothing": {frontdesk.AgentPatch{}, func(*frontdesk.AgentConfig) {}},
		"business is merged property by property": {
			frontdesk.AgentPatch{Business: frontdesk.BusinessPatch{Phone: s("+34600000002"), HoursHuman: s("9-17")}},
			func(c *frontdesk.AgentConfig) { c.Business.Phone, c.Business.HoursHuman = "+34600000002", "9-17" },
		},
		"all of business": {
			frontdesk.AgentPatch{Business: frontdesk.BusinessPatch{
				Name: s("a"), Address: s("b"), Phone: s("c"), Website: s("d"), HoursHuman: s("e"), ShippingHuman: s("f"), ReturnsHuman: s("g"), ZonesHuman: s("h"),
			}},
			func(c *frontdesk.AgentConfig) {
				c.Business = frontdesk.Business{Name: "a", Address: "b", Phone: "c", Website: "d", HoursHuman: "e", ShippingHuman: "f", ReturnsHuman: "g", ZonesHuman: "h"}
			},
		},
		"assistant is merged":      {frontdesk.AgentPatch{Assistant: frontdesk.AssistantPatch{Greeting: s("Hello")}}, func(c *frontdesk.AgentConfig) { c.Assistant.Greeting = "Hello" }},
		"an assistant's name":      {frontdesk.AgentPatch{Assistant: frontdesk.AssistantPatch{Name: s("Eva")}}, func(c *frontdesk.AgentConfig) { c.Assistant.Name = "Eva" }},
		"voice is merged":          {frontdesk.AgentPatch{Voice: frontdesk.VoicePatch{EN: s("voc_en_jack")}}, func(c *frontdesk.AgentConfig) { c.Voice.EN = "voc_en_jack" }},
		"the other voice":          {frontdesk.AgentPatch{Voice: frontdesk.VoicePatch{ES: s("voc_es_hugo")}}, func(c *frontdesk.AgentConfig) { c.Voice.ES = "voc_es_hugo" }},
		"strings are set":          {frontdesk.AgentPatch{PromptExtra: s("1"), Specials: s("2"), Dietary: s("3"), Policy: s("4")}, func(c *frontdesk.AgentConfig) { c.PromptExtra, c.Specials, c.Dietary, c.Policy = "1", "2", "3", "4" }},
		"an empty string clears":   {frontdesk.AgentPatch{Specials: s(""), Business: frontdesk.BusinessPatch{Website: s("")}}, func(c *frontdesk.AgentConfig) { c.Specials, c.Business.Website = "", "" }},
		"services are replaced":    {frontdesk.AgentPatch{Services: json.RawMessage(`[]`)}, func(c *frontdesk.AgentConfig) { c.Services = json.RawMessage(`[]`) }},
		"listings are replaced":    {frontdesk.AgentPatch{Listings: json.RawMessage(`[{"title":"B"}]`)}, func(c *frontdesk.AgentConfig) { c.Listings = json.RawMessage(`[{"title":"B"}]`) }},
		"the menu is replaced":     {frontdesk.AgentPatch{Menu: json.RawMessage(`{}`)}, func(c *frontdesk.AgentConfig) { c.Menu = json.RawMessage(`{}`) }},
		"products are replaced":    {frontdesk.AgentPatch{Products: json.RawMessage(`{}`)}, func(c *frontdesk.AgentConfig) { c.Products = json.RawMessage(`{}`) }},
		"hours are replaced whole": {frontdesk.AgentPatch{Hours: &frontdesk.Hours{6: {10, 12}}}, func(c *frontdesk.AgentConfig) { c.Hours = &frontdesk.Hours{6: {10, 12}} }},
		"closed all week":          {frontdesk.AgentPatch{Hours: &frontdesk.Hours{}}, func(c *frontdesk.AgentConfig) { c.Hours = &frontdesk.Hours{} }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, want := full(), full()
			tt.change(&want)
			if got := tt.patch.Apply(before); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			if !reflect.DeepEqual(before, full()) {
				t.Error("Apply changed what it was given")
			}
		})
	}
}

func TestAgentPatchCheck(t *testing.T) {
	t.Parallel()
	voice := func(es, en string) frontdesk.AgentPatch {
		return frontdesk.AgentPatch{Voice: frontdesk.VoicePatch{ES: &es, EN: &en}}
	}
	website := func(s string) frontdesk.AgentPatch {
		return frontdesk.AgentPatch{Business: frontdesk.BusinessPatch{Website: &s}}
	}
	tests := map[string]struct {
		patch frontdesk.AgentPatch
		param string // "": accepted
	}{
		"nothing":                         {frontdesk.AgentPatch{}, ""},
		"voices of their languages":       {voice("voc_es_ines", "voc_en_maya"), ""},
		"voices cleared":                  {voice("", ""), ""},
		"an English voice for Spanish":    {voice("voc_en_maya", ""), "voice.es"},
		"a Spanish voice for English":     {voice("", "voc_es_ines"), "voice.en"},
		"a voice there is not":            {voice("voc_es_nobody", ""), "voice.es"},
		"a website":                       {website("https://example.com/a?b=c#d"), ""},
		"a website without TLS":           {website("http://example.com"), ""},
		"a website on a port":             {website("http://example.com:8080/"), ""},
		"a website of another language":   {website("https://café.example/menú"), ""},
		"a website cleared":               {website(""), ""},
		"a website without a scheme":      {website("example.com"), "business.website"},
		"a website with another scheme":   {website("ftp://example.com"), "business.website"},
		"a website that is a script":      {website("javascript:alert(1)"), "business.website"},
		"a website without a host":        {website("https:///path"), "business.website"},
		"a website with a port alone":     {website("https://:443/"), "business.website"},
		"a website that is opaque":        {website("https:example.com"), "business.website"},
		"a website with a space":          {website("https://example.com/a b"), "business.website"},
		"a website with a line feed":      {website("https://example.com/\n"), "business.website"},
		"a website with a broken percent": {website("https://example.com/%zz"), "business.website"},
		"a website relative to a scheme":  {website("//example.com"), "business.website"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isInvalid(t, tt.patch.Check(), tt.param)
		})
	}
}

// isInvalid wants err to be parameter_invalid at param, or nil for "".
func isInvalid(t *testing.T, err error, param string) {
	t.Helper()
	var e *frontdesk.Error
	switch {
	case param == "" && err != nil:
		t.Errorf("refused: %v", err)
	case param == "":
	case !errors.As(err, &e) || e.Kind != frontdesk.Invalid || e.Code != "parameter_invalid" || e.Param != param || e.Message == "":
		t.Errorf("got %v, want parameter_invalid at %s", err, param)
	}
}

func TestAgentCheck(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*frontdesk.Agent)
		param  string
	}{
		"a good one":             {func(*frontdesk.Agent) {}, ""},
		"English alone":          {func(a *frontdesk.Agent) { a.Languages = []string{"en"} }, ""},
		"without a slug":         {func(a *frontdesk.Agent) { a.Slug = "" }, "slug"},
		"a slug with capitals":   {func(a *frontdesk.Agent) { a.Slug = "Lola" }, "slug"},
		"an unknown vertical":    {func(a *frontdesk.Agent) { a.Vertical = "circus" }, "vertical"},
		"an unknown status":      {func(a *frontdesk.Agent) { a.Status = "asleep" }, "status"},
		"without a name":         {func(a *frontdesk.Agent) { a.DisplayName = "" }, "display_name"},
		"without a language":     {func(a *frontdesk.Agent) { a.Languages = nil }, "languages"},
		"an unknown language":    {func(a *frontdesk.Agent) { a.Languages = []string{"es", "fr"} }, "languages"},
		"without a time zone":    {func(a *frontdesk.Agent) { a.Timezone = "" }, "timezone"},
		"the machine's own zone": {func(a *frontdesk.Agent) { a.Timezone = "Local" }, "timezone"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := frontdesk.Agent{Slug: "lola", Vertical: "restaurant", Status: "active", DisplayName: "Casa Lola", Languages: []string{"es", "en"}, Timezone: "Europe/Madrid"}
			tt.change(&a)
			isInvalid(t, a.Check(), tt.param)
		})
	}
}

func TestProtectedAgentFields(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"slug", "vertical", "status", "display_name", "demo_fixtures", "id", "tenant_id", "livemode", "transfer_number",
		"provider", "providers", "provider_settings", "model", "llm", "stt", "tts", "prompt", "system_prompt", "tools",
		"behavior", "behaviour", "plan", "limits", "plan_limits", "timezone", "languages",
	} {
		if !frontdesk.IsProtectedAgentField(name) {
			t.Errorf("%s is not protected", name)
		}
	}
	for _, name := range []string{"", "business", "prompt_extra", "Slug", "colour", "config"} {
		if frontdesk.IsProtectedAgentField(name) {
			t.Errorf("%q is protected", name)
		}
	}
}

func TestVoices(t *testing.T) {
	t.Parallel()
	recommended := map[string]int{}
	seen := map[string]bool{}
	for _, v := range frontdesk.Voices {
		if got, ok := frontdesk.VoiceByID(v.ID); !ok || got != v || seen[v.ID] {
			t.Errorf("%s is not found, or is there twice", v.ID)
		}
		seen[v.ID] = true
		if v.Recommended {
			recommended[v.Language]++
		}
	}
	if recommended["es"] != 1 || recommended["en"] != 1 {
		t.Errorf("one voice of each language is recommended, not %v", recommended)
	}
	if _, ok := frontdesk.VoiceByID(""); ok {
		t.Error("there is a voice without an id")
	}
}
