package blackbox_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"cartd/bench/process"
	"cartd/internal/redistest"
)

// waits starts a node that finds no Redis, and returns it when it waits.
func waits(t *testing.T, args ...string) *node {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"}, args...)...)
	p, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	poll(t, "log line of a wait", func() bool { return p.Log.Address("waiting for redis") != "" })
	return at(t, p, p.Log.Address("waiting for redis"))
}

// wantWaiting wants the probes answered and everything else refused with 503.
func wantWaiting(t *testing.T, n *node) {
	t.Helper()
	c := n.client(t)
	c.get("/healthz").want(200, `{"status":"ok"}`)
	c.get("/readyz").want(503, `{"message":"Service Unavailable","reason":"redis_away"}`)
	for _, key := range []string{"", keyShop, "wrong"} {
		for _, path := range []string{"/v1/ping", "/v1/api/me", "/v1/nothing"} {
			a := c.withKey(key).get(path).wantStatus(503)
			if a.header.Get("Retry-After") == "" {
				t.Errorf("GET %s with key %q has no Retry-After", path, key)
			}
		}
		c.withKey(key).post("commerce/carts", "").wantStatus(503)
	}
	if _, page := fetch(t, opsOf(n)+"/metrics"); !strings.Contains(page, "\ncartd_ready 0\n") || !strings.Contains(page, "\ncartd_redis_up 0\n") {
		t.Errorf("the metrics of a waiting node lack cartd_ready 0 and cartd_redis_up 0:\n%s", short(page))
	}
}

// A node waits for Redis, then loads its documents and serves.
func TestStartWaitsForRedis(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	r.Kill()
	n := waits(t, "--redis", r.URL(), "--store", storeFiles(t, keyShop)[0])
	wantWaiting(t, n)
	r.Restart()
	poll(t, "the node is ready", func() bool { return n.Log.Address("listening") != "" })
	c := n.client(t).withKey(keyShop)
	c.get("/readyz").want(200, `{"status":"ok"}`)
	c.get("me").wantStatus(200)
	if _, page := fetch(t, opsOf(n)+"/metrics"); !strings.Contains(page, "\ncartd_ready 1\n") || !strings.Contains(page, "\ncartd_visits_total ") {
		t.Errorf("the node's metrics are still those of a waiting one:\n%s", short(page))
	}
	r.Kill() // Redis is away once more; the node stays as it is today
	poll(t, "readyz 503", func() bool { return c.get("/readyz").status == 503 })
	c.get("/v1/ping").wantStatus(200)
}

// A signal ends a waiting start with 0. A bounded patience ends it with 1, and its error.
func TestWaitEnds(t *testing.T) {
	t.Parallel()
	closed := closedAddr(t)
	n := waits(t, "--redis", "redis://"+closed+"/0")
	n.send(t, syscall.SIGTERM)
	if status := n.Await(); status != 0 {
		t.Errorf("exit status %d after SIGTERM, want 0", status)
	}
	n = waits(t, "--redis", "redis://"+closed+"/0", "--redis-patience", "1s")
	if status := n.Await(); status != 1 || !strings.Contains(n.Log.String(), "--redis-patience 1s is over") {
		t.Errorf("exit status %d, want 1 and the patience in the error:\n%s", status, n.Log)
	}
}

// A --store document that differs ends the start, after the wait.
func TestOtherDocumentEndsTheStartAfterTheWait(t *testing.T) {
	t.Parallel()
	r := durable(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	r.Kill()
	n := waits(t, "--redis", r.URL(), "--store", storeFile(t, base(), changed(hammer, "name", "Other")))
	r.Restart()
	if status := n.Await(); status != 1 || !strings.Contains(n.Log.String(), "--store-replace") {
		t.Errorf("exit status %d, want 1 and --store-replace in the error:\n%s", status, n.Log)
	}
}

// fakeRedis answers PING and INFO with texts of its own, and all else with OK.
type fakeRedis struct{ ping, info string }

func (f *fakeRedis) serve(t *testing.T) (addr string) {
	l := listener(t)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go f.answer(c)
		}
	}()
	return l.Addr().String()
}

func (f *fakeRedis) answer(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		var parts, size int
		if _, err := fmt.Fscanf(in, "*%d\r\n", &parts); err != nil {
			return
		}
		var words []string
		for range parts {
			if _, err := fmt.Fscanf(in, "$%d\r\n", &size); err != nil {
				return
			}
			word := make([]byte, size+2)
			for got := 0; got < len(word); {
				n, err := in.Read(word[got:])
				if err != nil {
					return
				}
				got += n
			}
			words = append(words, string(word[:size]))
		}
		switch strings.ToUpper(words[0]) {
		case "HELLO":
			fmt.Fprint(c, "-ERR unknown command\r\n")
		case "PING":
			fmt.Fprintf(c, "%s\r\n", f.ping)
		case "INFO":
			if strings.HasPrefix(f.info, "-") {
				fmt.Fprintf(c, "%s\r\n", f.info)
			} else {
				fmt.Fprintf(c, "$%d\r\n%s\r\n", len(f.info), f.info)
			}
		default:
			fmt.Fprint(c, "+OK\r\n")
		}
	}
}

// The answers that pass by themselves are waited for. Every other answer ends the start at once.
func TestWhichAnswersOfRedisEndTheStart(t *testing.T) {
	t.Parallel()
	withPassword := redistest.Real(t)
	if err := withPassword.Client().ConfigSet(context.Background(), "requirepass", "right").Err(); err != nil {
		t.Fatal(err)
	}
	noRights := redistest.Real(t)
	if err := noRights.Client().Do(context.Background(), "ACL", "SETUSER", "few", "on", ">few", "~*", "+ping", "+script").Err(); err != nil {
		t.Fatal(err)
	}
	url := func(r *redistest.Server, user string) string { return strings.Replace(r.URL(), "://", "://"+user, 1) }
	fake := func(ping, info string) string { return "redis://" + (&fakeRedis{ping, info}).serve(t) + "/0" }
	const seven = "redis_version:7.0.15"
	for _, c := range []struct{ name, redis, word string }{
		{"NOAUTH", withPassword.URL(), "NOAUTH"},
		{"WRONGPASS", url(withPassword, "default:wrong@"), "WRONGPASS"},
		{"NOPERM", url(noRights, "few:few@"), "NOPERM"},
		{"an old version", fake("+PONG", "redis_version:6.2.14"), "version 6.2.14: cartd needs 7.0 or newer"},
		{"any other answer", fake("-ERR unknown command", seven), "unknown command"},
		{"a loading one without patience", fake("-LOADING Redis is loading", seven) + " --redis-patience=0", "LOADING"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"serve", "--listen", "127.0.0.1:0"}, strings.Fields("--redis="+c.redis)...)
			runs(t, args...).wantOneLine(t, c.word)
		})
	}
	for _, word := range []string{"LOADING", "CLUSTERDOWN", "MASTERDOWN"} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			n := waits(t, "--redis", fake("-"+word+" later", seven))
			if !strings.Contains(n.Log.String(), word) {
				t.Errorf("the log lacks %s:\n%s", word, n.Log)
			}
			n.client(t).get("/readyz").wantStatus(http.StatusServiceUnavailable)
		})
	}
}

// A node that can read none of the stores for their format is not ready. One store that can be read
// is enough, also if it comes later.
func TestUnreadableStoresMakeANodeUnready(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base())
	imports(t, r, file).wantStores(t, "imported")
	ctx := context.Background()
	for _, key := range r.Client().Keys(ctx, "*:store:*").Val() {
		r.Client().SetRange(ctx, key, 0, "a later format")
	}
	n := start(t, options{redis: r.URL()})
	c := n.client(t).withKey(keyAll)
	c.get("/readyz").want(503, `{"message":"Service Unavailable","reason":"stores_unreadable"}`)
	c.get("me").wantStatus(503)
	if !strings.Contains(n.Log.String(), "no store can be read") {
		t.Errorf("the log lacks the error:\n%s", n.Log)
	}
	imports(t, r, storeFile(t, base(), changed(hammer, "name", "Other"))).wantStores(t, "imported")
	poll(t, "the node is ready", func() bool { return c.get("/readyz").status == 200 })
	c.get("me").wantStatus(200)
}
