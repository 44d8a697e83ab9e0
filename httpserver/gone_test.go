package httpserver

import (
	"bytes"
	"net"
	"runtime"
	"sync"
	"testing"
)

// If clients disconnect while their requests are served, no connection and no goroutine stays.
func TestDisconnectedClientsLeaveNoConnection(t *testing.T) {
	const clients = 50
	h := start(t)
	h.do(call{method: "GET", path: cartURL})
	before := goroutinesAtWork()
	var serving sync.WaitGroup
	release := make(chan struct{})
	serving.Add(clients)
	h.engine.during = func() { serving.Done(); <-release }
	var conns []net.Conn
	for range clients {
		conn, err := h.ln.Dial()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(writes[2].with(longKey).wire())); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	serving.Wait()
	for _, conn := range conns {
		conn.Close()
	}
	close(release)
	await(t, "the end of the connections", func() bool {
		open, _, _ := h.server.front.Connections()
		return open == 0
	})
	await(t, "the end of the goroutines", func() bool { return goroutinesAtWork() <= before })
}

// goroutinesAtWork counts the goroutines except fasthttp's idle workers, which it keeps for ten
// seconds. A worker that serves a connection is counted. Timers of other tests run for a moment and are
// counted too.
func goroutinesAtWork() int {
	text := make([]byte, 4<<20)
	n := 0
	for stack := range bytes.SplitSeq(text[:runtime.Stack(text, true)], []byte("\n\n")) {
		_, frames, _ := bytes.Cut(stack, []byte("\n"))
		if !bytes.HasPrefix(frames, []byte("github.com/valyala/fasthttp.(*workerPool).workerFunc(")) {
			n++
		}
	}
	return n
}
