package bench

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Adapter says how a system is spoken to: how each operation is sent and how its
// answer is read. It is a file; docs/bench.md describes it.
type Adapter struct {
	Name  string `json:"name"`
	About string `json:"about"`
	// Headers go with every request; their values are templates, like paths and
	// bodies.
	Headers map[string]string `json:"headers"`
	// Once are headers of writes in scenarios with idempotency keys.
	Once map[string]string `json:"once"`
	// Decimals of the amounts in answers: 0 for minor units, 2 for "12.34".
	Decimals int `json:"decimals"`
	// Articles that the system sells; none: those of the harness's own store.
	Articles   []Article            `json:"articles"`
	Shapes     map[string]Shape     `json:"shapes"`
	Operations map[string]Operation `json:"operations"`
}

// Operation is how one operation is sent and what answers it.
type Operation struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Status  int               `json:"status"`
	// Shape names how the answer is read; empty: it is not looked at.
	Shape string `json:"shape"`
}

// Shape is where an answer holds what is checked: paths of keys joined by dots. What
// it does not name is not checked.
type Shape struct {
	ID    string `json:"id"`
	Total string `json:"total"`
	// Lines is the list of all lines (or addresses), Line the one that was touched.
	Lines *LineShape `json:"lines"`
	Line  *LineShape `json:"line"`
}

// LineShape is where a line holds what is checked. At leads to the list or the line;
// the other paths start there.
type LineShape struct {
	At       string `json:"at"`
	ID       string `json:"id"`
	Product  string `json:"product"`
	Quantity string `json:"quantity"`
	Total    string `json:"total"`
	Text     string `json:"text"`
	Mark     string `json:"mark"`
}

//go:embed adapters/*.json
var adapterFiles embed.FS

// LoadAdapter reads the adapter in a file, or one that comes with the harness by its
// name ("cartd").
func LoadAdapter(name string) (*Adapter, error) {
	text, err := adapterFiles.ReadFile("adapters/" + name + ".json")
	if err != nil {
		if text, err = os.ReadFile(name); err != nil {
			return nil, fmt.Errorf("adapter: %w", err)
		}
	}
	a, err := ParseAdapter(text)
	if err != nil {
		return nil, fmt.Errorf("adapter %s: %w", name, err)
	}
	return a, nil
}

// ParseAdapter reads an adapter and lists everything that is wrong with it.
func ParseAdapter(text []byte) (*Adapter, error) {
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	a := &Adapter{}
	if err := read.Decode(a); err != nil {
		return nil, err
	}
	return a, errors.Join(a.faults()...)
}

func (a *Adapter) faults() (faults []error) {
	if a.Name == "" {
		faults = append(faults, errors.New("name is missing"))
	}
	if a.Decimals < 0 || a.Decimals > 4 {
		faults = append(faults, errors.New("decimals must be 0 to 4"))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Operations)) {
		op := a.Operations[name]
		if _, known := opNamed(name); !known {
			faults = append(faults, fmt.Errorf("operations.%s: no operation is called so; there are %s", name, strings.Join(opNames[:], ", ")))
		}
		if op.Method == "" || !strings.HasPrefix(op.Path, "/") || op.Status < 200 || op.Status > 299 {
			faults = append(faults, fmt.Errorf("operations.%s: method, a path from /, and a status from 200 to 299 are needed", name))
		}
		if _, ok := a.Shapes[op.Shape]; !ok && op.Shape != "" {
			faults = append(faults, fmt.Errorf("operations.%s: there is no shape %q", name, op.Shape))
		}
		path := parseTemplate(op.Path)
		if rest := path.unknown(); rest != "" {
			faults = append(faults, fmt.Errorf("operations.%s: the path's %s is no placeholder", name, rest))
		}
	}
	for i, article := range a.Articles {
		if article.Product == "" || article.Unit < 0 {
			faults = append(faults, fmt.Errorf("articles[%d]: product and a unit_price of at least 0 are needed", i))
		}
	}
	return faults
}

// articles are the standard ones and the configured ones.
func (a *Adapter) articles() (standard, made []Article) {
	if len(a.Articles) == 0 {
		return Standard(), Made()
	}
	for _, article := range a.Articles {
		if article.Configuration == "" {
			standard = append(standard, article)
		} else {
			made = append(made, article)
		}
	}
	return standard, made
}
