package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"cartd/bench"
)

// difference is a setting in which two runs differ.
type difference struct{ name, was, is string }

// differences are the settings in which two runs differ. Addresses are none: other servers are what is
// compared. Settings that an older harness did not write are taken as equal.
func differences(was, is *bench.Result) (all []difference) {
	other := func(name, a, b string) {
		if a != b {
			all = append(all, difference{name, a, b})
		}
	}
	a, b := &was.Spec, &is.Spec
	other("adapter", a.Adapter, b.Adapter)
	if a.Scenario.Name != b.Scenario.Name {
		other("scenario", a.Scenario.Name, b.Scenario.Name)
	} else {
		other("scenario", operationsText(a.Scenario), operationsText(b.Scenario))
	}
	other(rateAsked, askedRate(was), askedRate(is))
	other("connections", fmt.Sprint(a.Connections), fmt.Sprint(b.Connections))
	other("carts", whole(float64(a.Carts)), whole(float64(b.Carts)))
	other("stores", fmt.Sprint(a.Stores), fmt.Sprint(b.Stores))
	other("nodes", nodes(a), nodes(b))
	other("duration", a.Duration.String(), b.Duration.String())
	other("ramp", a.Ramp.String(), b.Ramp.String())
	other("requests", fmt.Sprint(a.Requests), fmt.Sprint(b.Requests))
	other("seed", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed))
	if a.Timeout > 0 && b.Timeout > 0 {
		other("timeout", a.Timeout.String(), b.Timeout.String())
		other("roam", fmt.Sprint(a.Roam), fmt.Sprint(b.Roam))
	}
	return all
}

// rateAsked is the difference that two suites always have in the case half: its rate follows from what
// was measured before, and is the same on both sides of a pair.
const rateAsked = "rate asked"

// operationsText is a scenario without its description.
func operationsText(s bench.Scenario) string {
	s.About = ""
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// nodes is the number of a run's targets.
func nodes(s *bench.Spec) string { return fmt.Sprint(1 + strings.Count(s.Target, ",")) }

// askedRate is the rate of an open loop.
func askedRate(r *bench.Result) string {
	if r.RateAsked == 0 {
		return "closed loop"
	}
	return rateLabel(r.RateAsked)
}

// differencesText lists differences: connections 32, now 64.
func differencesText(all []difference, between string) string {
	var parts []string
	for _, d := range all {
		parts = append(parts, d.name+" "+d.was+between+d.is)
	}
	return strings.Join(parts, "; ")
}
