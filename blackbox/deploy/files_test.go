//go:build long

package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wants runs a tool and wants status 0, and none of its output where quiet.
func wants(t *testing.T, quiet bool, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil || quiet && len(out) > 0 {
		t.Errorf("%v: %v\n%s", cmd.Args, err, out)
	}
}

func TestLongHAProxyAcceptsItsFile(t *testing.T) {
	check := exec.Command(haproxyProgram(), "-c", "-q", "-f", "../../deploy/haproxy.cfg")
	check.Env = []string{"CARTD_NODE1=127.0.0.1:1", "CARTD_NODE2=127.0.0.1:2"}
	wants(t, true, check)
}

// systemd takes the unit without a complaint, and calls its exposure at most 1.5 of 10. The
// program is another one, for a test installs none.
func TestLongSystemdAcceptsItsUnit(t *testing.T) {
	unit := filepath.Join(t.TempDir(), "cartd.service")
	text := strings.Replace(read(t, "../../deploy/cartd.service"), "ExecStart=/usr/local/bin/cartd", "ExecStart="+filepath.Join(image, "cartd"), 1)
	if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, true, exec.Command("systemd-analyze", "verify", unit))
	wants(t, false, exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=15", unit))
}

// Whatever stops a node waits for its drain delay and the 15 s that it may take then.
func TestLongStopsAreWaitedFor(t *testing.T) {
	for file, pattern := range map[string][2]string{
		"../../deploy/cartd.service":              {`CARTD_DRAIN_DELAY=(\d+)s`, `TimeoutStopSec=(\d+)s`},
		"../../deploy/compose.yaml":               {`CARTD_DRAIN_DELAY: (\d+)s`, `stop_grace_period: (\d+)s`},
		"../../deploy/kubernetes/deployment.yaml": {`CARTD_DRAIN_DELAY, value: (\d+)s`, `terminationGracePeriodSeconds: (\d+)`},
	} {
		var seconds [2]int
		for i := range pattern {
			found := regexp.MustCompile(pattern[i]).FindStringSubmatch(read(t, file))
			if found == nil {
				t.Fatalf("%s has no %s", file, pattern[i])
			}
			seconds[i], _ = strconv.Atoi(found[1])
		}
		if seconds[1] < seconds[0]+15 {
			t.Errorf("%s waits for %d s, and the drain delay is %d s", file, seconds[1], seconds[0])
		}
	}
}

var instruction = regexp.MustCompile(`^(FROM|WORKDIR|COPY|RUN|USER|ENV|EXPOSE|ENTRYPOINT|CMD) \S`)

// The image's last stage takes over what scripts/image.sh laid out, and nothing else, and
// names a user without privileges.
func TestLongDockerfileTakesTheLaidOutFiles(t *testing.T) {
	var last []string
	for line := range strings.Lines(read(t, "../../deploy/Dockerfile")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case !instruction.MatchString(line):
			t.Errorf("%q is no instruction that this test knows", line)
		case strings.HasPrefix(line, "FROM "):
			last = nil
		}
		last = append(last, line)
	}
	got := strings.Join(last[:min(3, len(last))], "; ")
	if want := "FROM scratch; COPY --from=build /image/ /; USER 65532:65532"; got != want || !strings.Contains(read(t, "../../deploy/Dockerfile"), "\nRUN sh scripts/image.sh /image\n") {
		t.Errorf("the last stage begins with %q, want %q", got, want)
	}
}
