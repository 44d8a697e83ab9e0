package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cartd/internal/process"
)

// Certificates are PEM files: an authority, and a certificate that it signed for servers on
// 127.0.0.1 and for clients.
type Certificates struct{ CA, Cert, Key string }

// NewCertificates makes an authority and its certificate.
func NewCertificates(t testing.TB) *Certificates {
	t.Helper()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotAfter: time.Now().Add(time.Hour),
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "redis"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, NotAfter: time.Now().Add(time.Hour),
	}
	authorityKey, leafKey := newKey(t), newKey(t)
	dir := t.TempDir()
	return &Certificates{
		CA:   writePEM(t, dir, "CERTIFICATE", "ca.pem", sign(t, authority, authority, authorityKey, authorityKey)),
		Cert: writePEM(t, dir, "CERTIFICATE", "cert.pem", sign(t, leaf, authority, leafKey, authorityKey)),
		Key:  writePEM(t, dir, "EC PRIVATE KEY", "key.pem", marshal(t, leafKey)),
	}
}

// TLS starts a private redis-server that also takes TLS connections, at TLSAddr, only from clients
// with a certificate of the authority. Its replicas, its Sentinel and the other servers of its
// cluster connect to that address.
func TLS(t testing.TB, c *Certificates, args ...string) *Server {
	t.Helper()
	addr, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	s := Real(t, append(c.args(addr), args...)...)
	s.certificates, s.tlsAddr = c, addr
	return s
}

// TLSAddr is the server's host and port for TLS; empty without TLS.
func (s *Server) TLSAddr() string { return s.tlsAddr }

// args are the settings of a server with a TLS address.
func (c *Certificates) args(addr string) []string {
	_, port, _ := net.SplitHostPort(addr)
	return []string{
		"--tls-port", port, "--tls-cert-file", c.Cert, "--tls-key-file", c.Key, "--tls-ca-cert-file", c.CA,
		"--tls-auth-clients", "yes", "--tls-replication", "yes", "--tls-cluster", "yes",
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func marshal(t testing.TB, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func sign(t testing.TB, template, parent *x509.Certificate, key, parentKey *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func writePEM(t testing.TB, dir, kind, name string, der []byte) (file string) {
	t.Helper()
	file = filepath.Join(dir, name)
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
