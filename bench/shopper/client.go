package shopper

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/valyala/fasthttp"
)

// ErrUnsent marks a request that was certainly not sent, because no connection was made.
var ErrUnsent = errors.New("no connection")

// Client sends requests to one server. It sends no request twice.
type Client struct {
	// Base is the scheme and the host.
	Base    string
	host    fasthttp.HostClient
	timeout time.Duration
}

// NewClient returns a client of a target, http://HOST:PORT or https://HOST:PORT, with the maximum
// number of connections and the maximum wait for each answer.
func NewClient(target string, connections int, timeout time.Duration) (*Client, error) {
	at, err := url.Parse(target)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, fmt.Errorf("target %q: http://HOST:PORT or https://HOST:PORT is needed", target)
	}
	c := &Client{Base: at.Scheme + "://" + at.Host, timeout: timeout}
	secure := at.Scheme == "https"
	c.host = fasthttp.HostClient{
		Addr: fasthttp.AddMissingPort(at.Host, secure), IsTLS: secure, Dial: c.dial,
		MaxConns: connections, MaxIdemponentCallAttempts: 1, ReadBufferSize: 16 << 10,
		ReadTimeout: timeout, WriteTimeout: timeout, MaxIdleConnDuration: time.Hour,
		NoDefaultUserAgentHeader: true, DisablePathNormalizing: true,
	}
	return c, nil
}

func (c *Client) dial(addr string) (net.Conn, error) {
	conn, err := net.DialTimeout("tcp", addr, c.timeout)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnsent, err)
	}
	return conn, nil
}

// Do sends a request that the caller has built.
func (c *Client) Do(request *fasthttp.Request, response *fasthttp.Response) error {
	return c.host.Do(request, response)
}

// Send sends a request and returns its answer.
func (c *Client) Send(r *Request) (Answer, error) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	r.fill(request, c.Base)
	if err := c.host.DoTimeout(request, response, c.timeout); err != nil {
		return Answer{}, err
	}
	return answerOf(response), nil
}

// Close closes the connections that no request uses.
func (c *Client) Close() { c.host.CloseIdleConnections() }
