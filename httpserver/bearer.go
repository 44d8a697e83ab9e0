package httpserver

import (
	"bytes"

	"cartd/httpserver/front"
)

// bearer returns the API key of a request: the one word after the scheme Bearer, which may have any
// letter case. It returns false if there is no key or the header is malformed. The key points into
// the request. Spec: API key 1.
func bearer(authorization *sentHeader) ([]byte, bool) {
	if authorization.lines != 1 {
		return nil, false
	}
	scheme, key, _ := bytes.Cut(front.TrimBlanks(authorization.first), []byte{' '})
	key = front.TrimBlanks(key)
	if !bytes.EqualFold(scheme, []byte("Bearer")) || len(key) == 0 || bytes.IndexByte(key, ' ') >= 0 || bytes.IndexByte(key, '\t') >= 0 {
		return nil, false
	}
	return key, true
}
