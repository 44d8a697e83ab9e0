package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// Document is what --json writes and --compare reads: all runs of one call, and the
// ratios of a suite.
type Document struct {
	Format  int      `json:"format"`
	Machine Machine  `json:"machine"`
	Results []Result `json:"results"`
	Ratios  []Ratio  `json:"ratios,omitempty"`
	// Faults are what kept cases from being measured.
	Faults []string `json:"faults,omitempty"`
}

// documentFormat is what this harness writes, and all it reads.
const documentFormat = 1

// Ratio is a judged figure of a case, one value for each pair.
type Ratio struct {
	Case    string    `json:"case"`
	About   string    `json:"about"`
	Measure string    `json:"measure"`
	Pairs   []float64 `json:"pairs"`
	// Least and Most bound the median; 0: unbounded.
	Least float64 `json:"least,omitempty"`
	Most  float64 `json:"most,omitempty"`
}

// Median is the ratio that counts.
func (r *Ratio) Median() float64 { return Median(r.Pairs) }

// Asked reports whether a bound was given, and whether the median keeps to it.
func (r *Ratio) Asked() (asked, met bool) {
	m := r.Median()
	return r.Least > 0 || r.Most > 0, m >= r.Least && (r.Most == 0 || m <= r.Most)
}

// Median is the middle of the values, or the mean of the two in the middle; 0: none.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[n/2] + sorted[(n-1)/2]) / 2
}

// OK reports whether every answer was right, everything acknowledged was there, and
// at most so many requests failed otherwise. It says what was not so.
func (d *Document) OK(maxErrors int64) (faults []string) {
	faults = slices.Clone(d.Faults)
	for i := range d.Results {
		r := &d.Results[i]
		name := r.Case + " (" + r.System + ")"
		if c := r.Check; !c.OK() {
			faults = append(faults, fmt.Sprintf("%s: %d wrong answers, %d lines lost, %d doubled, %d records not read back", name, c.Wrong, c.Lost, c.Doubled, c.Unread))
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
	read := json.NewDecoder(bytes.NewReader(text))
	d := &Document{}
	if err := read.Decode(d); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if d.Format != documentFormat {
		return nil, fmt.Errorf("%s: format %d, want %d", file, d.Format, documentFormat)
	}
	return d, nil
}
