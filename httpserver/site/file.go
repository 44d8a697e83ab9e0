package site

import (
	"bytes"
	"sync"

	"github.com/valyala/fasthttp"
)

// File is a file that changes only with the program. It is packed once, at its first request.
type File struct {
	// Media is its Content-Type, Cache its Cache-Control.
	Media string
	Cache []byte

	packed func() (packedFile, error)
}

// packedFile is a file in each coding that a client may accept.
type packedFile struct{ plain, gzip, brotli []byte }

var (
	gzipCoding   = []byte("gzip")
	brotliCoding = []byte("br")
	// anHour lets browsers and proxies keep a file for an hour. The program's next version has
	// another ETag.
	anHour = []byte("public, max-age=3600")
	// eachTime lets a browser ask each time whether a page has changed, so that it never shows an old
	// page with new files.
	eachTime = []byte("no-cache, private")
	// never keeps a file out of all caches.
	never = []byte("no-store")
)

// MakeFile returns a file with the content that a function makes at the first request.
func MakeFile(media string, content func() ([]byte, error)) File {
	return File{Media: media, Cache: anHour, packed: sync.OnceValues(func() (packedFile, error) {
		plain, err := content()
		return packedFile{plain, fasthttp.AppendGzipBytes(nil, plain), fasthttp.AppendBrotliBytes(nil, plain)}, err
	})}
}

// Choose returns the content in the smallest coding that an Accept-Encoding header accepts, and the
// coding; nil for none.
func (f *File) Choose(accepted []byte) (content, coding []byte, err error) {
	packed, err := f.packed()
	switch {
	case err != nil:
		return nil, nil, err
	case packed.brotli != nil && accepts(accepted, brotliCoding):
		return packed.brotli, brotliCoding, nil
	case packed.gzip != nil && accepts(accepted, gzipCoding):
		return packed.gzip, gzipCoding, nil
	}
	return packed.plain, nil, nil
}

// AcceptsGzip reports whether an Accept-Encoding header names gzip, without q=0.
func AcceptsGzip(header []byte) bool { return accepts(header, gzipCoding) }

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

// SampleOrigin is the address of `make run`, which the samples in the sources call. A server puts its
// own in its place.
const SampleOrigin = "http://127.0.0.1:8080"

// OwnFile is a static file with samples that call this server. Each client gets the address at which
// it reached the server.
type OwnFile struct {
	media string
	// parts is the content, cut at each SampleOrigin.
	parts func() ([][]byte, error)
	mu    sync.Mutex
	files map[string]*File // by the server's address
}

// MaxOrigins is the number of addresses for which a file is packed and kept. Clients choose the Host header:
// for further addresses the samples call SampleOrigin.
const MaxOrigins = 8

// NewOwnFile returns a file with the content that a function makes at the first request.
func NewOwnFile(media string, content func() ([]byte, error)) *OwnFile {
	return &OwnFile{media: media, files: map[string]*File{}, parts: sync.OnceValues(func() ([][]byte, error) {
		whole, err := content()
		return bytes.Split(whole, []byte(SampleOrigin)), err
	})}
}

// At returns the file for an address of the server.
func (f *OwnFile) At(origin string) *File {
	f.mu.Lock()
	defer f.mu.Unlock()
	file := f.files[origin]
	if file == nil && len(f.files) >= MaxOrigins {
		origin = SampleOrigin
		file = f.files[origin]
	}
	if file == nil {
		made := MakeFile(f.media, func() ([]byte, error) {
			parts, err := f.parts()
			return bytes.Join(parts, []byte(origin)), err
		})
		file = &made
		f.files[origin] = file
	}
	return file
}
