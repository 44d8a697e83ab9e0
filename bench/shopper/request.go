package shopper

import (
	"net/http"

	"github.com/valyala/fasthttp"
)

// Request is a call of the API.
type Request struct {
	Method, Path, Body string
	// Key is the API key; Token is the customer's; Once is the Idempotency-Key. Empty: the
	// request has no such header.
	Key, Token, Once string
	// Header has further headers.
	Header http.Header
}

// fill makes a request ready to be sent to a server.
func (r *Request) fill(request *fasthttp.Request, base string) {
	request.Header.SetMethod(r.Method)
	request.Header.SetNoDefaultContentType(true)
	request.SetRequestURI(base + r.Path)
	request.URI().DisablePathNormalizing = true
	for name, values := range r.Header {
		for _, value := range values {
			request.Header.Add(name, value)
		}
	}
	for name, value := range map[string]string{"X-Customer-Token": r.Token, "Idempotency-Key": r.Once} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	if r.Key != "" {
		request.Header.Set("Authorization", "Bearer "+r.Key)
	}
	request.SetBodyString(r.Body)
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// answerOf copies a response.
func answerOf(response *fasthttp.Response) Answer {
	a := Answer{Status: response.StatusCode(), Header: http.Header{}, Body: append([]byte(nil), response.Body()...)}
	for name, value := range response.Header.All() {
		a.Header.Add(string(name), string(value))
	}
	return a
}
