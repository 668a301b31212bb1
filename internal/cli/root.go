package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) root() *cobra.Command {
	root := group("frontdesk", "A voice receptionist that you host yourself",
		p.serveCommand(), p.tenantCommands(), p.agentCommands(), p.agendaCommand(), p.captureCommands(), p.callerCommands(), p.calendarCommands(), p.noticeCommands(), p.numberCommands(), p.phoneCommands(), p.keyCommands(), p.consoleCommands(), p.planCommands(), p.auditCommand(), p.eventCommands(), p.knowledgeCommands(), p.talkCommand(), p.listenCommand(), p.mcpCommand(),
		p.migrateCommand(), p.doctorCommand(), p.backupCommand(), p.restoreCommand(), p.rekeyCommand(), p.installCommand(), p.uninstallCommand(), p.versionCommand())
	root.Long = `frontdesk is a voice receptionist that you host yourself.

Settings are environment variables (FRONTDESK_…); flags override them.
Try it: frontdesk serve --demo`
	root.SilenceErrors, root.SilenceUsage = true, true
	flags := root.PersistentFlags()
	flags.BoolVar(&p.json, "json", false, "print machine-readable JSON")
	flags.String("data", "", "directory of the embedded database and the master key (FRONTDESK_DATA)")
	flags.String("database", "", "postgres:// address; empty for SQLite in the data directory (FRONTDESK_DATABASE)")
	return root
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs, SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	g.AddCommand(commands...)
	return g
}

func unknownCommand(cmd *cobra.Command, name string) error {
	known := cmd.SuggestionsFor(name)
	if len(known) > 0 {
		return misused("there is no command %q; did you mean: %s %s?", cmd.CommandPath()+" "+name, cmd.CommandPath(), strings.Join(known, " or "))
	}
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	return misused("there is no command %q; there are: %s", cmd.CommandPath()+" "+name, strings.Join(known, ", "))
}

// oneOf is a flag or an argument that say the same thing: exactly one of them.
func oneOf(what, flag, given string, args []string) (string, error) {
	switch {
	case len(args) == 1 && given != "" && given != args[0]:
		return "", misused("the %s is given twice: %q and --%s %q", what, args[0], flag, given)
	case len(args) == 1:
		return args[0], nil
	case given != "":
		return given, nil
	}
	return "", misused("the %s is missing: give it as an argument or with --%s", what, flag)
}

// require marks flags that a command cannot do without.
func require(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(fmt.Sprintf("%s has no flag --%s", cmd.Name(), name))
		}
	}
}
