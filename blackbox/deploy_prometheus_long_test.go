//go:build long

package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// prometheus is a Prometheus that reads some nodes every second.
type prometheus struct {
	*process
	base string
}

// watch starts a Prometheus over nodes' listeners for operators, with a file of rules.
func watch(t *testing.T, rules string, nodes ...string) *prometheus {
	t.Helper()
	dir, address := t.TempDir(), freeAddress(t)
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%s]\nscrape_configs:\n- job_name: cartd\n  static_configs: [{targets: [\"%s\"]}]\n",
		rules, strings.Join(nodes, `", "`))
	file := filepath.Join(dir, "prometheus.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &prometheus{base: "http://" + address}
	p.process = launch(t, exec.Command("prometheus", "--config.file", file, "--storage.tsdb.path", filepath.Join(dir, "data"), "--web.listen-address", address))
	eventually(t, "Prometheus is ready", func() bool { return call("GET", p.base+"/-/ready", "", "").status == http.StatusOK })
	return p
}

// series are a metric's labels with its values by time.
type series struct {
	Metric map[string]string
	Values [][2]any
}

// span asks for an expression's values from a moment until now, a second apart.
func (p *prometheus) span(t *testing.T, expr string, since time.Time) []series {
	t.Helper()
	asked := url.Values{"query": {expr}, "start": {fmt.Sprint(since.Unix())}, "end": {fmt.Sprint(time.Now().Unix())}, "step": {"1"}}
	a := call("GET", p.base+"/api/v1/query_range?"+asked.Encode(), "", "")
	var answer struct {
		Error string
		Data  struct{ Result []series }
	}
	if err := json.Unmarshal([]byte(a.body), &answer); err != nil || a.status != http.StatusOK {
		t.Errorf("%s: %d %s", expr, a.status, a.body)
	}
	return answer.Data.Result
}

// firing lists the alerts that fire now.
func (p *prometheus) firing(t *testing.T) map[string]bool {
	t.Helper()
	a := call("GET", p.base+"/api/v1/alerts", "", "")
	var answer struct {
		Data struct {
			Alerts []struct {
				State  string
				Labels map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(a.body), &answer); err != nil || a.status != http.StatusOK {
		t.Fatalf("alerts: %d %s", a.status, a.body)
	}
	names := map[string]bool{}
	for _, alert := range answer.Data.Alerts {
		if alert.State == "firing" {
			names[alert.Labels["alertname"]] = true
		}
	}
	return names
}

// watchedNode starts a node with a listener for operators.
func watchedNode(t *testing.T, redis string, flags ...string) (p *process, base, ops string) {
	t.Helper()
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--webhook-allow-private", "--redis", redis}, flags...)
	cmd := exec.Command(filepath.Join(image, "cartd"), args...)
	cmd.Env = []string{}
	p = launch(t, cmd)
	at := p.addresses(t, "listening", "serving metrics")
	return p, "http://" + at[0], at[1]
}

// hook is a receiver of webhooks that answers with a status until it is told another.
func hook(t *testing.T, status func() int) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status()) }))
	t.Cleanup(s.Close)
	return s.URL
}

// hooked adds a webhook for changes of stock to a document.
func hooked(url string) func(map[string]any) {
	return func(document map[string]any) {
		document["store"].(map[string]any)["webhooks"] = []any{map[string]any{
			"url": url, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": []string{"stock.adjusted"},
		}}
	}
}

// limitedKey is the key of a second store, whose limit is low.
const limitedKey = "limited-storefront-key"

func limited(document map[string]any) {
	store := document["store"].(map[string]any)
	store["id"], store["rate_limit_per_minute"] = "00000000-0000-4000-8000-0000000000ff", 60
	key := document["api_keys"].([]any)[0].(map[string]any)
	key["key"] = limitedKey
	document["api_keys"], document["customers"] = []any{key}, []any{}
}
