package storefile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cartd/internal/spelling"
	"cartd/internal/strictjson"
)

// Fault is one thing that is wrong with a document.
type Fault struct {
	// Path is where: products[3].variants[0].price_amount, document for the whole
	// of it, or line 3, column 14 where the text is no JSON.
	Path    string `json:"path"`
	Message string `json:"message"`
	// Line is where the value begins, 0 for the whole document.
	Line int `json:"line,omitempty"`
	// Value is the text, number, true or false that is there; empty where none is, where it
	// may be a secret and where the fault is the field's name.
	Value string `json:"value,omitempty"`
	// ID and SKU are those of the product, customer or other entry that the value belongs to.
	ID  string `json:"id,omitempty"`
	SKU string `json:"sku,omitempty"`
	// DidYouMean is the name that a misspelt one was meant to be.
	DidYouMean string `json:"did_you_mean,omitempty"`
	kind       faultKind
}

// faultKind tells what a JSON Schema can say of a document from what it cannot.
type faultKind uint8

const (
	// ofShape is a value that is wrong by itself, or members that an object may not
	// have together.
	ofShape faultKind = iota
	// ofContent is what only shows beside other values (a duplicate, a dangling
	// reference, a cycle, an order, a table's measures), in the text rather than in
	// its values (5.0 for 5, a member given twice) or to more than a pattern (a URL, what can be printed).
	ofContent
)

// String returns the fault as "path: what is wrong".
func (f Fault) String() string { return f.Path + ": " + f.Message }

// Details returns what else is known of the fault, to stand behind String: what the value
// is, what was meant, and where it stands.
func (f Fault) Details() string {
	var text strings.Builder
	if f.Value != "" {
		text.WriteString(", not " + f.Value)
	}
	if f.DidYouMean != "" {
		text.WriteString(": did you mean " + strconv.Quote(f.DidYouMean) + "?")
	}
	var where []string
	if f.Line > 0 {
		where = append(where, "line "+strconv.Itoa(f.Line))
	}
	if f.SKU != "" {
		where = append(where, "SKU "+strconv.Quote(f.SKU))
	}
	if f.ID != "" {
		where = append(where, "id "+f.ID)
	}
	if len(where) > 0 {
		text.WriteString(" (" + strings.Join(where, ", ") + ")")
	}
	return text.String()
}

// Faults are all that is wrong with a document, in its order; the error of Parse.
type Faults struct {
	list []Fault
	more int // faults that are not in the list
}

// List returns the faults. Beyond 10,000 only the first are there, and one more
// entry at the end says how many are not.
func (f *Faults) List() []Fault { return f.list }

// Total is the number of all faults, also of those that the list leaves out.
func (f *Faults) Total() int {
	if f.more > 0 {
		return len(f.list) - 1 + f.more
	}
	return len(f.list)
}

// Error returns every fault on a line of its own.
func (f *Faults) Error() string {
	lines := make([]string, len(f.list))
	for i, fault := range f.list {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

// syntaxFault says by line and column where a text stops being JSON; columns are
// counted in characters.
func syntaxFault(data []byte, err *strictjson.SyntaxError) *Faults {
	before := data[:err.Offset]
	line := 1 + bytes.Count(before, []byte{'\n'})
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return &Faults{list: []Fault{{Path: fmt.Sprintf("line %d, column %d", line, column), Message: err.Message}}}
}

// maxFaults is how many faults are kept of one document.
const maxFaults = 10_000

// found is a fault whose path is not written out yet.
type found struct {
	at      int    // where the value begins, in bytes from the document's beginning
	member  string // the member that the value lacks; empty: the value itself is meant
	kind    faultKind
	message string
	other   int // the position whose path ends the message; 0: none
	// known are the names that there are in the place of the value or, where misnamed, of its
	// member's name.
	known    []string
	misnamed bool
}

// lineCounter finds the lines of positions that are asked for in ascending order.
type lineCounter struct {
	data            []byte
	counted, before int
}

func (c *lineCounter) at(offset int) int {
	c.before += bytes.Count(c.data[c.counted:offset], []byte{'\n'})
	c.counted = offset
	return c.before + 1
}

// collector gathers faults in any order and keeps the first of the document.
type collector struct {
	found   []found
	dropped int
}

func (c *collector) add(f found) {
	if c.dropped > 0 && f.at >= c.found[maxFaults-1].at {
		c.dropped++
		return
	}
	c.found = append(c.found, f)
	if len(c.found) == 2*maxFaults {
		c.sort()
	}
}

// sort puts the faults into the document's order and lets go of those beyond maxFaults.
func (c *collector) sort() {
	slices.SortStableFunc(c.found, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	if excess := len(c.found) - maxFaults; excess > 0 {
		c.found, c.dropped = c.found[:maxFaults], c.dropped+excess
	}
}

// faults writes out what was found in a document, whose value is root; nil: nothing was.
func (c *collector) faults(data []byte, root strictjson.Value) *Faults {
	if len(c.found) == 0 {
		return nil
	}
	c.sort()
	places, lines := positionsOf(root, c.found), lineCounter{data: data}
	start := cap(data) - cap(root)
	list := make([]Fault, 0, len(c.found)+1)
	for _, f := range c.found {
		at := places[f.at]
		fault := Fault{Path: at.path, Message: f.message, Line: lines.at(start + f.at), Value: at.shown, ID: at.id, SKU: at.sku, kind: f.kind}
		switch {
		case f.member != "":
			fault.Path, fault.Value = memberPath(at.path, f.member), ""
		case f.misnamed:
			fault.DidYouMean, _ = spelling.Closest(at.name, f.known)
			fault.Value = ""
		case at.shown != "":
			fault.DidYouMean, _ = spelling.Closest(at.text, f.known)
		}
		if f.other != 0 {
			fault.Message += " " + places[f.other].path
		}
		list = append(list, fault)
	}
	if c.dropped > 0 {
		list = append(list, Fault{Path: wholeDocument, Message: fmt.Sprintf("has %d more faults", c.dropped)})
	}
	return &Faults{list: list, more: c.dropped}
}
