package blackbox_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

var commandInHelp = regexp.MustCompile(`(?m)^  cartd (\S+) `)

// commandNames are the commands that cartd help lists.
func commandNames(t *testing.T) (names []string) {
	t.Helper()
	for _, found := range commandInHelp.FindAllStringSubmatch(runs(t, "help").stdout, -1) {
		names = append(names, found[1])
	}
	if len(names) < 8 {
		t.Fatalf("cartd help lists %q", names)
	}
	return names
}

// cartd help COMMAND prints the same as the command's --help, with two dashes before a flag. Its
// examples use the command's own flags.
func TestHelpOfACommandHasExamples(t *testing.T) {
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

// A variable that no flag reads causes a warning: on standard error, and in the log of a node.
func TestMistypedVariablesAreWarnedOf(t *testing.T) {
	t.Parallel()
	const warning = "CARTD_REDIS_TIMOUT is no variable of cartd (did you mean CARTD_REDIS_TIMEOUT?)"
	good := storeFile(t, base())
	f := runsIn(t, []string{"CARTD_REDIS_TIMOUT=1s", "CARTD_XYZ=1", "CARTD_LISTEN=x", "OTHER=1"}, "check", good)
	if want := "cartd check: warning: " + warning + "\ncartd check: warning: CARTD_XYZ is no variable of cartd\n"; f.code != 0 || f.stderr != want {
		t.Errorf("cartd check: exit %d\n got: %s\nwant: %s", f.code, f.stderr, want)
	}
	n := start(t, options{redis: "embedded", stores: []string{good}, env: []string{"CARTD_REDIS_TIMOUT=1s"}})
	if !strings.Contains(n.Log.String(), `"level":"WARN","msg":"`+warning) {
		t.Errorf("the log has no warning:\n%s", n.Log)
	}
}

// The URL of Redis may be in a file. A flag wins over both variables.
func TestRedisFile(t *testing.T) {
	t.Parallel()
	url := redistest.Mini(t).URL()
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "redis-url")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	right, wrong, good := write(url+"\n"), write("redis://127.0.0.1:1/0"), storeFile(t, base())
	for _, c := range []struct {
		args, env []string
	}{
		{[]string{"--redis-file", right}, nil},
		{nil, []string{"CARTD_REDIS_FILE=" + right}},
		{[]string{"--redis-file", right}, []string{"CARTD_REDIS=redis://127.0.0.1:1/0"}},
		{[]string{"--redis", url}, []string{"CARTD_REDIS_FILE=" + wrong}},
		{[]string{"--redis-file", right}, []string{"CARTD_REDIS_FILE=" + wrong}},
	} {
		if f := runsIn(t, slices.Concat([]string{}, c.env), append(append([]string{"import"}, c.args...), good)...); f.code != 0 {
			t.Errorf("%q cartd %q: exit %d\n%s", c.env, f.args, f.code, f.stderr)
		}
	}
	runsIn(t, []string{"CARTD_REDIS=" + url, "CARTD_REDIS_FILE=" + right}, "import", good).wantUsage(t, "give one")
	runs(t, "import", "--redis-file", filepath.Join(t.TempDir(), "none"), good).wantOneLine(t, "no such file or directory: write the URL of Redis into it")
	for file, want := range map[string]string{
		write(""):                                "one line",
		write("redis://:secret-key-redis@x\nx"):  "one line",
		write("redis://:secret-key-redis@[:1/0"): "percent-encode",
	} {
		f := runs(t, "import", "--redis-file", file, good)
		f.wantUsage(t, want)
		wantNoSecretsIn(t, f.stderr)
	}
	serve := exec.Command(binary, "serve", "--listen", "127.0.0.1:0")
	serve.Env = []string{"CARTD_REDIS_FILE=" + right}
	listens(t, serve).client(t).get("me").wantStatus(http.StatusOK)
}

// Bash's suggestions for command lines of cartd.
func TestBashCompletion(t *testing.T) {
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
