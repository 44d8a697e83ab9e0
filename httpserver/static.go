package httpserver

import (
	"bytes"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/valyala/fasthttp"
)

// staticFile is a file that changes only with the program. It is packed once, at its first request.
type staticFile struct {
	media string
	// cache is the Cache-Control header.
	cache  []byte
	packed func() (packedFile, error)
}

// packedFile is a file in each coding that a client may accept.
type packedFile struct{ plain, gzip, brotli []byte }

var (
	gzipCoding   = []byte("gzip")
	brotliCoding = []byte("br")
	// staticCache lets browsers and proxies keep a file for an hour. The program's next version has
	// another ETag.
	staticCache  = []byte("public, max-age=3600")
	variesByCode = []byte(fasthttp.HeaderAcceptEncoding)
)

func newStatic(media string, content func() ([]byte, error)) staticFile {
	return staticFile{media: media, cache: staticCache, packed: sync.OnceValues(func() (packedFile, error) {
		plain, err := content()
		return packedFile{plain, fasthttp.AppendGzipBytes(nil, plain), fasthttp.AppendBrotliBytes(nil, plain)}, err
	})}
}

// answerStatic answers a file in the smallest coding that the client accepts.
func (x *exchange) answerStatic(f *staticFile) error {
	packed, err := f.packed()
	if err != nil {
		return err
	}
	h := &x.ctx.Response.Header
	accepted := x.ctx.Request.Header.Peek(fasthttp.HeaderAcceptEncoding)
	switch {
	case packed.brotli != nil && accepts(accepted, brotliCoding):
		x.kept = packed.brotli
		h.SetCanonical(headerEncoding, brotliCoding)
	case packed.gzip != nil && accepts(accepted, gzipCoding):
		x.kept = packed.gzip
		h.SetCanonical(headerEncoding, gzipCoding)
	default:
		x.kept = packed.plain
	}
	h.SetContentType(f.media)
	h.SetCanonical(headerCache, f.cache)
	x.tag = append(appendHex(append(x.tag[:0], '"'), xxhash.Sum64(x.kept)), '"')
	h.SetCanonical(headerETag, x.tag)
	x.vary(variesByCode)
	if x.unchanged() {
		return errNotModified
	}
	return nil
}

// accepts reports whether a coding is in an Accept-Encoding header, without q=0.
func accepts(header, coding []byte) bool {
	for option := range bytes.SplitSeq(header, []byte{','}) {
		name, weight, _ := bytes.Cut(option, []byte{';'})
		if bytes.EqualFold(bytes.TrimSpace(name), coding) {
			weight = bytes.TrimPrefix(bytes.TrimSpace(weight), []byte("q="))
			return len(weight) == 0 || len(bytes.Trim(weight, "0.")) > 0
		}
	}
	return false
}
