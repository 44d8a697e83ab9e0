package redisdb

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"
)

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
