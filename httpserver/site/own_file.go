package site

import (
	"bytes"
	"sync"
)

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
