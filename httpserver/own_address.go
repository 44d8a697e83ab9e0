package httpserver

import (
	"bytes"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// sampleOrigin is the address of `make run`, which the samples in the sources call. A server puts its
// own in its place.
const sampleOrigin = "http://127.0.0.1:8080"

// ownFile is a static file with samples that call this server. Each client gets the address at which
// it reached the server.
type ownFile struct {
	media string
	// parts is the content, cut at each sampleOrigin.
	parts func() ([][]byte, error)
	mu    sync.Mutex
	files map[string]*staticFile // by the server's address
}

// maxOwnOrigins is the number of addresses for which a file is packed and kept. Clients choose the
// Host header; for further addresses the file is put together at each request, and sent unpacked.
const maxOwnOrigins = 8

func newOwnFile(media string, content func() ([]byte, error)) *ownFile {
	return &ownFile{media: media, files: map[string]*staticFile{}, parts: sync.OnceValues(func() ([][]byte, error) {
		whole, err := content()
		return bytes.Split(whole, []byte(sampleOrigin)), err
	})}
}

// at returns the file for an address of the server.
func (f *ownFile) at(origin string) *staticFile {
	f.mu.Lock()
	defer f.mu.Unlock()
	if file := f.files[origin]; file != nil {
		return file
	}
	content := func() ([]byte, error) {
		parts, err := f.parts()
		return bytes.Join(parts, []byte(origin)), err
	}
	file := newStatic(f.media, content)
	if len(f.files) >= maxOwnOrigins {
		file.packed = func() (packedFile, error) {
			plain, err := content()
			return packedFile{plain: plain}, err
		}
		return &file
	}
	f.files[origin] = &file
	return &file
}

// answerOwn answers a file with the server's address as the client knows it.
func (s *Server) answerOwn(x *exchange, f *ownFile) error {
	if s.proxies.Trusts(x.ctx.RemoteAddr()) {
		x.vary(variesByProxy)
	}
	return x.answerStatic(f.at(s.ownOrigin(x)))
}

var variesByProxy = []byte("X-Forwarded-Host, X-Forwarded-Proto")

// ownOrigin returns the address at which the client reached the server: a trusted proxy's
// X-Forwarded-Host (the first one, if several proxies wrote it) and X-Forwarded-Proto, else the Host
// header. Samples are pasted into shells, so a host that is none is replaced by the connection's own
// address.
func (s *Server) ownOrigin(x *exchange) string {
	host := string(x.ctx.Host())
	if s.proxies.Trusts(x.ctx.RemoteAddr()) {
		first, _, _ := strings.Cut(string(x.ctx.Request.Header.Peek(headerForwardedHost)), ",")
		if first = strings.TrimSpace(first); isHost(first) {
			host = first
		}
	}
	if !isHost(host) {
		host = x.ctx.LocalAddr().String()
	}
	return s.scheme(x.ctx) + "://" + host
}

// hostName is a name or an IPv4 address, with a port or without.
var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(:[0-9]{1,5})?$`)

// isHost reports whether a text is a host with an optional port.
func isHost(text string) bool {
	if len(text) > 255 {
		return false
	}
	if strings.HasPrefix(text, "[") {
		address, port, found := strings.Cut(text, "]:")
		if !found {
			address = strings.TrimSuffix(text, "]")
		} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		ip, err := netip.ParseAddr(address[1:])
		return err == nil && ip.Is6() && ip.Zone() == "" && (found || address != text)
	}
	return hostName.MatchString(text)
}
