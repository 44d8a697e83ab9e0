package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"cartd/internal/commandline"
)

const completionUsage = "cartd completion bash | zsh | fish"

func defineCompletion(*flag.FlagSet) func(*call) error { return runCompletion }

// runCompletion prints the script of a shell.
func runCompletion(c *call) error {
	shells := map[string]func(io.Writer){"bash": completeBash, "zsh": completeZsh, "fish": completeFish}
	if len(c.args) != 1 || shells[c.args[0]] == nil {
		return commandline.Usage("name the shell: %s", completionUsage)
	}
	shells[c.args[0]](c.stdout)
	return nil
}

// flagNames returns a command's flags with their dashes.
func (c *command) flagNames() (names []string) {
	fs, _ := c.flagSet()
	fs.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
	return append(names, "--help")
}

// completeBash completes the command first, then its flags and files.
func completeBash(w io.Writer) {
	fmt.Fprint(w, "_cartd() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]} flags=\n\tcase ${COMP_WORDS[1]} in\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "\t%s) flags='%s' ;;\n", c.name, strings.Join(c.flagNames(), " "))
	}
	fmt.Fprintf(w, `	esac
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W '%s' -- "$word"))
	elif [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$word"))
	else
		COMPREPLY=($(compgen -f -- "$word"))
	fi
}
complete -o filenames -F _cartd cartd
`, strings.Join(commandNames(), " "))
}

// completeZsh loads the script of bash into zsh.
func completeZsh(w io.Writer) {
	fmt.Fprint(w, "#compdef cartd\nautoload -U +X bashcompinit && bashcompinit\n")
	completeBash(w)
}

func completeFish(w io.Writer) {
	for _, c := range commands() {
		fmt.Fprintf(w, "complete -c cartd -n __fish_use_subcommand -f -a %s -d '%s'\n", c.name, strings.ReplaceAll(c.summary, "'", `\'`))
		for _, name := range c.flagNames() {
			fmt.Fprintf(w, "complete -c cartd -n '__fish_seen_subcommand_from %s' -l %s\n", c.name, strings.TrimPrefix(name, "--"))
		}
	}
}
