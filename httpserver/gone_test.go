package httpserver

import (
	"net"
	"runtime"
	"sync"
	"testing"
	"time"
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
	deadline := time.NewTimer(10 * time.Second)
	defer deadline.Stop()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for open, _, _ := h.server.front.Connections(); open > 0; open, _, _ = h.server.front.Connections() {
		select {
		case <-deadline.C:
			t.Fatalf("%d connections are still open", open)
		case <-look.C:
		}
	}
	if now := runtime.NumGoroutine(); now > before+clients { // fasthttp keeps idle workers for ten seconds
		t.Errorf("%d goroutines; want at most %d and fasthttp's %d idle workers", now, before, clients)
	}
}
