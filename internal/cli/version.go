package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Version is the version of a release; main has it from the linker. Other
// builds say what Go knows about them.
var Version string

// Commit is what a release was built from; main has it from the linker.
var Commit string

func buildVersion() string {
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok && !strings.HasPrefix(info.Main.Version, "(") {
		built = info.Main.Version
	}
	return cmp.Or(Version, built, "development")
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p.begun = true
			return p.printVersion()
		},
	}
}

func (p *program) printVersion() error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	value := struct {
		Version  string `json:"version"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
		Commit   string `json:"commit,omitempty"`
	}{buildVersion(), runtime.Version(), platform, Commit}
	return p.print(value, func(w io.Writer) {
		fmt.Fprintf(w, "frontdesk %s (%s, %s)\n", value.Version, value.Go, platform)
	})
}
