package front

import (
	"syscall"

	"github.com/valyala/fasthttp"
)

// ClientLeft reports whether the client of a request has closed its side of the connection: then it does
// not wait for the answer.
func ClientLeft(ctx *fasthttp.RequestCtx) bool {
	c, is := ctx.Conn().(*Conn)
	if !is {
		return false
	}
	socket, is := c.Conn.(syscall.Conn)
	if !is {
		return false
	}
	raw, err := socket.SyscallConn()
	return err == nil && hasLeft(raw)
}
