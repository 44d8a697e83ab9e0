//go:build long

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cartd/bench"
	"cartd/blackbox"
	"cartd/internal/process"
	"cartd/internal/redistest"
)

// Forty shoppers buy within a minute on two nodes, beside one visitor in a loop on each. With the limits that
// docs/api/limits.md advises none of them is refused, and the visitor is. Without store.limits, and with a
// request limit that only suffices for the shoppers, carts are refused.
func TestLongCrawlBesideFortyShoppers(t *testing.T) {
	dir := t.TempDir()
	cartd, err := blackbox.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	const shoppers, nodes = 40, 2
	alone := map[string]any{}
	if err := json.Unmarshal(bench.CrawlDocument(0, shoppers, nodes), &alone); err != nil {
		t.Fatal(err)
	}
	store := alone["store"].(map[string]any)
	delete(store, "limits")
	store["rate_limit_per_minute"] = 28 * shoppers
	unlimited, err := json.Marshal(alone)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		document []byte
		refused  bool
	}{"advised": {bench.CrawlDocument(0, shoppers, nodes), false}, "without": {unlimited, true}} {
		t.Run(name, func(t *testing.T) {
			output, result := crawl(t, cartd, c.document, nodes)
			got := result.Crawl
			if got.Journeys < shoppers || got.Crawlers.Requests < 240 || got.Carts.Requests < 17*shoppers {
				t.Fatalf("%+v\n%s", got, output)
			}
			if refused := got.Carts.Refused > 0; refused != c.refused || got.Crawlers.Refused == 0 || !c.refused && got.Catalogue.Refused > 0 {
				t.Errorf("%+v\n%s", got, output)
			}
			for _, want := range []string{"carts and checkouts", "catalogue, of shoppers", "crawlers", "refused (429)"} {
				if !strings.Contains(output, want) {
					t.Errorf("the report lacks %q:\n%s", want, output)
				}
			}
		})
	}
}

// crawl runs the scenario crawl once on nodes with one store: forty journeys in four seconds.
func crawl(t *testing.T, cartd string, document []byte, nodes int) (output string, result bench.Result) {
	t.Helper()
	dir := t.TempDir()
	store, out := filepath.Join(dir, "store.json"), filepath.Join(dir, "out.json")
	if err := os.WriteFile(store, document, 0o600); err != nil {
		t.Fatal(err)
	}
	redis := redistest.Real(t)
	var targets []string
	for range nodes {
		p, err := process.Start(exec.Command(cartd, "serve", "--listen", "127.0.0.1:0", "--redis", redis.URL(), "--redis-timeout", "8s",
			"--trusted-proxies", "127.0.0.1", "--store", store))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Kill)
		addr, err := p.Address()
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, "http://"+addr)
	}
	var text bytes.Buffer
	status := run(t.Context(), []string{
		"run", "--scenario", "crawl", "--target", strings.Join(targets, ","), "--roam", "--connections", "40", "--carts", "40", "--rate", "280", "--ramp", "0s",
		"--duration", "4s", "--max-errors", "1000000", "--json", out,
	}, &text, &text)
	d, err := bench.ReadDocument(out)
	if err != nil || len(d.Results) != 1 {
		t.Fatalf("status %d, %v\n%s", status, err, text.String())
	}
	return text.String(), d.Results[0]
}
