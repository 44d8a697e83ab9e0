package httpserver

import "bytes"

// bearer returns the API key of a request: the one word behind the scheme Bearer,
// in any letter case. False: there is none, or the header is malformed. The key
// points into the request. Spec: API key 1.
func bearer(authorization *sentHeader) ([]byte, bool) {
	if authorization.lines != 1 {
		return nil, false
	}
	scheme, key, _ := bytes.Cut(bytes.Trim(authorization.first, " \t"), []byte(" "))
	key = bytes.Trim(key, " \t")
	if !bytes.EqualFold(scheme, []byte("Bearer")) || len(key) == 0 || bytes.ContainsAny(key, " \t") {
		return nil, false
	}
	return key, true
}
