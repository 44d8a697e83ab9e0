package httpserver

import (
	"bufio"
	"bytes"

	"github.com/valyala/fasthttp"
)

// chunked marks a request that is. No client can send this name.
const chunked = ":chunked"

// markChunked makes a chunked request its connection's last: fasthttp accepts
// Content-Length beside it, and so do the proxies that disagree about where the next
// request begins. Behind an empty body fasthttp has forgotten what the head said.
func markChunked(header *fasthttp.RequestHeader) {
	if header.ContentLength() == -1 {
		header.SetConnectionClose()
		header.Set(chunked, "")
	}
}

// dropTrailers makes the headers again what was sent in the head: fasthttp adds what comes
// behind a chunked body, past whoever stands in front and looks at the head only.
func dropTrailers(header *fasthttp.RequestHeader) {
	if !header.ConnectionClose() || len(header.PeekAll(chunked)) == 0 {
		return
	}
	head := bytes.Join([][]byte{header.Method(), {' '}, header.RequestURI(), []byte(" HTTP/1.1\r\n"), header.RawHeaders()}, nil)
	_ = header.Read(bufio.NewReaderSize(bytes.NewReader(head), len(head))) // as before
	header.SetConnectionClose()
}
