package blackbox_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// opsOf returns the URL of --ops-listen.
func opsOf(n *node) string { return "http://" + n.Log.Address("serving metrics") }

// fetch reads a page for operators.
func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// families are the metrics of a page by their names, with their types.
func families(page string) map[string]string {
	all := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^# TYPE (\S+) (\S+)$`).FindAllStringSubmatch(page, -1) {
		all[line[1]] = line[2]
	}
	return all
}

// docs/metrics.md lists every metric of cartd's own with its type and labels, and no other.
func TestMetricsAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{storeFile(t, base(), collected)},
		flags: []string{"--ops-listen", "127.0.0.1:0", "--metrics-stores"}})
	shop := n.client(t).withKey(keyAll)
	shop.get(shop.fill()).wantStatus(http.StatusOK)
	shop.sells(`{"email":"a@b.example"}`)
	_, page := fetch(t, opsOf(n)+"/metrics")
	text, err := os.ReadFile(filepath.Join("..", "docs", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(cartd_[a-z_]+)(?:\\{([a-z_,]+)\\})?` \\| ([a-z]+) \\|").FindAllStringSubmatch(string(text), -1) {
		documented[row[1]] = row[3] + " " + row[2]
	}
	served := map[string]string{}
	for name, kind := range families(page) {
		if strings.HasPrefix(name, "cartd_") {
			served[name] = kind + " " + labelsOf(page, name)
		}
	}
	if !maps.Equal(documented, served) {
		for _, name := range slices.Sorted(maps.Keys(served)) {
			if documented[name] != served[name] {
				t.Errorf("%s: docs/metrics.md has %q, want %q", name, documented[name], served[name])
			}
		}
		for name := range documented {
			if served[name] == "" {
				t.Errorf("docs/metrics.md has %s, which no node serves", name)
			}
		}
	}
	for _, name := range []string{"go_goroutines", "process_resident_memory_bytes"} {
		if families(page)[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}

// Dashboard and alerts ask for metrics that there are.
func TestDashboardAndAlertsAskForWhatThereIs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "docs", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"grafana/cartd.json", "alerts.yaml", "alerts_test.yaml"} {
		asking, err := os.ReadFile(filepath.Join("..", "deploy", file))
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile(`\bcartd_[a-z_]+`).FindAllString(string(asking), -1)
		for _, name := range names {
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				name = strings.TrimSuffix(name, suffix)
			}
			if !regexp.MustCompile("`" + name + "[`{]").Match(text) {
				t.Errorf("deploy/%s asks for %s, which docs/metrics.md does not have", file, name)
			}
		}
		if len(names) < 20 {
			t.Errorf("deploy/%s asks for %q only", file, names)
		}
	}
}

// Every alert has its section in the runbook with symptom, cause and what to do, and its two unit
// tests; no section is without an alert.
func TestEveryAlertHasItsSection(t *testing.T) {
	t.Parallel()
	read := func(parts ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{".."}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rules, runbook, tests := read("deploy", "alerts.yaml"), read("docs", "runbook.md"), read("deploy", "alerts_test.yaml")
	var alerts, sections []string
	for _, rule := range regexp.MustCompile(`(?m)^      - alert: (\w+)$`).FindAllStringSubmatch(rules, -1) {
		alerts = append(alerts, rule[1])
		if !strings.Contains(rules, "runbook_url: https://docs.example/cartd/runbook.md#"+strings.ToLower(rule[1])+"\n") {
			t.Errorf("%s does not name its section", rule[1])
		}
		if n := strings.Count(tests, "alertname: "+rule[1]+"\n"); n < 2 && (n != 1 || rule[1] != "Watchdog") { // it always fires
			t.Errorf("%s has %d unit tests, want one that fires and one that does not", rule[1], n)
		}
	}
	for _, section := range strings.Split(runbook, "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		sections = append(sections, name)
		for _, part := range []string{"**Symptom.** ", "**Cause.** ", "**What to do.** "} {
			if !strings.Contains(body, part) {
				t.Errorf("the section %s lacks %s", name, part)
			}
		}
	}
	if len(alerts) == 0 || !slices.Equal(alerts, sections) {
		t.Errorf("alerts.yaml has %q, runbook.md %q", alerts, sections)
	}
}

// labelsOf lists a metric's labels, but for those of a histogram's buckets.
func labelsOf(page, name string) string {
	labels := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^`+name+`(?:_bucket|_sum|_count)?(?:\{(.*)\})? `).FindAllStringSubmatch(page, -1) {
		for _, label := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(line[1], -1) {
			if label[1] != "le" {
				labels[label[1]] = true
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(labels)), ",")
}

// Without --metrics-stores no store's id is among the labels, whatever is asked for.
func TestLabelsAreBounded(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), flags: []string{"--ops-listen", "127.0.0.1:0"}})
	shop := n.client(t).withKey(keyAll)
	path := shop.fill()
	shop.get(path).wantStatus(http.StatusOK)
	for _, unknown := range []string{"/v1/one", "/v1/api/two", "/v1/api/commerce/carts/" + unknownID + "/three"} {
		n.client(t).get(unknown).wantStatus(http.StatusNotFound)
	}
	_, page := fetch(t, opsOf(n)+"/metrics")
	for _, value := range []string{storeBase, strings.TrimPrefix(path, "commerce/carts/"), "/v1/one", "/v1/api/two", "/three"} {
		if strings.Contains(page, value) {
			t.Errorf("%s is in the metrics", value)
		}
	}
}

// A start says what runs, on which Redis, with how many stores and which flags; no secret.
func TestAStartSaysWhatStarts(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	for _, c := range []struct {
		stores []string
		count  float64
		warns  bool
	}{{nil, 0, true}, {storeFiles(t, keyShop, keyOther), 2, false}} {
		url := strings.Replace(r.URL(), "redis://", "redis://:@", 1)
		n := start(t, options{redis: url, stores: c.stores, flags: []string{"--otlp", "http://me:secret-key-otlp@127.0.0.1:1/"}})
		var line struct {
			Msg, Version, Redis string
			Stores              float64
			Flags               map[string]string
		}
		for _, text := range n.Log.Lines() {
			if strings.Contains(text, `"msg":"starting"`) {
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatal(err)
				}
			}
		}
		if line.Version != "0.1.0" || !strings.HasPrefix(line.Redis, "redis://…@") || line.Stores != c.count || line.Flags["listen"] != "127.0.0.1:0" ||
			line.Flags["redis"] != line.Redis ||
			line.Flags["request-timeout"] != "10s" || line.Flags["otlp"] != "http://…@127.0.0.1:1/" {
			t.Errorf("got %+v", line)
		}
		if got := strings.Contains(n.Log.String(), "0 stores: every request will be 401"); got != c.warns {
			t.Errorf("%v stores: warned %v, want %v", c.count, got, c.warns)
		}
		if strings.Contains(n.Log.String(), "secret-key-otlp") {
			t.Error("the log has the collector's password")
		}
	}
}

// The access log names store, key, client and path, and joins the proxy's id.
func TestAccessLog(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), flags: []string{"--access-log", "--trusted-proxies", "127.0.0.0/8"}})
	asked, _ := http.NewRequest(http.MethodGet, n.base+"/v1/api/me", nil)
	asked.Header = http.Header{"Authorization": {"Bearer " + keyAll}, "X-Request-Id": {"front-17"}, "X-Forwarded-For": {"198.51.100.7"}, "X-Server-Timing": {"1"}}
	answer, err := http.DefaultClient.Do(asked)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.Header.Get("X-Request-Id") != "front-17" || !strings.Contains(answer.Header.Get("Server-Timing"), "visit;dur=") {
		t.Errorf("got %v, want the proxy's id and Server-Timing", answer.Header)
	}
	var line map[string]any
	poll(t, "the line", func() bool {
		for _, text := range n.Log.Lines() {
			if strings.Contains(text, "front-17") {
				return json.Unmarshal([]byte(text), &line) == nil
			}
		}
		return false
	})
	for name, want := range map[string]any{
		"store": storeBase, "client": "198.51.100.7", "path": "/v1/api/me", "status": 200.0, "bytes": float64(answer.ContentLength), "method": "GET",
		"request_id": "front-17",
	} {
		if line[name] != want {
			t.Errorf("%s: got %v, want %v", name, line[name], want)
		}
	}
	if took, is := line["duration_ms"].(float64); !is || took <= 0 || line["key"] == "" {
		t.Errorf("got %v, want a key and a duration in milliseconds", line)
	}
}

// The line about the start names the file that the address of Redis was read from.
func TestStartNamesTheFileOfRedis(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "redis-url")
	if err := os.WriteFile(file, []byte(redistest.Mini(t).URL()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	n := listens(t, exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--redis-file", file, "--store", storeFiles(t, keyShop)[0]))
	if want := `"redis-file":"` + file + `"`; !strings.Contains(n.Log.String(), want) {
		t.Errorf("no %s in\n%s", want, n.Log.String())
	}
}

// The dead man's switch is sent with every interval of its group: Alertmanager sends again what is older than
// repeat_interval, and an equal one is over just too late.
func TestDeadMansSwitchIsSentEachMinute(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "deploy", "alertmanager.yaml"))
	route := regexp.MustCompile(`receiver: watchdog, group_interval: (\w+), repeat_interval: (\w+)`).FindSubmatch(text)
	if err != nil || route == nil {
		t.Fatalf("alertmanager.yaml has no route of the watchdog, %v", err)
	}
	group, err1 := time.ParseDuration(string(route[1]))
	repeat, err2 := time.ParseDuration(string(route[2]))
	if err1 != nil || err2 != nil || group != time.Minute || repeat >= group {
		t.Errorf("the watchdog has group_interval %v and repeat_interval %v; want a minute and less", group, repeat)
	}
}
