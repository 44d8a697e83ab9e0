//go:build long

package blackbox_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cartd/internal/process"
	"cartd/internal/redistest"
)

const aclPassword = "a-password-of-a-user"

// withUsers makes the users of docs/operations.md in Redis. No command of theirs may be refused until the
// end of the test.
func withUsers(t *testing.T, r *redistest.Server) {
	t.Helper()
	_, port, _ := net.SplitHostPort(r.Addr())
	bash(t, aclBlock(t), "PORT="+port, "CARTD="+aclPassword, "BACKUP="+aclPassword, "EXPORTER="+aclPassword)
	t.Cleanup(func() {
		entries, err := r.Client().ACLLog(context.Background(), 100).Result() // the test's context has ended
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			t.Errorf("Redis refused %s: %s %s (%s)", e.Username, e.Reason, e.Object, e.Context)
		}
	})
}

// All journeys and operators' commands of the scripts, and what they have not, with the user of Redis that
// docs/operations.md names: webhooks, stock, a drop, a change set, and a command that waits for a replica.
func TestLongLeastUsers(t *testing.T) {
	r := redistest.Real(t)
	withUsers(t, r)
	as := r.As("cartd", aclPassword)
	t.Run("scripts", func(t *testing.T) { runScripts(t, as) })
	t.Run("journey", func(t *testing.T) { leastJourney(t, redistest.Real(t)) })
}

// leastJourney is a journey with webhooks, and every command that writes, on a Redis with a replica.
func leastJourney(t *testing.T, r *redistest.Server) {
	withUsers(t, r)
	as := r.As("cartd", aclPassword)
	host, port, _ := net.SplitHostPort(r.Addr())
	redistest.Real(t, "--replicaof", host, port)
	poll(t, "a replica", func() bool {
		return strings.Contains(r.Client().Info(t.Context(), "replication").Val(), "state=online")
	})
	good := newReceiver(t, takes)
	bad := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n > 0 {
			return true
		}
		w.WriteHeader(http.StatusTeapot)
		return false
	})
	n := start(t, options{redis: as.URL(), stores: []string{storeFile(t, base(), hookedTo(good, bad))},
		flags: []string{"--webhook-allow-private", "--redis-wait", "1"}})
	c := n.client(t).withKey(keyAll)
	c.post("contacts/forgot-password", `{"email":"`+adaEmail+`"}`).want(202, resetSent)
	poll(t, "the event at both receivers", func() bool { return len(good.events()) > 0 && len(bad.events()) > 0 })
	path := c.newCart()
	c.add(path, hammer, "2")
	set := fileOf(t, []byte(`{"format":1,"store":{"id":"`+storeBase+`"},"set":{"settings":{"name":"Merged"}}}`))
	of := func(command string, args ...string) []string {
		return append([]string{command, "--redis", as.URL(), "--store", storeBase}, args...)
	}
	for _, args := range [][]string{
		{"check", "--redis", as.URL()},
		{"import", "--redis", as.URL(), "--merge", set}, {"stores", "--redis", as.URL()}, of("export"), of("history"), of("orders"),
		of("orders", "--redis-wait", "1", "--next", "10"), of("quotes", "--next", "10"), of("key", "--list"),
		of("key", "--name", "made", "--scopes", "commerce:read"), of("key", "--revoke", "made"), of("webhooks"), of("webhooks", "--given-up"),
		of("webhooks", "--resend"), of("webhooks", "--test", "--webhook-allow-private"), of("show", "customer", adaEmail), of("show", "stock", hammer), of("reindex"),
		of("erase", "--customer", adaEmail, "--yes"), {"stores", "--redis", as.URL(), "--limit", storeBase, "500"},
		{"stores", "--redis", as.URL(), "--suspend", storeBase}, {"stores", "--redis", as.URL(), "--resume", storeBase},
	} {
		if f := runs(t, args...); f.code != 0 {
			t.Errorf("cartd %v: exit %d\n%s%s", args, f.code, f.stdout, f.stderr)
		}
	}
	imports(t, as, storeFile(t, base())) // its webhooks are no longer in the document
	c.get(path).wantStatus(http.StatusOK)
	if f := pipes(t, []byte("Base Tools\n"), "stores", "--redis", as.URL(), "--drop", storeBase); f.code != 0 {
		t.Errorf("cartd stores --drop: exit %d\n%s%s", f.code, f.stdout, f.stderr)
	}
}

// The same user serves in a cluster.
func TestLongLeastUserInACluster(t *testing.T) {
	t.Parallel()
	url, masters := redistest.Cluster(t, redistest.Thirds)
	for _, master := range masters {
		withUsers(t, master)
	}
	url = strings.Replace(url, "://", "://cartd:"+aclPassword+"@", 1)
	c := start(t, options{redis: url, stores: storeFiles(t, keyShop)}).client(t)
	path := c.newCart()
	c.add(path, hammer, "2")
	c.get(path).wantLines(http.StatusOK, "Hammer 2 × 1999 = 3998")
	for _, args := range [][]string{
		{"check", "--redis", url}, {"stores", "--redis", url}, {"export", "--redis", url, "--store", storeBase},
		{"orders", "--redis", url, "--store", storeBase, "--next", "10"},
	} {
		if f := runs(t, args...); f.code != 0 {
			t.Errorf("cartd %v: exit %d\n%s%s", args, f.code, f.stdout, f.stderr)
		}
	}
}

// The users of a backup and of redis_exporter can do their work, and cannot read a key.
func TestLongLeastUsersOfBackupAndExporter(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t, "--appendonly", "yes")
	withUsers(t, r)
	if err := r.Client().Set(t.Context(), "stores", "kept", 0).Err(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(r.Addr())
	file := filepath.Join(t.TempDir(), "backup.rdb")
	bash(t, `export REDISCLI_AUTH; redis-cli ${CLI-} -p $PORT --rdb `+file+` && redis-check-rdb `+file,
		"PORT="+port, "REDISCLI_AUTH="+aclPassword, "CLI=--user backup")

	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("prometheus-redis-exporter", "-redis.addr", "redis://"+r.Addr(), "-config-command", "-", "-web.listen-address", address)
	cmd.Env = append(os.Environ(), "REDIS_USER=exporter", "REDIS_PASSWORD="+aclPassword)
	p, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	exporter := at(t, p, address).client(t)
	poll(t, "figures of the exporter", func() bool { return exporter.outcome("GET", "/metrics", "").status == http.StatusOK })
	figures := string(exporter.get("/metrics").body)
	// The lag of a replica is there with a replica.
	asked := regexp.MustCompile(`\bredis_(?:up|aof|memory)\w*`).FindAllString(string(read(t, "../deploy/alerts.yaml"))+string(read(t, "../deploy/grafana/cartd.json")), -1)
	if len(asked) < 5 {
		t.Fatalf("the alerts and the dashboard ask for %q", asked)
	}
	for _, name := range asked {
		if !regexp.MustCompile(`(?m)^` + name + `[ {]`).MatchString(figures) {
			t.Errorf("the exporter has no %s", name)
		}
	}
	if !regexp.MustCompile(`(?m)^redis_up 1$`).MatchString(figures) {
		t.Error("redis_up is not 1")
	}
}

// What the users may not: another key, a setting, the end of all keys.
func TestLongLeastUsersMayNotDoMore(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	_, port, _ := net.SplitHostPort(r.Addr())
	bash(t, aclBlock(t), "PORT="+port, "CARTD="+aclPassword, "BACKUP="+aclPassword, "EXPORTER="+aclPassword)
	for user, commands := range map[string][]string{
		"cartd":    {"FLUSHALL", "CONFIG GET requirepass", "KEYS *", "GET other", "ACL LIST", "SHUTDOWN NOSAVE", "SYNC"},
		"backup":   {"GET stores", "SET stores x", "CONFIG GET requirepass"},
		"exporter": {"GET stores", "CONFIG GET requirepass", "SCAN 0", "SYNC"},
	} {
		for _, command := range commands {
			out := bash(t, `export REDISCLI_AUTH; redis-cli --user $NAME -p $PORT `+strings.ReplaceAll(command, "*", "'*'")+` 2>&1 || true`,
				"PORT="+port, "REDISCLI_AUTH="+aclPassword, "NAME="+user)
			if !strings.Contains(out, "NOPERM") {
				t.Errorf("%s: %s answers %q, want NOPERM", user, command, out)
			}
		}
	}
}
