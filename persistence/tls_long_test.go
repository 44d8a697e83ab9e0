//go:build long

package persistence

import (
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
)

// A node reaches a Redis that asks for client certificates: one server, a cluster, and a
// sentinel's master.
func TestLongRedisWithClientCertificates(t *testing.T) {
	t.Parallel()
	certificates := redistest.NewCertificates(t)
	files := redisdb.TLSFiles{Cert: certificates.Cert, Key: certificates.Key, CA: certificates.CA}
	servers := map[string]func(t *testing.T) (s *redistest.Server, url string){
		"alone": func(t *testing.T) (*redistest.Server, string) {
			s := redistest.TLS(t, certificates)
			return s, "rediss://" + s.TLSAddr() + "/0"
		},
		"cluster": func(t *testing.T) (*redistest.Server, string) {
			s := redistest.TLS(t, certificates, "--cluster-enabled", "yes", "--cluster-port", redistest.BusPort(t))
			if err := s.Client().Do(background, "CLUSTER", "ADDSLOTSRANGE", 0, 16383).Err(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the cluster is there", patience, func() bool {
				return strings.Contains(s.Client().ClusterInfo(background).Val(), "cluster_state:ok")
			})
			return s, "rediss://" + s.TLSAddr() + ",rediss://" + s.TLSAddr()
		},
		"sentinel": func(t *testing.T) (*redistest.Server, string) {
			s := redistest.TLS(t, certificates)
			return s, "rediss://" + redistest.Sentinel(t, "shops", s).TLSAddr() + "/0?master_name=shops"
		},
	}
	for name, start := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, url := start(t)
			theShop().save(t, node(t, s, func(c *Config) { c.URL, c.TLS = url, files }))
			for missing, files := range map[string]redisdb.TLSFiles{
				"the client's certificate": {CA: certificates.CA},
				"the authority":            {Cert: certificates.Cert, Key: certificates.Key},
			} {
				wantNoOpen(t, "without "+missing, Config{URL: url, TLS: files, Timeout: time.Second}, "--redis-ca, --redis-cert and --redis-key")
			}
		})
	}
}
