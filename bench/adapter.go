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

// Adapter describes the API of a system: how each operation is sent and how its answer is read. It
// is a JSON file; docs/bench.md describes it.
type Adapter struct {
	Name  string `json:"name"`
	About string `json:"about"`
	// Headers are sent with every request. Their values are templates, like paths and bodies.
	Headers map[string]string `json:"headers"`
	// Once are the headers of writes in scenarios with idempotency keys.
	Once map[string]string `json:"once"`
	// Decimals is the number of decimals of amounts in answers: 0 for minor units, 2 for "12.34".
	Decimals int `json:"decimals"`
	// Articles are the articles that the system sells. If there are none, it sells those of the
	// harness's own stores.
	Articles   []Article            `json:"articles"`
	Shapes     map[string]Shape     `json:"shapes"`
	Operations map[string]Operation `json:"operations"`
	// States are the texts of an order's states, by "paid", "cancelled" and "ended": the values at the
	// paths of a shape's states, with spaces.
	States map[string]string `json:"states"`
	// Flash describes a flash sale, nil if the adapter has none.
	Flash *FlashAdapter `json:"flash"`
}

// Operation describes the request and the answer of one operation.
type Operation struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Status  int               `json:"status"`
	// Shape is the name of the answer's shape. If it is empty, the answer is not read.
	Shape string `json:"shape"`
}

// Shape has the paths of the checked values in an answer. A path is keys joined by dots. Other
// values are not checked.
type Shape struct {
	ID    string `json:"id"`
	Total string `json:"total"`
	// Order is the id of an order, States are the paths of what makes its state.
	Order  string   `json:"order"`
	States []string `json:"states"`
	// Lines is the list of all lines (or addresses), Line the line that the request changed.
	Lines *LineShape `json:"lines"`
	Line  *LineShape `json:"line"`
}

// LineShape has the paths of the checked values in a line. At is the path of the list or the line;
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

// LoadAdapter reads an adapter from a file, or a built-in one by its name ("cartd").
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

// ParseAdapter reads an adapter. The error lists all its faults.
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
			faults = append(faults, fmt.Errorf("operations.%s: unknown operation; the known ones are %s", name, strings.Join(opNames[:], ", ")))
		}
		if op.Method == "" || !strings.HasPrefix(op.Path, "/") || op.Status < 200 || op.Status > 299 {
			faults = append(faults, fmt.Errorf("operations.%s: method, a path from /, and a status from 200 to 299 are needed", name))
		}
		if _, ok := a.Shapes[op.Shape]; !ok && op.Shape != "" {
			faults = append(faults, fmt.Errorf("operations.%s: there is no shape %q", name, op.Shape))
		}
		path := parseTemplate(op.Path)
		if rest := path.unknown(); rest != "" {
			faults = append(faults, fmt.Errorf("operations.%s: the path has the unknown placeholder %s", name, rest))
		}
	}
	for i, article := range a.Articles {
		if article.Product == "" || article.Unit < 0 {
			faults = append(faults, fmt.Errorf("articles[%d]: product and a unit_price of at least 0 are needed", i))
		}
	}
	for name, shape := range a.Shapes {
		if len(shape.States) > maxStates {
			faults = append(faults, fmt.Errorf("shapes.%s: at most %d states", name, maxStates))
		}
	}
	if a.Flash != nil {
		faults = append(faults, a.Flash.faults(a)...)
	}
	return faults
}

// articles are the articles of the system, standard and made to measure.
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
