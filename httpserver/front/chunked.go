package front

import (
	"bufio"
	"errors"
	"io"
	"math"
	"net/http/httputil"

	"github.com/valyala/fasthttp"
)

// chunked is the Content-Length that markChunked sets on a chunked request, so that fasthttp passes
// the body on undecoded. fasthttp's own decoder accepts a body that breaks off between two chunks,
// and adds trailers to the headers.
const chunked = math.MaxInt

// markChunked closes the connection after a chunked request. fasthttp accepts a Content-Length
// beside the chunks, and proxies that accept both disagree about the start of the next request.
func markChunked(header *fasthttp.RequestHeader) {
	header.SetConnectionClose()
	header.SetContentLength(chunked)
}

const (
	// maxChunkLine is the maximum length of a line between two chunks, in bytes.
	maxChunkLine = 1 << 10
	// maxTrailers is the maximum number of lines after the last chunk.
	maxTrailers = 64
)

// chunkedBody decodes a chunked body. It drops the trailers, because a proxy that checks headers
// does not check trailers.
type chunkedBody struct {
	wire   *bufio.Reader
	chunks io.Reader
}

func newChunkedBody(stream io.Reader) *chunkedBody {
	wire := bufio.NewReaderSize(stream, maxChunkLine)
	return &chunkedBody{wire: wire, chunks: httputil.NewChunkedReader(wire)}
}

// Read returns io.EOF after the whole body has arrived, trailers included.
func (b *chunkedBody) Read(p []byte) (int, error) {
	n, err := b.chunks.Read(p)
	if errors.Is(err, io.EOF) {
		err = b.readTrailers()
	}
	return n, err
}

var errTrailers = errors.New("too many trailers")

func (b *chunkedBody) readTrailers() error {
	for range maxTrailers {
		line, err := b.wire.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case string(line) == "\r\n" || string(line) == "\n":
			return io.EOF
		}
	}
	return errTrailers
}
