package webhooks

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// connectWithin bounds the time of the TCP connect, and again the time of the TLS handshake.
const connectWithin = 5 * time.Second

// dialer connects to receivers.
type dialer struct {
	net.Dialer
	tls *tls.Config
	// onSurplus is called with the host of a receiver that sent bytes besides its answer.
	onSurplus func(host string)
}

func newDialer(allowPrivate bool, onSurplus func(host string)) *dialer {
	d := &dialer{net.Dialer{Timeout: connectWithin, Control: refusePrivate}, &tls.Config{MinVersion: tls.VersionTLS12}, onSurplus}
	if allowPrivate {
		d.Control = nil
	}
	return d
}

// dial connects to an http address.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: raw, raw: raw, host: address, onSurplus: d.onSurplus}, nil
}

// dialTLS connects to an https address.
func (d *dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		raw.Close()
		return nil, err
	}
	config := d.tls.Clone()
	config.ServerName = name
	secured := tls.Client(raw, config)
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	if err := secured.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return &conn{Conn: secured, raw: raw, host: address, onSurplus: d.onSurplus}, nil
}

// conn is a connection to a receiver. A receiver may not send bytes between two requests. net/http
// would print such bytes, so conn reports them itself, without the bytes. There are two cases: no
// exchange uses the connection when the bytes arrive; or net/http reads them together with the
// answer, and then closes the connection.
type conn struct {
	net.Conn  // the TLS connection for https
	raw       net.Conn
	host      string
	onSurplus func(host string)

	user atomic.Pointer[exchange] // nil while the connection is idle
	fed  atomic.Bool              // the last Read returned bytes, and no other has begun
}

func (c *conn) Read(p []byte) (int, error) {
	c.fed.Store(false)
	n, err := c.Conn.Read(p)
	if n > 0 && c.user.Load() == nil {
		if !isIdleTimeout(p[:n]) {
			c.onSurplus(c.host)
		}
		return 0, io.EOF
	}
	c.fed.Store(n > 0)
	return n, err
}

func (c *conn) Close() error {
	if c.user.Load() == nil && c.fed.Load() {
		c.onSurplus(c.host)
	}
	return c.Conn.Close()
}

// cut ends all reading and writing at once. Close of a TLS connection may wait: it sends a last
// message after any write under way.
func (c *conn) cut() { c.raw.Close() }

// isIdleTimeout reports whether the bytes are an answer with status 408. Some proxies send one
// and then close an idle connection.
func isIdleTimeout(b []byte) bool {
	return len(b) >= len("HTTP/1.1 408") && string(b[:7]) == "HTTP/1." && string(b[8:12]) == " 408"
}
