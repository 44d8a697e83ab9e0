//go:build long

package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pasteSample runs a sample and returns the status of its own request.
func pasteSample(t *testing.T, n *node, sample, resetToken string, stream bool) string {
	t.Helper()
	// The last command at the beginning of a line is the request.
	at := strings.LastIndex("\n"+sample, "\ncurl ")
	if at < 0 {
		t.Fatalf("no request in:\n%s", sample)
	}
	options := "curl -sS -o /dev/null -w '%{http_code}' "
	if stream {
		options += "--max-time 1 "
	}
	commands := sample[:at] + options + sample[at+len("curl "):]
	shell := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	shell.Env = append(os.Environ(), "RESET_TOKEN="+resetToken)
	var errs strings.Builder
	shell.Stderr = &errs
	out, err := shell.Output()
	if err != nil && !stream {
		t.Fatalf("%v\n%s\n%s", err, sample, &errs)
	}
	return string(out)
}

// Each operation of the description has a sample with a key of the demo. Pasted into a shell on a
// demo store, one after the other, all succeed.
func TestLongSamplesOfTheDescriptionSucceed(t *testing.T) {
	t.Parallel()
	resets := make(chan string, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var event struct{ Token string }
		_ = json.NewDecoder(r.Body).Decode(&event)
		resets <- event.Token
	}))
	defer hook.Close()
	n := start(t, options{redis: "embedded", stores: []string{hookedDemo(t, hook.URL)}, flags: []string{"--webhook-allow-private"}})
	var description struct {
		Paths map[string]map[string]struct {
			OperationID string
			Security    []any
			Samples     []struct{ Lang, Label, Source string } `json:"x-codeSamples"`
		}
	}
	if err := json.Unmarshal(n.client(t).get("/openapi.json").wantStatus(200).body, &description); err != nil {
		t.Fatal(err)
	}
	samples := map[string]string{}
	for path, item := range description.Paths {
		for method, o := range item {
			if len(o.Samples) != 1 || o.Samples[0].Label != "curl" {
				t.Errorf("%s %s: samples %v; want one, of curl", method, path, o.Samples)
				continue
			}
			samples[o.OperationID] = o.Samples[0].Source
			if len(o.Security) > 0 && !strings.Contains(o.Samples[0].Source, "Authorization: Bearer demo-") {
				t.Errorf("%s %s: the sample has no key of the demo:\n%s", method, path, o.Samples[0].Source)
			}
		}
	}
	for i := range exampleCalls { // a reset comes after its request
		c := &exampleCalls[i]
		if c.id == "" {
			continue
		}
		var token string
		if c.id == "resetPassword" {
			token = <-resets
		}
		if got := pasteSample(t, n, samples[c.id], token, c.stream); got != fmt.Sprint(c.status) {
			t.Errorf("%s: status %s, want %d\n%s", c.id, got, c.status, samples[c.id])
		}
	}
}
