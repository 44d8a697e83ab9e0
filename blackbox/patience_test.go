package blackbox_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"cartd/internal/process"
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
