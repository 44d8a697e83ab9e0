//go:build long

package blackbox_test

import (
	"fmt"
	"testing"

	"cartd/internal/redistest"
)

// 2,000 connections announce large bodies and send none. Each takes less than 32 KiB of main
// memory.
func TestScaleOfAnnouncedBodies(t *testing.T) {
	const connections = 2_000
	f, batch := newFigures(t), "POST /v1/api/commerce/carts/"+unknownID+"/lines/batch"
	for _, row := range []struct{ what, head string }{
		{"512 KiB announced for a batch", batch + " HTTP/1.1\r\nHost: x\r\nContent-Length: 524288\r\n\r\n"},
		{"a chunk of 512 KiB announced for a batch", batch + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n80000\r\n{"},
		{"1 MiB announced for an unknown path", "POST /v1/unknown HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n"},
		{"1 MiB announced for a cart, all 413", "POST /v1/api/commerce/carts HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n"},
	} {
		n := start(t, options{redis: redistest.Real(t).URL(), stores: storeFiles(t, keyShop)})
		before := n.memory(t, "VmRSS")
		n.peakFromHere(t)
		for range connections {
			if _, err := connect(t, n).Write([]byte(row.head)); err != nil {
				t.Fatal(err)
			}
		}
		for range 100 { // the node has read the heads by then
			n.client(t).get("/v1/ping").wantStatus(200)
		}
		f.size(fmt.Sprintf("2,000 connections, %s: growth of the node at its peak", row.what), connections*32>>10, n.memory(t, "VmHWM")-before)
		n.Kill()
	}
}
