package shopper

import (
	"net/http"

	"github.com/valyala/fasthttp"
)

// Request is a call of the API.
type Request struct {
	Method, Path, Body string
	// Key is the API key, Token the customer's token, Once the Idempotency-Key. The request has no
	// header for an empty one.
	Key, Token, Once string
	// Header has further headers.
	Header http.Header
}

// fill writes the request for a server with this base.
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

// Answer is a response of the server.
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
