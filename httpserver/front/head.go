package front

import (
	"bytes"
	"net/netip"
	"strconv"

	"github.com/valyala/fasthttp"
)

// RefusedHead is a header name that no client can send. It marks a request whose head is refused.
const RefusedHead = ":refused"

// headReceived checks the head of a request; the body is not read yet. It refuses heads that
// fasthttp accepts although a proxy may read them differently. It then closes the connection,
// because the end of such a request is uncertain.
//
// The time-out that it returns tells the Conn that a body follows.
func (s *Server) headReceived(header *fasthttp.RequestHeader) (config fasthttp.RequestConfig) {
	lines, clear := scanHead(header.RawHeaders())
	if !clear || !KnownVersion(header) || !validHost(header.Host()) || !validTarget(header.RequestURI()) {
		hideBody(header)
		header.Set(RefusedHead, "")
		return config
	}
	if lines.close {
		header.SetConnectionClose()
	}
	if header.ContentLength() == -1 {
		markChunked(header)
	} else {
		s.checkAnnounced(header)
	}
	if lines.expect {
		s.expectation(header)
	}
	if header.ContentLength() > 0 {
		config.ReadTimeout = bodyFollows + s.cfg.BodyTime
	}
	return config
}

// headLines are the results of scanHead. close: the connection closes after the answer. expect: the
// client waits for 100 Continue until it sends the body.
type headLines struct{ close, expect bool }

// scanHead reads the header lines as they were sent. It returns false if a line is ambiguous: it
// does not end in CR LF, is folded, or is a Transfer-Encoding other than chunked.
func scanHead(raw []byte) (lines headLines, clear bool) {
	for len(raw) > 0 {
		line, rest, _ := bytes.Cut(raw, []byte{'\n'})
		raw = rest
		if len(line) == 0 || line[len(line)-1] != '\r' || blank(line[0]) {
			return lines, false
		}
		if first := line[0] | 0x20; first != 'c' && first != 'e' && first != 't' {
			continue
		}
		name, value, _ := bytes.Cut(line[:len(line)-1], []byte{':'})
		switch {
		case bytes.EqualFold(name, []byte(fasthttp.HeaderConnection)):
			lines.close = lines.close || hasClose(value)
		case bytes.EqualFold(name, []byte(fasthttp.HeaderExpect)):
			lines.expect = bytes.EqualFold(TrimBlanks(value), expectedContinue)
		case bytes.EqualFold(name, []byte(fasthttp.HeaderTransferEncoding)) && !bytes.EqualFold(TrimBlanks(value), []byte("chunked")):
			return lines, false
		}
	}
	return lines, true
}

// hasClose reports whether close is among the options of a Connection header. fasthttp finds it
// only if it is alone, in lower case, in the last Connection header.
func hasClose(options []byte) bool {
	for option := range bytes.SplitSeq(options, []byte{','}) {
		if bytes.EqualFold(TrimBlanks(option), []byte("close")) {
			return true
		}
	}
	return false
}

// KnownVersion reports whether the request line has HTTP/1.0 or HTTP/1.1.
func KnownVersion(header *fasthttp.RequestHeader) bool {
	return header.IsHTTP11() || string(header.Protocol()) == "HTTP/1.0"
}

// BeganHTTP2 reports whether the connection began as one of HTTP/2 does. fasthttp finds the target of
// that request line invalid before it looks at the version.
func BeganHTTP2(ctx *fasthttp.RequestCtx) bool {
	c, is := ctx.Conn().(*Conn)
	return is && c.http2
}

// validHost reports whether a Host header is a name, an IPv4 address or an IPv6 address in
// brackets, with or without a port. A missing one is valid.
func validHost(host []byte) bool {
	if len(host) == 0 { // HTTP/1.0; fasthttp refuses HTTP/1.1
		return true
	}
	name := host
	if colon := bytes.LastIndexByte(host, ':'); colon > bytes.LastIndexByte(host, ']') {
		name = host[:colon]
		if port := string(host[colon+1:]); port != "" {
			if _, err := strconv.ParseUint(port, 10, 16); err != nil {
				return false
			}
		}
	}
	if len(name) > 0 && name[0] == '[' {
		address, err := netip.ParseAddr(string(bytes.TrimSuffix(name[1:], []byte{']'})))
		return err == nil && address.Is6() && name[len(name)-1] == ']'
	}
	for _, c := range name {
		if !hostByte(c) {
			return false
		}
	}
	return len(name) > 0
}

// validTarget checks the host of a request target, as fasthttp finds it: after // at the start, or
// after a scheme. It would replace that of the header.
func validTarget(target []byte) bool {
	scheme, rest, found := bytes.Cut(target, []byte("//"))
	if !found || bytes.IndexByte(scheme, '/') >= 0 {
		return true
	}
	if end := bytes.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return len(rest) > 0 && validHost(rest)
}

func hostByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_'
}

// expectedContinue is the value of Expect, as fasthttp compares it. Clients may write it in any letter
// case.
var expectedContinue = []byte("100-continue")

// expectation removes Expect if the answer does not depend on the body, or no body follows. fasthttp
// would answer 100 Continue. HTTP/1.0 has no 100 Continue.
// For a body that is announced as too large see checkAnnounced.
func (s *Server) expectation(header *fasthttp.RequestHeader) {
	size := header.ContentLength()
	if !header.IsHTTP11() || size == 0 || size == -2 { // -2: none was announced
		header.Del(fasthttp.HeaderExpect)
		return
	}
	if _, needed := s.cfg.Accepts(header); !needed {
		hideBody(header)
		return
	}
	header.SetBytesV(fasthttp.HeaderExpect, expectedContinue)
}

// hideBody closes the connection after the answer, and leaves the request's body unread.
func hideBody(header *fasthttp.RequestHeader) {
	header.Del(fasthttp.HeaderExpect)
	header.SetContentLength(0)
	header.SetConnectionClose()
}

// OversizedBody is a header name that no client can send. It marks a request that announces a larger
// body than it may have.
const OversizedBody = ":oversized"

// checkAnnounced marks a request that announces too large a body. It also hides the body from
// fasthttp, which would answer 100 Continue and wait for the first byte.
func (s *Server) checkAnnounced(header *fasthttp.RequestHeader) {
	length := header.ContentLength()
	if length <= s.cfg.FreeBody {
		return
	}
	if limit, _ := s.cfg.Accepts(header); length <= limit {
		return
	}
	header.SetContentLength(0)
	header.Del(fasthttp.HeaderExpect)
	header.Set(OversizedBody, "")
}

// TrimBlanks returns a header's text without the spaces and tabs at its ends.
func TrimBlanks(text []byte) []byte {
	for len(text) > 0 && blank(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && blank(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// blank reports whether a byte is a space or a tab.
func blank(c byte) bool { return c == ' ' || c == '\t' }
