package httpserver

import (
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
)

// maxUnfinished is what a connection may cost whose request has not come to its end.
const maxUnfinished = 32 << 10

// The memory for a body grows with the bytes that come, never with those announced.
func TestUnfinishedBodiesCostLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, which the race detector multiplies")
	}
	const connections = 500
	batch := cartsPath + "/" + testCart + "/lines/batch"
	for _, row := range []struct{ name, head, body string }{
		{"nothing of 512 KiB", "POST " + batch, "Content-Length: 524288\r\n\r\n"},
		{"3 KiB of 512 KiB", "POST " + batch, "Content-Length: 524288\r\n\r\n" + strings.Repeat(" ", 3<<10)},
		{"a chunk of 512 KiB", "POST " + batch, "Transfer-Encoding: chunked\r\n\r\n80000\r\n {"},
		{"a chunk beyond all limits", "POST " + batch, "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n {"},
		{"8 KiB on a route without a body", "GET " + batch, "Content-Length: 65536\r\n\r\n" + strings.Repeat(" ", 8<<10)},
		{"8 KiB on an unknown path", "POST /v1/unknown", "Content-Length: 1048576\r\n\r\n" + strings.Repeat(" ", 8<<10)},
	} {
		t.Run(row.name, func(t *testing.T) {
			h, addr := onTCP(t, 2*connections)
			before := memory()
			for range connections {
				client, err := net.Dial("tcp", addr)
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				if _, err := io.WriteString(client, row.head+" HTTP/1.1\r\nHost: x\r\n"+row.body); err != nil {
					t.Fatal(err)
				}
			}
			h.awaitHeard(connections)
			most := maxUnfinished + len(row.body) // what has come counts
			if each := (memory() - before) / connections; each > most {
				t.Errorf("each connection costs %d bytes, want at most %d", each, most)
			}
		})
	}
}

// memory is what heap and stacks hold.
func memory() int {
	runtime.GC()
	runtime.GC() // what pools kept
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc + stats.StackInuse)
}

// awaitHeard waits until the server has so many connections and has read from each.
func (h *harness) awaitHeard(connections int) {
	h.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); runtime.Gosched() {
		ln := h.server.listener.Load()
		if ln == nil {
			continue
		}
		ln.mu.Lock()
		open, silent := ln.open, len(ln.silent)
		ln.mu.Unlock()
		if open == connections && silent == 0 {
			return
		}
	}
	h.t.Fatal("some connections were not read from")
}
