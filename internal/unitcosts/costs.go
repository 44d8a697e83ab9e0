// Package unitcosts owns what one request and one stored item cost a node and Redis, and the
// arithmetic from there to nodes, masters and cells. `make unit-costs` measures the table (table.json)
// and writes the same figures into docs/scaling.md; `cartd size` computes with them.
//
// It refuses to know how the figures are measured (bench/suite) and what a request does.
//
// Open first: costs.go (the figures), size.go (the arithmetic), page.go (the page).
package unitcosts

import (
	_ "embed" // table.json
	"encoding/json"
	"math"
	"slices"
	"strings"
)

//go:embed table.json
var table []byte

// Table has the figures of the last `make unit-costs`.
func Table() *Costs {
	c := &Costs{}
	if err := json.Unmarshal(table, c); err != nil {
		panic(err) // a test reads it
	}
	return c
}

// JSON is the text of table.json with these costs: each object begins a line.
func (c *Costs) JSON() ([]byte, error) {
	text, err := json.Marshal(c)
	return []byte(strings.TrimSpace(strings.ReplaceAll(string(text), `{"`, "\n{\"")) + "\n"), err
}

// Costs are all figures of one measurement.
type Costs struct {
	// Measured says when and on which machine.
	Measured string
	// Later says the same of what was measured later, by itself; empty if nothing was.
	Later    string
	Requests []Request
	Items    []Item
}

// Request is one kind of request.
type Request struct {
	Kind, About string
	Loads       []Load
}

// Load is a kind of request under one condition.
type Load struct {
	Name string
	// Node and Redis are CPU microseconds a request.
	Node, Redis float64
	// Memory and File are bytes of Redis's memory and of its append-only file a request. The log of
	// requests is not in Memory, except under Many.
	Memory, File float64
}

// The conditions, in the order of the page.
const (
	Busy  = "busy"  // 32 connections, one store, the records in the node's memory
	Alone = "alone" // one connection: no request shares a trip with another
	Cold  = "cold"  // the node holds no record
	Roam  = "roam"  // each request goes to the other one of two nodes
	Many  = "many"  // 300 stores
)

// Conditions are the conditions with their explanation.
var Conditions = []struct{ Name, About string }{
	{Busy, "32 connections, one node, one store, the records in its memory"},
	{Alone, "one connection: no request shares a trip with another"},
	{Cold, "no record is in the node's memory"},
	{Roam, "not sticky: each request goes to the other one of two nodes"},
	{Many, "32 connections over 300 stores"},
}

// Item is something stored.
type Item struct {
	Name string
	// Redis is bytes of Redis's memory, Node bytes of a node's memory, 0 if it takes none.
	Redis, Node float64
}

// The names of the items that the arithmetic needs.
const (
	LogEntry       = "entry of a store's log of requests, for a minute"
	Cart           = "cart of 3 lines"
	TrackedCart    = "cart of 3 lines that hold stock"
	Product        = "product of a store"
	TrackedProduct = "product of a store, its stock tracked"
	Account        = "account without an address, with the entries of its name"
	Quote          = "offered quote of 3 lines, with its token and lists"
	SalesDay       = "day of a store's sales, with orders and cancels in all hours"
)

// Less takes off what a number of other requests cost.
func (l Load) Less(other Load, n float64) Load {
	l.Node, l.Redis, l.Memory, l.File = l.Node-n*other.Node, l.Redis-n*other.Redis, l.Memory-n*other.Memory, l.File-n*other.File
	return l
}

// Per divides what some requests cost by their number.
func (l Load) Per(n float64) Load {
	l.Node, l.Redis, l.Memory, l.File = l.Node/n, l.Redis/n, l.Memory/n, l.File/n
	return l
}

// Round rounds all figures to what the table shows.
func (c *Costs) Round() {
	for _, r := range c.Requests {
		for i := range r.Loads {
			l := &r.Loads[i]
			l.Node, l.Redis = math.Round(max(0, l.Node)*10)/10, math.Round(max(0, l.Redis)*10)/10
			l.Memory, l.File = math.Round(max(0, l.Memory)), math.Round(max(0, l.File))
		}
	}
	for i := range c.Items {
		c.Items[i].Redis, c.Items[i].Node = math.Round(c.Items[i].Redis), math.Round(c.Items[i].Node)
	}
}

// Load is a kind under a condition, under Busy if it was not measured under that.
func (c *Costs) Load(kind, condition string) Load {
	i := slices.IndexFunc(c.Requests, func(r Request) bool { return r.Kind == kind })
	if i < 0 {
		return Load{}
	}
	found := Load{}
	for _, l := range c.Requests[i].Loads {
		if l.Name == condition {
			return l
		}
		if l.Name == Busy {
			found = l
		}
	}
	return found
}

// item is an item by its name.
func (c *Costs) item(name string) Item {
	i := slices.IndexFunc(c.Items, func(item Item) bool { return item.Name == name })
	if i < 0 {
		return Item{}
	}
	return c.Items[i]
}
