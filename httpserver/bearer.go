package httpserver

import "bytes"

// bearer returns the API key of a request: the one word after the scheme Bearer, which may have any
// letter case. It returns false if there is no key or the header is malformed. The key points into
// the request. Spec: API key 1.
func bearer(authorization *sentHeader) ([]byte, bool) {
	if authorization.lines != 1 {
		return nil, false
	}
	scheme, key, _ := bytes.Cut(trimBlanks(authorization.first), []byte{' '})
	key = trimBlanks(key)
	if !bytes.EqualFold(scheme, []byte("Bearer")) || len(key) == 0 || bytes.IndexByte(key, ' ') >= 0 || bytes.IndexByte(key, '\t') >= 0 {
		return nil, false
	}
	return key, true
}

func trimBlanks(text []byte) []byte {
	for len(text) > 0 && blankByte(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && blankByte(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func blankByte(c byte) bool { return c == ' ' || c == '\t' }
