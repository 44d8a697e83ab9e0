package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Threshold is a bound that every judged run must keep: p99<20ms.
type Threshold struct {
	Text  string // as it was written
	kind  *thresholdKind
	less  bool // the value has to be below the bound, else above
	equal bool // the bound itself is allowed
	bound float64
}

// Judged is a threshold with the value of one run.
type Judged struct {
	Threshold
	Case, System string
	Run          int     // counted from 1 among the runs of its case and system
	Value        float64 // in the threshold's unit, NaN if the run did not measure it
	Met          bool
}

// thresholdKind is a figure that a threshold may bound. of returns NaN if a run did not measure it.
type thresholdKind struct {
	name  string
	units []thresholdUnit
	of    func(*Result) float64
}

// thresholdUnit is a unit of a bound and its factor. The first one of a kind writes values.
type thresholdUnit struct {
	name   string
	factor float64
}

var (
	timeUnits   = []thresholdUnit{{"ms", 1e3}, {"us", 1}, {"µs", 1}, {"s", 1e6}}
	cpuUnits    = []thresholdUnit{{"us", 1}, {"µs", 1}, {"ms", 1e3}}
	memoryUnits = []thresholdUnit{{"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GiB", 1 << 30}}
)

// errorShare is the figure of the share of requests without a right answer.
const errorShare = "errors"

var thresholdKinds = []thresholdKind{
	latencyKind("mean", func(l Latency) float64 { return l.Mean }),
	latencyKind("p50", func(l Latency) float64 { return l.P50 }),
	latencyKind("p90", func(l Latency) float64 { return l.P90 }),
	latencyKind("p99", func(l Latency) float64 { return l.P99 }),
	latencyKind("p99.9", func(l Latency) float64 { return l.P999 }),
	latencyKind("p99.99", func(l Latency) float64 { return l.P9999 }),
	latencyKind("max", func(l Latency) float64 { return l.Max }),
	{"late-p99", timeUnits, func(r *Result) float64 { return measuredOnly(float64(r.Late.Count), r.Late.P99) }},
	{errorShare, []thresholdUnit{{"%", 1}}, func(r *Result) float64 { return 100 * float64(r.Failed) / float64(r.Requests) }},
	{"rate", []thresholdUnit{{"/s", 1}, {"", 1}}, func(r *Result) float64 { return r.Rate }},
	{"cpu", cpuUnits, func(r *Result) float64 { return measuredOnly(r.CPU.Server, r.CPU.Total()) }},
	{"memory", memoryUnits, func(r *Result) float64 { return measuredOnly(float64(r.Memory.Server), float64(r.Memory.Server)) }},
}

func latencyKind(name string, of func(Latency) float64) thresholdKind {
	return thresholdKind{name, timeUnits, func(r *Result) float64 { return measuredOnly(float64(r.Latency.Count), of(r.Latency)) }}
}

// measuredOnly is value, NaN if mark is 0.
func measuredOnly(mark, value float64) float64 {
	if mark == 0 {
		return math.NaN()
	}
	return value
}

// ParseThresholds reads thresholds that are separated by commas: p99<20ms,errors<0.1%.
func ParseThresholds(text string) (all []Threshold, err error) {
	for part := range strings.SplitSeq(text, ",") {
		t, err := parseThreshold(part)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func parseThreshold(text string) (Threshold, error) {
	t := Threshold{Text: text}
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return t, fmt.Errorf("%q is no threshold: write FIGURE<VALUE or FIGURE>VALUE, like p99<20ms", text)
	}
	name, value := text[:at], text[at+1:]
	t.less = text[at] == '<'
	value, t.equal = strings.CutPrefix(value, "=")
	k := slices.IndexFunc(thresholdKinds, func(k thresholdKind) bool { return k.name == name })
	if k < 0 {
		return t, fmt.Errorf("%q: there is no figure %q; the figures are %s", text, name, kindNames())
	}
	t.kind = &thresholdKinds[k]
	var err error
	if t.bound, err = t.kind.parse(value); err != nil {
		return t, fmt.Errorf("%q: %w", text, err)
	}
	return t, nil
}

func kindNames() string {
	var names []string
	for _, k := range thresholdKinds {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// parse reads a value: decimal digits with at most one point, and a unit of the kind.
func (k *thresholdKind) parse(text string) (float64, error) {
	digits := strings.TrimLeft(text, "0123456789.")
	number, unit := text[:len(text)-len(digits)], digits
	u := slices.IndexFunc(k.units, func(u thresholdUnit) bool { return u.name == unit })
	value, err := strconv.ParseFloat(number, 64)
	if u < 0 || err != nil || strings.HasPrefix(number, ".") || strings.HasSuffix(number, ".") {
		return 0, fmt.Errorf("%q is no value of %s: write a number and %s", text, k.name, k.unitNames())
	}
	if value *= k.units[u].factor; math.IsInf(value, 0) || k.name == errorShare && value > 100 {
		return 0, errors.New("the value is too large")
	}
	return value, nil
}

func (k *thresholdKind) unitNames() string {
	var names []string
	for _, u := range k.units {
		if u.name != "" {
			names = append(names, u.name)
		}
	}
	return strings.Join(names, " or ")
}

// judge compares a run with the threshold. A figure that was not measured does not meet it.
func (t Threshold) judge(r *Result) Judged {
	value := t.kind.of(r)
	met := t.equal && value == t.bound || t.less && value < t.bound || !t.less && value > t.bound
	return Judged{Threshold: t, Case: r.Case, System: r.System, Value: value, Met: met}
}

// Judge compares the runs of which judged reports true with each threshold.
func (d *Document) Judge(thresholds []Threshold, judged func(*Result) bool) (all []Judged) {
	runs := map[[2]string]int{}
	for i := range d.Results {
		r := &d.Results[i]
		runs[[2]string{r.Case, r.System}]++
		if !judged(r) {
			continue
		}
		for _, t := range thresholds {
			j := t.judge(r)
			j.Run = runs[[2]string{r.Case, r.System}]
			all = append(all, j)
		}
	}
	return all
}

// ValueText is the value in the first unit of its figure.
func (j Judged) ValueText() string {
	if math.IsNaN(j.Value) {
		return "not measured"
	}
	unit := j.kind.units[0]
	return strconv.FormatFloat(math.Round(j.Value/unit.factor*1e3)/1e3, 'f', -1, 64) + " " + unit.name
}

// BoundErrors reports whether a threshold bounds the share of errors. It then takes the place of the
// number of requests that may fail.
func BoundErrors(thresholds []Threshold) bool {
	return slices.ContainsFunc(thresholds, func(t Threshold) bool { return t.kind.name == errorShare })
}
