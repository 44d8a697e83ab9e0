//go:build long

package blackbox_test

import (
	"bufio"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// A stop takes a bounded time, also while a request and the node's own calls wait for a silent
// Redis, and if standard error is a full pipe.
func TestStopIsBounded(t *testing.T) {
	starts := map[string]func(*testing.T, options) *node{
		"log": func(t *testing.T, o options) *node { return start(t, o) }, "full pipe": startUnread,
	}
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := redistest.Real(t)
			n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--redis-timeout", "10m"}})
			shop := n.client(t)
			path := shop.newCart()
			r.Pause()
			defer r.Resume()
			inFlight := shop.begin("POST", path+"/lines", addBody(hammer, "1"))
			n.send(t, syscall.SIGTERM)
			if code := n.Await(); code != 0 {
				t.Errorf("exit status %d, want 0\n%s", code, n.Log)
			}
			<-inFlight
		})
	}
}

// Each of the signals drains. A second signal ends the drain delay at once.
func TestLongSignalsDrain(t *testing.T) {
	t.Parallel()
	allowHangup()
	r, files := redistest.Mini(t), storeFiles(t, keyShop)
	for _, c := range []struct{ first, second syscall.Signal }{
		{syscall.SIGINT, syscall.SIGTERM}, {syscall.SIGTERM, syscall.SIGINT},
	} {
		t.Run(c.first.String(), func(t *testing.T) {
			t.Parallel()
			n := start(t, options{redis: r.URL(), stores: files, flags: []string{"--drain-delay", "10m"}})
			shop := n.client(t)
			shop.get("/readyz").wantStatus(http.StatusOK)
			n.send(t, c.first)
			poll(t, "503 of /readyz", func() bool {
				o := shop.outcome("GET", "/readyz", "")
				return o.err == nil && o.status == http.StatusServiceUnavailable
			})
			shop.newCart() // the node still serves requests
			n.send(t, c.second)
			if code := n.Await(); code != 0 {
				t.Errorf("%v, %v: exit status %d, want 0\n%s", c.first, c.second, code, n.Log)
			}
		})
	}
}

// A node whose standard error is a full pipe drains and stops.
func TestLongUnreadNodeStops(t *testing.T) {
	t.Parallel()
	n := startUnread(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), flags: []string{"--drain-delay", "10m"}})
	n.client(t).newCart()
	n.send(t, syscall.SIGTERM)
	n.send(t, syscall.SIGINT) // ends the drain delay
	if code := n.Await(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
}

// A log without a reader delays no request: lines are dropped and counted. The first line after it is read again
// says how many.
func TestLongUnreadLogDelaysNobody(t *testing.T) {
	t.Parallel()
	log := newPipe(t)
	args := options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), flags: []string{"--access-log", "--ops-listen", "127.0.0.1:0"}}.args()
	p := log.launch(t, args...)
	_ = log.r.SetReadDeadline(time.Now().Add(pollWithin))
	for lines := bufio.NewScanner(log.r); p.Log.Address("listening") == ""; {
		if !lines.Scan() {
			t.Fatalf("the node does not listen: %v\n%s", lines.Err(), p.Log)
		}
		fmt.Fprintln(p.Log, lines.Text())
	}
	log.fill(t)
	n := at(t, p, p.Log.Address("listening"))
	shop := n.client(t)
	dropped := func() string {
		_, page := fetch(t, opsOf(n)+"/metrics")
		return regexp.MustCompile(`(?m)^cartd_log_lines_dropped_total (\S+)$`).FindStringSubmatch(page)[1]
	}
	for served := 0; dropped() == "0"; served++ { // 1 MiB of lines
		if served == 100 {
			t.Fatalf("after %d requests no line is dropped", served*100)
		}
		for range 100 {
			shop.get("me").wantStatus(http.StatusOK)
		}
	}
	shop.get("/readyz").wantStatus(http.StatusOK)
	_ = log.r.SetReadDeadline(time.Now().Add(pollWithin))
	told := make(chan bool)
	go func() {
		lines := bufio.NewReader(log.r)
		line, err := "", error(nil)
		for err == nil && !strings.Contains(line, "lines of the log are lost") {
			line, err = lines.ReadString('\n')
		}
		told <- strings.Contains(line, `"left_out":`)
	}()
	poll(t, "the line about those that are lost", func() bool {
		shop.get("me")
		select {
		case right := <-told:
			if !right {
				t.Error("the log does not say how many lines are lost")
			}
			return true
		default:
			return false
		}
	})
}

// A node whose log's reader has ended serves on.
func TestLongReaderOfTheLogEnds(t *testing.T) {
	t.Parallel()
	log := newPipe(t)
	p := log.launch(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), flags: []string{"--access-log"}}.args()...)
	_ = log.r.SetReadDeadline(time.Now().Add(pollWithin))
	for lines := bufio.NewScanner(log.r); p.Log.Address("listening") == "" && lines.Scan(); {
		fmt.Fprintln(p.Log, lines.Text())
	}
	log.r.Close()
	log.w.Close()
	n := at(t, p, p.Log.Address("listening"))
	for range 3 {
		n.client(t).get("me").wantStatus(http.StatusOK)
	}
	n.send(t, syscall.SIGTERM)
	if code := n.Await(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
}
