package demo

import (
	"embed"
	"path"
)

//go:embed documents/*/*.md documents/*/*.csv documents/*/*.txt
var documentFiles embed.FS

// File is something that a house of the demo has written down, as it would be
// uploaded.
type File struct {
	Live     bool
	Agent    string // the slug of the agent that it is for; "": all of the tenant
	Filename string
	Title    string
	Bytes    []byte
}

// Documents returns what the demo's tenant knows: in live mode the papers of its
// four houses and one that is for all of them, in test mode the sample. None is a
// PDF: a first look must not cost the compiling of the PDF reader.
func Documents() []File {
	return append([]File{
		live("casa-lola", "preguntas-frecuentes.md", "Preguntas frecuentes"),
		live("casa-lola", "normas-de-la-casa.txt", "Normas de la casa"),
		live("dental-la-plaza", "tarifas.md", "Tarifas"),
		live("dental-la-plaza", "patient-faq.md", "Patient FAQ"),
		live("harbour-store", "products.csv", "Products"),
		live("harbour-store", "shipping-and-returns.md", "Shipping and returns"),
		live("costa-clara", "condiciones.txt", "Condiciones para alquilar, comprar y vender"),
		live("costa-clara", "zonas.csv", "Zonas y barrios"),
		live("", "pago-y-privacidad.md", "Pago y privacidad"),
	}, SampleDocuments()...)
}

// SampleDocuments returns what a new tenant finds in its sandbox: two short
// documents of the small business that Sample makes the calls of.
func SampleDocuments() []File {
	return []File{
		open("sample", File{Filename: "preguntas-frecuentes.md", Title: "Preguntas frecuentes (ejemplo)"}),
		open("sample", File{Filename: "price-list.csv", Title: "Price list (example)"}),
	}
}

// live opens a document of the demo's live mode. Those for all agents lie in a
// folder of their own.
func live(agent, filename, title string) File {
	folder := agent
	if agent == "" {
		folder = "all"
	}
	return open(folder, File{Live: true, Agent: agent, Filename: filename, Title: title})
}

// open adds a file's bytes. That one is missing can only be a mistake in the
// lists above, which the tests find.
func open(folder string, f File) File {
	text, err := documentFiles.ReadFile(path.Join("documents", folder, f.Filename))
	if err != nil {
		panic("demo: opening a document: " + err.Error())
	}
	f.Bytes = text
	return f
}
