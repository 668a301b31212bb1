package console

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

const (
	// uploadTime is how long the files of a form may take to arrive: a large one
	// takes 22 minutes on a line of 64 kbit/s. Who is slower than the server lets
	// bodies be is cut off long before.
	uploadTime = 30 * time.Minute
	// mostFiles is how many there are in one form.
	mostFiles = 20
	// longestField is how long a field beside the files can be.
	longestField = 1000
)

// arrivals is what came of the files of a form.
type arrivals struct {
	taken   []string
	refused []string // with the reason
}

// upload takes the files of a form, each as it comes: it is bounded by the plan
// while it is read, and never held in memory.
func (c teachScreen) upload(v *visit) (answer, error) {
	if err := checkTeach(v); err != nil {
		return answer{}, err
	}
	parts, err := formParts(v)
	if err != nil {
		return answer{}, err
	}
	got, err := c.receiveAll(v, parts)
	if err != nil {
		return answer{}, err
	}
	if len(got.taken) == 0 {
		fault := strings.Join(got.refused, " ")
		if fault == "" {
			fault = v.say("teach_fault_no_file")
		}
		return c.refuseUpload(v, fault)
	}
	text := countSaid(v, "teach_uploaded", len(got.taken))
	if len(got.refused) > 0 {
		text += " " + v.say("teach_not_uploaded", "what", strings.Join(got.refused, " "))
	}
	return toPage(v, v.done(v.base()+"teach", said{Text: text})), nil
}

// toPage makes a script that sent a form go on to the page, where it would only
// read it.
func toPage(v *visit, a answer) answer {
	if !v.htmx() {
		return a
	}
	v.header.Set("HX-Redirect", v.header.Get("Location"))
	v.header.Del("Location")
	return answer{status: http.StatusNoContent}
}

// refuseUpload says at the field why nothing was uploaded.
func (c teachScreen) refuseUpload(v *visit, fault string) (answer, error) {
	if !v.htmx() {
		return c.showWith(v, http.StatusUnprocessableEntity, fault)
	}
	v.header.Set("HX-Retarget", "#upload-fault")
	v.header.Set("HX-Reswap", "innerHTML")
	return v.render(http.StatusUnprocessableEntity, "teach_upload_fault", fault)
}

// formParts are the parts of a form, as they come. All together have a bound: what
// is too large is read to its end, so that the browser hears the answer.
func formParts(v *visit) (*multipart.Reader, error) {
	body := v.http.Body
	v.http.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(body, mostFiles*v.tenant.Plan.MaxDocumentBytes+formLimit), body}
	parts, err := v.http.MultipartReader()
	if err != nil {
		return nil, &frontdesk.Error{Kind: frontdesk.Invalid, Code: "teach_no_form", Message: "Send the files as a form.", Cause: err}
	}
	return parts, nil
}

func (c teachScreen) receiveAll(v *visit, parts *multipart.Reader) (got arrivals, err error) {
	agent, err := servedAgent(v, string(v.agentID()))
	if err != nil {
		return got, err
	}
	for {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return got, nil
		case isTooSlow(err):
			return got, err
		case err != nil:
			return got, &frontdesk.Error{Kind: frontdesk.Invalid, Code: "teach_broken_off", Message: "The files did not arrive whole. Send them again.", Cause: err}
		}
		switch name := knowledge.Filename(part.FileName()); {
		case part.FormName() == "for":
			if agent, err = readServed(v, part); err != nil {
				return got, err
			}
		case part.FormName() != "file" || name == "":
		case len(got.taken)+len(got.refused) == mostFiles:
			return got, nil
		default:
			if err := c.receive(v, &got, knowledge.NewDocument{Filename: name, AgentID: agent}, part); err != nil {
				return got, err
			}
		}
	}
}

// readServed reads the field that says whom the files after it serve.
func readServed(v *visit, part io.Reader) (frontdesk.ID, error) {
	text, err := io.ReadAll(io.LimitReader(part, longestField))
	if err != nil {
		return "", err
	}
	return servedAgent(v, strings.TrimSpace(string(text)))
}

// receive takes one file. A browser gives texts all kinds of types, so its name
// says what it is.
func (c teachScreen) receive(v *visit, got *arrivals, n knowledge.NewDocument, body io.Reader) error {
	_, err := knowledge.CheckFilename("filename", n.Filename)
	if err == nil {
		err = c.keep(v, n, body)
	}
	switch e := exchange.Domain(err); {
	case err == nil:
		got.taken = append(got.taken, n.Filename)
	case e == nil || e.Kind != frontdesk.Invalid && e.Kind != frontdesk.TooLarge:
		return err
	default:
		got.refused = append(got.refused, frontdesk.Clip(frontdesk.Storable(n.Filename), 60)+": "+uploadFault(v, e))
	}
	return nil
}

func (c teachScreen) keep(v *visit, n knowledge.NewDocument, body io.Reader) error {
	plan := v.tenant.Plan
	// Of a browser that has gone nothing is kept: its body breaks off.
	received, err := c.library.Receive(context.WithoutCancel(v.Context()), v.owner(), n, body, plan.MaxDocumentBytes)
	if err != nil {
		return err
	}
	_, _, err = c.library.Add(v.Context(), v.owner(), v.person.Actor(), received, plan)
	return err
}

// uploadFault says why a file was not taken.
func uploadFault(v *visit, e *frontdesk.Error) string {
	switch e.Code {
	case "unsupported_extension":
		return v.say("teach_fault_extension", "endings", strings.Join(frontdesk.DocumentExtensions, ", "))
	case "document_too_large":
		return v.say("teach_fault_too_large", "size", sizeSaid(v, v.tenant.Plan.MaxDocumentBytes))
	case "document_empty":
		return v.say("teach_fault_empty")
	case "limit_reached":
		return v.say("teach_fault_full")
	}
	return v.explain(e)
}
