package cluster

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Redis is a redis-server with the durable profile: every answered write is on
// its disk, and its append-only file is mended before each start.
type Redis struct {
	*redistest.Server
	t   testing.TB
	dir string
}

// appendDir is where Redis keeps its append-only file, in several parts named by a
// manifest.
const (
	appendDir = "appendonlydir"
	manifest  = "appendonly.aof.manifest"
)

func newRedis(t testing.TB) *Redis {
	t.Helper()
	dir := t.TempDir()
	return &Redis{t: t, dir: dir, Server: redistest.Real(t,
		"--dir", dir, "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")}
}

// Restart kills Redis and starts it again on its files.
func (r *Redis) Restart() {
	r.t.Helper()
	r.Kill()
	r.mend()
	r.Server.Restart()
}

// mend cuts off what Redis was writing when it was killed or copied. Redis does so
// itself but for a transaction (as which it writes what a script does): of that it
// leaves the beginning in the file, and carries it out at the start after the next.
func (r *Redis) mend() {
	r.t.Helper()
	check := exec.Command("redis-check-aof", "--fix", filepath.Join(r.dir, appendDir, manifest))
	check.Stdin = strings.NewReader("y\n") // asked only where there is something to cut off
	if said, err := check.CombinedOutput(); err != nil {
		r.t.Fatalf("mending Redis's append-only file: %v: %s", err, said)
	}
}

// Backup copies the append-only file while Redis runs: what it answered before is
// in the copy, a command cut off at the end is left out when it is loaded.
func (r *Redis) Backup() (dir string) {
	r.t.Helper()
	var err error
	for range 5 { // a rewrite under way may take parts away between look and copy
		dir = r.t.TempDir()
		if err = copyParts(dir, filepath.Join(r.dir, appendDir)); err == nil {
			return dir
		}
	}
	r.t.Fatalf("copying Redis's append-only file: %v", err)
	return ""
}

// Restore kills Redis and starts it again from a backup, which is used up.
func (r *Redis) Restore(backup string) {
	r.t.Helper()
	r.Kill()
	live := filepath.Join(r.dir, appendDir)
	if err := os.RemoveAll(live); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Rename(backup, live); err != nil {
		r.t.Fatal(err)
	}
	r.Restart()
}

// copyParts copies the manifest, then the parts that it names.
func copyParts(to, from string) error {
	text, err := os.ReadFile(filepath.Join(from, manifest))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, manifest), text, 0o600); err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		var name string
		if _, err := fmt.Sscanf(line, "file %s seq", &name); err != nil {
			return fmt.Errorf("manifest line %q: %w", line, err)
		}
		if strings.Contains(line, "type h") { // replaced by a rewrite, and about to go
			continue
		}
		if err := copyFile(filepath.Join(to, name), filepath.Join(from, name)); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		target.Close()
		return err
	}
	return target.Close()
}

// Count is how many keys match a pattern.
func (r *Redis) Count(pattern string) int {
	r.t.Helper()
	host, port, _ := net.SplitHostPort(r.Addr())
	found, err := exec.Command("redis-cli", "-h", host, "-p", port, "--scan", "--pattern", pattern).Output()
	if err != nil {
		r.t.Fatalf("redis-cli: %v", err)
	}
	return strings.Count(string(found), "\n")
}
