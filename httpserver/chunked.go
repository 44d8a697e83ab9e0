package httpserver

import (
	"bufio"
	"errors"
	"io"
	"math"
	"net/http/httputil"

	"github.com/valyala/fasthttp"
)

// chunked is the Content-Length that markChunked gives to a chunked request, so that
// fasthttp hands out the body undecoded. Its own decoder accepts a body that breaks off
// between two chunks as whole, and adds trailers to the headers.
const chunked = math.MaxInt

// markChunked makes a chunked request its connection's last: fasthttp accepts
// Content-Length beside it, and so do the proxies that disagree about where the next
// request begins.
func markChunked(header *fasthttp.RequestHeader) {
	header.SetConnectionClose()
	header.SetContentLength(chunked)
}

const (
	// maxChunkLine is the longest line between two chunks, in bytes.
	maxChunkLine = 1 << 10
	// maxTrailers is how many lines may follow the last chunk.
	maxTrailers = 64
)

// chunkedBody decodes a chunked body. It drops the trailers: a proxy that checks headers
// does not check them.
type chunkedBody struct {
	wire   *bufio.Reader
	chunks io.Reader
}

func newChunkedBody(stream io.Reader) *chunkedBody {
	wire := bufio.NewReaderSize(stream, maxChunkLine)
	return &chunkedBody{wire: wire, chunks: httputil.NewChunkedReader(wire)}
}

// Read returns io.EOF once the whole body has come, trailers included.
func (b *chunkedBody) Read(p []byte) (int, error) {
	n, err := b.chunks.Read(p)
	if err == io.EOF {
		err = b.readTrailers()
	}
	return n, err
}

var errTrailers = errors.New("too many trailers")

func (b *chunkedBody) readTrailers() error {
	for range maxTrailers {
		line, err := b.wire.ReadSlice('\n')
		switch {
		case err == io.EOF:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case string(line) == "\r\n" || string(line) == "\n":
			return io.EOF
		}
	}
	return errTrailers
}
