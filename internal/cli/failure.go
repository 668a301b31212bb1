package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// The exit codes.
const (
	exitFailed  = 1
	exitMisused = 2
)

// failure is an error on its way to the operator.
type failure struct {
	code    string
	message string
	param   string
	exit    int
	told    bool // what is wrong has been printed already
	whole   bool // the message says all there is to say; param is for programs
}

func (f *failure) Error() string { return f.message }

// misused is the error for a command that was given the wrong way.
func misused(format string, args ...any) error {
	return &failure{code: "usage", message: fmt.Sprintf(format, args...), exit: exitMisused}
}

// refused is the error for something that cannot be done, and what to do.
func refused(code, param, format string, args ...any) error {
	return &failure{code: code, message: fmt.Sprintf(format, args...), param: param, exit: exitFailed, whole: true}
}

// report prints an error and returns the exit code it deserves.
func (p *program) report(cmd *cobra.Command, err error) int {
	f := p.failureOf(err)
	switch {
	case f.told:
	case p.json:
		printJSONError(p.stderr, f)
	default:
		fmt.Fprintf(p.stderr, "error: %s\n", f.text())
		if f.exit == exitMisused {
			fmt.Fprintf(p.stderr, "`%s --help` shows how it is used.\n", cmd.CommandPath())
		}
	}
	return f.exit
}

func printJSONError(w io.Writer, f failure) {
	type shape struct {
		Code    string  `json:"code"`
		Message string  `json:"message"`
		Param   *string `json:"param"`
	}
	e := shape{Code: f.code, Message: f.message}
	if f.param != "" {
		e.Param = &f.param
	}
	_ = encode(w, map[string]shape{"error": e}) // there is nowhere left to say that it failed
}

// failureOf classifies any error.
func (p *program) failureOf(err error) failure {
	var own *failure
	var value *config.ValueError
	var domain *frontdesk.Error
	switch {
	case errors.As(err, &own):
		return *own
	case errors.Is(err, context.Canceled):
		return failure{code: "interrupted", message: "interrupted", exit: exitFailed}
	case errors.As(err, &value):
		return settingsFailure(value, err)
	case errors.As(err, &domain):
		return domainFailure(domain, err)
	case !p.begun:
		return usageFailure(err)
	}
	message := err.Error()
	if place := (*fs.PathError)(nil); errors.As(err, &place) && errors.Is(err, fs.ErrPermission) {
		message += fmt.Sprintf(". This user may not use %s: give its directory to this user, or choose another one (of the data with --data or FRONTDESK_DATA)", place.Path)
	}
	return failure{code: "failed", message: message, exit: exitFailed}
}

var missingFlags = regexp.MustCompile(`^required flag\(s\) "(.+)" not set$`)

// usageFailure is what the command line itself did not understand.
func usageFailure(err error) failure {
	f := failure{code: "usage", message: err.Error(), exit: exitMisused}
	if m := missingFlags.FindStringSubmatch(f.message); m != nil {
		names := strings.Split(m[1], `", "`)
		f.param = names[0]
		f.message = "missing: --" + strings.Join(names, ", --")
	}
	return f
}

func settingsFailure(first *config.ValueError, all error) failure {
	f := failure{code: "setting_invalid", message: strings.ReplaceAll(all.Error(), "\n", "; "), param: first.Name, exit: exitFailed}
	if strings.HasPrefix(first.Name, "--") {
		f.exit = exitMisused
	}
	return f
}

// domainFailure says a domain error as an operator needs it: what is written
// for a customer of the API is not always it.
func domainFailure(e *frontdesk.Error, err error) failure {
	f := failure{code: e.Code, message: e.Message, param: e.Param, exit: exitFailed}
	if e.Kind == frontdesk.Unavailable {
		f.message = fmt.Sprintf("the database does not answer: %v; `frontdesk doctor` checks it", cause(err))
	}
	return f
}

// cause is what happened, without what is written for customers of the API.
func cause(err error) error {
	var e *frontdesk.Error
	if errors.As(err, &e) && e.Cause != nil {
		return e.Cause
	}
	return err
}

// text is the failure for people: it names the parameter of what was written for
// customers of the API, if the message does not do so itself.
func (f failure) text() string {
	if f.whole || f.param == "" || strings.Contains(f.message, f.param) {
		return f.message
	}
	return f.param + ": " + f.message
}

// isMissing says whether err means that a thing does not exist.
func isMissing(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}
