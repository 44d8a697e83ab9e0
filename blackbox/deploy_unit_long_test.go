//go:build long

package blackbox_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/process"
	"cartd/internal/redistest"
)

// debiansUnit is the unit of Debian's Redis.
const debiansUnit = "/lib/systemd/system/redis-server.service"

// restricted runs a command as a user under the unit's NoExecPaths=/ and ExecPaths: in a namespace of
// mounts, as systemd does. Of other programs only setpriv runs, by which the command gets its user.
const restricted = `
set -e
mount --make-rprivate /
for path in $EXEC_PATHS "$(command -v setpriv)"; do
	path=$(realpath "$path")
	mount --bind "$path" "$path"
done
mount --bind "$FOLDER" "$FOLDER"
mount -o remount,bind,noexec "$FOLDER"
mount -o remount,bind,noexec /
exec setpriv --reuid="$OWNER" --regid="$GROUP" --clear-groups --no-new-privs "$@"
`

// Debian's Redis starts with the documented lines of the durable profile, under the restrictions of its
// unit, which lets no other program run. The script mends the file first. Without the + it would not run.
func TestLongDurableProfileStartsUnderDebiansUnit(t *testing.T) {
	owner := serviceUser(t)
	unit, err := os.ReadFile(debiansUnit)
	if err != nil || owner == nil {
		t.Skipf("needs root and Debian's redis-server: %v", err)
	}
	lines := regexp.MustCompile(`(?m)^ExecPaths=(.*)$`).FindStringSubmatch(string(unit))
	if lines == nil || !strings.Contains(string(unit), "\nNoExecPaths=/\n") {
		t.Fatalf("%s restricts no programs", debiansUnit)
	}
	block := ""
	for _, one := range blocksOf(t, "../docs/operations.md", "## Redis") {
		if strings.Contains(one, "ExecStartPre=") {
			block = one
		}
	}
	documented := regexp.MustCompile(`(?m)^ExecStartPre=(\+?)/usr/local/bin/mend-aof.sh /var/lib/redis/appendonlydir$`).FindStringSubmatch(block)
	if documented == nil || !strings.Contains(block, "\nTimeoutStartSec=infinity\n") {
		t.Fatalf("the lines of the durable profile are\n%s", block)
	}
	programs, dir := openFolder(t, nil), openFolder(t, owner)
	script := filepath.Join(programs, "mend-aof.sh")
	if err := os.WriteFile(script, read(t, "../scripts/mend-aof.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	within := func(command ...string) *exec.Cmd {
		cmd := exec.Command("unshare", append([]string{"--mount", "sh", "-c", restricted, "sh"}, command...)...)
		cmd.Env = append(os.Environ(), "EXEC_PATHS="+lines[1], "FOLDER="+programs,
			"OWNER="+strconv.Itoa(int(owner.Uid)), "GROUP="+strconv.Itoa(int(owner.Gid)))
		return cmd
	}
	before := func(privileged bool) error { // ExecStartPre
		cmd := within(script, dir+"/appendonlydir")
		if privileged {
			cmd = exec.Command(script, dir+"/appendonlydir")
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = errors.New(err.Error() + ": " + string(out))
		}
		return err
	}
	start := func() (*redis.Client, *process.Process) {
		address, err := process.FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		_, port, _ := net.SplitHostPort(address)
		cmd := within("/usr/bin/redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", dir, "--save", "", "--appendonly", "yes", "--appendfsync", "always")
		cmd.SysProcAttr = &syscall.SysProcAttr{}
		p, err := process.Start(cmd)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Kill)
		client := redis.NewClient(&redis.Options{Addr: address})
		t.Cleanup(func() { client.Close() })
		poll(t, "answer of Redis", func() bool { return client.Ping(t.Context()).Err() == nil })
		return client, p
	}
	if err := before(documented[1] == "+"); err != nil { // the first start: there is no file yet
		t.Fatalf("the first start: %v", err)
	}
	client, server := start()
	if err := client.Set(t.Context(), "kept", "1", 0).Err(); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	files, err := filepath.Glob(dir + "/appendonlydir/*.incr.aof")
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	file, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("*3\r\n$3\r\nSET\r\n$4\r\ntorn\r\n$1")
	}
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	if err := before(false); err == nil || !strings.Contains(err.Error(), "ermission denied") {
		t.Errorf("under the unit's restrictions the script ends with %v, want that it cannot run", err)
	}
	if err := before(documented[1] == "+"); err != nil {
		t.Fatalf("the start after a torn command: %v", err)
	}
	if mended, _ := filepath.Glob(dir + "/appendonlydir.mended-*"); len(mended) != 1 {
		t.Errorf("the cut tail is kept in %v", mended)
	}
	client, _ = start()
	if got, err := client.Get(t.Context(), "kept").Result(); got != "1" || err != nil {
		t.Errorf("after the mended start: %q, %v", got, err)
	}
	if err := client.Set(t.Context(), "later", "1", 0).Err(); err != nil {
		t.Error(err)
	}
}

// A reload by the unit takes a new password: its lines copy the files for the user of the service, who cannot
// read those of /etc/cartd.
func TestLongUnitReloadsTheFiles(t *testing.T) {
	allowHangup()
	owner := serviceUser(t)
	if owner == nil {
		t.Skip("needs root and a user of a service")
	}
	r := redistest.Real(t)
	files, runs := t.TempDir(), openFolder(t, owner)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	users := func(rules ...any) {
		t.Helper()
		if err := r.Client().Do(t.Context(), append([]any{"ACL", "SETUSER", "shop"}, rules...)...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	places := strings.NewReplacer("%t/%N", runs, "%%", "%", "/etc/cartd", files)
	unit := string(read(t, "../deploy/cartd.service"))
	run := func(setting string, process int) {
		t.Helper()
		lines := regexp.MustCompile(`(?m)^`+setting+`=\+?(.*)$`).FindAllStringSubmatch(unit, -1)
		if lines == nil {
			t.Fatalf("cartd.service has no %s", setting)
		}
		for _, line := range lines {
			bash(t, places.Replace(line[1]), "MAINPID="+strconv.Itoa(process))
		}
	}
	users("on", "~*", "+@all", ">first-password")
	write("redis-url", r.As("shop", "first-password").URL())
	write("backup.env", "REDISCLI_AUTH=of-another-user")
	write("proxies", "10.0.0.0/8")
	run("ExecStartPre", 0)
	copied, err := os.ReadDir(runs)
	if err != nil || len(copied) != 2 {
		t.Fatalf("the user of the service gets %v, %v; want proxies and redis-url", copied, err)
	}
	for _, file := range copied {
		info, err := file.Info()
		if err != nil || info.Mode() != 0o400 || info.Sys().(*syscall.Stat_t).Uid != owner.Uid {
			t.Errorf("%s is %v of %+v, %v; want 0400 of user %d", file.Name(), info.Mode(), info.Sys(), err, owner.Uid)
		}
	}
	setting := regexp.MustCompile(`CARTD_REDIS_FILE=(\S+)`).FindStringSubmatch(unit)
	node := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--trusted-proxies", "@"+runs+"/proxies")
	node.Env = []string{"CARTD_REDIS_FILE=" + places.Replace(setting[1])}
	n := listens(t, node)
	users(">second-password", "<first-password")
	write("redis-url", r.As("shop", "second-password").URL())
	write("proxies", "127.0.0.0/8")
	run("ExecReload", n.Cmd.Process.Pid)
	poll(t, "reload of both files", func() bool { return strings.Contains(n.Log.String(), `"changed":["redis","trusted-proxies"]`) })
}
