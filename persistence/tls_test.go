package persistence

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
)

// A node reaches a Redis that asks for client certificates: one server, a cluster, and a
// sentinel's master.
func TestRedisWithClientCertificates(t *testing.T) {
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

// A fault of the files is reported with nothing dialled.
func TestFaultsOfTLSFiles(t *testing.T) {
	t.Parallel()
	certificates, url := redistest.NewCertificates(t), "rediss://127.0.0.1:1/0"
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		url, want string
		files     redisdb.TLSFiles
	}{
		"no key":               {url, "give both", redisdb.TLSFiles{Cert: certificates.Cert}},
		"no certificate":       {url, "give both", redisdb.TLSFiles{Key: certificates.Key}},
		"an address without":   {"redis://127.0.0.1:1/0", "begin the redis address with rediss://", redisdb.TLSFiles{CA: certificates.CA}},
		"a file that is gone":  {url, "no such file", redisdb.TLSFiles{CA: empty + "x"}},
		"no authority in it":   {url, empty + " holds no certificate", redisdb.TLSFiles{CA: empty}},
		"no certificate in it": {url, "--redis-cert " + empty, redisdb.TLSFiles{Cert: empty, Key: certificates.Key}},
		"the wrong key":        {url, "give a certificate and its key", redisdb.TLSFiles{Cert: certificates.CA, Key: certificates.Key}},
	} {
		wantNoOpen(t, what, Config{URL: c.url, TLS: c.files, Timeout: time.Second}, c.want)
	}
}

func wantNoOpen(t *testing.T, what string, c Config, want string) {
	t.Helper()
	c.Logger = slog.New(slog.DiscardHandler)
	db, err := Open(c)
	if err == nil {
		db.Close()
		t.Errorf("%s: opened", what)
	} else if !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v; want an error with %q", what, err, want)
	}
}
