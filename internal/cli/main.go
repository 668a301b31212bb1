// Package cli is the command line: one file per command.
//
// Main runs one command from its arguments to its exit code. The way is the
// same for all of them:
//
//	arguments -> settings (flags over environment over defaults) -> session -> command -> text or JSON
//
// What a command found goes to standard output; warnings and errors go to
// standard error. With --json both are JSON. The exit code is 0 for success, 1
// for a failure and 2 for a command that was not understood.
//
// Commands hold no rules of their own: they ask account, store and app, and
// say in words what those answered.
package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// program is one run of the command line.
type program struct {
	environ []string // NAME=value
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	json    bool
	begun   bool // a command has been understood: what fails from now on is not its usage
}

// Main runs the command that args ask for, without the program's own name, and
// returns the exit code. The environment comes as NAME=value.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ []string) int {
	p := &program{environ: environ, stdin: stdin, stdout: stdout, stderr: stderr}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root, checkText(args)
	if err == nil {
		cmd, err = root.ExecuteContextC(ctx)
	}
	if err == nil {
		return 0
	}
	// When the flags themselves could not be read, --json has not been seen yet.
	p.json = p.json || slices.Contains(args, "--json")
	return p.report(cmd, err)
}

// checkText refuses what cannot be stored as text.
func checkText(args []string) error {
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			return misused("%q is not UTF-8", arg)
		}
	}
	return nil
}

// lookup finds a variable of the environment.
func (p *program) lookup(name string) (string, bool) {
	for _, entry := range p.environ {
		if key, value, _ := strings.Cut(entry, "="); key == name {
			return value, true
		}
	}
	return "", false
}
