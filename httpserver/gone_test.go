package httpserver

import (
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
	before := runtime.NumGoroutine()
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
	if now := runtime.NumGoroutine(); now > before+clients { // fasthttp keeps idle workers for ten seconds
		t.Errorf("%d goroutines; want at most %d and fasthttp's %d idle workers", now, before, clients)
	}
}
