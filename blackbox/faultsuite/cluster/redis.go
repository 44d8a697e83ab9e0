package cluster

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cartd/blackbox"
	"cartd/internal/redistest"
)

// Redis is a redis-server with the durable profile: every answered write is on its disk. Each start
// repairs its append-only file first.
type Redis struct {
	*redistest.Server
	t   testing.TB
	dir string
}

// appendDir is the folder of the append-only file, which has several parts and a manifest.
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

// mend cuts an unfinished write off the append-only file. Redis cuts off an unfinished command
// itself, but leaves an unfinished transaction (the form of a script's writes) in the file and runs
// it at the start after the next one.
func (r *Redis) mend() {
	r.t.Helper()
	root, err := blackbox.Root()
	if err != nil {
		r.t.Fatal(err)
	}
	mend := exec.Command("sh", filepath.Join(root, "scripts", "mend-aof.sh"), filepath.Join(r.dir, appendDir))
	if output, err := mend.CombinedOutput(); err != nil {
		r.t.Fatalf("mend-aof.sh of the append-only file: %v: %s", err, output)
	}
}

// Backup copies the append-only file while Redis runs. The copy has every answered write. A command
// that is cut off at its end is dropped when it is loaded.
func (r *Redis) Backup() (dir string) {
	r.t.Helper()
	var err error
	for range 5 { // a running rewrite may remove parts during the copy
		dir = r.t.TempDir()
		if err = copyParts(dir, filepath.Join(r.dir, appendDir)); err == nil {
			return dir
		}
	}
	r.t.Fatalf("copying Redis's append-only file: %v", err)
	return ""
}

// Restore kills Redis and starts it again from a backup, which it moves.
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
		if strings.Contains(line, "type h") { // a rewrite replaced it and will remove it
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

// Hash returns the fields of a hash.
func (r *Redis) Hash(key string) map[string]string {
	r.t.Helper()
	host, port, _ := net.SplitHostPort(r.Addr())
	found, err := exec.Command("redis-cli", "-h", host, "-p", port, "HGETALL", key).Output()
	if err != nil {
		r.t.Fatalf("redis-cli: %v", err)
	}
	fields := map[string]string{}
	for pair := range slices.Chunk(strings.Fields(string(found)), 2) {
		fields[pair[0]] = pair[len(pair)-1]
	}
	return fields
}

// Keys lists the keys that match a pattern.
func (r *Redis) Keys(pattern string) []string {
	r.t.Helper()
	host, port, _ := net.SplitHostPort(r.Addr())
	found, err := exec.Command("redis-cli", "-h", host, "-p", port, "--scan", "--pattern", pattern).Output()
	if err != nil {
		r.t.Fatalf("redis-cli: %v", err)
	}
	return strings.Fields(string(found))
}
