//go:build long

package blackbox_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/process"
)

// appendOnly is a copy of a stopped Redis's append-only folder.
type appendOnly struct {
	t   *testing.T
	dir string // Redis's folder
}

// folder is appendonlydir.
func (a *appendOnly) folder() string { return filepath.Join(a.dir, "appendonlydir") }

func (a *appendOnly) read(name string) []byte {
	a.t.Helper()
	return read(a.t, filepath.Join(a.folder(), name))
}

func (a *appendOnly) write(name string, text []byte) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.folder(), name), text, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// copied is a fresh copy.
func (a *appendOnly) copied(t *testing.T) *appendOnly {
	t.Helper()
	next := &appendOnly{t, t.TempDir()}
	if err := os.CopyFS(next.dir, os.DirFS(a.dir)); err != nil {
		t.Fatal(err)
	}
	return next
}

// kept lists what the script has kept.
func (a *appendOnly) kept() (files []string) {
	files, _ = filepath.Glob(a.folder() + ".mended-*/*")
	return files
}

// mend runs the script and returns its exit status and output.
func (a *appendOnly) mend() (status int, output string) {
	a.t.Helper()
	out, err := exec.Command("sh", "../scripts/mend-aof.sh", a.folder()).CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		a.t.Fatal(err)
	}
	if err != nil {
		return err.(*exec.ExitError).ExitCode(), string(out)
	}
	return 0, string(out)
}

// lastFile is the file of the append-only folder that Redis writes, baseFile the one that it began
// with.
const (
	lastFile = "appendonly.aof.1.incr.aof"
	baseFile = "appendonly.aof.1.base.rdb"
)

// writtenFolder is an append-only folder of plain commands and scripts. units are the offsets at which
// they begin, and the end.
func writtenFolder(t *testing.T) (folder *appendOnly, units []int) {
	t.Helper()
	folder = &appendOnly{t, t.TempDir()}
	r := process.NewRedis(folder.dir, "--appendonly", "yes", "--appendfsync", "always")
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	defer r.Kill()
	client := redis.NewClient(&redis.Options{Addr: r.Addr})
	defer client.Close()
	ctx := context.Background()
	for i := range 6 {
		var err error
		if i%3 == 2 {
			err = client.Eval(ctx, `for n = 1, 3 do redis.call("SET", KEYS[1] .. n, ARGV[1]) end return 1`, []string{"script"}, "value\r\n\x00").Err()
		} else {
			err = client.Set(ctx, fmt.Sprint("key-", i), "a value\r\nof two lines", 0).Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, len(folder.read(lastFile)))
	}
	return folder, units
}

// wantCut wants the file cut to a length, and the cut tail kept with the manifest.
func (a *appendOnly) wantCut(length int) {
	a.t.Helper()
	before := a.read(lastFile)
	status, output := a.mend()
	if status != 0 || !bytes.Equal(before[:length], a.read(lastFile)) {
		a.t.Fatalf("exit %d, %d of %d bytes left, want exit 0 and %d:\n%s", status, len(a.read(lastFile)), len(before), length, output)
	}
	var tail, manifest []byte
	for _, file := range a.kept() {
		if strings.HasSuffix(file, ".manifest") {
			manifest = read(a.t, file)
		} else {
			tail = read(a.t, file)
		}
	}
	if !bytes.Equal(tail, before[length:]) || !bytes.Equal(manifest, a.read("appendonly.aof.manifest")) {
		a.t.Errorf("kept %q with a tail of %d bytes and a manifest of %d, want the %d cut bytes and the manifest", a.kept(), len(tail),
			len(manifest), len(before)-length)
	}
}

// wantStopped wants the damage reported, and nothing changed.
func (a *appendOnly) wantStopped(words ...string) {
	a.t.Helper()
	before := a.read(lastFile)
	status, output := a.mend()
	if status != 1 || !bytes.Equal(before, a.read(lastFile)) || len(a.kept()) > 0 {
		a.t.Errorf("exit %d, %d of %d bytes left, kept %q:\n%s\nwant exit 1 and nothing changed", status, len(a.read(lastFile)), len(before), a.kept(), output)
	}
	for _, word := range append(words, "nothing was changed", "Back up and restore") {
		if !strings.Contains(output, word) {
			a.t.Errorf("the script says\n%s\nwant %q in it", output, word)
		}
	}
}

// A file that ends at a command is left alone. One that ends anywhere else is cut at the end of the
// last whole command or script, and Redis starts with it.
func TestLongMendCutsAnUnfinishedCommand(t *testing.T) {
	t.Parallel()
	whole, units := writtenFolder(t)
	text := whole.read(lastFile)
	last := units[len(units)-2]
	for length := units[len(units)-3]; length <= len(text); length += 1 + rand.IntN(20) {
		a := whole.copied(t)
		a.write(lastFile, text[:length])
		end := 0
		for _, unit := range units {
			if unit <= length {
				end = unit
			}
		}
		if end == length {
			if status, output := a.mend(); status != 0 || output != "" || len(a.kept()) > 0 || !bytes.Equal(a.read(lastFile), text[:length]) {
				t.Errorf("a file of %d bytes that is whole: exit %d, kept %q\n%s", length, status, a.kept(), output)
			}
			continue
		}
		a.wantCut(end)
		if length > last && length < last+30 {
			r := process.NewRedis(a.dir, "--appendonly", "yes")
			if err := r.Start(); err != nil {
				t.Fatal(err)
			}
			r.Kill()
		}
	}
	if status, output := (&appendOnly{t, t.TempDir()}).mend(); status != 0 || output != "" {
		t.Errorf("a first start, without a folder: exit %d\n%s", status, output)
	}
}

// Damage stops the start and changes nothing.
func TestLongMendStopsAtDamage(t *testing.T) {
	t.Parallel()
	whole, _ := writtenFolder(t)
	text := string(whole.read(lastFile))
	swap := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("the file lacks %q", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	torn := text + "*3\r\n$3\r\nSET\r\n$1\r\nz\r\n"
	for _, c := range []struct{ name, text, word string }{
		{"a changed count", swap("*3\r\n$3\r\nset\r\n$5\r\nkey-1", "*5\r\n$3\r\nset\r\n$5\r\nkey-1"), "no command"},
		{"a changed sign", swap("*3\r\n$3\r\nset\r\n$5\r\nkey-1", "#3\r\n$3\r\nset\r\n$5\r\nkey-1"), "no command"},
		{"a length that reaches over whole commands", swap("$21\r\n", "$99999\r\n"), "reaches over whole commands"},
		{"a script without its EXEC, then whole commands", swap("EXEC", "EXEX"), "neither"},
		{"a command whose end is damaged, then whole commands", swap("of two lines\r\n", "of two linesxx"), "a whole command follows the fault"},
		{"zeros", text + strings.Repeat("\x00", 4096), "no command"},
		{"a few zeros", text + "\x00\x00\x00", "no command"},
		{"another text", text + "hello\r\n", "no command"},
		{"an unfinished command of more than 64 MiB", torn + "$99999999\r\n" + strings.Repeat("x", 64<<20), "more than the 67108864"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := whole.copied(t)
			a.write(lastFile, []byte(c.text))
			a.wantStopped(c.word)
		})
	}
	t.Run("a changed base file", func(t *testing.T) {
		a := whole.copied(t)
		base := a.read(baseFile)
		base[len(base)-3] ^= 0xff // in its check sum
		a.write(baseFile, base)
		a.wantStopped("")
	})
	t.Run("a missing base file", func(t *testing.T) {
		a := whole.copied(t)
		if err := os.Remove(filepath.Join(a.folder(), baseFile)); err != nil {
			t.Fatal(err)
		}
		a.wantStopped("")
	})
	t.Run("a torn file that is not the last", func(t *testing.T) {
		a := whole.copied(t)
		a.write("appendonly.aof.manifest", append(a.read("appendonly.aof.manifest"), "file appendonly.aof.2.incr.aof seq 2 type i\n"...))
		a.write("appendonly.aof.2.incr.aof", []byte(text))
		a.write(lastFile, []byte(text[:len(text)-3]))
		a.wantStopped("not the file that Redis wrote last")
	})
	t.Run("a tail that cannot be kept", func(t *testing.T) {
		a := whole.copied(t)
		a.write(lastFile, []byte(text[:len(text)-3]))
		full := exec.Command("sh", "-c", `mkdir() { false; }; . ../scripts/mend-aof.sh`, "mend-aof.sh")
		full.Args = append(full.Args, a.folder())
		out, err := full.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "cannot be kept") || len(a.read(lastFile)) != len(text)-3 {
			t.Errorf("%v, %d bytes left:\n%s\nwant exit 1 and nothing cut", err, len(a.read(lastFile)), out)
		}
	})
}

// One changed byte anywhere never costs more than the last command or script.
func TestLongMendAfterOneChangedByteKeepsEverythingButTheLastCommand(t *testing.T) {
	t.Parallel()
	whole, units := writtenFolder(t)
	text, last := whole.read(lastFile), units[len(units)-2]
	for range 15 {
		a, at, to := whole.copied(t), rand.IntN(len(text)), byte(rand.IntN(256))
		changed := bytes.Clone(text)
		changed[at] = to
		a.write(lastFile, changed)
		status, output := a.mend()
		if left := len(a.read(lastFile)); left < last || left < len(text) && status != 0 {
			t.Errorf("byte %d changed to %q: exit %d, %d of %d bytes left, want at least %d\n%s", at, to, status, left, len(text), last, output)
		}
	}
}
