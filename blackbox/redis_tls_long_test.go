//go:build long

package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// Every command with --redis can use a Redis that demands client certificates, by flags or by
// environment variables.
func TestLongCommandsReachARedisWithClientCertificates(t *testing.T) {
	t.Parallel()
	c := redistest.NewCertificates(t)
	secure := redistest.TLS(t, c)
	url := "rediss://" + secure.TLSAddr() + "/0"
	file := storeFile(t, base())
	files := []string{"--redis-cert", c.Cert, "--redis-key", c.Key, "--redis-ca", c.CA}
	twins := []string{"CARTD_REDIS_CERT=" + c.Cert, "CARTD_REDIS_KEY=" + c.Key, "CARTD_REDIS_CA=" + c.CA}
	for _, command := range [][]string{
		{"import", "--redis", url, file}, {"key", "--redis", url, "--store", storeBase, "--list"}, {"export", "--redis", url, "--store", storeBase},
	} {
		flagged := append([]string{command[0]}, append(files, command[1:]...)...)
		if f := runs(t, flagged...); f.code != 0 {
			t.Errorf("cartd %s with flags: exit %d\n%s", command[0], f.code, f.stderr)
		}
		if f := runsIn(t, twins, command...); f.code != 0 {
			t.Errorf("cartd %s with environment twins: exit %d\n%s", command[0], f.code, f.stderr)
		}
		runs(t, command...).wantOneLine(t, "--redis-ca, --redis-cert and --redis-key")
	}
	start(t, options{redis: url, flags: files}).client(t).get("me").wantStatus(http.StatusOK)
	runs(t, "serve", "--redis", url, "--redis-cert", c.Cert).wantUsage(t, "--redis-cert and --redis-key belong together: give both")
}
