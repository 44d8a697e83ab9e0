package blackbox_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// panel is one panel of the dashboard. answers is what its queries have answered.
type panel struct {
	Title, Type, Description string
	GridPos                  struct{ X, Y, W, H int }
	FieldConfig              struct {
		Defaults struct {
			Unit       string
			Thresholds struct{ Steps []threshold }
			Custom     struct{ ThresholdsStyle struct{ Mode string } }
		}
		Overrides []struct {
			Matcher    struct{ Options string } // the name of the series
			Properties []struct{ Value struct{ Steps []threshold } }
		}
	}
	Links   []struct{ Title, URL string }
	Targets []struct{ Expr, LegendFormat string }

	answers [][]series
}

// threshold is a value from which on a panel has a colour; the first one of a panel has none.
type threshold struct {
	Color string
	Value *float64
}

// series are a metric's labels with its values by time.
type series struct {
	Metric map[string]string
	Values [][2]any
}

// allOf replaces the dashboard's variables as Grafana does for "All".
var allOf = strings.NewReplacer("$node", ".*", "$store", ".*")

func panels(t *testing.T) []*panel {
	t.Helper()
	var dashboard struct{ Panels []*panel }
	if err := json.Unmarshal(read(t, "../deploy/grafana/cartd.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	return dashboard.Panels
}

// violation returns the value from which on a panel is red, and whether it is red below it.
func (p *panel) violation() (value float64, below, found bool) { return p.violationOf("") }

// violationOf is violation for a series, which may have a bound of its own.
func (p *panel) violationOf(name string) (value float64, below, found bool) {
	steps := p.FieldConfig.Defaults.Thresholds.Steps
	for _, o := range p.FieldConfig.Overrides {
		if o.Matcher.Options == name {
			steps = o.Properties[0].Value.Steps
		}
	}
	if len(steps) != 2 {
		return 0, false, false
	}
	return *steps[1].Value, steps[0].Color == "red", true
}

// Each panel says in a sentence what it shows and leads to what to do. Every alert has a panel that
// leads to its section, and a panel of a bound is red beyond it.
func TestEveryPanelExplainsItself(t *testing.T) {
	t.Parallel()
	runbook, linked := string(read(t, "../docs/runbook.md")), map[string]bool{}
	count := 0
	for _, p := range panels(t) {
		if p.Type == "row" {
			continue
		}
		count++
		if len(p.Description) < 20 || !strings.HasSuffix(p.Description, ".") {
			t.Errorf("%s: described as %q, want a sentence", p.Title, p.Description)
		}
		alerts := 0
		for _, link := range p.Links {
			name, ok := strings.CutPrefix(link.Title, "Runbook: ")
			if !ok && link.URL == "https://docs.example/cartd/metrics.md" {
				continue
			}
			if link.URL != "https://docs.example/cartd/runbook.md#"+strings.ToLower(name) || !strings.Contains(runbook, "\n## "+name+"\n") {
				t.Errorf("%s: the link %q leads to %s", p.Title, link.Title, link.URL)
			}
			linked[name] = true
			alerts++
		}
		if len(p.Links) == 0 {
			t.Errorf("%s has no link", p.Title)
		}
		if _, _, found := p.violation(); found && alerts == 0 {
			t.Errorf("%s has a threshold and no alert", p.Title)
		} else if found && p.Type == "timeseries" && p.FieldConfig.Defaults.Custom.ThresholdsStyle.Mode != "line+area" {
			t.Errorf("%s does not draw its threshold", p.Title)
		}
	}
	if count < 25 {
		t.Fatalf("%d panels", count)
	}
	for _, rule := range regexp.MustCompile(`(?m)^      - alert: (\w+)$`).FindAllStringSubmatch(string(read(t, "../deploy/alerts.yaml")), -1) {
		if !linked[rule[1]] && rule[1] != "Watchdog" {
			t.Errorf("no panel leads to the section of %s", rule[1])
		}
	}
}

// A panel is red from the value on at which the alert that it leads to fires.
func TestPanelsAreRedWhereAlertsFire(t *testing.T) {
	t.Parallel()
	got := map[string]float64{}
	for _, p := range panels(t) {
		if value, below, found := p.violation(); found {
			for _, link := range p.Links {
				got[strings.TrimPrefix(link.Title, "Runbook: ")] = value
			}
			if below != strings.HasPrefix(p.Title, "Disk") {
				t.Errorf("%s is red below %v: %v", p.Title, value, below)
			}
		}
	}
	bound := regexp.MustCompile(`(?m)^      - alert: (\w+)\n        expr: >-\n.*? ([<>]) ([0-9.]+)$`)
	checked := 0
	for _, rule := range bound.FindAllStringSubmatch(string(read(t, "../deploy/alerts.yaml")), -1) {
		var want float64
		if err := json.Unmarshal([]byte(rule[3]), &want); err != nil {
			t.Fatal(err)
		}
		value, found := got[rule[1]]
		switch {
		case !found || want == 0: // any value is a violation
		case rule[1] == "CartdCrashLoop" && value == want+1: // whole numbers
		case value != want:
			t.Errorf("%s fires beyond %v, and its panel is red from %v on", rule[1], want, value)
		}
		if found {
			checked++
		}
	}
	if checked < 15 {
		t.Errorf("%d alerts with a panel that has a bound", checked)
	}
}

// The variables choose nodes and stores in every query that has them.
func TestQueriesHaveTheVariables(t *testing.T) {
	t.Parallel()
	ofNode := regexp.MustCompile(`\b(?:cartd|process)_[a-z_]+(\{[^}]*\})?`)
	for _, p := range panels(t) {
		for _, target := range p.Targets {
			for _, metric := range ofNode.FindAllStringSubmatch(target.Expr, -1) {
				if strings.HasPrefix(metric[0], "cartd_backup_") {
					continue // of node_exporter
				}
				if !strings.Contains(metric[1], `instance=~"$node"`) {
					t.Errorf("%s: %s is not that of the chosen nodes", p.Title, metric[0])
				}
				if strings.Contains(target.Expr, "by (store)") && !strings.Contains(metric[1], `store=~"$store"`) {
					t.Errorf("%s: %s is not that of the chosen stores", p.Title, metric[0])
				}
			}
		}
	}
	var dashboard struct {
		Templating struct {
			List []struct {
				Name, Query, AllValue, Regex string
				Multi, IncludeAll            bool
			}
		}
	}
	if err := json.Unmarshal(read(t, "../deploy/grafana/cartd.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	chosen, names := map[string]string{}, ""
	for _, v := range dashboard.Templating.List {
		if v.Multi && v.IncludeAll && v.AllValue == ".*" {
			chosen[v.Name] = v.Query
			names += v.Regex
		}
	}
	if chosen["node"] != "label_values(cartd_ready, instance)" || chosen["store"] != `query_result(cartd_stores_limited{name!=""})` {
		t.Errorf("the variables are %v", chosen)
	}
	// A store is chosen by its name. Grafana sorts the labels of what a query has answered.
	const answered = `cartd_stores_limited{instance="n",job="cartd",name="Base Tools",store="e0000000"} 0 1`
	if found := regexp.MustCompile(strings.Trim(names, "/")).FindStringSubmatch(answered); len(found) != 3 || found[1] != "Base Tools" || found[2] != "e0000000" {
		t.Errorf("%s finds %q", names, found)
	}
}
