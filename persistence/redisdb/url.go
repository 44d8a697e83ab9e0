package redisdb

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// address is a parsed URL of Redis. One of its fields is set.
type address struct {
	single   *redis.Options
	sentinel *redis.FailoverOptions
	cluster  *redis.ClusterOptions
}

// CheckURL refuses a URL that Open cannot parse. The error says how to correct it, and shows no
// password.
func CheckURL(url string) error {
	_, err := parseAddress(url)
	return err
}

// parseAddress parses a URL. Errors are those of CheckURL.
func parseAddress(url string) (*address, error) {
	a := &address{}
	var err error
	switch {
	case strings.Contains(url, "master_name="):
		a.sentinel, err = redis.ParseFailoverURL(url)
	case strings.Contains(url, ",") || strings.Contains(url, "addr="):
		a.cluster, err = parseCluster(url)
	default:
		a.single, err = redis.ParseURL(url)
	}
	if err == nil {
		return a, nil
	}
	fault := strings.TrimRight(err.Error(), ": ")
	if strings.ContainsAny(url, "@?") { // the error may quote any part of the address, its password too
		fault = "it cannot be read"
	}
	return nil, fmt.Errorf("redis address %s: %s; begin it with redis://, rediss:// or unix://, and percent-encode what is special in a password", RedactURL(url),
		fault)
}

// credentials are the user and password of the servers.
func (a *address) credentials() (user, password string) {
	switch {
	case a.sentinel != nil:
		return a.sentinel.Username, a.sentinel.Password
	case a.cluster != nil:
		return a.cluster.Username, a.cluster.Password
	}
	return a.single.Username, a.single.Password
}

// sameRedis reports whether two addresses name the same servers.
func (a *address) sameRedis(b *address) bool {
	switch {
	case a.sentinel != nil && b.sentinel != nil:
		return a.sentinel.MasterName == b.sentinel.MasterName && slices.Equal(a.sentinel.SentinelAddrs, b.sentinel.SentinelAddrs) &&
			a.sentinel.SentinelUsername == b.sentinel.SentinelUsername && a.sentinel.SentinelPassword == b.sentinel.SentinelPassword &&
			(a.sentinel.TLSConfig == nil) == (b.sentinel.TLSConfig == nil)
	case a.cluster != nil && b.cluster != nil:
		return slices.Equal(a.cluster.Addrs, b.cluster.Addrs) && (a.cluster.TLSConfig == nil) == (b.cluster.TLSConfig == nil)
	case a.single != nil && b.single != nil:
		return a.single.Network == b.single.Network && a.single.Addr == b.single.Addr && a.single.DB == b.single.DB &&
			(a.single.TLSConfig == nil) == (b.single.TLSConfig == nil)
	}
	return false
}

// parseCluster parses the URLs of a cluster's servers, separated by commas. The settings are those
// of the first.
func parseCluster(urls string) (*redis.ClusterOptions, error) {
	first, others, _ := strings.Cut(urls, ",")
	o, err := redis.ParseClusterURL(first)
	if err != nil {
		return nil, err
	}
	for _, other := range strings.Split(others, ",") {
		if other == "" {
			continue
		}
		server, err := redis.ParseClusterURL(other)
		if err != nil {
			return nil, err
		}
		o.Addrs = append(o.Addrs, server.Addrs...)
	}
	return o, nil
}

// RedactURL removes from a URL the parts that may hold a password: user and query. Of a text
// that is no URL it keeps nothing if the text may hold one.
func RedactURL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	switch {
	case !ok && strings.ContainsAny(url, "@?"), ok && strings.ContainsAny(scheme, ":@,?"):
		return "…"
	case !ok:
		return url
	}
	address, query, hasQuery := strings.Cut(rest, "?")
	if strings.Contains(query, "@") { // the @ may belong to a password
		return scheme + "://…"
	}
	if at := strings.LastIndex(address, "@"); at >= 0 {
		address = "…@" + address[at+1:]
	}
	if hasQuery {
		address += "?…"
	}
	return scheme + "://" + address
}

// TLSFiles names the PEM files for connections to rediss:// addresses. They are read at the start and by Reload.
type TLSFiles struct {
	// Cert and Key are the client certificate that Redis may ask for, and its key.
	Cert, Key string
	// CA holds the certificates that sign the servers' own; empty for the system's.
	CA string
}

// Check refuses names of files that do not fit together or do not fit the URL. It reads no file.
// The errors say how to correct them.
func (f TLSFiles) Check(url string) error {
	switch {
	case f == TLSFiles{}:
		return nil
	case (f.Cert == "") != (f.Key == ""):
		return errors.New("--redis-cert and --redis-key belong together: give both")
	case !secure(url):
		return errors.New("--redis-cert, --redis-key and --redis-ca need TLS: begin the redis address with rediss://")
	}
	return nil
}

// load reads the files for connections to a URL; nil if there are none. The errors say how to
// correct them.
func (f TLSFiles) load(url string) (*tls.Config, error) {
	if err := f.Check(url); err != nil || f == (TLSFiles{}) {
		return nil, err
	}
	config := &tls.Config{}
	if f.Cert != "" {
		pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
		if err != nil {
			return nil, fmt.Errorf("--redis-cert %s, --redis-key %s: %w: give a certificate and its key, in PEM form", f.Cert, f.Key, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if f.CA != "" {
		text, err := os.ReadFile(f.CA)
		if err != nil {
			return nil, fmt.Errorf("--redis-ca: %w: give a file of certificates in PEM form", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--redis-ca %s holds no certificate: give a file of certificates in PEM form", f.CA)
		}
	}
	return config, nil
}

func secure(url string) bool { return strings.HasPrefix(url, "rediss://") }
