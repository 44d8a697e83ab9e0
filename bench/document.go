package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Document has all runs of one command and the ratios of a suite. --json writes it and --compare
// reads it.
type Document struct {
	Format  int      `json:"format"`
	Machine Machine  `json:"machine"`
	Results []Result `json:"results"`
	Ratios  []Ratio  `json:"ratios,omitempty"`
	// Faults are the reasons why cases could not be measured.
	Faults []string `json:"faults,omitempty"`
}

// documentFormat is the only format that this harness writes and reads.
const documentFormat = 1

// Ratio is the judged figure of a case, with one value for each pair.
type Ratio struct {
	Case    string    `json:"case"`
	About   string    `json:"about"`
	Measure string    `json:"measure"`
	Pairs   []float64 `json:"pairs"`
	// Min and Max are the bounds of the median, 0 if there is none.
	Min float64 `json:"least,omitempty"`
	Max float64 `json:"most,omitempty"`
}

// Median is the median of the pairs.
func (r *Ratio) Median() float64 { return Median(r.Pairs) }

// Asked reports whether the ratio has a bound and whether the median is within its bounds.
func (r *Ratio) Asked() (asked, met bool) {
	m := r.Median()
	return r.Min > 0 || r.Max > 0, m >= r.Min && (r.Max == 0 || m <= r.Max)
}

// Median is the middle value, or the mean of the two middle values, 0 if there are none.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[n/2] + sorted[(n-1)/2]) / 2
}

// OK returns the faults of the document: wrong answers, lost or doubled lines, and more than
// maxErrors other failures. A document without faults is OK.
func (d *Document) OK(maxErrors int64) (faults []string) {
	faults = slices.Clone(d.Faults)
	for i := range d.Results {
		r := &d.Results[i]
		name := r.Case + " (" + r.System + ")"
		if c := r.Check; !c.OK() {
			faults = append(faults, fmt.Sprintf("%s: %d wrong answers, %d lines lost, %d doubled, %d records not read back", name, c.Wrong, c.Lost, c.Doubled, c.Unread))
			faults = append(faults, c.Examples...)
		}
		if f := r.Flash; f != nil && len(f.Faults) > 0 {
			faults = append(faults, fmt.Sprintf("%s: what shoppers were told is not what the system counts: %s", name, strings.Join(f.Faults, "; ")))
		}
		if n := r.Failures(); n > maxErrors {
			faults = append(faults, fmt.Sprintf("%s: %d requests failed, at most %d may", name, n, maxErrors))
		}
	}
	return faults
}

// Write writes the document to a file.
func (d *Document) Write(file string) error {
	d.Format = documentFormat
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// ReadDocument reads a document that Write wrote.
func ReadDocument(file string) (*Document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := &Document{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if d.Format != documentFormat {
		return nil, fmt.Errorf("%s: format %d, want %d", file, d.Format, documentFormat)
	}
	return d, nil
}
