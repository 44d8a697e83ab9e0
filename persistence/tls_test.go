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
