//go:build long

package blackbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cartd help COMMAND prints the same as the command's --help, with two dashes before a flag. Its
// examples use the command's own flags.
func TestLongHelpOfACommandHasExamples(t *testing.T) {
	t.Parallel()
	for _, name := range commandNames(t) {
		help := runs(t, "help", name)
		if help.code != 0 || help.stderr != "" || help.stdout != runs(t, name, "--help").stdout || !strings.HasPrefix(help.stdout, "cartd "+name+" ") ||
			strings.Contains(help.stdout, "\n  -s") {
			t.Errorf("cartd help %s\n got: exit %d\n%s%s\nwant: what --help prints", name, help.code, help.stdout, help.stderr)
		}
		_, examples, found := strings.Cut(help.stdout, "\nExamples:\n")
		if !found && name != "version" {
			t.Errorf("cartd help %s shows no example", name)
		}
		for _, flag := range regexp.MustCompile(` (--[a-z-]+)`).FindAllStringSubmatch(examples, -1) {
			if !strings.Contains(help.stdout, "\n  "+flag[1]) {
				t.Errorf("an example of cartd %s has %s, which is no flag of it", name, flag[1])
			}
		}
	}
	runs(t, "check", "--colour").wantUsage(t, "--colour", "see cartd check --help")
	runs(t, "help", "improt").wantUsage(t, "did you mean import?")
	runs(t, "help", "import", "export").wantUsage(t, "cartd help COMMAND")
}

// Bash's suggestions for command lines of cartd.
func TestLongBashCompletion(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "cartd.bash")
	if err := os.WriteFile(script, []byte(runs(t, "completion", "bash").stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"cartd ":                 strings.Join(commandNames(t), " "),
		"cartd e":                "export",
		"cartd check --":         "--json --max-document --redis --redis-ca --redis-cert --redis-file --redis-key --redis-timeout --help",
		"cartd serve --redis-w":  "--redis-wait",
		"cartd import x --max":   "--max-document",
		"cartd import /etc/host": "/etc/hostname /etc/hosts /etc/host.conf",
	} {
		if strings.HasPrefix(line, "cartd e") {
			want = strings.Join(slices.DeleteFunc(commandNames(t), func(n string) bool { return n[0] != 'e' }), " ")
		}
		words := strings.Split(line, " ")
		shell := exec.Command("bash", append([]string{"-c", `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cartd; printf '%s\n' "${COMPREPLY[@]}"`,
			script}, words...)...)
		out, err := shell.Output()
		got := strings.Fields(string(out))
		if strings.Contains(line, "/etc") {
			if err != nil || !slices.Contains(got, "/etc/hosts") {
				t.Errorf("%q offers %q, %v", line, got, err)
			}
		} else if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q offers %q, %v; want %q", line, got, err, want)
		}
	}
	for line := range strings.Lines(runs(t, "completion", "fish").stdout) {
		if strings.Count(strings.ReplaceAll(line, `\'`, ""), "'")%2 != 0 {
			t.Errorf("fish is given a quote that does not end: %s", line)
		}
	}
	for shell, want := range map[string]string{"zsh": "#compdef cartd\n", "fish": "complete -c cartd -n '__fish_seen_subcommand_from check' -l json\n"} {
		if f := runs(t, "completion", shell); f.code != 0 || !strings.Contains(f.stdout, want) {
			t.Errorf("cartd completion %s\n got: exit %d\n%s\nwant: %q in it", shell, f.code, f.stdout, want)
		}
	}
}
