//go:build unix

package front

import (
	"io"
	"log/slog"
	"net"
	"runtime"
	"testing"

	"github.com/valyala/fasthttp"
)

// A handler learns that its client has closed the connection, and is not misled by a client that waits
// or that has sent its next request.
func TestClientLeft(t *testing.T) {
	entered, left := make(chan bool), make(chan struct{})
	s := New(Config{
		Log:     slog.New(slog.DiscardHandler),
		Accepts: func(*fasthttp.RequestHeader) (int, bool) { return 0, false },
		Handler: func(ctx *fasthttp.RequestCtx) {
			entered <- ClientLeft(ctx)
			for string(ctx.Path()) == "/leave" && !ClientLeft(ctx) {
				runtime.Gosched()
			}
			left <- struct{}{}
		},
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(ln)
	t.Cleanup(func() { ln.Close() })
	for _, heads := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"} {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, heads)
		for range len(heads) / len("GET / HTTP/1.1\r\nHost: x\r\n\r\n") {
			if <-entered {
				t.Error("a client that waits has left")
			}
			<-left
		}
		c.Close()
	}
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(c, "GET /leave HTTP/1.1\r\nHost: x\r\n\r\n")
	<-entered
	c.Close()
	<-left
}
