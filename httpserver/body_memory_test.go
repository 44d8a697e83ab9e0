package httpserver

import (
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
)

// maxUnfinished is the maximum memory of a connection with an unfinished request.
const maxUnfinished = 36 << 10

// Memory grows with the bytes that arrive, not with the announced length.
func TestUnfinishedBodiesCostLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, which the race detector multiplies")
	}
	const connections = 200
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
			h.awaitReceived(connections)
			limit := maxUnfinished + len(row.body) // the bytes that arrived count
			if each := (memory() - before) / connections; each > limit {
				t.Errorf("each connection costs %d bytes, want at most %d", each, limit)
			}
		})
	}
}

// memory returns the bytes of heap and stacks.
func memory() int {
	runtime.GC()
	runtime.GC() // frees the contents of pools
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc + stats.StackInuse)
}

// awaitReceived waits until the server has read from this number of connections.
func (h *harness) awaitReceived(connections int) {
	h.t.Helper()
	await(h.t, "the first bytes of every connection", func() bool {
		open, silent, _ := h.server.front.Connections()
		return open == connections && silent == 0
	})
}
