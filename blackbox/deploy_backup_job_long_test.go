//go:build long

package blackbox_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cartd/internal/process"
	"cartd/internal/redistest"
)

// backupJob is the CronJob of deploy/kubernetes/backup.yaml, its volumes as folders.
type backupJob struct {
	t                        *testing.T
	backup, scratch, secrets string
}

// script is what a container of Redis's image runs.
func (j *backupJob) script(name string) string {
	j.t.Helper()
	text := string(read(j.t, "../deploy/kubernetes/backup.yaml"))
	found := regexp.MustCompile(`(?s)- name: ` + name + `\n.*?args:\n +- \|\n(.*?\n) +volumeMounts:`).FindStringSubmatch(text)
	if found == nil {
		j.t.Fatalf("backup.yaml has no script of the container %s", name)
	}
	return j.mounted(found[1])
}

// command is the list that begins with first, a container's command or arguments.
func (j *backupJob) command(first string) []string {
	j.t.Helper()
	found := regexp.MustCompile(`\[(` + first + `,.*)\]\n`).FindStringSubmatch(string(read(j.t, "../deploy/kubernetes/backup.yaml")))
	if found == nil {
		j.t.Fatalf("backup.yaml has no list that begins with %s", first)
	}
	list := strings.Split(j.mounted(found[1]), ", ")
	for i, one := range list {
		list[i] = strings.Trim(one, `"`)
	}
	return list
}

func (j *backupJob) mounted(text string) string {
	return strings.NewReplacer("/backup/", j.backup+"/", "/backup ", j.backup+" ", "/scratch", j.scratch, "/etc/cartd", j.secrets).Replace(text)
}

// run runs the containers one after another, and returns the one that failed and what it said.
func (j *backupJob) run(url, cli string) (failed, said string) {
	j.t.Helper()
	if err := os.WriteFile(filepath.Join(j.secrets, "redis-url"), []byte(url+"\n"), 0o600); err != nil {
		j.t.Fatal(err)
	}
	os.Remove(filepath.Join(j.scratch, "dump.rdb"))
	sh := func(name string) (string, error) {
		c := exec.Command("sh", "-euc", j.script(name))
		if cli != "" {
			c.Env = append(os.Environ(), "CLI="+cli)
		}
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := sh("take"); err != nil {
		return "take", out
	}
	server := j.command("redis-server")
	scratch, err := process.Start(exec.Command(server[0], server[1:]...))
	if err != nil {
		j.t.Fatal(err)
	}
	defer scratch.Kill()
	probe := regexp.MustCompile(`startupProbe:\n +exec: \{command: \[sh, -c, "(.*)"\]`).FindStringSubmatch(string(read(j.t, "../deploy/kubernetes/backup.yaml")))
	poll(j.t, "scratch Redis", func() bool { return exec.Command("sh", "-c", j.mounted(probe[1])).Run() == nil })
	if out, err := exec.Command(binary, j.command("check")...).CombinedOutput(); err != nil {
		return "check", string(out)
	}
	if out, err := sh("keep"); err != nil {
		return "keep", out
	}
	return "", ""
}

// The CronJob makes a backup of a good snapshot only, with each form of the URL: without a user, with an ACL
// user, over TLS. A snapshot that cartd cannot read, or of a Redis that has lost its stores, fails the job, and
// takes no backup's place.
func TestLongBackupCronJob(t *testing.T) {
	t.Parallel()
	j := &backupJob{t, t.TempDir(), t.TempDir(), t.TempDir()}
	c := redistest.NewCertificates(t)
	r := redistest.TLS(t, c)
	imports(t, r, storeFiles(t, keyShop)[0])
	_, port, _ := net.SplitHostPort(r.Addr())
	do := func(command string) {
		t.Helper()
		bash(t, "redis-cli --no-auth-warning -p "+port+" "+command, "REDISCLI_AUTH=the-password")
	}
	do("ACL SETUSER backup reset on '>a:b@c' +sync +replconf")
	do("CONFIG SET requirepass the-password")
	_, securePort, _ := net.SplitHostPort(r.TLSAddr())
	backups := func() int {
		t.Helper()
		files, err := filepath.Glob(j.backup + "/backup-*.rdb")
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	for _, row := range []struct{ url, cli string }{
		{"redis://:the-password@" + r.Addr() + "/0", ""},
		{"redis://backup:a%3Ab%40c@" + r.Addr() + "/0", ""},
		{"rediss://backup:a%3Ab%40c@127.0.0.1:" + securePort + "/0", "--cacert " + c.CA + " --cert " + c.Cert + " --key " + c.Key},
	} {
		for _, old := range []string{"new.rdb", "backup-*.rdb"} {
			files, _ := filepath.Glob(filepath.Join(j.backup, old))
			for _, file := range files {
				os.Remove(file)
			}
		}
		if failed, said := j.run(row.url, row.cli); failed != "" || backups() != 1 {
			t.Errorf("%s %s: %s fails, %d backups\n%s", row.url, row.cli, failed, backups(), said)
		}
	}
	url := "redis://:the-password@" + r.Addr() + "/0"
	damaged := "{" + storeBase + "}:cart:9f6c1f0e-7d55-4f27-9a3b-2b2f6f5d1c10"
	do("SET '" + damaged + "' garbage")
	if failed, said := j.run(url, ""); failed != "check" || !strings.Contains(said, damaged) || backups() != 1 {
		t.Errorf("a record that cannot be read: %q fails, %d backups\n%s", failed, backups(), said)
	}
	do("FLUSHALL")
	if failed, said := j.run(url, ""); failed != "keep" || !strings.Contains(said, "no store of cartd") || backups() != 1 {
		t.Errorf("an empty Redis: %q fails, %d backups\n%s", failed, backups(), said)
	}
	if failed, said := j.run("redis://:another@"+r.Addr()+"/0", ""); failed != "take" || !strings.Contains(said, "WRONGPASS") || backups() != 1 {
		t.Errorf("a wrong password: %q fails, %d backups\n%s", failed, backups(), said)
	}
}
