package httpserver

import (
	"bytes"
	"compress/gzip"
	"sync"

	"github.com/valyala/fasthttp"

	"cartd/httpserver/site"
)

// packedAbove is the size above which an answer is packed, in bytes. A smaller one fits into one packet.
const packedAbove = 1 << 10

// packer packs an answer into its buffer.
type packer struct {
	writer *gzip.Writer
	buffer bytes.Buffer
}

var packers = sync.Pool{New: func() any {
	p := &packer{}
	p.writer, _ = gzip.NewWriterLevel(&p.buffer, gzip.BestSpeed) // a known level
	return p
}}

// pack packs a large answer of the API if the client accepts gzip. Its ETag stays that of the plain
// answer, because If-None-Match and If-Match name the content and not its coding.
func (x *exchange) pack() {
	if !x.server.gzip || x.route == nil || x.route.guards == nil || x.stream != nil {
		return
	}
	x.vary(variesByCode)
	if len(x.out) <= packedAbove || !site.AcceptsGzip(x.ctx.Request.Header.Peek(fasthttp.HeaderAcceptEncoding)) {
		return
	}
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.buffer.Reset()
	p.writer.Reset(&p.buffer)
	_, _ = p.writer.Write(x.out) // into memory
	_ = p.writer.Close()
	x.out = append(x.out[:0], p.buffer.Bytes()...)
	x.ctx.Response.Header.SetCanonical(headerEncoding, gzipCoding)
}
