package redisdb

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"

	"github.com/redis/go-redis/v9"
)

// secrets are what a new connection proves itself with. A Reload replaces them; open connections keep
// those that they were made with.
type secrets struct {
	user, password string
	tls            *tls.Config // certificates for rediss://; nil for the system's own
}

// credentials are the user and password of a new connection to a server.
func (c *Client) credentials() (user, password string) {
	s := c.secrets.Load()
	return s.user, s.password
}

// dialer returns the dialer of rediss:// connections, which reads the certificates anew for each; nil
// if the program was given none, and go-redis uses those of the system.
func (c *Client) dialer(settings *tls.Config) dialer {
	if settings == nil || c.secrets.Load().tls == nil {
		return nil
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		o := &redis.Options{DialTimeout: c.config.Timeout, TLSConfig: c.secrets.Load().with(settings)}
		return redis.NewDialer(o)(ctx, network, addr)
	}
}

// with returns settings with the certificates; nil for nil.
func (s *secrets) with(settings *tls.Config) *tls.Config {
	if settings == nil || s.tls == nil {
		return settings
	}
	own := settings.Clone()
	own.Certificates, own.RootCAs = s.tls.Certificates, s.tls.RootCAs
	return own
}

// errOtherRedis refuses a Reload with an address of other servers.
var errOtherRedis = errors.New("the address names another Redis, or another user or password of its sentinels: only user, password and certificates can be " +
	"read again; restart the node")

// Reload takes the user and password of an address of the same Redis, and reads the files of the
// certificates again: for connections that are made from now on. It changes nothing if Redis does not
// accept them.
func (c *Client) Reload(url string) (changed bool, err error) {
	was, err := parseAddress(c.config.URL)
	if err != nil {
		return false, err
	}
	now, err := parseAddress(url)
	if err != nil {
		return false, err
	}
	if !was.sameRedis(now) {
		return false, errOtherRedis
	}
	next := &secrets{}
	next.user, next.password = now.credentials()
	if next.tls, err = c.config.TLS.load(url); err != nil {
		return false, err
	}
	old := c.secrets.Load()
	if next.user == old.user && next.password == old.password && sameCertificates(old.tls, next.tls) {
		return false, nil
	}
	if err := c.try(now, next); err != nil {
		return false, fmt.Errorf("redis does not accept it: %w", err)
	}
	c.secrets.Store(next)
	return true, nil
}

// try makes one connection with secrets, within a Timeout.
func (c *Client) try(a *address, s *secrets) error {
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	var client redis.UniversalClient
	switch {
	case a.sentinel != nil:
		a.sentinel.TLSConfig, a.sentinel.MaxRetries, a.sentinel.ContextTimeoutEnabled = s.with(a.sentinel.TLSConfig), noRetries, true
		a.sentinel.ReadTimeout = c.config.Timeout // a question to a sentinel ends only by this
		client = redis.NewFailoverClient(a.sentinel)
	case a.cluster != nil:
		a.cluster.TLSConfig, a.cluster.MaxRetries, a.cluster.ContextTimeoutEnabled = s.with(a.cluster.TLSConfig), noRetries, true
		client = redis.NewClusterClient(a.cluster)
	default:
		a.single.TLSConfig, a.single.MaxRetries, a.single.ContextTimeoutEnabled = s.with(a.single.TLSConfig), noRetries, true
		client = redis.NewClient(a.single)
	}
	defer client.Close()
	return client.Ping(ctx).Err()
}

// sameCertificates compares what two readings of the same files have found.
func sameCertificates(a, b *tls.Config) bool {
	return a == nil || a.RootCAs.Equal(b.RootCAs) && slices.EqualFunc(a.Certificates, b.Certificates, func(x, y tls.Certificate) bool {
		return slices.EqualFunc(x.Certificate, y.Certificate, bytes.Equal)
	})
}
