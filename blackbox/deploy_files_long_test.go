//go:build long

package blackbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cartd/blackbox"
)

// wants runs a tool and wants status 0; with quiet also no output.
func wants(t *testing.T, quiet bool, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil || quiet && len(out) > 0 {
		t.Errorf("%v: %v\n%s", cmd.Args, err, out)
	}
}

func TestLongHAProxyAcceptsItsFile(t *testing.T) {
	check := exec.Command(blackbox.HAProxy(), "-c", "-q", "-f", "../deploy/haproxy.cfg")
	check.Env = []string{"CARTD_NODE1=127.0.0.1:1", "CARTD_NODE2=127.0.0.1:2"}
	wants(t, true, check)
}

// systemd accepts the unit and rates its exposure at most 1.5 of 10. The unit names another
// program, because a test installs none.
func TestLongSystemdAcceptsItsUnit(t *testing.T) {
	unit := filepath.Join(t.TempDir(), "cartd.service")
	text := strings.Replace(string(read(t, "../deploy/cartd.service")), "ExecStart=/usr/local/bin/cartd", "ExecStart="+binary, 1)
	if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, true, exec.Command("systemd-analyze", "verify", unit))
	wants(t, false, exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=15", unit))
}

// systemd accepts the units of the backup.
func TestLongSystemdAcceptsTheBackup(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"cartd-backup.service", "cartd-backup.timer"} {
		if err := os.WriteFile(filepath.Join(dir, name), read(t, "../deploy/"+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wants(t, true, exec.Command("systemd-analyze", "verify", filepath.Join(dir, "cartd-backup.timer"), filepath.Join(dir, "cartd-backup.service")))
	wants(t, false, exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=40", filepath.Join(dir, "cartd-backup.service")))
}

// systemd starts the unit again without end while Redis is not there: by default the fifth failed
// start within 10 s would be the last. It looks for the setting in [Unit] only.
func TestLongSystemdRestartsWithoutLimit(t *testing.T) {
	unit, _, _ := strings.Cut(string(read(t, "../deploy/cartd.service")), "\n[Service]\n")
	if !strings.Contains(unit, "\n[Unit]\n") || !strings.Contains(unit, "\nStartLimitIntervalSec=0\n") {
		t.Errorf("[Unit] of cartd.service has no StartLimitIntervalSec=0:\n%s", unit)
	}
}

// The stop time-out of every deployment covers the drain delay and the 15 s that a stop may take.
func TestLongStopsAreWaitedFor(t *testing.T) {
	for file, pattern := range map[string][2]string{
		"../deploy/cartd.service":              {`CARTD_DRAIN_DELAY=(\d+)s`, `TimeoutStopSec=(\d+)s`},
		"../deploy/compose.yaml":               {`CARTD_DRAIN_DELAY: (\d+)s`, `stop_grace_period: (\d+)s`},
		"../deploy/kubernetes/deployment.yaml": {`CARTD_DRAIN_DELAY, value: (\d+)s`, `terminationGracePeriodSeconds: (\d+)`},
	} {
		var seconds [2]int
		for i := range pattern {
			found := regexp.MustCompile(pattern[i]).FindStringSubmatch(string(read(t, file)))
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

// The unit's memory is bounded, and Go's limit is about 90 % of the bound.
func TestLongUnitBoundsItsMemory(t *testing.T) {
	text := string(read(t, "../deploy/cartd.service"))
	bound, limit := regexp.MustCompile(`\nMemoryMax=(\d+)G\n`).FindStringSubmatch(text), regexp.MustCompile(` GOMEMLIMIT=(\d+)MiB\n`).FindStringSubmatch(text)
	if bound == nil || limit == nil {
		t.Fatalf("cartd.service has MemoryMax %q and GOMEMLIMIT %q", bound, limit)
	}
	gib, _ := strconv.Atoi(bound[1])
	if mib, _ := strconv.Atoi(limit[1]); mib < gib*1024*85/100 || mib > gib*1024*95/100 {
		t.Errorf("GOMEMLIMIT is %d MiB of %d GiB, want about 90 %%", mib, gib)
	}
}

// The image shows its metrics to its own container alone. Deployments whose Prometheus is outside of it
// ask for more.
func TestLongMetricsOfTheImageAreLocal(t *testing.T) {
	image := string(read(t, "../deploy/Dockerfile"))
	if !strings.Contains(image, " CARTD_OPS_LISTEN=127.0.0.1:9090\n") || strings.Contains(image, "\nEXPOSE 8080 9090") {
		t.Error("the image shows its metrics to others unasked")
	}
	for _, file := range []string{"compose.yaml", "kubernetes/deployment.yaml", "helm/templates/deployment.yaml"} {
		if !regexp.MustCompile(`CARTD_OPS_LISTEN(, value)?: "?0\.0\.0\.0:9090`).Match(read(t, "../deploy/"+file)) {
			t.Errorf("%s does not ask for the metrics of its nodes", file)
		}
	}
}

var instruction = regexp.MustCompile(`^(FROM|WORKDIR|COPY|RUN|USER|ENV|EXPOSE|ENTRYPOINT|CMD) \S`)

// The image's last stage copies the files that scripts/image.sh laid out, and no others. It names a
// user without privileges.
func TestLongDockerfileTakesTheLaidOutFiles(t *testing.T) {
	var last []string
	for line := range strings.Lines(string(read(t, "../deploy/Dockerfile"))) {
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
	if want := "FROM scratch; COPY --from=build /image/ /; USER 65532:65532"; got != want ||
		!strings.Contains(string(read(t, "../deploy/Dockerfile")), "\nRUN sh scripts/image.sh /image\n") {
		t.Errorf("the last stage begins with %q, want %q", got, want)
	}
}

// lints runs a script of the repository over files and reports whether the script accepts them.
func lints(script string, files ...string) (out string, ok bool) {
	text, err := exec.Command("sh", append([]string{filepath.Join("..", "scripts", script)}, files...)...).CombinedOutput()
	return string(text), err == nil
}

// altered writes a copy of a file with one text replaced by another.
func altered(t *testing.T, file, old, new string) string {
	t.Helper()
	text := string(read(t, file))
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", file, old)
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(copied, []byte(strings.Replace(text, old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

// Kubernetes and Docker Compose know every field of the files, and Spectral finds nothing in the API's
// description. The linters find a fault in an altered file.
func TestLongLintersAcceptTheFiles(t *testing.T) {
	manifests, err := filepath.Glob("../deploy/kubernetes/*.yaml")
	if err != nil || len(manifests) != 5 {
		t.Fatalf("../deploy/kubernetes/ has %q, %v", manifests, err)
	}
	if out, ok := lints("lint-kubernetes.sh", manifests...); !ok || !strings.Contains(out, "Skipped: 0") {
		t.Error(out)
	}
	if out, ok := lints("lint-compose.sh", "../deploy/compose.yaml"); !ok {
		t.Error(out)
	}
	if out, ok := lints("lint-openapi.sh", "../docs/openapi.json"); !ok {
		t.Error(out)
	}
	for _, bad := range []struct{ script, file, old, new string }{
		{"lint-openapi.sh", "../docs/openapi.json", `"operationId": "health"`, `"operationId": "ready"`},
		{"lint-openapi.sh", "../docs/openapi.json", `"url": "/"`, `"uri": "/"`},
		{"lint-kubernetes.sh", "../deploy/kubernetes/deployment.yaml", "enableServiceLinks", "enableServiceLink"},
		{"lint-kubernetes.sh", "../deploy/kubernetes/deployment.yaml", "replicas: 3", "replicas: three"},
		{"lint-compose.sh", "../deploy/compose.yaml", "mem_limit", "mem_limits"},
	} {
		if out, ok := lints(bad.script, altered(t, bad.file, bad.old, bad.new)); ok {
			t.Errorf("%s accepts %q in %s\n%s", bad.script, bad.new, bad.file, out)
		}
	}
}
