package httpserver

import (
	"bufio"
	"bytes"

	"github.com/valyala/fasthttp"
)

// chunked marks a request that is. No client can send this name.
const chunked = ":chunked"

// headReceived sees a request before its body is read. A chunked one is its connection's
// last: fasthttp accepts Content-Length beside it, and so do the proxies that disagree
// about where the next request begins. Behind an empty body fasthttp has forgotten what
// the head said.
func headReceived(header *fasthttp.RequestHeader) (unchanged fasthttp.RequestConfig) {
	if header.ContentLength() == -1 {
		header.SetConnectionClose()
		header.Set(chunked, "")
	}
	return unchanged
}

// dropTrailers makes the headers again what was sent in the head: fasthttp adds what comes
// behind a chunked body, past whoever stands in front and looks at the head only. It looks
// for an end of the head in CR LF, which bare LFs of a client do not have.
func dropTrailers(header *fasthttp.RequestHeader) {
	if !header.ConnectionClose() || len(header.PeekAll(chunked)) == 0 {
		return
	}
	head := bytes.Join([][]byte{header.Method(), {' '}, header.RequestURI(), []byte(" HTTP/1.1\r\n"), header.RawHeaders(), []byte("\r\n\r\n")}, nil)
	_ = header.Read(bufio.NewReaderSize(bytes.NewReader(head), len(head))) // as before
	header.SetConnectionClose()
}
