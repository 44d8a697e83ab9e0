//go:build long

package blackbox_test

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Every flag has an environment twin.
func TestLongFlagsHaveEnvironmentTwins(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base())
	f := runs(t, "serve", "--listen", "127.0.0.1:0", "--store", file)
	f.wantUsage(t, "--redis")
	for twin, want := range map[string]string{
		"CARTD_RESIDENT=1e6": `CARTD_RESIDENT="1e6": write a size above zero in bytes, KiB, MiB or GiB, such as 512MiB`,
		"CARTD_DEMO=maybe":   `CARTD_DEMO="maybe": write true or false`, "CARTD_REDIS_TIMEOUT=5": `CARTD_REDIS_TIMEOUT="5": write a duration such as 5s`,
	} {
		runsIn(t, []string{twin}, "serve").wantUsage(t, want)
	}
	for _, headers := range []string{"no pair", "a b=secret-key-otlp", "a=secret-key-otlp%zz", "a=secret-key-otlp%0d%0ab:c"} {
		f := runsIn(t, []string{"OTEL_EXPORTER_OTLP_HEADERS=" + headers}, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--otlp", "http://127.0.0.1:1")
		f.wantUsage(t, "OTEL_EXPORTER_OTLP_HEADERS", "percent-encode")
		if strings.Contains(f.stderr, "secret-key-otlp") {
			t.Errorf("the error shows the value: %s", f.stderr)
		}
	}
	serve := exec.Command(binary, "serve", "--store", file)
	serve.Env = []string{"CARTD_LISTEN=127.0.0.1:0", "CARTD_REDIS=" + redistest.Mini(t).URL()}
	listens(t, serve).client(t).get("me").wantStatus(http.StatusOK)
}
