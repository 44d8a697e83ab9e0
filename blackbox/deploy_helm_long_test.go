//go:build long

package blackbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cartd/blackbox"
)

// helmVersion is the release of Helm that renders the chart.
const helmVersion = "v3.18.6"

// builtHelm builds Helm in a folder and a module of its own, so that none of its modules becomes one
// of cartd's.
func builtHelm(t *testing.T) (program string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module helm-of-the-tests\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "helm")
	for _, args := range [][]string{{"get", "helm.sh/helm/v3/cmd/helm@" + helmVersion}, {"build", "-o", program, "helm.sh/helm/v3/cmd/helm"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	return program
}

// Helm lints and renders the chart in each setting. The router is HAProxy or an Ingress that hashes by
// cart, the network policy lets a managed Redis through, and a wrong setting is refused. Kubernetes
// knows every field of what is rendered, and HAProxy accepts its file.
func TestLongHelmRendersTheChart(t *testing.T) {
	helm := builtHelm(t)
	render := func(sets ...string) (string, error) {
		args := []string{"template", "shop", "../deploy/helm"}
		for _, set := range sets {
			args = append(args, "--set", set)
		}
		out, err := exec.Command(helm, args...).CombinedOutput()
		return string(out), err
	}
	for name, c := range map[string]struct {
		sets   []string
		has    []string
		hasNot []string
	}{
		"default": {nil, []string{"kind: Deployment", "shop-haproxy", "server-template node 20 shop-nodes.default.svc.cluster.local:8080", "secretName: cartd,",
			"/etc/cartd/redis-url", "app.kubernetes.io/name: redis", "port: 4318", `{name: HAPROXY_VISITOR_REQUESTS, value: "600"}`,
			`{name: HAPROXY_NO_VISITORS, value: "10.0.0.0/8"}`},
			[]string{"kind: HTTPRoute", "kind: PodMonitor", "kind: Job", "kind: Secret"}},
		"gateway": {[]string{"gateway.enabled=true", "gateway.name=public", "gateway.host=api.example", "haproxy.behindTLS=true",
			"haproxy.visitorRequests=1000000", "haproxy.noVisitors={10.1.0.0/16,192.0.2.7}"},
			[]string{`{name: HAPROXY_VISITOR_REQUESTS, value: "1000000"}`, `{name: HAPROXY_NO_VISITORS, value: "10.1.0.0/16 192.0.2.7"}`,
				"kind: HTTPRoute\n", "name: public\n", "hostnames: [api.example]", "{name: shop-haproxy, port: 80}", "HAPROXY_BEHIND_TLS"},
			[]string{"kind: Ingress\n"}},
		"gateway without HAProxy": {[]string{"router=none", "gateway.enabled=true", "gateway.name=public", "gateway.host=api.example"},
			[]string{"{name: shop, port: 80}", "kubernetes.io/metadata.name: gateway}"}, []string{"shop-haproxy"}},
		"the desk": {[]string{"desk.host=desk.example", "desk.networks={10.0.0.0/8,192.0.2.0/24}", "env.CARTD_DESK=true", "gateway.enabled=true",
			"gateway.name=public", "gateway.host=api.example"},
			[]string{`{name: HAPROXY_DESK_HOST, value: "desk.example"}`, `{name: HAPROXY_DESK_NETWORKS, value: "10.0.0.0/8 192.0.2.0/24"}`,
				`{name: CARTD_DESK, value: "true"}`, "name: shop-desk\n", "hostnames: [desk.example]", "- path: {type: PathPrefix, value: /desk}"}, nil},
		"a managed Redis": {[]string{"redis.podLabels=null", "redis.cidrs={10.20.0.0/24}", "redis.ports={6380}", "redis.url=rediss://:x@redis.example:6380/0"},
			[]string{"ipBlock: {cidr: 10.20.0.0/24}", "port: 6380", "kind: Secret", "rediss://:x@redis.example:6380/0",
				"secretName: shop-redis,"}, []string{"app.kubernetes.io/name: redis\n"}},
		"monitor and import": {[]string{"podMonitor.enabled=true", "import.enabled=true", "import.configMap=stores", "import.files={shop.json,other.json}",
			"env.CARTD_REDIS_CA=/etc/cartd/ca.crt", "env.CARTD_ACCESS_LOG=true"},
			[]string{"kind: PodMonitor", "port: ops", "jobLabel: app.kubernetes.io/name\n",
				"jobLabel: app.kubernetes.io/component\n", "app.kubernetes.io/component: haproxy}",
				`value: "/etc/cartd/redis-url"}
            - {name: CARTD_REDIS_CA, value: "/etc/cartd/ca.crt"}
          resources:`, // the import: Redis's flags only
				"kind: Job", "/stores/shop.json", "/stores/other.json", "helm.sh/hook: post-install,post-upgrade"}, nil},
	} {
		text, err := render(c.sets...)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		for _, word := range c.has {
			if !strings.Contains(text, word) {
				t.Errorf("%s lacks %q", name, word)
			}
		}
		for _, word := range c.hasNot {
			if strings.Contains(text, word) {
				t.Errorf("%s has %q", name, word)
			}
		}
		parts := regexp.MustCompile(`(?m)^---$`).Split(text, -1)
		file, kept := filepath.Join(t.TempDir(), "all.yaml"), ""
		for _, part := range parts {
			if !strings.Contains(part, "kind: PodMonitor") && !strings.Contains(part, "kind: HTTPRoute") { // kinds that a cluster gets from elsewhere
				kept += "---\n" + part
			}
		}
		if err := os.WriteFile(file, []byte(kept), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, ok := lints("lint-kubernetes.sh", file); !ok {
			t.Errorf("%s: %s", name, out)
		}
	}
	if out, err := exec.Command(helm, "lint", "--strict", "../deploy/helm").CombinedOutput(); err != nil {
		t.Errorf("helm lint: %v\n%s", err, out)
	}
	for _, wrong := range [][]string{{"router=ingress"}, {"gateway.enabled=true"}, {"redis.podLabels=null"}, {"import.enabled=true"}, {"redis.existingSecret="}} {
		if text, err := render(wrong...); err == nil {
			t.Errorf("%v is accepted:\n%.300s", wrong, text)
		}
	}
}

// The chart's file for HAProxy is deploy/haproxy.cfg, but for its nodes and its ports; HAProxy accepts
// it.
func TestLongChartHasTheFileOfHAProxy(t *testing.T) {
	chart := string(read(t, "../deploy/helm/files/haproxy.cfg"))
	rest := func(text string) string {
		text = regexp.MustCompile(`(?m)^# (Each node is in two|\(systemctl reload).*\n`).ReplaceAllString(text, "")
		text = regexp.MustCompile(`(?m)^    server(-template)? node.*\n|^    # Each slot gets.*\n`).ReplaceAllString(text, "")
		text = regexp.MustCompile(`init-addr \S+`).ReplaceAllString(text, "init-addr")
		return regexp.MustCompile(`bind "\$\{HAPROXY_(LISTEN|FIGURES)-[^}]*\}"`).ReplaceAllString(text, "bind")
	}
	if got, want := rest(chart), rest(string(read(t, "../deploy/haproxy.cfg"))); got != want {
		t.Errorf("deploy/helm/files/haproxy.cfg differs from deploy/haproxy.cfg in more than nodes and ports:\n%s\nwant\n%s", got, want)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	text := strings.NewReplacer("{{ .Values.haproxy.maxNodes }}", "20", "{{ .Release.Name }}", "shop", "{{ .Release.Namespace }}", "live",
		"{{ .Values.clusterDomain }}", "cluster.local").Replace(chart)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, false, exec.Command(blackbox.HAProxy(), "-c", "-q", "-f", file))
}
