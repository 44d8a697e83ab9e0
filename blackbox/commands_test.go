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
