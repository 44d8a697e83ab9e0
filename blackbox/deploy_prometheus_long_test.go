//go:build long

package blackbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cartd/internal/process"
)

// prometheus is a Prometheus that reads some nodes every second.
type prometheus struct{ *node }

// watch starts a Prometheus over nodes with a file of rules, or without one, and waits until it has
// read every node. No alert fires then.
func watch(t *testing.T, rules string, nodes ...*node) *prometheus {
	t.Helper()
	return watchMore(t, rules, "", nodes...)
}

// watchMore is watch with further lines of configuration, from further jobs on.
func watchMore(t *testing.T, rules, more string, nodes ...*node) *prometheus {
	t.Helper()
	p := watchAnyway(t, rules, more, nodes...)
	poll(t, "the end of alerts from before the first reading", func() bool { return len(p.firing(t)) == 0 })
	return p
}

// watchAnyway is watchMore of nodes about which alerts fire from the first reading on.
func watchAnyway(t *testing.T, rules, more string, nodes ...*node) *prometheus {
	t.Helper()
	var targets []string
	for _, n := range nodes {
		targets = append(targets, n.Log.Address("serving metrics"))
	}
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%s]\nscrape_configs:\n- job_name: cartd\n  static_configs: "+
		"[{targets: [\"%s\"]}]\n%s",
		rules, strings.Join(targets, `", "`), more)
	dir := t.TempDir()
	file := filepath.Join(dir, "prometheus.yaml")
	address, err := process.FreeAddress()
	if err := errors.Join(err, os.WriteFile(file, []byte(config), 0o600)); err != nil {
		t.Fatal(err)
	}
	proc, err := process.Start(exec.Command("prometheus", "--config.file", file, "--storage.tsdb.path", filepath.Join(dir, "data"),
		"--web.listen-address", address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proc.Kill)
	p := &prometheus{at(t, proc, address)}
	poll(t, "answer of Prometheus", func() bool { return p.client(t).outcome("GET", "/-/ready", "").status == http.StatusOK })
	poll(t, "Prometheus that has read every node", func() bool {
		return len(p.span(t, "cartd_ready == 1", time.Now().Add(-time.Second))) == len(nodes)
	})
	return p
}

// span asks for an expression's values from a moment until now, a second apart.
func (p *prometheus) span(t *testing.T, expr string, since time.Time) []series {
	t.Helper()
	asked := url.Values{"query": {expr}, "start": {fmt.Sprint(since.Unix())}, "end": {fmt.Sprint(time.Now().Unix())}, "step": {"1"}}
	var answer struct {
		Data struct{ Result []series }
	}
	p.ask(t, "/api/v1/query_range?"+asked.Encode(), &answer)
	return answer.Data.Result
}

// firing lists the alerts that fire now, but for the dead man's switch.
func (p *prometheus) firing(t *testing.T) map[string]bool {
	t.Helper()
	var answer struct {
		Data struct {
			Alerts []struct {
				State  string
				Labels map[string]string
			}
		}
	}
	p.ask(t, "/api/v1/alerts", &answer)
	names := map[string]bool{}
	for _, alert := range answer.Data.Alerts {
		if alert.State == "firing" && alert.Labels["severity"] != "none" {
			names[alert.Labels["alertname"]] = true
		}
	}
	return names
}

// ask reads an answer of Prometheus's API.
func (p *prometheus) ask(t *testing.T, path string, answer any) {
	t.Helper()
	a := p.client(t).get(path).wantStatus(http.StatusOK)
	if err := json.Unmarshal(a.body, answer); err != nil {
		t.Fatalf("%v\n%v", a, err)
	}
}

// watchedNode starts a node with a listener for operators.
func watchedNode(t *testing.T, o options) *node {
	t.Helper()
	o.flags = append(o.flags, "--ops-listen", "127.0.0.1:0", "--webhook-allow-private")
	return start(t, o)
}
